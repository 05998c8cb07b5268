#include "arges/compile/loop_description.h"

#include <algorithm>

#include <fmt/format.h>

#include "arges/base/index.h"

namespace arges {

std::string describe_loop(const CausalModel& model, const Block& block,
                          const std::vector<CausalEquation>& equations) {
  std::string text = fmt::format("{} {} for", block.linear ? "linear" : "nonlinear",
                                 block.equations.size() == 1 ? "equation" : "equations");
  constexpr std::size_t kShown = 5;
  for (std::size_t i = 0; i < std::min(kShown, block.tears.size()); ++i)
    text += fmt::format("{} {}", i > 0 ? "," : "", model.flat[block.tears[i]].name);
  if (block.tears.size() > kShown) text += ", ...";
  text += ":";
  for (std::size_t i = 0; i < std::min(kShown, block.equations.size()); ++i)
    text +=
        fmt::format("{} {}", i > 0 ? ";" : "", model.describe(equations[at(block.equations[i])]));
  if (block.equations.size() > kShown) text += "; ...";
  return text;
}

}  // namespace arges
