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
// Where the tool is at these events and at the two of the manoeuvre: x, q.
struct Place {
  double t;
  std::array<double, 4> at;
};
inline constexpr std::array<Place, 19> kObstaclePlaces = {{
    {0.00057566155433, {0.6999999997, 2.248286514e-05, -5.434604124e-05, 3.576073615e-06}},
    {0.0045155808468, {0.6999961783, 0.002909149146, -0.006676604046, 0.0004852149939}},
    {0.0052401766408, {0.6999933404, 0.003881100817, -0.008811964313, 0.0006270575484}},
    {0.012296358278, {0.6999107053, 0.0158832551, -0.03197486895, 0.002117337759}},
    {0.33312622751, {0.4, 0.6241340394, 0.6925626922, 0.07070465811}},
    {0.33356815334, {0.3991825681, 0.6249833389, 0.6938438469, 0.07079913349}},
    {0.33357240387, {0.3991747073, 0.624991381, 0.6938563839, 0.07080004218}},
    {0.33437394306, {0.39769609, 0.6264505732, 0.6963079928, 0.07097139609}},
    {0.34474702334, {0.3800141579, 0.6366468557, 0.7383111602, 0.07318896446}},
    {0.36361934648, {0.3578838976, 0.6363489551, 0.8135679421, 0.07722351018}},
    {0.41682860626, {0.3609785884, 0.6322721856, 0.8104950726, 0.0885986435}},
    {0.9379287598, {0.4000000963, 0.6241342224, 0.69256203, 0.2}},
    {0.93849873665, {0.400000647, 0.6241480117, 0.692535243, 0.2001218503}},
    {0.94544343356, {0.3999130753, 0.6295819674, 0.6830095425, 0.2016064951}},
    {0.94676463455, {0.39981194, 0.6316055933, 0.6796889179, 0.2018889429}},
    {0.94986292987, {0.3993536436, 0.6370252274, 0.6714180074, 0.2025512998}},
    {1.3194987084, {-0.1985620721, 1.344812991, 1.515232227, 0.2815724378}},
    {1.4416173435, {-0.2914552723, 1.581985621, 1.855305533, 0.2956656983}},
    {1.5961804899, {-0.3444002537, 1.880768373, 1.996628086, 0.2992420278}},
}};
inline constexpr State kObstacleFinal = {
    2.5,
    {1.999999966, 2.000000007, 0.2999062907, 5.631545142e-07, -1.127763222e-07, 1.561475814e-07,
     -3.047826527e-07, -2.264029436e-08, 0.01171198754}};

}  // namespace arges::argesim::c11
