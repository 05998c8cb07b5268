// What a compiled system does for spatialDistribution().

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/compile/compiled_system.h"

namespace arges {

namespace {

// Of the way through: the profile is sampled several times in each step.
constexpr double kLongestMove = 1.0 / 8, kFirstStep = 1.0 / 100;

}  // namespace

void CompiledSystem::begin_profiles(vm::Workspace& w) const {
  if (model_.transports.empty()) return;
  w.run(code_.threshold_program);
  std::size_t next = model_.time_relations.size() + model_.delays.size();
  for (std::size_t k = 0; k < model_.transports.size(); ++k) {
    const Transport& t = model_.transports[k];
    std::vector<double> points(t.points.size()), values(t.initial.size());
    for (double& p : points) p = w[code_.thresholds[next++]];
    for (double& v : values) v = w[code_.thresholds[next++]];
    if (points.front() != 0 || points.back() != 1 ||
        !std::is_sorted(points.begin(), points.end())) {
      throw EvaluationError(
          fmt::format("spatialDistribution(): the initial points do not ascend from 0 to 1: {} to "
                      "{}",
                      points.front(), points.back()),
          false);
    }
    profile(w, k).begin(at(w, t.position), points, values);
  }
  move_fronts(w);
}

// A break has come out, or the direction has changed: the next one. When there is none, it is what
// enters now, at the other end.
void CompiledSystem::move_fronts(vm::Workspace& w) const {
  constexpr double kRounding = 1e-12;
  for (std::size_t k = 0; k < model_.transports.size(); ++k) {
    const Transport& t = model_.transports[k];
    const bool forward = at(w, t.forward) != 0, reached = at(w, t.reached) != 0;
    const bool turned = profile(w, k).forward() != forward;
    if (!turned && !reached) continue;
    const double x = at(w, t.position), travelled = forward ? x : -x;
    double& front = at(w, t.front);
    double after = forward ? 1 - x : -x;  // the outlet
    if (!turned) after = forward ? std::min(after, 1 - front) : std::max(after, front);
    const auto next = profile(w, k).next_break(after, forward);
    front = next ? (forward ? 1 - *next : *next) : travelled + 1;
    // What lies further away has left at that end.
    if (front > travelled + 1 - kRounding * (1 + std::abs(x))) front = travelled + 1;
  }
}

void CompiledSystem::remember_entering(vm::Workspace& w, double t) const {
  for (std::size_t k = 0; k < model_.transports.size(); ++k) {
    const Transport& each = model_.transports[k];
    const bool forward = at(w, each.forward) != 0;
    profile(w, k).add(t, at(w, each.position), at(w, each.ends[forward ? 0 : 1]), forward);
  }
}

double CompiledSystem::longest_move(vm::Workspace& w) const {
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < model_.transports.size(); ++k) {
    const double speed = profile(w, k).speed();
    const ExperimentInfo& experiment = schema_.experiment;
    const double span = std::abs(experiment.stop_time - experiment.start_time);
    longest = std::min(longest, speed > 0 ? kLongestMove / speed : kFirstStep * span);
  }
  return longest;
}

}  // namespace arges
