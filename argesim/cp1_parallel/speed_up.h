#pragma once
// One model against its parts on two threads: times, and what the parts make of it.

#include <string>
#include <vector>

#include "arges/experiment/coupled_run.h"

namespace arges::argesim {

struct SpeedUp {
  std::vector<std::vector<std::string>> table;  // for the report: one row for each interval
  double at_each_stage = 0;                     // largest difference from the one model
  double between_threads = 0;                   // largest difference between one thread and two
};

// What is compared: some states of all parts, in the order in which they come first in the whole.
using StatesOfParts = std::vector<double> (*)(const std::vector<std::vector<double>>& parts);
std::vector<double> all_states(const std::vector<std::vector<double>>& parts);
// Of parts whose deflections come before as many velocities: the deflections.
std::vector<double> first_halves(const std::vector<std::vector<double>>& parts);

double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

// Runs the whole, and the parts with inputs handed over after so many steps (0: at each stage).
SpeedUp speed_up(const HybridSystem& whole, const std::vector<CoupledPart>& parts,
                 const std::vector<CoupledLink>& links, CoupledOptions how,
                 const std::vector<int>& intervals, StatesOfParts compared);

}  // namespace arges::argesim
