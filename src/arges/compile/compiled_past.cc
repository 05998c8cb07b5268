// What a compiled system does for delay().

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/float_spacing.h"
#include "arges/compile/compiled_system.h"
#include "arges/compile/workspace_lease.h"
#include "arges/hybrid/update.h"

namespace arges {

namespace {

using external::History;
using external::SmoothPieces;

// Of the tolerance of the run, for what is read back.
constexpr double kShare = 0.1;
// Of the values: not more exactly. What comes out of a nonlinear loop has this noise.
constexpr double kNoise = 1e-12;
// A part of a step without a polynomial of degree 16 is halved so often.
constexpr int kHalvings = 3;
// And, as long as one half has one, so often: towards a corner that makes no event.
constexpr int kMostHalvings = 52;

// Which slopes differ: by this part of them, and so that it makes this part of the value in the
// time of the delay. A smaller kink is left to the step control of the solver.
constexpr double kSlope = 1e-4, kOfValue = 1e-6;
// How far the slopes are taken, of the delay.
constexpr double kSlopeStep = 1e-5;

// The signals of several delays in a step, in parts, each at the places of a polynomial that
// follows it as closely as the tolerance asks:
//
//   record(part):  the degree is doubled until the values between agree; when they do not:
//                  record both halves                           (a part that is not small yet)
//                  keep the half that agrees, record the other  (a corner or a jump is in there)
//                  keep both                                    (neither agrees: noise)
class StepRecorder {
 public:
  using Signals = std::function<std::vector<double>(double t)>;
  using Keep =
      std::function<void(std::size_t line, double from, double to, std::span<const double> values)>;

  StepRecorder(std::size_t lines, double rtol, double atol, Signals signals, Keep keep)
      : lines_(lines),
        rtol_(rtol),
        atol_(atol),
        signals_(std::move(signals)),
        keep_(std::move(keep)) {}

  void record(double from, double until) {
    Part whole(from, until);
    record(whole, 0);
  }

 private:
  static constexpr int kFinest = 2 * SmoothPieces::kHighest;
  struct Part {
    Part(double begin, double end) : from(begin), until(end) {}
    double from, until;
    std::array<std::vector<double>, kFinest + 1> known;  // by place of the finest degree
    // Times that are too close to be told apart.
    bool is_short() const { return until - from <= 4096 * spacing(until); }
  };

  const std::vector<double>& signals(Part& part, int n, int j) {
    std::vector<double>& all = part.known[static_cast<std::size_t>(j * (kFinest / n))];
    if (all.empty()) all = signals_(SmoothPieces::place(part.from, part.until, n, j));
    return all;
  }

  std::vector<double> values(Part& part, std::size_t line, int n) {
    std::vector<double> list;
    for (int j = 0; j <= n; ++j) list.push_back(signals(part, n, j)[line]);
    return list;
  }

  bool fits(Part& part, int n) {
    for (std::size_t line = 0; line < lines_; ++line) {
      const std::vector<double> list = values(part, line, n);
      double size = 0;
      for (const double value : list) size = std::max(size, std::abs(value));
      const double error = std::max(kShare * (rtol_ * size + atol_), kNoise * size);
      // Between the two in the middle and their neighbours, and at the ends.
      for (const int j : {n - 1, n + 1, 1, 2 * n - 1}) {
        const double t = SmoothPieces::place(part.from, part.until, 2 * n, j);
        const double read = SmoothPieces::read(part.from, part.until, list, t);
        if (std::abs(read - signals(part, 2 * n, j)[line]) > error) return false;
      }
    }
    return true;
  }

  // 0: there is none.
  int degree(Part& part) {
    if (part.is_short()) return 1;
    for (int n = SmoothPieces::kLowest; n <= SmoothPieces::kHighest; n *= 2) {
      if (fits(part, n)) return n;
    }
    return 0;
  }

  void keep(Part& part, int n) {
    if (n == 0) n = SmoothPieces::kHighest;
    for (std::size_t line = 0; line < lines_; ++line)
      keep_(line, part.from, part.until, values(part, line, n));
  }

  void record(Part& part, int depth) {
    const int n = degree(part);
    if (n != 0) return keep(part, n);
    split(part, depth);
  }

