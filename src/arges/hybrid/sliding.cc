#include "arges/hybrid/sliding.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace arges {

namespace {

void add_differences(const std::vector<double>& from, const std::vector<double>& to,
                     std::vector<ContextDifference::Entry>& entries) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != to[i]) entries.push_back({static_cast<int>(i), to[i]});
  }
}

void put(const std::vector<ContextDifference::Entry>& entries, std::vector<double>& values) {
  for (const auto& entry : entries) values[entry.index] = entry.value;
}

bool same(const std::vector<ContextDifference::Entry>& entries, const std::vector<double>& a,
          const std::vector<double>& b) {
  return std::ranges::all_of(entries,
                             [&](const auto& entry) { return a[entry.index] == b[entry.index]; });
}

// A small linear system, by Gauss with pivots, in place. What has no pivot is not determined, 1/2,
// or cannot be, -1.
void solve_small(std::vector<double>& matrix, std::vector<double>& b) {
  const int n = static_cast<int>(b.size());
  const auto entry = [&](int i, int j) -> double& { return matrix[i * n + j]; };
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(entry(i, k)) > std::abs(entry(pivot, k))) pivot = i;
    }
    for (int j = 0; j < n; ++j) std::swap(entry(k, j), entry(pivot, j));
    std::swap(b[k], b[pivot]);
    if (entry(k, k) == 0) continue;
    for (int i = k + 1; i < n; ++i) {
      const double factor = entry(i, k) / entry(k, k);
      for (int j = k; j < n; ++j) entry(i, j) -= factor * entry(k, j);
      b[i] -= factor * b[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) b[k] -= entry(k, j) * b[j];
    b[k] = entry(k, k) != 0 ? b[k] / entry(k, k) : b[k] == 0 ? 0.5 : -1;
  }
}

}  // namespace

ContextDifference ContextDifference::between(const Context& from, const Context& to) {
  ContextDifference difference;
  if (from.mode != to.mode) difference.mode = to.mode;
  add_differences(from.p, to.p, difference.p);
  add_differences(from.u, to.u, difference.u);
  add_differences(from.z, to.z, difference.z);
  return difference;
}

void ContextDifference::apply(Context& context) const {
  if (mode.valid()) context.mode = mode;
  put(p, context.p);
  put(u, context.u);
  put(z, context.z);
}

bool ContextDifference::untouched(const Context& before, const Context& after) const {
  return (!mode.valid() || before.mode == after.mode) && same(p, before.p, after.p) &&
         same(u, before.u, after.u) && same(z, before.z, after.z);
}

Sliding::Sliding(const HybridSystem& system, const Context& now,
                 const std::vector<Surface>& surfaces, double time_scale)
    : system_(system), surfaces_(surfaces), time_scale_(time_scale) {
  Context base = now;
  for (int i = 0; i < static_cast<int>(surfaces_.size()); ++i) {
    if (!surfaces_[i].slides) continue;
    slides_.push_back(i);
    surfaces_[i].one.apply(base);
  }
  sides_.push_back(std::make_unique<Side>(system, base));
  for (const int i : slides_) {
    Context side = base;
    surfaces_[i].other.apply(side);
    sides_.push_back(std::make_unique<Side>(system, side));
  }
  for (const Surface& surface : surfaces_) {
    auto& alternatives = lifts_.emplace_back();
    for (const ContextDifference& difference : surface.alternatives) {
      Context side = base;
      difference.apply(side);
      alternatives.push_back(std::make_unique<Side>(system, side));
    }
  }

  const ModeEquations& equations = sides_[0]->equations;
  size_ = equations.size();
  form_ = EquationForm::kExplicit;
  nominal_ = equations.nominal();
  frozen_.assign(size_, 0);
  for (const Surface& surface : surfaces_) {
    for (std::size_t i = 0; i < surface.frozen.size(); ++i) frozen_[i] |= surface.frozen[i];
  }
  f_.assign(sides_.size(), std::vector<double>(size_));
  a_.resize(slides_.size());
  matrix_.resize(slides_.size() * slides_.size());
  for (auto* values : {&x_try_, &rate_, &rate_ahead_, &rate_back_}) values->resize(size_);
  for (auto* values : {&g_ahead_, &g_here_, &g_back_, &slope_})
    values->resize(system_.schema().events.size());
}

void Sliding::take_conditions(const ModeEquations& equations, double t, const double* x,
                              std::vector<double>& g) const {
  system_.conditions(equations.point(t, x), Conditions(g.data()));
}

double Sliding::condition(EventId event, double t, const double* x) const {
  take_conditions(sides_[0]->equations, t, x, g_here_);
  return g_here_[event.index];
}

