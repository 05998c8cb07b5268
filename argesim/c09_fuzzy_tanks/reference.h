#pragma once
// Reference values of C9, for assumed data: the definition was not recovered. An own program with
// integration to 1e-12 between the samples; 9 digits.

#include <array>

namespace arges::argesim::c9 {

// 40 x 40 values on an even grid of [-1, 1] x [-1, 1].
struct Surface {
  double sum, sum_of_squares, at_10_20, at_20_10;
};
inline constexpr std::array<Surface, 3> kSurfaces = {
    {{800, 580.240019088449, 0.24358974359, 0.75641025641},
     {800, 621.550199404139, 0.112820512821, 0.887179487179},
     {800, 593.897576126736, 0.179881656805, 0.759763313609}}};

struct Levels {
  int controller;
  double t, x1, x2;
};
inline constexpr std::array<Levels, 14> kLevels = {{{1, 10, 0.165397039409, 0.053994259328},
                                                    {1, 50, 0.318549674279, 0.093955734485},
                                                    {1, 100, 0.43834483689, 0.147982733222},
                                                    {1, 200, 0.594243904536, 0.23623897916},
                                                    {1, 500, 0.798319179499, 0.37469100258},
                                                    {1, 1000, 0.876229107065, 0.433976451729},
                                                    {2, 10, 0.169506523604, 0.054299014019},
                                                    {2, 100, 0.430718060988, 0.144922286401},
                                                    {2, 500, 0.791914705346, 0.372383499844},
                                                    {2, 1000, 0.929095137041, 0.462600723413},
                                                    {3, 10, 0.169045826726, 0.054263099903},
                                                    {3, 100, 0.431826803045, 0.145479718165},
                                                    {3, 500, 0.797239860036, 0.374226831417},
                                                    {3, 1000, 0.879553996246, 0.435107569113}}};

}  // namespace arges::argesim::c9
