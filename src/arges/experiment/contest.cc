#include "arges/experiment/contest.h"

#include <ctime>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/experiment/jumps.h"
#include "arges/experiment/sampler.h"
#include "arges/hybrid/simulator.h"
#include "arges/results/tee_sink.h"
#include "arges/solvers/stepper.h"

namespace arges {

namespace {

constexpr int kIntervals = 200;
constexpr double kTightest = 1e-13;
constexpr double kTimedLong = 0.05;  // seconds: shorter runs are repeated
constexpr int kRepeats = 5;

double cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// All states of all modes, each once.
std::vector<std::string> state_names(const Schema& schema) {
  std::vector<std::string> names;
  for (const ModeInfo& mode : schema.modes) {
    for (const VariableInfo& state : mode.states) {
      if (std::ranges::find(names, state.name) == names.end()) names.push_back(state.name);
    }
  }
  return names;
}

class Contest {
 public:
  Contest(const ContestModel& model, const RunOptions& options)
      : model_(model),
        options_(options),
        times_(even_times(options.start_time, options.stop_time, kIntervals)) {}
  using Outcome = ContestModel::Outcome;

  Outcome run(const std::string& solver, double rtol) const {
    return model_.sample(with(solver, rtol), times_);
  }

  double time(const std::string& solver, double rtol) const {
    RunOptions options = with(solver, rtol);
    options.interval = std::numeric_limits<double>::max();
    const std::function<void()> run = model_.prepare(options);
    double best = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kRepeats && (k == 0 || best < kTimedLong); ++k) {
      const double begin = cpu_time();
      run();
      best = std::min(best, cpu_time() - begin);
    }
    return best;
  }

  double difference(const Outcome& a, const Outcome& reference) const {
    const std::size_t count = model_.names.size();
    const double interval = (options_.stop_time - options_.start_time) / kIntervals;
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<bool> left_out =
          samples_between_jumps(times_, a.jumps[i], reference.jumps[i], interval);
      double size = 0, error = 0;
      for (std::size_t k = 0; k < times_.size(); ++k) {
        const double there = reference.values[k * count + i];
        if (std::isnan(there)) continue;  // it does not exist in this mode
        size = std::max(size, std::abs(there));
        if (left_out[k]) continue;
        const double here = std::abs(a.values[k * count + i] - there);
        if (std::isnan(here)) return here;
        error = std::max(error, here);
      }
      if (error > 0) largest = std::max(largest, error / (size > 0 ? size : 1));
    }
    return largest;
  }

 private:
  RunOptions with(const std::string& solver, double rtol) const {
    RunOptions options = options_;
    options.solver = solver;
    if (rtol > 0) options.numerics.rtol = rtol;
    // The step is that of methods which do not choose their own.
    if (solver == "auto" || find_solver(solver).adaptive) options.numerics.step = 0;
    options.progress = nullptr;
    return options;
  }

  const ContestModel& model_;
  const RunOptions& options_;
  std::vector<double> times_;
};

bool ended_well(const RunResult& result) {
  return result.status.ok() || result.status.reason == RunReason::kZeno;
}

}  // namespace

ContestResult compare_solvers(const HybridSystem& model, const Context& start,
                              const RunOptions& options, const ContestRequest& request) {
  ContestModel contest;
  contest.names = state_names(model.schema());
  contest.sample = [&](const RunOptions& how, const std::vector<double>& times) {
    Sampler sampler(Simulator(model, how).layout(start), contest.names, times);
    JumpRecorder jumps(contest.names);
    TeeSink both;
    both.add(sampler);
    both.add(jumps);
    ContestModel::Outcome outcome;
    outcome.result = Simulator(model, sampler.adapt(how)).run(start, &both);
    outcome.jumps = jumps.times();
    for (std::size_t k = 0; k < times.size(); ++k) {
      for (std::size_t i = 0; i < contest.names.size(); ++i)
        outcome.values.push_back(sampler.value(k, i));
    }
    return outcome;
  };
  contest.prepare = [&](const RunOptions& how) {
    const auto simulator = std::make_shared<Simulator>(model, how);
    return [simulator, &start] { simulator->run(start); };
  };
  return compare_solvers(contest, options, request);
}

ContestResult compare_solvers(const ContestModel& model, const RunOptions& options,
                              const ContestRequest& request) {
  for (const std::string& name : request.solvers) {
    if (name != "auto") find_solver(name);
  }
  const Contest contest(model, options);
  ContestResult result;
  const double tightest = *std::ranges::min_element(request.rtols);
  result.reference_rtol = std::max(kTightest, 1e-4 * tightest);
  Contest::Outcome reference;
  std::string failure;
  bool ran = false;
  const std::vector<std::string> candidates =
      request.reference.empty() ? std::vector<std::string>{"rodas5p", "dop853", "ida", "auto"}
                                : std::vector<std::string>{request.reference};
  for (const std::string& each : candidates) {
    try {
      reference = contest.run(each, result.reference_rtol);
    } catch (const UserError& error) {  // it does not fit the model
      failure = error.what();
      continue;
    }
    if (reference.result.status.reason == RunReason::kCancelled) {
      result.cancelled = true;
      return result;
    }
    if (ended_well(reference.result)) {
      result.reference_solver = reference.result.solver;
      break;
    }
    failure = reference.result.status.message;
    ran = true;
  }
  if (result.reference_solver.empty() && ran)
    throw EvaluationError(fmt::format("there is no reference: {}", failure), false);
  if (result.reference_solver.empty())
    throw UserError(fmt::format("there is no reference: {}", failure), {"reference", "model"});
  result.reference_error = contest.difference(
      contest.run(result.reference_solver, 10 * result.reference_rtol), reference);

  const double all = static_cast<double>(request.solvers.size() * request.rtols.size());
  double done = 0;
  for (const std::string& solver : request.solvers) {
    const bool adaptive = solver == "auto" || find_solver(solver).adaptive;
    for (const double rtol : request.rtols) {
      if (request.progress) request.progress(done++ / all);
      ContestRow row;
      row.solver = solver;
      row.rtol = adaptive ? rtol : std::numeric_limits<double>::quiet_NaN();
      row.error = std::numeric_limits<double>::quiet_NaN();
      try {
        const Contest::Outcome outcome = contest.run(solver, rtol);
        row.status = outcome.result.status.reason;
        row.statistics = outcome.result.statistics;
        if (!ended_well(outcome.result)) row.message = outcome.result.status.message;
        if (row.status == RunReason::kCancelled) {
          result.cancelled = true;
          return result;
        }
        if (ended_well(outcome.result)) row.error = contest.difference(outcome, reference);
        row.cpu_s = contest.time(solver, rtol);
      } catch (const UserError& error) {  // it does not fit the model
        row.status = RunReason::kInitialisationFailed;
        row.message = error.what();
      }
      result.rows.push_back(row);
      if (!adaptive) break;
    }
  }
  return result;
}

}  // namespace arges
