// Windows: the part of the EventMonitor that divides long steps. A solver chooses its steps by the
// motion of the states; a condition may go up and down many times in one of them.

#include <algorithm>
#include <array>
#include <cmath>

#include "arges/base/error.h"
#include "arges/hybrid/event_monitor.h"

namespace arges {

namespace {

// Places in a step at which nothing periodic repeats.
constexpr double kPlaces[] = {0.381966, 0.723607};
// A condition of the states alone moves with them: fewer looks are enough to see that it does more.
constexpr double kLongerWindow = 4;
// Steps that are shorter than this part of a window are not looked at so closely.
constexpr double kLongStep = 0.125;
constexpr int kOften = 8;
// What a condition at rest may do, in units of what rounding of the states does to it.
constexpr double kNoise = 64;
// Windows are halved down to this part of their length.
constexpr double kShortestWindow = 1. / 256;

// The factors of the values at five equidistant nodes in the quartic through them, at a place
// from 0 to 1.
constexpr std::array<double, 5> quartic_at(double place) {
  std::array<double, 5> factor{};
  for (int i = 0; i < 5; ++i) {
    factor[i] = 1;
    for (int j = 0; j < 5; ++j) {
      if (j != i) factor[i] *= (4 * place - j) / (i - j);
    }
  }
  return factor;
}

}  // namespace

// Some condition is not the same at another time with the same states. Two other times in the step:
// one may be a period away.
bool EventMonitor::depends_on_time(double t, const double* x, double h) {
  const double* g1 = node_values(0);
  try {
    for (const double part : kPlaces) {
      evaluate(t - part * h, x, g_try_.data());
      for (const int k : active_) {
        if (g_try_[k] != g1[k]) return true;
      }
    }
  } catch (const EvaluationError&) {  // these states do not belong to that time
    return true;
  }
  return false;
}

// Some condition does not change uniformly where all states do: on the straight line from the
// beginning to the end of the step.
bool EventMonitor::bends(const Stepper& stepper, double from, double h) {
  constexpr double kRounding = 1e-9;
  const int n = equations_->size();
  const double* g1 = node_values(0);
  stepper.interpolate(from, x_begin_.data());
  try {
    for (const double part : kPlaces) {
      for (int i = 0; i < n; ++i) x_try_[i] = x_begin_[i] + part * (stepper.x()[i] - x_begin_[i]);
      evaluate(from + part * h, x_try_.data(), g_try_.data());
      for (const int k : active_) {
        const double off = std::abs(g_try_[k] - (g_[k] + part * (g1[k] - g_[k])));
        const double size = std::abs(g_[k]) + std::abs(g1[k]) + std::abs(g_try_[k]);
        if (!(off <= kRounding * size + kNoise * rounding_[k])) return true;
      }
    }
  } catch (const EvaluationError&) {
    return true;
  }
  return false;
}

// 0: the step is not divided.
double EventMonitor::window_length(const Stepper& stepper, double from, double h) {
  if (h > window_ && depends_on_time(stepper.t(), stepper.x(), h)) return window_;
  // Methods that make moves look at the conditions themselves.
  if (!(h > kLongStep * window_) || stepper.makes_moves()) return 0;
  // What has been straight so often is asked less often, and after each restart.
  ++long_steps_;
  if (straight_ >= kOften && long_steps_ % kOften != 0) return 0;
  const bool is_bent = bends(stepper, from, h);
  straight_ = is_bent ? 0 : straight_ + 1;
  return is_bent ? kLongerWindow * window_ : 0;
}

// The quartic through the nodes says where the conditions are at two other places, or they are far
// from zero against what it is off.
bool EventMonitor::nodes_show_motion(Stepper& stepper) {
  constexpr double kOff = 0.02, kFar = 8;  // of the range of the values; times what it is off
  constexpr std::array<double, 5> kFactors[] = {quartic_at(kPlaces[0]), quartic_at(kPlaces[1])};
  const double from = node_t_[0], h = node_t_[4] - node_t_[0];
  for (int place = 0; place < 2; ++place) {
    evaluate_inside(stepper, from + kPlaces[place] * h, g_try_.data());
    for (const int k : active_) {
      double least = g_try_[k], most = g_try_[k], nearest = std::abs(g_try_[k]), expected = 0;
      for (int j = 0; j < 5; ++j) {
        const double g = node_values(j)[k];
        least = std::min(least, g);
        most = std::max(most, g);
        nearest = std::min(nearest, std::abs(g));
        expected += kFactors[place][j] * g;
      }
      const double off = std::abs(g_try_[k] - expected);
      const double rounding =
          1e-12 * std::max(std::abs(least), std::abs(most)) + kNoise * rounding_[k];
      if (nearest <= kFar * off && off > kOff * (most - least) + rounding) return false;
    }
  }
  return true;
}

EventMonitor::Finding EventMonitor::inspect_windows(Stepper& stepper, double from, double length) {
  const double to = stepper.t(), h = to - from;
  const double parts = std::ceil(h / length);
  double begin = from;
  for (double i = 1; i < parts; ++i) {
    const double end = from + h * (i / parts);
    if (!(end > begin) || !(end < to)) continue;
    const Finding finding = inspect_halves(stepper, begin, end, false);
    if (finding != Finding::kNothing) return finding;
    begin = end;
  }
  return inspect_halves(stepper, begin, to, true);
}

// A window, in halves of halves where its nodes do not show what happens in it.
EventMonitor::Finding EventMonitor::inspect_halves(Stepper& stepper, double from, double to,
                                                   bool at_end) {
  lay_nodes(stepper, from, to, at_end);
  const double middle = from + (to - from) / 2;
  if (node_count_ < 5 || to - from < kShortestWindow * window_ || nodes_show_motion(stepper))
    return inspect_nodes(stepper);
  const Finding finding = inspect_halves(stepper, from, middle, false);
  return finding != Finding::kNothing ? finding : inspect_halves(stepper, middle, to, at_end);
}

}  // namespace arges
