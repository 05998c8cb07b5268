#pragma once
// What has changed between two contexts: what the parts of the Simulator share.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "arges/hybrid/schema.h"
#include "arges/results/sink.h"

namespace arges {

// NaN is the same as NaN. (Mostly nothing has changed, to the last bit.)
inline bool same(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  if (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0) return true;
  return std::equal(a.begin(), a.end(), b.begin(),
                    [](double p, double q) { return p == q || (std::isnan(p) && std::isnan(q)); });
}

// Appends the variables that have changed and are not hidden.
inline void note(const std::vector<VariableInfo>& variables, const std::vector<double>& before,
                 const std::vector<double>& after, std::vector<EventChange>& changes) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool changed = before[i] != after[i] && !(std::isnan(before[i]) && std::isnan(after[i]));
    if (changed && !variables[i].hidden)
      changes.push_back({variables[i].name, before[i], after[i]});
  }
}

}  // namespace arges
