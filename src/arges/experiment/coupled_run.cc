#include "arges/experiment/coupled_run.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cmath>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/hybrid/mode_equations.h"
#include "arges/hybrid/simulator.h"

namespace arges {

namespace {

std::size_t index_of(const std::vector<VariableInfo>& list, const std::string& name,
                     const HybridSystem& model, const char* kind) {
  const auto found = std::ranges::find(list, name, &VariableInfo::name);
  if (found == list.end())
    throw ApiError(fmt::format("model '{}' has no {} '{}'", model.schema().name, kind, name));
  return static_cast<std::size_t>(found - list.begin());
}

// The state, the stages and the inputs of one part.
class Part {
 public:
  Part(const CoupledPart& given, double start_time) : context_(initial(given, start_time)) {
    const Schema& schema = given.model.schema();
    const ModeInfo& mode = schema.modes[context_.mode.index];
    if (mode.form != EquationForm::kExplicit || !schema.events.empty() || !schema.timers.empty())
      throw ApiError(fmt::format(
          "model '{}' cannot be a part: parts have explicit equations and no events", schema.name));
    equations_ = std::make_unique<ModeEquations>(given.model, context_, context_.mode);
    x_ = stage_ = context_.x;
    rates_.resize(x_.size());
    sum_.resize(x_.size());
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  double stage_value(std::size_t state) const { return stage_[state]; }
  void set_input(std::size_t input, double value) { context_.u[input] = value; }
  const std::vector<double>& x() const { return x_; }

  // Stage s of the classical Runge-Kutta method: f there, and where the next stage is.
  void do_stage(int s, double t, double h) {
    static constexpr double kNodes[] = {0, 0.5, 0.5, 1}, kWeights[] = {1, 2, 2, 1};
    equations_->rhs(t + kNodes[s] * h, stage_.data(), rates_.data());
    for (std::size_t i = 0; i < x_.size(); ++i) {
      sum_[i] = (s == 0 ? 0 : sum_[i]) + kWeights[s] * rates_[i];
      if (s == 3) x_[i] += h / 6 * sum_[i];
      stage_[i] = s == 3 ? x_[i] : x_[i] + kNodes[s + 1] * h * rates_[i];
    }
  }

 private:
  // With the values that the model computes before it starts.
  static Context initial(const CoupledPart& given, double start_time) {
    RunOptions nothing;
    nothing.start_time = nothing.stop_time = start_time;
    nothing.solver = "dopri5";
    RunResult result = Simulator(given.model, nothing).run(given.start);
    if (!result.status.ok()) throw EvaluationError(result.status.message);
    return std::move(result.final);
  }

  Context context_;
  std::unique_ptr<ModeEquations> equations_;
  std::vector<double> x_, stage_, rates_, sum_;
};

struct Wire {
  std::size_t from, state, to, input;
};

class CoupledLoop {
 public:
  CoupledLoop(std::vector<std::unique_ptr<Part>>& parts, std::vector<Wire> wires,
              const CoupledOptions& options)
      : parts_(parts),
        wires_(std::move(wires)),
        options_(options),
        threads_(std::clamp<std::size_t>(static_cast<std::size_t>(std::max(options.threads, 1)), 1,
                                         parts.size())),
        meeting_(static_cast<std::ptrdiff_t>(threads_)) {
    const double span = options.stop - options.start;
    steps_ = std::max<long>(1, std::lround(std::ceil(span / options.step - 1e-9)));
    h_ = span / static_cast<double>(steps_);
    for (auto& side : published_) side.resize(wires_.size());
  }

  void run() {
    std::vector<std::thread> others;
    for (std::size_t k = 1; k < threads_; ++k) others.emplace_back([this, k] { work(k); });
    work(0);
    for (std::thread& each : others) each.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work(std::size_t thread) {
    const std::size_t begin = thread * parts_.size() / threads_,
                      end = (thread + 1) * parts_.size() / threads_;
    std::size_t exchanges = 0;
    try {
      for (long n = 0; n < steps_ && !failed_; ++n) {
        const double t = options_.start + static_cast<double>(n) * h_;
        for (int stage = 0; stage < 4; ++stage) {
          const bool hand_over =
              options_.exchange_every == 0 || (stage == 0 && n % options_.exchange_every == 0);
          if (hand_over) exchange(begin, end, published_[exchanges++ % 2]);
          for (std::size_t i = begin; i < end; ++i) parts_[i]->do_stage(stage, t, h_);
        }
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      failed_ = true;
    }
    // Whoever still works does not wait for this one.
    meeting_.arrive_and_drop();
  }

  // Two buffers in turns: who is already at the next exchange writes to the other one, and nobody
  // can be two ahead.
  void exchange(std::size_t begin, std::size_t end, std::vector<double>& board) {
    for (std::size_t i = 0; i < wires_.size(); ++i) {
      const Wire& wire = wires_[i];
      if (wire.from >= begin && wire.from < end)
        board[i] = parts_[wire.from]->stage_value(wire.state);
    }
    if (threads_ > 1) meeting_.arrive_and_wait();
    for (std::size_t i = 0; i < wires_.size(); ++i) {
      const Wire& wire = wires_[i];
      if (wire.to >= begin && wire.to < end) parts_[wire.to]->set_input(wire.input, board[i]);
    }
  }

  std::vector<std::unique_ptr<Part>>& parts_;
  std::vector<Wire> wires_;
  CoupledOptions options_;
  std::size_t threads_;
  std::barrier<> meeting_;
  long steps_ = 0;
  double h_ = 0;
  std::array<std::vector<double>, 2> published_;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

CoupledResult run_coupled(const std::vector<CoupledPart>& parts,
                          const std::vector<CoupledLink>& links, const CoupledOptions& options) {
  if (parts.empty() || !(options.step > 0) || !(options.stop > options.start) ||
      options.exchange_every < 0)
    throw ApiError(
        "run_coupled: there must be parts, a step, a time to run, and no negative number");
  std::vector<std::unique_ptr<Part>> made;
  for (const CoupledPart& each : parts) made.push_back(std::make_unique<Part>(each, options.start));
  std::vector<Wire> wires;
  for (const CoupledLink& link : links) {
    if (link.from >= parts.size() || link.to >= parts.size())
      throw ApiError("run_coupled: a link names a part that does not exist");
    const HybridSystem &from = parts[link.from].model, &to = parts[link.to].model;
    const auto& states = from.schema().modes[parts[link.from].start.mode.index].states;
    wires.push_back({link.from, index_of(states, link.state, from, "state"), link.to,
                     index_of(to.schema().inputs, link.input, to, "input")});
  }
  CoupledLoop loop(made, std::move(wires), options);
  const auto begin = std::chrono::steady_clock::now();
  loop.run();
  CoupledResult result;
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (const auto& part : made) result.states.push_back(part->x());
  return result;
}

}  // namespace arges