double Sliding::step_along(const double* x, const double* f, const std::uint8_t* mask) const {
  double step = time_scale_;
  for (int i = 0; i < size_; ++i) {
    if (f[i] == 0 || (mask != nullptr && mask[i] == 0)) continue;
    const double scale = std::max(std::abs(x[i]), (mask != nullptr ? 1 : 1e-3) * nominal_[i]);
    step = std::min(step, 1e-4 * scale / std::abs(f[i]));
  }
  return step;
}

void Sliding::take_slopes(const ModeEquations& equations, double t, const double* x,
                          const double* f, const std::uint8_t* mask) const {
  const double h = step_along(x, f, mask);
  const auto move = [&](double by) {
    for (int i = 0; i < size_; ++i)
      x_try_[i] = mask == nullptr || mask[i] != 0 ? x[i] + by * f[i] : x[i];
    return x_try_.data();
  };
  take_conditions(equations, t + h, move(h), g_ahead_);
  take_conditions(equations, t - h, move(-h), g_back_);
  for (std::size_t k = 0; k < slope_.size(); ++k) slope_[k] = (g_ahead_[k] - g_back_[k]) / (2 * h);
}

// The second derivative of g along the motion: grad g . f' and what g itself bends.
double Sliding::curvature(const ModeEquations& equations, int event, const std::uint8_t* mask,
                          double t, const double* x) const {
  equations.rhs(t, x, rate_.data());
  const double h = step_along(x, rate_.data(), mask);
  const auto move = [&](double by, const std::vector<double>& f) {
    for (int i = 0; i < size_; ++i) x_try_[i] = mask[i] != 0 ? x[i] + by * f[i] : x[i];
    return x_try_.data();
  };
  equations.rhs(t + h, move(h, rate_), rate_ahead_.data());
  take_conditions(equations, t + h, x_try_.data(), g_ahead_);
  equations.rhs(t - h, move(-h, rate_), rate_back_.data());
  take_conditions(equations, t - h, x_try_.data(), g_back_);
  take_conditions(equations, t, x, g_here_);
  const double bend = (g_ahead_[event] + g_back_[event] - 2 * g_here_[event]) / (h * h);
  for (int i = 0; i < size_; ++i) rate_[i] = (rate_ahead_[i] - rate_back_[i]) / (2 * h);
  const double s = step_along(x, rate_.data(), mask);
  take_conditions(equations, t, move(s, rate_), g_ahead_);
  take_conditions(equations, t, move(-s, rate_), g_back_);
  return bend + (g_ahead_[event] - g_back_[event]) / (2 * s);
}

// How fast the condition would go back to the side that it came from; negative: it stays.
double Sliding::lift(const ModeEquations& equations, const Surface::Member& member,
                     const std::uint8_t* mask, double t, const double* x) const {
  const int event = member.crossing.event.index;
  const double second =
      member.horizon > 0 ? 0.5 * member.horizon * curvature(equations, event, mask, t, x) : 0;
  equations.rhs(t, x, rate_.data());
  take_slopes(equations, t, x, rate_.data(), mask);
  return member.armed() * (slope_[event] - member.used_up + second);
}

double Sliding::least_lift(const ModeEquations& equations, const Surface& surface, double t,
                           const double* x) const {
  double least = std::numeric_limits<double>::infinity();
  for (const Surface::Member& member : surface.members)
    least = std::min(least, lift(equations, member, surface.frozen.data(), t, x));
  return least;
}

// The variables that move the condition, and those that move these.
void Sliding::find_frozen(EventId event, double t, const double* x,
                          std::vector<std::uint8_t>& mask) const {
  const ModeEquations& equations = sides_[0]->equations;
  const auto shifted = [&](int j) {
    std::copy_n(x, size_, x_try_.begin());
    x_try_[j] += 1e-6 * std::max(std::abs(x[j]), nominal_[j]);
    return x_try_.data();
  };
  const double g = condition(event, t, x);
  std::vector<int> first;
  for (int j = 0; j < size_; ++j) {
    if (condition(event, t, shifted(j)) != g) first.push_back(j);
  }
  equations.rhs(t, x, rate_.data());
  for (int j = 0; j < size_; ++j) {
    equations.rhs(t, shifted(j), rate_ahead_.data());
    for (const int i : first) mask[j] |= rate_ahead_[i] != rate_[i];
  }
  for (const int i : first) mask[i] = 1;
}

int Sliding::orientation(EventId first, EventId second, double t, const double* x) const {
  int sign = 0;
  const auto agree = [&](double time, const double* values) {
    take_conditions(sides_[0]->equations, time, values, g_here_);
    const double a = g_here_[first.index], b = g_here_[second.index];
    if (sign == 0) sign = a == b ? 1 : a == -b ? -1 : 0;
    return sign != 0 && a == sign * b;
  };
  if (!agree(t + time_scale_, x)) return 0;
  for (int j = 0; j < size_; ++j) {
    std::copy_n(x, size_, x_try_.begin());
    x_try_[j] += 1e-3 * std::max(std::abs(x[j]), nominal_[j]);
    if (!agree(t, x_try_.data())) return 0;
  }
  return sign;
}