  // Where nothing fits.
  void split(Part& part, int depth) {
    const double middle = part.from + (part.until - part.from) / 2;
    Part left(part.from, middle), right(middle, part.until);
    if (depth < kHalvings) {
      record(left, depth + 1);
      return record(right, depth + 1);
    }
    const int left_degree = degree(left), right_degree = degree(right);
    if ((left_degree == 0 && right_degree == 0) || depth == kMostHalvings)
      return keep(part, SmoothPieces::kHighest);
    left_degree == 0 ? split(left, depth + 1) : keep(left, left_degree);
    right_degree == 0 ? split(right, depth + 1) : keep(right, right_degree);
  }

  std::size_t lines_;
  double rtol_, atol_;
  Signals signals_;
  Keep keep_;
};

}  // namespace

void CompiledSystem::find_memory(vm::Workspace& w) const {
  if (model_.memory.valid())
    at(w, model_.memory) = static_cast<double>(code_.tables.environment->past_of_this_thread());
}

// At the start a delay gives what goes into it, also to the relations.
void CompiledSystem::begin_histories(vm::Workspace& w, double t,
                                     std::span<const Past> pasts) const {
  for (std::size_t k = 0; k < model_.delays.size(); ++k) {
    if (!pasts.empty() && pasts[k] != Past::kBegins) continue;
    history(w, k).begin(t, at(w, model_.delays[k].input));
  }
  begin_profiles(w);
}

// Pasts that are there before a mode is entered: which breaks have come through.
void CompiledSystem::resume_histories(vm::Workspace& w, double t,
                                      std::span<const Past> pasts) const {
  if (pasts.empty()) return;
  w.run(code_.threshold_program);
  for (std::size_t k = 0; k < pasts.size(); ++k) {
    if (pasts[k] == Past::kBegins) continue;
    history(w, k).add_break(t, pasts[k] == Past::kRested);
    const double duration = w[code_.thresholds[model_.time_relations.size() + k]];
    at(w, model_.delays[k].passed) = history(w, k).last_break(t, duration);
  }
}

// Which breaks have come through, and when the next one does. One that happens at this very instant
// is not in the history yet.
void CompiledSystem::schedule_delays(vm::Workspace& w, Update& now) const {
  for (std::size_t k = 0; k < model_.delays.size(); ++k) {
    const DelayLine& d = model_.delays[k];
    const double duration = w[code_.thresholds[model_.time_relations.size() + k]];
    double& passed = at(w, d.passed);
    passed = history(w, k).passed_at(now.t() - duration, passed);
    double next = history(w, k).next_break(passed);
    // What its timer says, to the last bit.
    while (d.fixed && next + duration <= now.t()) {
      passed = next;
      next = history(w, k).next_break(passed);
    }
    if (!std::isfinite(next) && at(w, d.broken) == now.t()) next = now.t();
    if (d.fixed) {
      now.schedule(delay_timer(k), next + duration);
    } else {
      at(w, d.next) = std::min(next, DelayLine::kNever);
      at(w, d.back) = std::max(passed - History::margin(passed), -DelayLine::kNever);
    }
  }
}

// What goes into the delays, and how fast it changes there.
struct CompiledSystem::Motion {
  std::vector<double> values, slopes;
};

std::vector<double> CompiledSystem::delay_inputs(const Point& p) const {
  Lease w(*this);
  load(*w, p);
  (*w).run(code_.output_program);
  std::vector<double> values;
  values.reserve(model_.delays.size());
  for (const DelayLine& d : model_.delays) values.push_back(at(*w, d.input));
  return values;
}

// By one-sided differences of second order along the tangent, towards the sign of `step`: on that
// side of an event the discrete values are those of the point.
CompiledSystem::Motion CompiledSystem::motion(const Point& p, double step) const {
  const std::size_t n = schema_.modes[0].states.size();
  std::vector<double> rates(n), x(n);
  derivatives(p, Rates(rates.data()));
  Motion m{delay_inputs(p), {}};
  const auto inputs_at = [&](double t) {
    Point q = p;
    q.t = t;
    q.x = x.data();
    for (std::size_t i = 0; i < n; ++i) x[i] = p.x[i] + (t - p.t) * rates[i];
    return delay_inputs(q);
  };
  const double near_t = p.t + step, far_t = p.t + 2 * step;
  const double a = near_t - p.t, b = far_t - p.t;
  const std::vector<double> near = inputs_at(near_t), far = inputs_at(far_t);
  for (std::size_t k = 0; k < near.size(); ++k) {
    const double first = (near[k] - m.values[k]) / a, second = (far[k] - m.values[k]) / b;
    m.slopes.push_back((first * b - second * a) / (b - a));
  }
  return m;
}

// Of those that are not zero.
double CompiledSystem::shortest_delay(const Point& p) const {
  Lease w(*this);
  load(*w, p);
  (*w).run(code_.output_program);
  (*w).run(code_.threshold_program);
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < model_.delays.size(); ++k) {
    const double duration = (*w)[code_.thresholds[model_.time_relations.size() + k]];
    if (!(duration >= 0))
      throw EvaluationError(fmt::format("delay() of '{}' by {}: the delay is negative",
                                        model_.flat[model_.delays[k].input].name, duration),
                            false);
    if (duration > 0) shortest = std::min(shortest, duration);
  }
  return shortest;
}

