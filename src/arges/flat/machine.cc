#include "arges/flat/machine.h"

namespace arges {

std::int32_t FlatMachines::owner(const std::string& name) const {
  std::int32_t best = -1;
  std::size_t longest = 0;
  for (std::size_t s = 0; s < states.size(); ++s) {
    const std::string& prefix = states[s].name;
    if (prefix.size() < longest || !name.starts_with(prefix)) continue;
    if (name.size() > prefix.size() && name[prefix.size()] != '.') continue;
    best = static_cast<std::int32_t>(s);
    longest = prefix.size();
  }
  return best;
}

bool FlatMachines::is_within(std::int32_t state, std::int32_t outer) const {
  while (state >= 0 && state != outer)
    state =
        machines[static_cast<std::size_t>(states[static_cast<std::size_t>(state)].machine)].inside;
  return state == outer;
}

}  // namespace arges
