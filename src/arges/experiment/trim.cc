#include "arges/experiment/trim.h"

#include <algorithm>
#include <cmath>

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

constexpr int kRounds = 20;          // of solving and settling
constexpr double kSamePoint = 1e-6;  // relative distance of what counts as one solution

class Trimmer {
 public:
  Trimmer(const HybridSystem& system, const TrimRequest& request)
      : system_(system), request_(request) {}

  TrimResult run(const Context& start) {
    try_from(start);
    random::Stream stream(request_.seed, 0, "trim starts");
    for (int k = 0; k < request_.more_starts && !cancelled(); ++k) {
      if (request_.progress) request_.progress((k + 1.0) / (request_.more_starts + 1.0));
      try_from(moved(start, stream));
    }
    result_.cancelled = cancelled();
    return std::move(result_);
  }

 private:
  bool cancelled() const { return request_.cancel != nullptr && request_.cancel->load(); }
  const ModeInfo& mode(const Context& at) const { return system_.schema().modes[at.mode.index]; }

  Context moved(const Context& start, random::Stream& stream) const {
    Context other = start;
    for (std::size_t i = 0; i < other.x.size(); ++i) {
      const double size = std::max(std::abs(start.x[i]), mode(start).states[i].nominal);
      const double sign = stream.uniform() < 0.5 ? -1 : 1;
      other.x[i] = sign * size * std::pow(10.0, stream.uniform(-2, 1));
    }
    return other;
  }

  void try_from(const Context& start) {
    Context at = start;
    if (std::string problem = solve(at); problem.empty()) {
      keep(at, "newton");
      return;
    } else if (result_.message.empty()) {
      result_.message = std::move(problem);
    }
    if (request_.longest_run > 0) try_after_runs(start);
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

  // Empty: `at` is a steady state now.
  std::string solve(Context& at) {
    for (int round = 0; round < kRounds; ++round) {
      const ModeEquations equations(system_, at, at.mode);
      SteadyStateSolver solver(equations);
      const SteadyStateSolver::Outcome outcome = solver.solve(at.t, at.x.data());
      if (!outcome.converged) return outcome.message;
      residual_ = outcome.residual;
      if (!settle(at)) return {};
    }
    return "the discrete variables change back and forth with the solution";
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
    SteadyState found{at, residual_, false, false, {}, how};
    const LinearModel linear = linearise(system_, at, {.inputs = {{}}, .outputs = {{}}});
    found.stable = linear.stable();
    found.neutral = linear.neutral();
    found.eigenvalues = linear.eigenvalues;
    result_.solutions.push_back(std::move(found));
    result_.message.clear();
  }

  bool same(const Context& a, const Context& b) const {
    if (a.mode != b.mode || a.z != b.z) return false;
    for (std::size_t i = 0; i < a.x.size(); ++i) {
      const double size = std::max({std::abs(a.x[i]), std::abs(b.x[i]), mode(a).states[i].nominal});
      if (std::abs(a.x[i] - b.x[i]) > kSamePoint * size) return false;
    }
    return true;
  }

  const HybridSystem& system_;
  TrimRequest request_;
  TrimResult result_;
  double residual_ = 0;
};

}  // namespace

TrimResult trim(const HybridSystem& system, const Context& start, const TrimRequest& request) {
  return Trimmer(system, request).run(start);
}

}  // namespace arges