// Compares both sides of the instant. What cannot be computed on one of them counts as a break,
// which is never wrong, but costs an event.
void CompiledSystem::note_breaks(Update& now) const {
  if (model_.delays.empty()) return;
  const Context& before = now.before();
  const Context& after = now.context();
  // At the start, which is a break, there is nothing before.
  if (before.z[static_cast<std::size_t>(discrete(model_.memory).index)] == 0) return;
  const auto is_same = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double left, double right) {
      return left == right || (std::isnan(left) && std::isnan(right));
    });
  };
  if (is_same(before.z, after.z) && is_same(before.x, after.x) && is_same(before.p, after.p) &&
      is_same(before.u, after.u))
    return;
  const double shortest = shortest_delay(now.point());
  const double reach = std::isfinite(shortest) ? shortest : 1;
  const double step = std::max(kSlopeStep * reach, 1e4 * spacing(now.t()));
  std::vector<char> breaks(model_.delays.size(), 1);
  try {
    const Motion left = motion(point_at(before), -step), right = motion(now.point(), step);
    for (std::size_t k = 0; k < breaks.size(); ++k) {
      const double kink = std::abs(right.slopes[k] - left.slopes[k]);
      const double slopes = std::abs(right.slopes[k]) + std::abs(left.slopes[k]);
      const double size = std::abs(right.values[k]) + std::abs(left.values[k]);
      const bool is_smooth = kink <= kSlope * slopes || kink * reach <= kOfValue * size;
      breaks[k] = History::jumps(left.values[k], right.values[k]) || !is_smooth;
    }
  } catch (const EvaluationError&) {
    breaks.assign(breaks.size(), 1);
  }
  for (std::size_t k = 0; k < breaks.size(); ++k) {
    if (breaks[k] != 0) now[discrete(model_.delays[k].broken)] = now.t();
  }
}

void CompiledSystem::remember(const Point& p) const {
  Lease w(*this);
  load(*w, p);
  (*w).run(code_.output_program);
  for (std::size_t k = 0; k < model_.delays.size(); ++k) {
    const DelayLine& d = model_.delays[k];
    history(*w, k).add_event(p.t, at(*w, d.input), at(*w, d.broken) == p.t);
  }
  remember_entering(*w, p.t);
}

void CompiledSystem::remember_step(const Passage& step) const {
  if (!model_.delays.empty()) {
    const double memory = step.at(step.from)[discrete(model_.memory)];
    StepRecorder recorder(
        model_.delays.size(), step.rtol, step.atol,
        [&](double t) { return delay_inputs(step.at(t)); },
        [&](std::size_t line, double from, double to, std::span<const double> values) {
          history(memory, line).add_piece(from, to, values);
        });
    recorder.record(step.from, step.until);
  }
  // Of what enters a pipe four points: it is read with cubics.
  constexpr int kPoints = 4;
  for (int k = 1; k <= kPoints && !model_.transports.empty(); ++k) {
    const double t = k == kPoints ? step.until : step.from + (step.until - step.from) * k / kPoints;
    Lease w(*this);
    load(*w, step.at(t));
    (*w).run(code_.output_program);
    remember_entering(*w, t);
  }
}

double CompiledSystem::longest_step(const Point& p) const {
  double longest = shortest_delay(p);
  if (!model_.transports.empty()) {
    Lease w(*this);
    load(*w, p);
    longest = std::min(longest, longest_move(*w));
  }
  return longest;
}

}  // namespace arges
