#include "argesim/cp1_parallel/speed_up.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/hybrid/simulator.h"

namespace arges::argesim {

std::vector<double> all_states(const std::vector<std::vector<double>>& parts) {
  std::vector<double> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<double> first_halves(const std::vector<std::vector<double>>& parts) {
  std::vector<double> all;
  for (const auto& part : parts)
    all.insert(all.end(), part.begin(),
               part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2));
  return all;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

SpeedUp speed_up(const HybridSystem& whole, const std::vector<CoupledPart>& parts,
                 const std::vector<CoupledLink>& links, CoupledOptions how,
                 const std::vector<int>& intervals, StatesOfParts compared) {
  const CoupledResult serial = run_coupled({{whole, make_context(whole)}}, {}, how);
  SpeedUp result;
  result.table = {{"inputs handed over", "1 thread, ms", "2 threads, ms",
                   "speed-up against one model", "largest difference from it"}};
  for (const int interval : intervals) {
    how.exchange_every = interval;
    how.threads = 1;
    const CoupledResult one = run_coupled(parts, links, how);
    how.threads = 2;
    const CoupledResult two = run_coupled(parts, links, how);
    const double difference = largest_difference(compared(two.states), serial.states[0]);
    if (interval == 0) result.at_each_stage = difference;
    result.between_threads = std::max(
        result.between_threads, largest_difference(compared(two.states), compared(one.states)));
    result.table.push_back(
        {interval == 0   ? std::string("at each stage")
         : interval == 1 ? std::string("each step h")
                         : fmt::format("each {} h", interval),
         fmt::format("{:.2f}", one.wall_s * 1e3), fmt::format("{:.2f}", two.wall_s * 1e3),
         fmt::format("{:.2f}", serial.wall_s / two.wall_s), fmt::format("{:.1e}", difference)});
  }
  result.table.push_back(
      {"one model, serial", fmt::format("{:.2f}", serial.wall_s * 1e3), "", "1", "0"});
  return result;
}

}  // namespace arges::argesim
