#include "arges/experiment/trim.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/experiment/linearise.h"
#include "arges/hybrid/mode_equations.h"
#include "arges/hybrid/simulator.h"
#include "arges/hybrid/update.h"
#include "arges/random/stream.h"
#include "arges/solvers/steady_state.h"

namespace arges {

namespace {

constexpr int kRounds = 20;  // of solving and settling
// The distance of what counts as one solution: relative, and in nominal values around zero.
constexpr double kSamePoint = 1e-6, kSameZero = 1e-8;
// Points that follow from solutions, for each start.
constexpr int kFollowingPoints = 4;
// Rates below this have lost digits to underflow, or will.
constexpr double kUnderflow = 1e-290;
// How far a steady state must be from where a rate vanishes in underflow, relative to the sizes, to
// be doubted: x^3 vanishes, too, next to zero.
constexpr double kFarFromUnderflow = 1e-3;

class Trimmer {
 public:
  Trimmer(const HybridSystem& system, const TrimRequest& request)
      : system_(system), request_(request) {}

  TrimResult run(const Context& start) {
    refuse_memory(system_, "its steady states are not searched for");
    given_ = &start;
    try_from(start, true);
    random::Stream stream(request_.seed, 0, "trim starts");
    std::vector<Context> starts{start};
    for (int k = 0; k < request_.more_starts && !cancelled(); ++k) {
      report(k);
      starts.push_back(moved(start, k, stream));
      try_from(starts.back(), k % 3 == 0);
    }
    if (request_.more_starts > 0) follow(starts);
    result_.cancelled = cancelled();
    if (!result_.solutions.empty()) {
      result_.message =
          fmt::format("the list may be incomplete: a search from {} is no proof",
                      starts.size() == 1 ? "one point" : fmt::format("{} points", starts.size()));
    }
    result_.message += held_values();
    if (!result_.solutions.empty() && depends_on_time(result_.solutions.front().at))
      result_.message += fmt::format(
          "; the equations depend on time: what is at rest at time = {:g} may move later", start.t);
    return std::move(result_);
  }

 private:
  bool cancelled() const { return request_.cancel != nullptr && request_.cancel->load(); }
  const ModeInfo& mode(const Context& at) const { return system_.schema().modes[at.mode.index]; }

  void report(int point) const {
    if (request_.progress) request_.progress((point + 1.0) / (2.0 * request_.more_starts + 2.0));
  }

  // What changes at instants of time only does not move with a point.
  std::string held_values() const {
    const Schema& schema = system_.schema();
    const auto shown = std::ranges::find(schema.discretes, false, &VariableInfo::hidden);
    if (schema.timers.empty() || shown == schema.discretes.end()) return {};
    return fmt::format(
        "; between events: what sample() or another time changes ('{}', say) holds its value",
        shown->name);
  }

  // Whether the rates at a point are others at other times. A model that does not look at the time
  // gives the same ones, to the last bit.
  bool depends_on_time(const Context& at) const {
    if (mode(at).autonomous) return false;
    const ModeEquations equations(system_, at, at.mode);
    const bool implicit = mode(at).form == EquationForm::kImplicit;
    const std::vector<double> rest(at.x.size(), 0);
    const auto rates = [&](double t) {
      std::vector<double> f(at.x.size());
      if (implicit) {
        equations.residual(t, at.x.data(), rest.data(), f.data());
      } else {
        equations.rhs(t, at.x.data(), f.data());
      }
      return f;
    };
    try {
      const std::vector<double> now = rates(at.t);
      for (const double later : {0.1, 0.37, 1.3, 4.1, 17.0}) {
        if (rates(at.t + later) != now) return true;
      }
    } catch (const EvaluationError&) {
      return true;  // there is a time without rates
    }
    return false;
  }

  // In turn: around zero, as large as the start; around zero, over many magnitudes, which the
  // variables have in common up to a factor; around the start, over many distances.
  Context moved(const Context& start, int turn, random::Stream& stream) const {
    Context other = start;
    const double common = stream.uniform(-6, 6);
    for (std::size_t i = 0; i < other.x.size(); ++i) {
      const double size = std::max(std::abs(start.x[i]), mode(start).states[i].nominal);
      const double sign = stream.uniform() < 0.5 ? -1 : 1;
      const double place = stream.uniform();
      if (turn % 3 == 0) {
        other.x[i] = sign * size * std::pow(10.0, -2 + 3 * place);
      } else if (turn % 3 == 1) {
        other.x[i] = sign * size * std::pow(10.0, common - 1 + 2 * place);
      } else {
        other.x[i] += sign * size * std::pow(10.0, -6 + 8 * place);
      }
    }
    return settled(std::move(other));
  }

