#pragma once
// Reference values of C12. Computed in exact rational arithmetic, with gap a = 1, v0 = 1, equal
// masses (assumed: the definition as it is known gives no numbers).

#include <array>

namespace arges::argesim::c12 {

struct Collision {
  double t;
  int pair;  // 1: spheres 1 and 2
};
inline constexpr std::array<Collision, 3> kSequence10 = {{{1, 1}, {2, 2}, {3, 3}}};
inline constexpr std::array<Collision, 13> kSequence02 = {{{1, 1},
                                                           {2.6666666666666665, 2},
                                                           {4.75, 1},
                                                           {5.444444444444445, 3},
                                                           {6.833333333333333, 2},
                                                           {7.634615384615385, 1},
                                                           {9.148148148148149, 3},
                                                           {9.504273504273504, 2},
                                                           {9.726851851851851, 3},
                                                           {11.793650793650794, 2},
                                                           {14.612012987012987, 1},
                                                           {14.73745937544157, 2},
                                                           {14.910896644596566, 1}}};
struct Outcome {
  double e;
  int collisions;
  double t_last;
  std::array<double, 4> v;
};
inline constexpr std::array<Outcome, 10> kOutcomes = {
    {{1, 3, 3, {0, 0, 0, 1}},
     {0.9, 6, 401.9944751381216, {0.045475625, 0.047511875, 0.0496375, 0.857375}},
     {0.8, 6, 101.97560975609755, {0.08362, 0.09018, 0.0972, 0.729}},
     {0.6, 6, 26.88235294117647, {0.14624, 0.16256, 0.1792, 0.512}},
     {0.5, 6, 17.8, {0.173828125, 0.193359375, 0.2109375, 0.421875}},
     {0.4, 6, 12.800766283524904, {0.20046, 0.22134, 0.2352, 0.343}},
     {0.3, 6, 9.713724021718779, {0.226979375, 0.247008125, 0.2513875, 0.274625}},
     {0.25,
      10,
      27.199454191033137,
      {0.24041748046875, 0.25236785411834717, 0.2534162253141403, 0.2537984400987625}},
     {0.2, 13, 14.910896644596566, {0.24974780416, 0.24993030144, 0.2501074944, 0.2502144}},
     {0.18,
      25,
      34.98066783933386,
      {0.24999980660774823, 0.2499999676963612, 0.25000008034460275, 0.25000014535128784}}}};
// The number of collisions changes at these e (above the first: 6, below: 10; and so on).
struct Step {
  double e;
  int above, below;
};
inline constexpr std::array<Step, 4> kSteps = {{{0.2679491924311227, 6, 10},
                                                {0.2360679774997897, 10, 9},
                                                {0.2168453354374751, 9, 13},
                                                {0.19917323785241686, 13, 14}}};
inline constexpr double kCriticalE = 0.1715728752538099;   // 3 - 2 sqrt(2)
inline constexpr double kHalfSpeedE = 0.5874010519681995;  // 2^(2/3) - 1: v4 = v0/2

}  // namespace arges::argesim::c12
