#include "arges/flat/flat_model.h"

#include <fmt/format.h>

namespace arges {

std::string_view to_string(FlatVariability variability) {
  switch (variability) {
    case FlatVariability::kConstant:
      return "constant";
    case FlatVariability::kParameter:
      return "parameter";
    case FlatVariability::kDiscrete:
      return "discrete";
    case FlatVariability::kContinuous:
      return "continuous";
  }
  return "";
}

std::string_view to_string(StateSelect select) {
  switch (select) {
    case StateSelect::kNever:
      return "StateSelect.never";
    case StateSelect::kAvoid:
      return "StateSelect.avoid";
    case StateSelect::kDefault:
      return "StateSelect.default";
    case StateSelect::kPrefer:
      return "StateSelect.prefer";
    case StateSelect::kAlways:
      return "StateSelect.always";
  }
  return "";
}

std::string place_text(const ExprPool& pool, const Origin& origin) {
  if (origin.line <= 0 || !origin.file.valid()) return "";
  return fmt::format(" [{}:{}:{}]", pool.text(origin.file), origin.line, origin.column);
}

std::int32_t FlatFunction::input_scalars() const {
  std::int32_t n = 0;
  for (std::int32_t i = 0; i < inputs; ++i) n += locals[static_cast<std::size_t>(i)].size();
  return n;
}

std::int32_t FlatFunction::output_scalars() const {
  std::int32_t n = 0;
  for (std::int32_t i = inputs; i < inputs + outputs; ++i)
    n += locals[static_cast<std::size_t>(i)].size();
  return n;
}

}  // namespace arges