  // Searches between and beyond the solutions, and away from them from all points so far, until
  // that gives nothing new.
  void follow(const std::vector<Context>& starts) {
    const int most = kFollowingPoints * (request_.more_starts + 1);
    int tried = 0;
    const auto goes_on = [&] { return tried < most && !cancelled(); };
    const auto attempt = [&](const Context& point) {
      report(request_.more_starts + tried / kFollowingPoints);
      ++tried;
      try_from(point, false);
      try_away(point);
    };
    std::size_t paired = 0;  // solutions of which all pairs were taken
    bool more = true;
    while (more && goes_on()) {
      for (; paired < result_.solutions.size() && goes_on(); ++paired) {
        for (std::size_t other = 0; other < paired && goes_on(); ++other) {
          const Context a = result_.solutions[paired].at, b = result_.solutions[other].at;
          if (a.mode != b.mode) continue;
          for (const double place : {0.5, -0.1, 1.1}) {
            if (goes_on()) attempt(settled(between(a, b, place)));
          }
          if (goes_on()) attempt(settled(geometric_mean(a, b)));
        }
      }
      const std::size_t known = result_.solutions.size();
      for (std::size_t k = 0; k < starts.size() && known == result_.solutions.size() && goes_on();
           ++k) {
        ++tried;
        try_away(starts[k]);
      }
      more = result_.solutions.size() > known;
    }
  }

  static Context between(const Context& a, const Context& b, double place) {
    Context point = a;
    for (std::size_t i = 0; i < a.x.size(); ++i) point.x[i] += place * (b.x[i] - a.x[i]);
    return point;
  }

  static Context geometric_mean(const Context& a, const Context& b) {
    Context point = between(a, b, 0.5);
    for (std::size_t i = 0; i < a.x.size(); ++i) {
      if (a.x[i] * b.x[i] > 0)
        point.x[i] =
            std::copysign(std::sqrt(std::abs(a.x[i])) * std::sqrt(std::abs(b.x[i])), a.x[i]);
    }
    return point;
  }

  // In the branches of its relations, where these have a value.
  Context settled(Context point) const {
    Context there = point;
    try {
      settle(there);
    } catch (const EvaluationError&) {
      return point;
    }
    return there;
  }

  void try_away(const Context& start) {
    Context at = start;
    if (solve(at, true).empty()) keep(at, "newton");
  }

  void try_from(const Context& start, bool with_runs) {
    Context at = start;
    if (std::string problem = solve(at); problem.empty()) {
      keep(at, "newton");
      return;
    } else if (result_.message.empty()) {
      result_.message = std::move(problem);
    }
    if (with_runs && request_.longest_run > 0) try_after_runs(start);
  }

  // A stable steady state attracts what runs, also when Newton's method does not find it.
  void try_after_runs(const Context& start) {
    for (double span = 1; span <= request_.longest_run && !cancelled(); span *= 10) {
      RunOptions options;
      options.start_time = start.t;
      options.stop_time = start.t + span;
      options.max_steps = 20'000;
      options.cancel = request_.cancel;
      const RunResult run = Simulator(system_, options).run(start);
      if (!run.status.ok()) return;
      Context at = run.final;
      at.t = start.t;
      if (solve(at).empty() && near(at, run.final)) {
        keep(at, "run");
        return;
      }
    }
  }

  // The point that Newton's method found is the one to which the run goes, not a far one.
  bool near(const Context& a, const Context& b) const {
    if (a.mode != b.mode) return false;
    for (std::size_t i = 0; i < a.x.size(); ++i) {
      const double size = std::max({std::abs(a.x[i]), std::abs(b.x[i]), mode(a).states[i].nominal});
      if (std::abs(a.x[i] - b.x[i]) > 0.1 * size) return false;
    }
    return true;
  }

