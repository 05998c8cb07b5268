#pragma once
// Reference values of C11 with the earlier, assumed data, 10 digits: an explicit Runge-Kutta method
// of order 8 at two tolerances.

#include "argesim/c11_scara/reference.h"

namespace arges::argesim::c11 {

struct EarlierState {
  State state;
  double x, y;  // of the tool
};
// Where the tool is when the manoeuvre enters a phase.
struct PhaseChange {
  double t;
  int phase;
  const char* what;
  std::array<double, 3> tool;
};
inline constexpr std::array<Limit, 8> kEarlierLimits = {{
    {0.000446304095, "top[1]", true, "current limit of axis 1 reached"},
    {0.000446427655, "top[2]", true, "current limit of axis 2 reached"},
    {0.200099892218, "high[2]", false, "voltage limit of axis 2 left"},
    {0.20483951897, "held[2]", false, "current limit of axis 2 left"},
    {0.416701925971, "high[1]", false, "voltage limit of axis 1 left"},
    {0.42550380432, "held[1]", false, "current limit of axis 1 left"},
    {0.452389070084, "bottom[1]", true, "current limit of axis 1 reached downwards"},
    {0.853008858057, "held[1]", false, "current limit of axis 1 left"},
}};
inline constexpr std::array<EarlierState, 6> kEarlierStates = {{
    {{0.1,
      {0.01640387450875, 0.1348508741349, 0.0982752175028, 0.3321614180589, 2.700534023634,
       -0.005284180143297, 8, 8, 1.990250083826}},
     0.6965210215,
     0.0517648576},
    {{0.25,
      {0.1283783737447, 0.802380956934, 0.09804639491453, 1.588376059012, 4.885065626922,
       -0.0001870023930043, 8, -2.399298245762, 1.962999745116}},
     0.5758758578,
     0.2918325111},
    {{0.5,
      {1.062624408957, 1.558458301138, 0.09803803202326, 4.662692943944, 1.762248151466,
       -7.133397293209e-07, -8, 0.1023558052804, 1.96200381363}},
     -0.0656373125,
     0.4986509744},
    {{1.0,
      {2.006060615696, 1.9451327109, 0.09803800000047, -0.02480474349187, 0.2297639633945,
       -1.037988666266e-11, 0.01329852174703, -0.2596250878559, 1.962000000056}},
     -0.3755963066,
     0.1454999202},
    {{1.5,
      {2.000746017151, 1.993238282604, 0.098038, -0.003144321720626, 0.02831399779753,
       -3.219140236165e-15, 0.004039019243223, -0.03194563911703, 1.962}},
     -0.3641853678,
     0.1377376781},
    {{2.0,
      {2.000090486055, 1.999166771084, 0.098038, -0.0003819034397804, 0.003489130694067,
       -3.219140236165e-15, 0.000503231113755, -0.003938355214829, 1.962}},
     -0.3627533105,
     0.1368088678},
}};

// With the obstacle.
inline constexpr std::array<Limit, 28> kEarlierObstacleLimits = {{
    {0.000446304095, "top[1]", true, "current limit of axis 1 reached"},
    {0.000446427655, "top[2]", true, "current limit of axis 2 reached"},
    {0.200099892218, "high[2]", false, "voltage limit of axis 2 left"},
    {0.20483951897, "held[2]", false, "current limit of axis 2 left"},
    {0.336927094376, "held[1]", false, "current limit of axis 1 left"},
    {0.337211361165, "bottom[2]", true, "current limit of axis 2 reached downwards"},
    {0.337272940341, "top[3]", true, "current limit of axis 3 reached"},
    {0.337501061146, "bottom[1]", true, "current limit of axis 1 reached downwards"},
    {0.40354605534, "low[2]", false, "voltage limit of axis 2 left"},
    {0.427126720114, "held[1]", false, "current limit of axis 1 left"},
    {0.427126720114, "held[2]", false, "current limit of axis 2 left"},
    {0.427126720114, "held[3]", false, "current limit of axis 3 left"},
    {0.427640273584, "bottom[3]", true, "current limit of axis 3 reached downwards"},
    {0.427993778248, "top[2]", true, "current limit of axis 2 reached"},
    {0.428417860021, "top[1]", true, "current limit of axis 1 reached"},
    {0.458949775296, "low[3]", false, "voltage limit of axis 3 left"},
    {0.459693739684, "high[2]", false, "voltage limit of axis 2 left"},
    {0.484301705644, "held[3]", false, "current limit of axis 3 left"},
    {0.498525620948, "held[2]", false, "current limit of axis 2 left"},
    {0.502549905145, "high[1]", false, "voltage limit of axis 1 left"},
    {0.519805226407, "held[1]", false, "current limit of axis 1 left"},
    {0.528262940687, "bottom[3]", true, "current limit of axis 3 reached downwards"},
    {0.554658570978, "bottom[1]", true, "current limit of axis 1 reached downwards"},
    {0.569070319332, "low[3]", false, "voltage limit of axis 3 left"},
    {0.572496114775, "held[3]", false, "current limit of axis 3 left"},
    {0.579979734831, "top[3]", true, "current limit of axis 3 reached"},
    {0.646867439513, "held[3]", false, "current limit of axis 3 left"},
    {0.78570345472, "held[1]", false, "current limit of axis 1 left"},
}};
inline constexpr std::array<EarlierState, 6> kEarlierObstacleStates = {{
    {{0.1,
      {0.01640387450875, 0.1348508741349, 0.0982752175028, 0.3321614180589, 2.700534023634,
       -0.005284180143297, 8, 8, 1.990250083826}},
     0.6965210215,
     0.0517648576},
    {{0.25,
      {0.1283783737447, 0.802380956934, 0.09804639491453, 1.588376059012, 4.885065626922,
       -0.0001870023930043, 8, -2.399298245762, 1.962999745116}},
     0.5758758578,
     0.2918325111},
    {{0.5,
      {0.8526473363407, 1.424734963877, 0.2588420669864, 3.655067037837, 2.020767215993,
       -0.2458668969648, 8, 7.707795870709, 3.471856522315}},
     0.0684245045,
     0.5293848361},
    {{1.0,
      {1.896738429085, 1.927645939475, 0.09804265332789, 0.4595425637998, 0.3047795052766,
       -0.0001036560226023, -1.173864218723, -0.3872920140362, 1.962554161905}},
     -0.3608248552,
     0.1896513941},
    {{1.5,
      {1.988700640807, 1.99119897172, 0.09803800006771, 0.04986214722272, 0.03708011688481,
       -1.508318564644e-09, -0.1176674034915, -0.04730019883082, 1.962000008064}},
     -0.3629551785,
     0.1425229856},
    {{2.0,
      {1.998754542637, 1.998928792571, 0.098038, 0.005492071421411, 0.004510981979169,
       -2.186723752595e-14, -0.01286952527124, -0.005702058847661, 1.962}},
     -0.3626241461,
     0.137340148},
}};
inline constexpr std::array<PhaseChange, 3> kEarlierPhases = {{
    {0.336927094376, 2, "the tool is near and too low", {0.4000000000, 0.4315495623, 0.0980392108}},
    {0.427126720114, 3, "the tool is high enough", {0.2155368446, 0.5102433268, 0.2000000000}},
    {0.527666407842,
     4,
     "the tool is behind the obstacle",
     {0.0000000000, 0.5207960957, 0.2538615617}},
}};

}  // namespace arges::argesim::c11
