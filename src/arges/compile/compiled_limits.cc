// Parameters outside of what their declarations allow.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/compile/compiled_system.h"

namespace arges {

namespace {

// Values that are computed meet a limit to rounding: of themselves, and of numbers of about one
// that they are the difference of.
constexpr double kRounding = 1e-12, kOfOne = 1e-15;

}  // namespace

// `min` and `max` are numbers or other parameters; of other expressions nothing is said.
void CompiledSystem::check_limits(vm::Workspace& w, bool free) const {
  const FlatModel& flat = model_.flat;
  const auto limit = [&](ExprId e) {
    if (!e.valid()) return std::nan("");
    if (flat.pool.is_constant(e)) return flat.pool.value(e);
    const bool is_parameter =
        flat.pool[e].op == Op::kVar && model_.role_of(flat.pool.var(e)) == Role::kParameter;
    return is_parameter ? at(w, flat.pool.var(e)) : std::nan("");
  };
  for (const VarId v : code_.parameters) {
    const FlatVariable& variable = flat[v];
    if (model_.is_found_at_start(v) != free || !(variable.min.valid() || variable.max.valid()))
      continue;
    const double value = at(w, v), min = limit(variable.min), max = limit(variable.max);
    const auto room = [&](double edge) {
      return kRounding * std::max(std::abs(edge), std::abs(value)) + kOfOne;
    };
    const bool is_low = value<min - room(min), is_high = value> max + room(max);
    if (!is_low && !is_high) continue;
    throw EvaluationError(fmt::format("'{}' is {:.9g}, {} than its {}, {:.9g}{}", variable.name,
                                      value, is_low ? "less" : "more", is_low ? "min" : "max",
                                      is_low ? min : max, place_text(flat.pool, variable.origin)),
                          false);
  }
}

}  // namespace arges