  // As the user sees them: what is remembered of relations besides is not a part of the state.
  bool same_discretes(const Context& a, const Context& b) const {
    const std::vector<VariableInfo>& list = system_.schema().discretes;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].hidden && a.z[i] != b.z[i]) return false;
    }
    return a.mode == b.mode;
  }

  // The known ones of these discrete values.
  std::vector<std::vector<double>> known_beside(const Context& at) const {
    std::vector<std::vector<double>> known;
    for (const SteadyState& each : result_.solutions) {
      if (same_discretes(each.at, at)) known.emplace_back(each.at.x.begin(), each.at.x.end());
    }
    return known;
  }

  // Empty: `at` is a steady state now.
  std::string solve(Context& at, bool away = false) {
    for (int round = 0; round < kRounds; ++round) {
      const Context from = at;
      const ModeEquations equations(system_, at, at.mode);
      SteadyStateSolver solver(equations);
      const SteadyStateSolver::Outcome outcome =
          away ? solver.solve_away_from(known_beside(at), at.t, at.x.data())
               : solver.solve(at.t, at.x.data());
      if (!outcome.converged) return outcome.message;
      residual_ = outcome.residual;
      const bool acted = act_between(from, at);
      const bool settled = settle(at);
      if (!acted && !settled) return {};
    }
    return "the discrete variables change back and forth with the solution";
  }

  // The actions of the conditions that lie between a start and its solution: whoever goes there
  // passes them. Relations that remember their side settle by themselves. Whether something
  // changed.
  bool act_between(const Context& from, Context& at) const {
    const std::vector<EventInfo>& events = system_.schema().events;
    std::vector<double> g_from(events.size()), g_at(events.size());
    const ModeEquations equations(system_, from, from.mode);
    equations.conditions(from.t, from.x.data(), g_from.data());
    equations.conditions(from.t, at.x.data(), g_at.data());
    const Context before = at;
    for (std::size_t k = 0; k < events.size(); ++k) {
      const EventInfo& event = events[k];
      if (event.latch.valid() || event.bookkeeping) continue;
      if (event.mode.valid() && event.mode != before.mode) continue;
      const bool rises = g_from[k] < 0 && g_at[k] > 0 && event.direction != Direction::kFalling;
      const bool falls = g_from[k] > 0 && g_at[k] < 0 && event.direction != Direction::kRising;
      if (!rises && !falls) continue;
      Update update(system_, before, at);
      update.set_rising(rises);
      system_.on_event(EventId{static_cast<std::int32_t>(k)}, update);
    }
    return at.z != before.z || at.p != before.p || at.mode != before.mode || at.x != before.x;
  }

  // Whether something changed.
  bool settle(Context& at) const {
    const Context before = at;
    Context last;
    for (int round = 0; round < kRounds; ++round) {
      last = at;
      Update update(system_, before, at);
      system_.settle(update);
      if (at.z == last.z && at.mode == last.mode && at.x == last.x) break;
    }
    return at.z != before.z || at.mode != before.mode || at.x != before.x;
  }

  void keep(const Context& at, const char* how) {
    for (const SteadyState& known : result_.solutions) {
      if (same(known.at, at)) return;
    }
    if (rests_by_underflow(at)) return;
    SteadyState found{at, residual_, false, false, {}, how};
    const LinearModel linear = linearise(system_, at, {.inputs = {{}}, .outputs = {{}}});
    found.stable = linear.stable();
    found.neutral = linear.neutral();
    found.eigenvalues = linear.eigenvalues;
    result_.solutions.push_back(std::move(found));
  }

  // Whether a rate is zero here since it has become too small for a number on the way from the
  // given start: exp(-x) far out. A rate that is zero to its edge (of a dead zone, say) is
  // something else.
  bool rests_by_underflow(const Context& at) const {
    if (at.mode != given_->mode) return false;
    const ModeEquations equations(system_, at, at.mode);
    const std::vector<double> still(at.x.size());
    const auto rates = [&](double part) {
      std::vector<double> x = at.x, f(at.x.size());
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::lerp(given_->x[i], at.x[i], part);
      if (equations.form() == EquationForm::kImplicit) {
        equations.residual(at.t, x.data(), still.data(), f.data());
      } else {
        equations.rhs(at.t, x.data(), f.data());
      }
      return f;
    };
    try {
      const std::vector<double> first = rates(0), last = rates(1);
      for (std::size_t row = 0; row < first.size(); ++row) {
        if (last[row] != 0 || first[row] == 0) continue;
        double moving = 0, resting = 1;
        for (int halving = 0; halving < 50; ++halving) {
          const double middle = std::midpoint(moving, resting);
          (rates(middle)[row] == 0 ? resting : moving) = middle;
        }
        if (std::abs(rates(moving)[row]) < kUnderflow &&
            (1 - moving) * distance(*given_, at) > kFarFromUnderflow)
          return true;
      }
    } catch (const EvaluationError&) {
      // No way leads there from the start: nothing to tell.
    }
    return false;
  }

  // In units of the second point's sizes.
  double distance(const Context& from, const Context& to) const {
    double largest = 0;
    for (std::size_t i = 0; i < to.x.size(); ++i) {
      const double size = std::max(std::abs(to.x[i]), mode(to).states[i].nominal);
      largest = std::max(largest, std::abs(to.x[i] - from.x[i]) / size);
    }
    return largest;
  }

  bool same(const Context& a, const Context& b) const {
    if (!same_discretes(a, b)) return false;
    for (std::size_t i = 0; i < a.x.size(); ++i) {
      const double distance = std::max(kSamePoint * std::max(std::abs(a.x[i]), std::abs(b.x[i])),
                                       kSameZero * mode(a).states[i].nominal);
      if (std::abs(a.x[i] - b.x[i]) > distance) return false;
    }
    return true;
  }

  const HybridSystem& system_;
  TrimRequest request_;
  const Context* given_ = nullptr;  // where the search began
  TrimResult result_;
  double residual_ = 0;
};

}  // namespace

TrimResult trim(const HybridSystem& system, const Context& start, const TrimRequest& request) {
  return Trimmer(system, request).run(start);
}

}  // namespace arges
