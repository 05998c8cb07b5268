#include "arges/devs/result_recorder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/devs/simulator.h"
#include "arges/devs/state_recorder.h"
#include "arges/devs/trace.h"

namespace arges::devs {

namespace {
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
}

// Declares what a component records.
class ResultRecorder::Columns final : public StateRecorder {
 public:
  Columns(ResultRecorder& recorder, std::uint32_t component, std::string path, bool is_hybrid)
      : recorder_(recorder), component_(component), path_(std::move(path)), is_hybrid_(is_hybrid) {}
  std::vector<std::size_t> columns;

 private:
  void add(std::string_view name, double value, ValueType type, std::string_view unit,
           std::string_view description) override {
    StepRecorder& steps = recorder_.steps_;
    std::string full = fmt::format("{}.{}", path_, name);
    const auto known = recorder_.by_name_.find(full);
    std::size_t column = kNoColumn;
    if (known != recorder_.by_name_.end()) {
      column = known->second;
      steps.widen(column, type);
    } else if (steps.may_add()) {
      column = steps.add({full, std::string(unit), std::string(description), type}, value,
                         is_hybrid_ && type == ValueType::kReal ? Variability::kContinuous
                                                                : Variability::kDiscrete);
      recorder_.by_name_.emplace(std::move(full), column);
      if (column >= recorder_.owner_.size()) recorder_.owner_.resize(column + 1, kNone);
    }
    if (column != kNoColumn) recorder_.owner_[column] = component_;
    columns.push_back(column);
  }
  ResultRecorder& recorder_;
  std::uint32_t component_;
  std::string path_;
  bool is_hybrid_;
};

// Takes what a component records now.
class ResultRecorder::Values final : public StateRecorder {
 public:
  Values(StepRecorder& steps, const std::vector<std::size_t>& columns, double time, bool glide)
      : steps_(steps), columns_(columns), time_(time), glide_(glide) {}
  std::vector<EventChange> changes;

 private:
  void add(std::string_view, double value, ValueType, std::string_view, std::string_view) override {
    const std::size_t column = at_ < columns_.size() ? columns_[at_++] : kNoColumn;
    if (column == kNoColumn) return;
    if (glide_) return steps_.glide(time_, column, value);
    const double before = steps_.values()[column];
    if (before == value || (std::isnan(before) && std::isnan(value))) return;
    changes.push_back({steps_.columns()[column].name, before, value});
    steps_.set(time_, column, value);
  }
  StepRecorder& steps_;
  const std::vector<std::size_t>& columns_;
  double time_;
  bool glide_;
  std::size_t at_ = 0;
};

ResultRecorder::ResultRecorder(const Simulator& simulator, StepRecorder& steps, Options options)
    : steps_(steps), options_(options) {
  if (steps.begun()) throw ApiError("a ResultRecorder is made before its rows begin");
  bool varies = false;
  for (const std::uint32_t id : simulator.components()) {
    const Model& model = simulator.model(id);
    varies = varies || model.as_coupled() != nullptr;
    declare(simulator, id, model);
  }
  if (varies) steps.let_grow();
}

void ResultRecorder::declare(const Simulator& simulator, std::uint32_t component,
                             const Model& model) {
  Columns columns(*this, component, simulator.path(component),
                  model.behaviour()->continuous != nullptr);
  model.behaviour()->record(model, simulator.state_memory(component), columns);
  if (component >= columns_of_.size()) columns_of_.resize(component + 1);
  const auto& all = columns.columns;
  if (std::find(all.begin(), all.end(), kNoColumn) != all.end()) ++without_columns_;
  columns_of_[component] = std::move(columns.columns);
}

std::vector<EventChange> ResultRecorder::take(std::uint32_t component, const Model& model,
                                              const void* state, double time, bool glide) {
  if (component >= columns_of_.size() || columns_of_[component].empty()) return {};
  Values values(steps_, columns_of_[component], time, glide);
  model.behaviour()->record(model, state, values);
  return std::move(values.changes);
}

void ResultRecorder::sample(const Simulator& simulator, double time) {
  for (const std::uint32_t id : simulator.components()) {
    const Model& model = simulator.model(id);
    if (model.behaviour()->continuous == nullptr) continue;
    take(id, model, simulator.state_memory(id), time, true);
  }
}

// What another component has declared since stays.
void ResultRecorder::forget(std::uint32_t component, double time) {
  if (component >= columns_of_.size()) return;
  for (const std::size_t column : columns_of_[component]) {
    if (column == kNoColumn || owner_[column] != component) continue;
    owner_[column] = kNone;
    steps_.set(time, column, kNaN);
  }
  columns_of_[component].clear();
}

void ResultRecorder::log(double time, std::int64_t iteration, const char* kind,
                         std::string component, bool is_time_event,
                         std::vector<EventChange> changes) {
  steps_.event({time, static_cast<int>(iteration), kind, std::move(component), is_time_event,
                std::move(changes)});
}

void ResultRecorder::on_transition(const Simulator& simulator, const TransitionEvent& event) {
  if (event.kind == Transition::kInitial) {
    declare(simulator, event.component, event.model);
    for (const std::size_t column : columns_of_[event.component]) {
      if (column != kNoColumn) steps_.set(event.time, column, kNaN);
    }
  }
  std::vector<EventChange> changes =
      take(event.component, event.model, event.state, event.time, false);
  if (!options_.transitions) return;
  const bool due = event.kind == Transition::kInternal || event.kind == Transition::kConfluent;
  log(event.time, event.iteration, to_string(event.kind), simulator.path(event.component), due,
      std::move(changes));
}

void ResultRecorder::on_message(const Simulator& simulator, const MessageEvent& event) {
  if (!options_.messages) return;
  const MessageInWords words = message_in_words(simulator, event);
  std::vector<EventChange> changes;
  if (words.number) changes.push_back({"value", kNaN, *words.number});
  log(event.time, event.iteration, "message", words.from + " -> " + words.to, false,
      std::move(changes));
}

void ResultRecorder::on_structure(const Simulator& simulator, const StructureEvent& event) {
  for (const std::uint32_t component : event.components) forget(component, event.time);
  if (event.kind == StructureEvent::Kind::kMoved) {
    for (const std::uint32_t component : event.components) {
      const Model& model = simulator.model(component);
      declare(simulator, component, model);
      take(component, model, simulator.state_memory(component), event.time, false);
    }
  }
  if (options_.structure) {
    log(event.time, event.iteration, to_string(event.kind), event.what, false, {});
  }
}

}  // namespace arges::devs
