#include "arges/devs/result_recorder.h"

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
  Columns(StepRecorder& steps, std::string path, bool is_hybrid)
      : steps_(steps), path_(std::move(path)), is_hybrid_(is_hybrid) {}
  Group group;

 private:
  void add(std::string_view name, double value, ValueType type, std::string_view unit,
           std::string_view description) override {
    const std::size_t column = steps_.add(
        {fmt::format("{}.{}", path_, name), std::string(unit), std::string(description), type},
        value,
        is_hybrid_ && type == ValueType::kReal ? Variability::kContinuous : Variability::kDiscrete);
    if (group.count++ == 0) group.first = column;
  }
  StepRecorder& steps_;
  std::string path_;
  bool is_hybrid_;
};

// Takes what a component records now.
class ResultRecorder::Values final : public StateRecorder {
 public:
  Values(StepRecorder& steps, const Group& group, double time, bool glide = false)
      : steps_(steps), group_(group), time_(time), glide_(glide) {}
  std::vector<EventChange> changes;

 private:
  void add(std::string_view name, double value, ValueType, std::string_view,
           std::string_view) override {
    const std::size_t column = group_.first + at_++;
    // Another class at the same path may record other things.
    if (at_ > group_.count || !steps_.columns()[column].name.ends_with(name)) return;
    if (glide_) return steps_.glide(time_, column, value);
    const double before = steps_.values()[column];
    if (before == value) return;
    changes.push_back({steps_.columns()[column].name, before, value});
    steps_.set(time_, column, value);
  }
  StepRecorder& steps_;
  const Group& group_;
  double time_;
  bool glide_;
  std::size_t at_ = 0;
};

ResultRecorder::ResultRecorder(const Simulator& simulator, StepRecorder& steps, Options options)
    : steps_(steps), options_(options) {
  if (steps.begun()) throw ApiError("a ResultRecorder is made before its rows begin");
  const Network& network = simulator.network();
  for (const std::uint32_t id : simulator.components()) {
    const Model& model = network.model(network.component(id).node);
    std::string path = simulator.path(id);
    Columns columns(steps, path, model.behaviour()->continuous != nullptr);
    model.behaviour()->record(model, simulator.state_memory(id), columns);
    if (columns.group.count > 0) groups_.emplace(std::move(path), columns.group);
  }
}

ResultRecorder::Group* ResultRecorder::group_of(const Simulator& simulator, std::uint32_t component,
                                                const Model& model) {
  if (component >= known_.size()) known_.resize(component + 1);
  Known& known = known_[component];
  if (known.model != &model) {
    const auto found = groups_.find(simulator.path(component));
    known = {&model, found == groups_.end() ? nullptr : &found->second};
  }
  return known.group;
}

void ResultRecorder::sample(const Simulator& simulator, double time) {
  for (const std::uint32_t id : simulator.components()) {
    const Model& model = simulator.model(id);
    if (model.behaviour()->continuous == nullptr) continue;
    if (const Group* group = group_of(simulator, id, model)) {
      Values values(steps_, *group, time, true);
      model.behaviour()->record(model, simulator.state_memory(id), values);
    }
  }
}

void ResultRecorder::forget(const Group& group, double time) {
  for (std::size_t i = 0; i < group.count; ++i) steps_.set(time, group.first + i, kNaN);
}

void ResultRecorder::log(double time, std::int64_t iteration, const char* kind,
                         std::string component, bool is_time_event,
                         std::vector<EventChange> changes) {
  steps_.event({time, static_cast<int>(iteration), kind, std::move(component), is_time_event,
                std::move(changes)});
}

void ResultRecorder::on_transition(const Simulator& simulator, const TransitionEvent& event) {
  const bool born = event.kind == Transition::kInitial;
  if (born && event.component < known_.size()) known_[event.component] = {};  // a number used again
  Group* group = group_of(simulator, event.component, event.model);
  std::vector<EventChange> changes;
  if (group != nullptr) {
    if (born) {
      forget(*group, event.time);
      group->born = event.time;
      group->born_iteration = event.iteration;
    }
    Values values(steps_, *group, event.time);
    event.model.behaviour()->record(event.model, event.state, values);
    changes = std::move(values.changes);
  }
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

void ResultRecorder::on_structure(const Simulator&, const StructureEvent& event) {
  using Kind = StructureEvent::Kind;
  if (event.kind == Kind::kRemoved || event.kind == Kind::kExchanged) {
    // The component and all inside it, but what has come in its place just now.
    for (auto at = groups_.lower_bound(event.what);
         at != groups_.end() && at->first.starts_with(event.what); ++at) {
      const bool inside =
          at->first.size() == event.what.size() || at->first[event.what.size()] == '.';
      const bool new_one = event.kind == Kind::kExchanged && at->second.born == event.time &&
                           at->second.born_iteration == event.iteration;
      if (inside && !new_one) forget(at->second, event.time);
    }
  }
  if (options_.structure) {
    log(event.time, event.iteration, to_string(event.kind), event.what, false, {});
  }
}

}  // namespace arges::devs
