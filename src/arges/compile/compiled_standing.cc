// Conditions that stand on their switching point when a mode is entered.

#include <algorithm>
#include <cmath>

#include "arges/base/error.h"
#include "arges/compile/compiled_system.h"
#include "arges/compile/workspace_lease.h"
#include "arges/expr/walk.h"
#include "arges/hybrid/update.h"

namespace arges {

namespace {

// Relative to what is compared: nearer to its root, a condition stands on it.
constexpr double kStands = 1e-10;
// How far the motion is followed, in units of the experiment.
constexpr double kNearest = 1e-9, kFarthest = 1e-2;

}  // namespace

std::vector<std::size_t> CompiledSystem::relations_of(VarId v) const {
  std::vector<std::size_t> found;
  ExprWalker walker(model_.flat.pool);
  for (const Block& block : model_.blocks) {
    if (!block.tears.empty() || block.inner[0].var != v) continue;
    for (const ExprId e : walker.nodes(block.inner[0].value)) {
      if (model_.flat.pool[e].op != Op::kVar) continue;
      for (std::size_t i = 0; i < model_.relations.size(); ++i) {
        if (model_.relations[i].var == model_.flat.pool.var(e)) found.push_back(i);
      }
    }
  }
  return found;
}

double CompiledSystem::standing_tolerance(vm::Workspace& w, std::size_t relation) const {
  const double* x = w.registers() + code_.state_at;
  double largest = 0;
  for (std::size_t i = 0; i < code_.states.size(); ++i) largest = std::max(largest, std::abs(x[i]));
  return kStands * (w[code_.scales[relation]] + largest);
}

// On which side of its root a condition will be: +1, -1, or 0 when it rests. By single steps of
// Runge and Kutta, each longer than the one before, until the condition has left.
int CompiledSystem::heading(vm::Workspace& w, std::size_t relation, double tolerance,
                            const Point& from) const {
  const std::size_t n = code_.states.size();
  const ExperimentInfo& experiment = schema_.experiment;
  const double span = std::max(std::abs(experiment.stop_time - experiment.start_time), 1e-300);
  std::vector<double> x(from.x, from.x + n), step(n), sum(n);
  Point p = from;
  p.x = x.data();
  const auto rates = [&](double t) {
    p.t = t;
    load(w, p);
    w.run(code_.rate_program);
    return w.registers() + code_.rate_at;
  };
  try {
    for (double h = kNearest * span; h <= kFarthest * span; h *= 10) {
      std::copy_n(from.x, n, x.begin());
      std::fill(sum.begin(), sum.end(), 0.0);
      const double part[] = {0, h / 2, h / 2, h}, weight[] = {1, 2, 2, 1};
      for (int stage = 0; stage < 4; ++stage) {
        for (std::size_t i = 0; i < n && stage > 0; ++i) x[i] = from.x[i] + part[stage] * step[i];
        const double* k = rates(from.t + part[stage]);
        for (std::size_t i = 0; i < n; ++i) {
          step[i] = k[i];
          sum[i] += weight[stage] * k[i] / 6;
        }
      }
      for (std::size_t i = 0; i < n; ++i) x[i] = from.x[i] + h * sum[i];
      p.t = from.t + h;
      load(w, p);
      w.run(code_.condition_program);
      const double g = w[code_.conditions[relation]];
      if (std::abs(g) > 2 * tolerance) return g > 0 ? 1 : -1;
    }
  } catch (const EvaluationError&) {  // the motion cannot be followed so far
  }
  return 0;
}

CompiledSystem::Standing CompiledSystem::stand(VarId v, std::span<const std::size_t> relations,
                                               Update& now) const {
  Lease lease(*this);
  vm::Workspace& w = *lease;
  load(w, now.point());
  w.run(code_.condition_program);
  std::vector<std::pair<std::size_t, double>> standing;  // relation, tolerance
  std::vector<double> g;
  for (const std::size_t i : relations) g.push_back(w[code_.conditions[i]]);
  w.run(code_.scale_program);
  for (std::size_t k = 0; k < relations.size(); ++k) {
    const double tolerance = standing_tolerance(w, relations[k]);
    if (std::abs(g[k]) <= tolerance) standing.emplace_back(relations[k], tolerance);
  }
  if (standing.empty()) return Standing::kNo;
  std::vector<int> side;
  for (const auto& [i, tolerance] : standing) side.push_back(heading(w, i, tolerance, now.point()));
  if (std::count(side.begin(), side.end(), 0) > 0) return Standing::kNo;
  const auto with_sides = [&](int factor) {
    Context& c = now.context();
    for (std::size_t k = 0; k < standing.size(); ++k)
      c.z[static_cast<std::size_t>(discrete(model_.relations[standing[k].first].var).index)] =
          side[k] * factor > 0 ? 1 : 0;
    load(w, now.point());
    w.run(code_.update_program);
    c.z[static_cast<std::size_t>(discrete(v).index)] = at(w, v);
    return at(w, v) != 0;
  };
  for (const auto& [i, tolerance] : standing)
    now[discrete(model_.relations[i].hysteresis.band)] = tolerance;
  if (with_sides(1)) return Standing::kHolds;
  return with_sides(-1) ? Standing::kLeaves : Standing::kNo;
}

void CompiledSystem::left_standing(std::span<const std::size_t> relations, double* z) const {
  for (const std::size_t i : relations) z[discrete(model_.relations[i].hysteresis.band).index] = 0;
}

}  // namespace arges
