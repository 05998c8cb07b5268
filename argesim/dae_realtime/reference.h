#pragma once
// Values of dae-realtime: the printed ones, and those that were found in another computation.

#include <array>

namespace arges::argesim::rt {

constexpr double kGravity = 13.7503716373294544;

// What the row is worth: the printed value is what the method gives (kSame), in Delta y and the sum
// only (kPartly), after a correction (kCorrected: the Jacobian was one by differences), or cannot
// be what the method gives (kNot).
enum class Verdict { kSame, kPartly, kCorrected, kNot };

struct Row {
  const char* solver;
  int newton, projection;
  double h;
  std::array<double, 4> published;  // |x - 1|, |y|, |x^2 + y^2 - 1|, their sum, at t = 100
  std::array<double, 4> reference;
  Verdict verdict;
};

constexpr std::array<Row, 16> kRows = {{
    {"rt-bdf3",
     2,
     0,
     0.001,
     {1.8e-05, 5.8e-06, 3.7e-05, 6.2e-05},
     {1.874392e-05, 5.863465e-06, 3.748822e-05, 6.20956e-05},
     Verdict::kSame},
    {"rt-ab3-bdf3",
     1,
     0,
     0.001,
     {2.2e-05, 1.2e-05, 4.5e-05, 8e-05},
     {2.289253e-05, 1.208555e-05, 4.578574e-05, 8.076382e-05},
     Verdict::kSame},
    {"rt-ab3-bdf3",
     1,
     3,
     0.001,
     {1.1e-09, 4.4e-05, 2.8e-10, 4.4e-05},
     {1.033429e-09, 4.40099e-05, 1.29987e-10, 4.401106e-05},
     Verdict::kPartly},
    {"rt-ab3-bdf3",
     1,
     3,
     0.0005,
     {2.6e-11, 5.8e-06, 1.7e-11, 5.8e-06},
     {2.138689e-11, 5.886405e-06, 8.124057e-12, 5.886435e-06},
     Verdict::kPartly},
    {"rt-bdf3",
     1,
     0,
     0.001,
     {6.4e-05, 7.6e-05, 0.00012, 0.00027},
     {6.084589e-05, 7.145242e-05, 0.0001217006, 0.0002539989},
     Verdict::kCorrected},
    {"rt-bdf3",
     1,
     0,
     0.0005,
     {9.4e-06, 1.1e-05, 1.8e-05, 3.9e-05},
     {5.825324e-06, 6.04465e-06, 1.165072e-05, 2.352069e-05},
     Verdict::kCorrected},
    {"rt-bdf3",
     1,
     0,
     0.00025,
     {4.2e-06, 5.7e-06, 8.5e-06, 1.8e-05},
     {6.16812e-07, 6.197889e-07, 1.233625e-06, 2.470226e-06},
     Verdict::kCorrected},
    {"rt-ab3",
     0,
     0,
     0.001,
     {2.1e-05, 1.1e-05, 4.2e-05, 7.5e-05},
     {2.127261e-05, 1.118396e-05, 4.254464e-05, 7.50012e-05},
     Verdict::kSame},
    {"rt-ab3",
     0,
     0,
     0.0005,
     {2.6e-06, 9.6e-07, 5.3e-06, 8.9e-06},
     {2.658871e-06, 9.658807e-07, 5.317734e-06, 8.942485e-06},
     Verdict::kSame},
    {"rt-ab3",
     0,
     0,
     0.00025,
     {3.3e-07, 8e-08, 6.6e-07, 1e-06},
     {3.323541e-07, 8.074001e-08, 6.647081e-07, 1.077802e-06},
     Verdict::kSame},
    {"rt-ab3",
     0,
     1,
     0.001,
     {2.4e-09, 7.1e-05, 2.9e-10, 7.1e-05},
     {1.033429e-09, 4.40099e-05, 1.299872e-10, 4.401106e-05},
     Verdict::kNot},
    {"rt-ab3",
     0,
     1,
     0.0005,
     {7.1e-11, 1.2e-05, 1.8e-11, 1.2e-05},
     {2.1387e-11, 5.886405e-06, 8.124279e-12, 5.886434e-06},
     Verdict::kNot},
    {"rt-ab3",
     0,
     1,
     0.00025,
     {2.1e-12, 2.3e-06, 1.1e-12, 2.3e-06},
     {5.132561e-13, 7.203724e-07, 5.07594e-13, 7.203734e-07},
     Verdict::kNot},
    {"rt-bdf3",
     1,
     1,
     0.001,
     {1e-09, 4.4e-05, 1.7e-10, 4.4e-05},
     {1.033429e-09, 4.40099e-05, 1.299875e-10, 4.401106e-05},
     Verdict::kPartly},
    {"rt-bdf3",
     1,
     1,
     0.0005,
     {2.2e-11, 5.8e-06, 1e-11, 5.8e-06},
     {2.138689e-11, 5.886405e-06, 8.124057e-12, 5.886434e-06},
     Verdict::kPartly},
    {"rt-bdf3",
     1,
     1,
     0.00025,
     {5.9e-13, 7.2e-07, 6.7e-13, 7.2e-07},
     {5.133671e-13, 7.203724e-07, 5.07816e-13, 7.203734e-07},
     Verdict::kPartly},
}};

// x^2 + y^2 - 1 at t = 1, 2, 10, 100 with the explicit Euler method, h = 0.001.
constexpr std::array<double, 4> kEulerTimes = {1, 2, 10, 100};
constexpr std::array<double, 4> kEuler = {0.02518, 0.05047, 0.2535, 2.114};

// The same at t = 1, 2, 10 with the implicit Euler method.
constexpr std::array<double, 3> kImplicitEulerTimes = {1, 2, 10};
constexpr std::array<double, 3> kImplicitEuler = {-0.0251, -0.0501, -0.2515};

// Newton steps in each step of BDF3, h = 0.001, until no residual is above 1e-10: on the average.
constexpr double kNewtonResidual = 1e-10, kPublishedNewtonSteps = 2, kNewtonSteps = 2.000;

// |y| with one Newton and one projection step when lambda is eliminated; h = 1e-3, 5e-4, 2.5e-4.
constexpr std::array<double, 3> kEliminated = {6.29e-5, 8.66e-6, 1.08e-6};

}  // namespace arges::argesim::rt
