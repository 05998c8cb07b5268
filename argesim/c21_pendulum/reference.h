#pragma once
// Reference values of C21, part 4: Taylor series with 22 digits; an explicit Runge-Kutta method of
// order 8 agrees to 1e-13.

#include <array>

namespace arges::argesim::c21 {

inline constexpr double kSlack = 1.921999019786355, kTaut = 2.6614988940583646;
inline constexpr double kSlackPhi = 18.25071877740903, kSlackOmega = 2.8465730503830318;
inline constexpr double kTautPhi = 2.143261792457129, kTautOmega = 3.2420956531272034;

struct Turn {
  double t, psi;
};
inline constexpr std::array<Turn, 5> kTurns = {{{3.4397027185160263, 1.1252393477784},
                                                {4.513782528276954, -0.802463425264852},
                                                {5.554490926372138, 0.582762116508345},
                                                {6.579403213776811, -0.426810495428145},
                                                {7.596271405871385, 0.313932600048342}}};
inline constexpr double kPublishedStop = 7.59627;

// The lowest point after the last turn.
inline constexpr double kBottom = 8.134299205119165, kBottomOmega = -0.8337033045972834;
inline constexpr double kPublishedBottomOmega = -0.833703304;

// Task 4.4: what the kick must make of omega there.
struct Kick {
  const char* goal;
  double turns;  // the goal's angle from the upper vertical, in full turns
  double omega_goal;
  double omega, published, gamma;
};
inline constexpr double kTopOmega = 3.132091952673165;  // sqrt(g/l): no force on top
inline constexpr std::array<Kick, 4> kKicks = {{
    {"the start again", 1.125, 15, 18.334081457722924, 18.334081457723, -21.99113444390043},
    {"once over the top", 1, kTopOmega, 8.462190633501582, 8.4621906335016, -10.150122455840819},
    {"twice", 2, kTopOmega, 11.837062245222235, 11.837062245222, -14.198171195854956},
    {"three times", 3, kTopOmega, 15.397267583780073, 15.39726758378, -18.468521713750025},
}};

}  // namespace arges::argesim::c21
