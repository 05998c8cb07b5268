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

// All states of all modes, and what changes at events only, each once.
std::vector<std::string> compared_names(const Schema& schema, const ResultLayout& layout) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const ModeInfo& mode : schema.modes) {
    for (const VariableInfo& state : mode.states) add(state.name);
  }
  for (const Column& each : layout.columns) {
    if (each.variability == Variability::kDiscrete || each.type != ValueType::kReal) add(each.name);
  }
  return names;
}

class Contest {
 public:
  // There will be so many runs whose progress is told.
  Contest(const ContestModel& model, const RunOptions& options, std::size_t runs,
          const std::function<void(double)>& progress)
      : model_(model),
        options_(options),
        runs_(static_cast<double>(runs)),
        progress_(progress),
        times_(even_times(options.start_time, options.stop_time, kIntervals)) {}
  using Outcome = ContestModel::Outcome;

  Outcome run(const std::string& solver, double rtol) {
    RunOptions options = with(solver, rtol);
    if (progress_) options.progress = [this](double part) { progress_((done_ + part) / runs_); };
    Outcome outcome = model_.sample(options, times_);
    skip(1);
    return outcome;
  }
  // Runs that are not done after all.
  void skip(std::size_t runs) {
    done_ += static_cast<double>(runs);
    if (progress_) progress_(std::min(1.0, done_ / runs_));
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

  // `why_none` gets the reason when there is no number.
  double difference(const Outcome& a, const Outcome& reference,
                    std::string* why_none = nullptr) const {
    const std::size_t count = model_.names.size();
    const double interval = interval_of_samples(), end = common_end(a, reference);
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<bool> left_out =
          samples_between_jumps(times_, a.jumps[i], reference.jumps[i], interval);
      double size = 0, error = 0;
      for (std::size_t k = 0; k < times_.size(); ++k) {
        const double there = reference.values[k * count + i];
        if (times_[k] > end) break;
        if (std::isnan(there)) continue;  // it does not exist in this mode
        size = std::max(size, std::abs(there));
        if (left_out[k]) continue;
        const double here = std::abs(a.values[k * count + i] - there);
        if (std::isnan(here)) {
          if (why_none != nullptr)
            *why_none = fmt::format("'{}' has a value at t = {:g} in the reference, and none here",
                                    model_.names[i], times_[k]);
          return here;
        }
        error = std::max(error, here);
      }
      if (error > 0) largest = std::max(largest, error / (size > 0 ? size : 1));
    }
    return largest;
  }

  // Compared up to where both have been.
  std::optional<LoneEvent> lone_event(const Outcome& a, const Outcome& reference) const {
    return first_lone_event(a.events, reference.events, common_end(a, reference),
                            interval_of_samples());
  }

  std::optional<double> ends_later(const Outcome& a, const Outcome& reference) const {
    const double later = a.result.status.time - reference.result.status.time;
    return std::abs(later) > interval_of_samples() ? std::optional(later) : std::nullopt;
  }

 private:
  static double common_end(const Outcome& a, const Outcome& b) {
    return std::min(a.result.status.time, b.result.status.time);
  }
  double interval_of_samples() const {
    return (options_.stop_time - options_.start_time) / kIntervals;
  }
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
  double runs_, done_ = 0;
  const std::function<void(double)>& progress_;
  std::vector<double> times_;
};

bool ended_well(const RunResult& result) {
  return result.status.ok() || result.status.reason == RunReason::kZeno;
}

}  // namespace

ContestResult compare_solvers(const HybridSystem& model, const Context& start,
                              const RunOptions& options, const ContestRequest& request) {
  ContestModel contest;
  contest.names = compared_names(model.schema(), Simulator(model, options).layout(start));
  contest.sample = [&](const RunOptions& how, const std::vector<double>& times) {
    Sampler sampler(Simulator(model, how).layout(start), contest.names, times);
    JumpRecorder jumps(contest.names);
    TeeSink both;
    both.add(sampler);
    both.add(jumps);
    ContestModel::Outcome outcome;
    outcome.result = Simulator(model, sampler.adapt(how)).run(start, &both);
    outcome.jumps = jumps.times();
    outcome.events = jumps.events();
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
  // Two of them for the reference.
  Contest contest(model, options, 2 + request.solvers.size() * request.rtols.size(),
                  request.progress);
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
  result.reference_events = reference.result.events;
  const Contest::Outcome coarser = contest.run(result.reference_solver, 10 * result.reference_rtol);
  result.cancelled = coarser.result.status.reason == RunReason::kCancelled;
  if (result.cancelled) return result;
  result.reference_error = contest.difference(coarser, reference);

  for (const std::string& solver : request.solvers) {
    const bool adaptive = solver == "auto" || find_solver(solver).adaptive;
    for (const double rtol : request.rtols) {
      ContestRow row;
      row.solver = solver;
      row.rtol = adaptive ? rtol : std::numeric_limits<double>::quiet_NaN();
      row.error = std::numeric_limits<double>::quiet_NaN();
      try {
        const Contest::Outcome outcome = contest.run(solver, rtol);
        row.status = outcome.result.status.reason;
        row.statistics = outcome.result.statistics;
        row.events = outcome.result.events;
        row.lone_event = contest.lone_event(outcome, reference);
        if (!ended_well(outcome.result)) row.message = outcome.result.status.message;
        if (row.status == RunReason::kCancelled) {
          result.cancelled = true;
          return result;
        }
        if (ended_well(outcome.result)) {
          row.error = contest.difference(outcome, reference, &row.message);
          row.ends_later = contest.ends_later(outcome, reference);
        }
        row.cpu_s = contest.time(solver, rtol);
        if (options.cancel != nullptr && *options.cancel) {  // it was cut off, and has no time
          result.cancelled = true;
          return result;
        }
      } catch (const UserError& error) {  // it does not fit the model
        row.status = RunReason::kInitialisationFailed;
        row.message = error.what();
      }
      result.rows.push_back(row);
      if (adaptive) continue;
      contest.skip(request.rtols.size() - 1);
      break;
    }
  }
  return result;
}

}  // namespace arges
