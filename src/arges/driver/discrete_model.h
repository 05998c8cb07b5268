#pragma once
// Discrete-event models that a program knows by name.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arges/devs/model.h"
#include "arges/hybrid/context.h"
#include "arges/hybrid/run_options.h"
#include "arges/hybrid/schema.h"
#include "arges/process/result_recorder.h"
#include "arges/process/world.h"
#include "arges/results/step_recorder.h"

namespace arges {

class HybridSystem;

struct NamedValue {
  std::string name;
  double value;
  ValueType type;
};

// The values of a model's parameters in one run.
class ParameterValues {
 public:
  explicit ParameterValues(const std::vector<VariableInfo>& parameters);
  // Throws UserError with the near names when there is none, or when it has another type.
  void set(const std::string& name, double value);
  // Throws ApiError when there is none: the model asks for what it has not declared.
  double operator[](std::string_view name) const;
  int integer(std::string_view name) const { return static_cast<int>((*this)[name]); }
  const std::vector<VariableInfo>& parameters() const { return parameters_; }  // start: the value

 private:
  std::vector<VariableInfo> parameters_;
};

struct DiscreteRun {
  const RunOptions& options;
  const ParameterValues& values;
  ResultSink& sink;
  bool log_events;    // transitions, activations, changes of structure
  bool log_messages;  // and messages
};

struct DiscreteResult {
  RunResult result;
  std::vector<NamedValue> final;    // the columns at the end
  std::vector<NamedValue> summary;  // statistics of the run
};

// A system of equations at a time.
struct Moment {
  std::shared_ptr<const HybridSystem> system;
  Context at;
  RunStatus status{};  // of the run to this time; when it did not get there, there is no system
};

// A model that `arges run` can run, but that is no HybridSystem: const, and described by `info`. A
// run writes begin, rows and events to the sink; finish is the caller's.
class DiscreteModel {
 public:
  struct Info {
    std::string name, description;
    std::vector<VariableInfo> parameters;
    ExperimentInfo experiment;  // stop_time may be infinity: until nothing is left to happen
    std::string engine;         // "devs", "process", ...: what stands for the solver
  };
  explicit DiscreteModel(Info info) : info_(std::move(info)) {}
  virtual ~DiscreteModel() = default;
  DiscreteModel(const DiscreteModel&) = delete;
  DiscreteModel& operator=(const DiscreteModel&) = delete;

  const Info& info() const { return info_; }
  // Whether options of solvers mean anything.
  virtual bool has_continuous_parts() const { return false; }
  virtual DiscreteResult run(const DiscreteRun& run) const = 0;
  // What the continuous parts are at the stop time of the options, with everything discrete as it
  // is then: what trim and linearise look at. Throws UserError when there is nothing continuous.
  virtual Moment moment(const RunOptions& options, const ParameterValues& values) const;

 private:
  Info info_;
};

// A DEVS model; its columns are what the components record.
class DevsModel : public DiscreteModel {
 public:
  using Make = std::function<std::unique_ptr<devs::Model>(const ParameterValues&)>;
  DevsModel(Info info, Make make);
  DiscreteResult run(const DiscreteRun& run) const override;

 private:
  Make make_;
};

// A DEVS model with hybrid components (docs/guide/hybrid-devs.md): any solver integrates them. Rows
// are at the steps of the solver, or at multiples of the interval. The stop time is finite.
class HybridDevsModel : public DiscreteModel {
 public:
  HybridDevsModel(Info info, DevsModel::Make make);
  bool has_continuous_parts() const override { return true; }
  DiscreteResult run(const DiscreteRun& run) const override;
  Moment moment(const RunOptions& options, const ParameterValues& values) const override;

 private:
  DevsModel::Make make_;
};

// What a model of processes consists of in one run: its resources, its counters. The processes have
// been started by whoever made it.
class ProcessScene {
 public:
  virtual ~ProcessScene() = default;
  virtual void watch(process::ResultRecorder&) {}
  virtual std::vector<NamedValue> summary() const { return {}; }
};

class ProcessModel : public DiscreteModel {
 public:
  using Make =
      std::function<std::unique_ptr<ProcessScene>(process::World&, const ParameterValues&)>;
  ProcessModel(Info info, Make make);
  DiscreteResult run(const DiscreteRun& run) const override;

 private:
  Make make_;
};

// The limits that a user sets to a run: looked at after every few steps.
class RunWatch {
 public:
  explicit RunWatch(const RunOptions& options);
  // False: the run has to end, and `status` says why.
  bool goes_on(double time, std::int64_t events, RunStatus& status);
  double wall_s() const;

 private:
  const RunOptions& options_;
  double begun_, last_progress_;
  int count_ = 0;
};

// Parameters and columns of a discrete run, then its first row.
void declare_parameters(const ParameterValues& values, StepRecorder& steps);
std::vector<NamedValue> final_values(const StepRecorder& steps);

}  // namespace arges
