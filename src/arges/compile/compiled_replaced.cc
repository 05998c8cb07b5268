// Variables that are continuous at events though they are no states: the text differentiates them,
// but prefers others as states, from which they follow.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/compile/compiled_system.h"
#include "arges/hybrid/update.h"

namespace arges {

void CompiledSystem::check_replaced(Update& now) const {
  constexpr double kRelative = 1e-6, kOfNominal = 1e-9;
  const std::vector<VarId>& replaced = model_.replaced_states;
  const std::vector<double>& z = now.before().z;
  if (replaced.empty() || now.context().z == z) return;
  // At the start nothing was before.
  if (std::equal(z.begin(), z.end(), default_start_.end() - static_cast<std::ptrdiff_t>(z.size())))
    return;
  std::vector<double> before(replaced.size()), after(replaced.size());
  values_at(point_at(now.before()), replaced, before.data());
  values_at(now.point(), replaced, after.data());
  for (std::size_t i = 0; i < replaced.size(); ++i) {
    const double size = std::abs(before[i]) + std::abs(after[i]);
    if (!(std::abs(after[i] - before[i]) > kRelative * size + kOfNominal)) continue;
    throw EvaluationError(
        fmt::format("'{}' would jump from {:.9g} to {:.9g} at this event, because other variables "
                    "are preferred as states: take back their stateSelect = StateSelect.prefer{}",
                    model_.flat[replaced[i]].name, before[i], after[i],
                    place_text(model_.flat.pool, model_.flat[replaced[i]].origin)),
        false);
  }
}

}  // namespace arges