void Sliding::prepare_rest(double t, const double* x, Surface& surface) const {
  const ModeEquations& equations = sides_[0]->equations;
  surface.frozen.assign(size_, 0);
  for (const Surface::Member& member : surface.members)
    find_frozen(member.crossing.event, t, x, surface.frozen);
  for (Surface::Member& member : surface.members) {
    const int event = member.crossing.event.index;
    const double second = curvature(equations, event, surface.frozen.data(), t, x);
    equations.rhs(t, x, rate_.data());
    take_slopes(equations, t, x, rate_.data(), surface.frozen.data());
    const bool bounces = std::abs(slope_[event]) <= 0.5 * member.horizon * std::abs(second);
    member.used_up = bounces ? slope_[event] : 0;
    if (!bounces) member.horizon = 0;
  }
}

bool Sliding::moves_at_rest(int surface, double t, const double* x) const {
  rhs(t, x, f_[0].data());
  const double h = step_along(x, f_[0].data(), nullptr);
  for (int i = 0; i < size_; ++i) x_try_[i] = x[i] + h * f_[0][i];
  take_conditions(sides_[0]->equations, t + h, x_try_.data(), g_ahead_);
  take_conditions(sides_[0]->equations, t, x, g_here_);
  double size = 0;
  for (int i = 0; i < size_; ++i) size = std::max(size, std::max(std::abs(x[i]), nominal_[i]));
  return std::ranges::any_of(surfaces_[surface].members, [&](const Surface::Member& member) {
    const int event = member.crossing.event.index;
    return std::abs(g_ahead_[event] - g_here_[event]) > 1e-13 * size;
  });
}

// Fills f_ with the right-hand sides, and a_ with the parts of the sliding surfaces.
void Sliding::blend(double t, const double* x) const {
  const int n = static_cast<int>(slides_.size());
  for (int k = 0; k <= n; ++k) {
    sides_[k]->equations.rhs(t, x, f_[k].data());
    for (int i = 0; i < size_; ++i) {
      if (frozen_[i] != 0) f_[k][i] = 0;
    }
    if (n == 0) return;
    take_slopes(sides_[0]->equations, t, x, f_[k].data(), nullptr);
    for (int j = 0; j < n; ++j) {
      const double d = slope_[surfaces_[slides_[j]].members.front().crossing.event.index];
      if (k == 0) {
        a_[j] = d;
        for (int i = 0; i < n; ++i) matrix_[j * n + i] = d;
      } else {
        matrix_[j * n + k - 1] -= d;
      }
    }
  }
  solve_small(matrix_, a_);
}

void Sliding::rhs(double t, const double* x, double* f) const {
  blend(t, x);
  for (int i = 0; i < size_; ++i) {
    double rate = f_[0][i];
    for (std::size_t k = 0; k < a_.size(); ++k) rate += a_[k] * (f_[k + 1][i] - f_[0][i]);
    f[i] = rate;
  }
}

void Sliding::margins(double t, const double* x, double* margin) const {
  if (!slides_.empty()) blend(t, x);
  for (std::size_t k = 0; k < slides_.size(); ++k) {
    margin[2 * slides_[k]] = a_[k];
    margin[2 * slides_[k] + 1] = 1 - a_[k];
  }
  for (std::size_t i = 0; i < surfaces_.size(); ++i) {
    if (surfaces_[i].slides) continue;
    double largest = -std::numeric_limits<double>::infinity();
    if (lifts_[i].empty()) largest = least_lift(sides_[0]->equations, surfaces_[i], t, x);
    for (const auto& side : lifts_[i])
      largest = std::max(largest, least_lift(side->equations, surfaces_[i], t, x));
    margin[2 * i] = -largest;
    margin[2 * i + 1] = moves_at_rest(static_cast<int>(i), t, x) ? -1 : 1;
  }
}

void Sliding::conditions(double t, const double* x, double* g) const {
  take_conditions(sides_[0]->equations, t, x, g_here_);
  std::copy(g_here_.begin(), g_here_.end(), g);
  margins(t, x, g + g_here_.size());
}

int Sliding::lifting_alternative(int surface, double t, const double* x) const {
  const auto& alternatives = lifts_[surface];
  for (std::size_t k = 0; k < alternatives.size(); ++k) {
    if (least_lift(alternatives[k]->equations, surfaces_[surface], t, x) > 0)
      return static_cast<int>(k);
  }
  return -1;
}

}  // namespace arges
