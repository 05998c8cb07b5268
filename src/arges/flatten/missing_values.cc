#include "arges/flatten/missing_values.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "arges/flatten/text_span.h"

namespace arges::lang {

namespace {

std::vector<const FlatVariable*> without_value(const FlatModel& model) {
  std::vector<const FlatVariable*> found;
  for (const FlatVariable& v : model.variables) {
    const bool is_parameter = v.variability == decltype(v.variability)::kParameter;
    const bool is_written = v.origin.line > 0;  // not made on the way
    if (!is_parameter || !is_written || v.absent) continue;
    if (v.type == ScalarType::kString) continue;  // an empty text is as good as any
    if (v.binding.valid() || v.start.valid() || !v.fixed.value_or(true)) continue;
    found.push_back(&v);
  }
  return found;
}

}  // namespace

std::string missing_values(const FlatModel& model, std::span<const std::string> given) {
  constexpr std::size_t kNamed = 5;
  std::string names;
  std::size_t missing = 0;
  for (const FlatVariable* v : without_value(model)) {
    if (std::ranges::find(given, v->name) != given.end()) continue;
    if (++missing > kNamed) continue;
    names += fmt::format("{}'{}'{}", names.empty() ? "" : ", ", v->name,
                         place_text(model.pool, v->origin));
  }
  if (missing == 0) return {};
  if (missing > kNamed) names += fmt::format(" and {} more", missing - kNamed);
  const std::string_view code = diag::info(diag::Code::kParameterWithoutValue).id;
  return missing == 1 ? fmt::format(
                            "parameter {} has no value: the default of its type is taken, 0 "
                            "or false; give it one ({})",
                            names, code)
                      : fmt::format(
                            "parameters {} have no values: the defaults of their types are "
                            "taken, 0 or false; give them some ({})",
                            names, code);
}

void check_missing_values(const FlatModel& model, ClassTree& tree) {
  for (const FlatVariable* v : without_value(model)) {
    const diag::Span where = text_span(v->origin, model.pool, tree);
    const bool is_truth = v->type == ScalarType::kBoolean;
    tree.diagnostics().report(
        diag::Diagnostic(diag::Code::kParameterWithoutValue,
                         fmt::format("the parameter `{}` has no value: {} is taken", v->name,
                                     is_truth ? "false" : "0"),
                         where)
            .suggest("give it a value here, or by a modification"));
  }
}

}  // namespace arges::lang
