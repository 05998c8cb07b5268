#include "arges/experiment/stop_when.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/experiment/formula.h"
#include "arges/experiment/specification.h"
#include "arges/hybrid/update.h"

namespace arges {

namespace {

// Where a leaf's value is.
struct Source {
  enum class Kind { kTime, kState, kOutput, kDiscrete, kInput, kParameter } kind;
  int index = 0;
  std::vector<int> of_modes{};  // of a state: its index in each mode, -1 where it does not exist
};

class Watched final : public HybridSystem {
 public:
  Watched(const HybridSystem& model, Condition condition)
      : HybridSystem(model.schema().name), model_(model), condition_(std::move(condition)) {
    schema_ = model.schema();
    left_ = sources(condition_.left);
    right_ = sources(condition_.right);
    for (const auto* list : {&left_, &right_}) {
      for (const Source& each : *list)
        needs_outputs_ = needs_outputs_ || each.kind == Source::Kind::kOutput;
    }
    // right - left becomes positive when left <= right becomes true.
    const bool both = condition_.kind == Condition::Kind::kEqual;
    event_ = declare_event(condition_.text, both ? Direction::kBoth : Direction::kRising);
  }

  void derivatives(const Point& at, Rates xdot) const override { model_.derivatives(at, xdot); }
  void derivatives_of(std::span<const int> rows, const Point& at, double* f) const override {
    model_.derivatives_of(rows, at, f);
  }
  void series_of(std::span<const int> rows, int order, const Point& at, double* f) const override {
    model_.series_of(rows, order, at, f);
  }
  void residual(const Point& at, const double* xdot, double* r) const override {
    model_.residual(at, xdot, r);
  }
  void jacobian(const Point& at, const double* xdot, double c, JacobianEntries J) const override {
    model_.jacobian(at, xdot, c, J);
  }
  void outputs(const Point& at, Outputs y) const override { model_.outputs(at, y); }
  void conditions(const Point& at, Conditions g) const override {
    model_.conditions(at, g);
    thread_local std::vector<double> y, leaves;
    if (needs_outputs_) {
      y.resize(schema_.outputs.size());
      model_.outputs(at, Outputs(y.data()));
    }
    const auto side = [&](const Formula& formula, const std::vector<Source>& from) {
      leaves.clear();
      for (const Source& each : from) leaves.push_back(value(each, at, y));
      return formula.value(leaves);
    };
    for (const auto* list : {&left_, &right_}) {
      for (const Source& each : *list) {
        if (each.kind == Source::Kind::kState && each.of_modes[at.mode.index] < 0) {
          g[event_] = -1;  // nothing to watch in this mode
          return;
        }
      }
    }
    g[event_] = side(condition_.right, right_) - side(condition_.left, left_);
  }
  void initialize(Update& now) const override { model_.initialize(now); }
  void on_event(EventId event, Update& now) const override {
    if (event.index == event_.index) {
      now.terminate(condition_.text);
    } else {
      model_.on_event(event, now);
    }
  }
  void on_timer(TimerId timer, Update& now) const override { model_.on_timer(timer, now); }
  void settle(Update& now) const override { model_.settle(now); }
  void on_end(Update& now) const override { model_.on_end(now); }
  void watch(const Point& at) const override { model_.watch(at); }
  void remember(const Point& at) const override { model_.remember(at); }
  void remember_step(const Passage& step) const override { model_.remember_step(step); }
  void constraints(const Point& at, double* c) const override { model_.constraints(at, c); }
  bool constraint_jacobian(const Point& at, double* values) const override {
    return model_.constraint_jacobian(at, values);
  }
  void project(const Point& at, double* x) const override { model_.project(at, x); }
  double longest_step(const Point& at) const override { return model_.longest_step(at); }

 private:
  std::vector<Source> sources(const Formula& formula) const {
    std::vector<Source> all;
    for (const std::string& leaf : formula.leaves()) all.push_back(find(leaf));
    return all;
  }

  Source find(const std::string& leaf) const {
    if (leaf == "time") return {Source::Kind::kTime};
    std::vector<std::string> known;
    const auto index_in = [&](const std::vector<VariableInfo>& list) {
      const auto found = std::ranges::find(list, leaf, &VariableInfo::name);
      for (const VariableInfo& each : list) {
        if (std::ranges::find(known, each.name) == known.end()) known.push_back(each.name);
      }
      return found == list.end() ? -1 : static_cast<int>(found - list.begin());
    };
    Source state{Source::Kind::kState};
    bool exists = false;
    for (const ModeInfo& mode : schema_.modes) {
      state.of_modes.push_back(index_in(mode.states));
      exists = exists || state.of_modes.back() >= 0;
    }
    if (exists) return state;
    using Kind = Source::Kind;
    const std::pair<Kind, const std::vector<VariableInfo>*> others[] = {
        {Kind::kOutput, &schema_.outputs},
        {Kind::kDiscrete, &schema_.discretes},
        {Kind::kInput, &schema_.inputs},
        {Kind::kParameter, &schema_.parameters}};
    for (const auto& [kind, list] : others) {
      if (const int index = index_in(*list); index >= 0) return {kind, index};
    }
    throw UserError(
        complaint(fmt::format("the model has no variable '{}'{}", leaf, did_you_mean(leaf, known)),
                  condition_.text, condition_.text.find(leaf)));
  }

  static double value(const Source& from, const Point& at, const std::vector<double>& y) {
    switch (from.kind) {
      case Source::Kind::kTime:
        return at.t;
      case Source::Kind::kState:
        return at.x[from.of_modes[at.mode.index]];
      case Source::Kind::kOutput:
        return y[static_cast<std::size_t>(from.index)];
      case Source::Kind::kDiscrete:
        return at.z[from.index];
      case Source::Kind::kInput:
        return at.u[from.index];
      default:
        return at.p[from.index];
    }
  }

  const HybridSystem& model_;
  Condition condition_;
  std::vector<Source> left_, right_;
  bool needs_outputs_ = false;
  EventId event_;
};

}  // namespace

std::unique_ptr<HybridSystem> stop_when(const HybridSystem& model, const std::string& condition) {
  return std::make_unique<Watched>(model, parse_condition(condition, Formula::Leaves::kRow));
}

}  // namespace arges
