#pragma once
// Reference values of C11, 9 digits: an explicit Runge-Kutta method of order 8 at two tolerances.

#include <array>

namespace arges::argesim::c11 {

struct Limit {
  double t;
  const char* variable;  // of the model, which changes there
  bool to;
  const char* what;
};
inline constexpr std::array<Limit, 7> kLimits = {{
    {0.000575661554327, "held[1]", true, "current limit of axis 1 reached"},
    {0.00451558084684, "held[2]", true, "current limit of axis 2 reached"},
    {0.0052401766408, "held[1]", false, "current limit of axis 1 left"},
    {0.0122963582779, "held[2]", false, "current limit of axis 2 left"},
    {0.74687009527, "high[2]", false, "voltage limit of axis 2 left"},
    {0.981935639155, "high[1]", false, "voltage limit of axis 1 left"},
    {1.31949870843, "high[3]", false, "voltage limit of axis 3 left"},
}};

struct State {
  double t;
  std::array<double, 9> x;  // q, w, I
};
inline constexpr std::array<State, 8> kStates = {{
    {0.1,
     {0.17518887539, 0.031826575419, 0.020866680124, 1.895004804, 2.3765046065, 0.21378108554,
      0.39453957705, 0.31563163734, 0.011712034384}},
    {0.25,
     {0.463328789, 0.45209185382, 0.052933842955, 1.932108598, 2.9073885363, 0.21378108554,
      -0.11869138618, 0.046255335769, 0.011712034384}},
    {0.5,
     {0.94773964068, 1.1664447676, 0.10637911434, 1.9412919345, 2.809592789, 0.21378108554,
      -0.24243330875, 0.095131837714, 0.011712034384}},
    {0.75,
     {1.4332604135, 1.8640205969, 0.15982438573, 1.9428334323, 2.7767171134, 0.21378108554,
      -0.25293357604, -0.032679702661, 0.011712034384}},
    {1,
     {1.9117839549, 1.996250074, 0.21326965711, 1.4723735713, 0.10793448524, 0.21378108554,
      -0.80003745934, -0.030084099113, 0.011712034384}},
    {1.25,
     {1.99864001, 2.0002811487, 0.2667149285, 0.022680737686, -0.0049601394698, 0.21378108554,
      -0.012231968801, -0.00066833025167, 0.011712034384}},
    {1.5,
     {1.9999789788, 2.0000042166, 0.29780093709, 0.00035061649695, -7.0216425051e-05, 0.02525086034,
      -0.00018978094034, -1.4238274833e-05, 0.0041368572785}},
    {2,
     {1.999999995, 2.000000001, 0.29990106824, 8.3754131868e-08, -1.6771601074e-08,
      6.2792203781e-05, -4.5328208939e-08, -3.3672412242e-09, 0.011693196924}},
}};
inline constexpr double kLargestAngle = 2.00256135;  // of axis 2, near t = 1.0856
inline constexpr double kStaticError =               // of axis 3: R3 m3L g/(u3 kT3 P3)
    40 * 0.5 * 9.81 / (1047 * 0.4 * 5000);
// Without a manoeuvre, the tool passes the obstacle's plane here.
inline constexpr double kHit = 0.436466239295, kHitHeight = 0.0928;

// With the obstacle (assumed).
inline constexpr double kCritical = 0.33312622751, kClear = 0.9379287598;
inline constexpr std::array<double, 3> kCriticalPosition = {0.6241340394, 0.6925626922,
                                                            0.07070465811};
inline constexpr std::array<Limit, 17> kObstacleLimits = {{
    {0.00057566155433, "held[1]", true, "current limit of axis 1 reached"},
    {0.0045155808468, "held[2]", true, "current limit of axis 2 reached"},
    {0.0052401766408, "held[1]", false, "current limit of axis 1 left"},
    {0.012296358278, "held[2]", false, "current limit of axis 2 left"},
    {0.33356815334, "low[2]", true, "voltage limit of axis 2 reached"},
    {0.33357240387, "held[1]", true, "current limit of axis 1 reached"},
    {0.33437394306, "held[2]", true, "current limit of axis 2 reached"},
    {0.34474702334, "held[1]", false, "current limit of axis 1 left"},
    {0.36361934648, "held[2]", false, "current limit of axis 2 left"},
    {0.41682860626, "low[2]", false, "voltage limit of axis 2 left"},
    {0.93849873665, "held[1]", true, "current limit of axis 1 reached"},
    {0.94544343356, "held[1]", false, "current limit of axis 1 left"},
    {0.94676463455, "held[2]", true, "current limit of axis 2 reached"},
    {0.94986292987, "held[2]", false, "current limit of axis 2 left"},
    {1.3194987084, "high[3]", false, "voltage limit of axis 3 left"},
    {1.4416173435, "high[2]", false, "voltage limit of axis 2 left"},
    {1.5961804899, "high[1]", false, "voltage limit of axis 1 left"},
}};
inline constexpr State kObstacleFinal = {
    2.5,
    {1.999999966, 2.000000007, 0.2999062907, 5.631545142e-07, -1.127763222e-07, 1.561475814e-07,
     -3.047826527e-07, -2.264029436e-08, 0.01171198754}};

}  // namespace arges::argesim::c11
