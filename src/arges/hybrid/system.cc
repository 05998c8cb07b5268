#include "arges/hybrid/system.h"

#include <limits>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/hybrid/update.h"

namespace arges {

std::string_view to_string(EventKind kind) {
  switch (kind) {
    case EventKind::kParameter:
      return "SE-P";
    case EventKind::kInput:
      return "SE-I";
    case EventKind::kState:
      return "SE-X";
    case EventKind::kFunction:
      return "SE-F";
    case EventKind::kStructure:
      return "SE-S";
    case EventKind::kOutput:
      return "SE-O";
    case EventKind::kAlgorithm:
      return "SE-A";
  }
  return "SE-?";
}

double& JacobianEntries::in_pattern(StateId row, StateId column) const {
  const int k = target_->pattern->find(row.index, column.index);
  if (k < 0) {
    throw ApiError(fmt::format("the Jacobian entry ({}, {}) is not in the declared sparsity",
                               row.index, column.index));
  }
  return target_->values[k];
}

namespace {

[[noreturn]] void missing(const Schema& schema, const char* function) {
  throw ApiError(fmt::format("model '{}' declares what needs {}(), but does not define it",
                             schema.name, function));
}

}  // namespace

void HybridSystem::derivatives(const Point&, Rates) const { missing(schema_, "derivatives"); }
void HybridSystem::derivatives_of(std::span<const int>, const Point&, double*) const {
  missing(schema_, "derivatives_of");
}
void HybridSystem::series_of(std::span<const int>, int, const Point&, double*) const {
  missing(schema_, "series_of");
}
void HybridSystem::residual(const Point&, const double*, double*) const {
  missing(schema_, "residual");
}
void HybridSystem::jacobian(const Point&, const double*, double, JacobianEntries) const {
  missing(schema_, "jacobian");
}
HybridSystem::NonFinite HybridSystem::find_non_finite(const Point&) const { return {}; }

void HybridSystem::outputs(const Point&, Outputs) const {
  if (!schema_.outputs.empty()) missing(schema_, "outputs");
}
void HybridSystem::conditions(const Point&, Conditions) const {
  if (!schema_.events.empty()) missing(schema_, "conditions");
}
void HybridSystem::initialize(Update&) const {}
void HybridSystem::on_event(EventId, Update&) const {
}  // an event without action is an output trace
void HybridSystem::on_timer(TimerId, Update&) const {}
void HybridSystem::settle(Update&) const {}
void HybridSystem::on_end(Update&) const {}
void HybridSystem::remember(const Point&) const {}

void HybridSystem::remember_step(const Passage&) const {}
void HybridSystem::watch(const Point&) const {}
void HybridSystem::constraints(const Point&, double*) const {}
bool HybridSystem::constraint_jacobian(const Point&, double*) const { return false; }
void HybridSystem::project(const Point&, double*) const {}
void HybridSystem::scale_nominal(const Point&, std::vector<double>&) const {}
double HybridSystem::longest_step(const Point&) const {
  return std::numeric_limits<double>::infinity();
}

HybridSystem::HybridSystem(std::string name, std::string description) {
  schema_.name = std::move(name);
  schema_.description = std::move(description);
}

namespace {

template <class IdType, class Info>
IdType append(std::vector<Info>& list, Info info) {
  list.push_back(std::move(info));
  return IdType{static_cast<std::int32_t>(list.size()) - 1};
}

VariableInfo variable(const std::string& name, double start, const std::string& unit,
                      const std::string& description) {
  VariableInfo info;
  info.name = name;
  info.start = start;
  info.unit = unit;
  info.description = description;
  return info;
}

}  // namespace

ParameterId HybridSystem::declare_parameter(const std::string& name, double value,
                                            const std::string& unit,
                                            const std::string& description) {
  return append<ParameterId>(schema_.parameters, variable(name, value, unit, description));
}

InputId HybridSystem::declare_input(const std::string& name, double value, const std::string& unit,
                                    const std::string& description) {
  return append<InputId>(schema_.inputs, variable(name, value, unit, description));
}

DiscreteId HybridSystem::declare_discrete(const std::string& name, double start, ValueType type,
                                          const std::string& description) {
  VariableInfo info = variable(name, start, "", description);
  info.type = type;
  return append<DiscreteId>(schema_.discretes, std::move(info));
}

OutputId HybridSystem::declare_output(const std::string& name, const std::string& unit,
                                      const std::string& description) {
  return append<OutputId>(schema_.outputs, variable(name, 0, unit, description));
}

ModeId HybridSystem::declare_mode(const std::string& name, EquationForm form) {
  ModeInfo mode;
  mode.name = name;
  mode.form = form;
  mode.state_space = static_cast<int>(schema_.modes.size());
  return append<ModeId>(schema_.modes, std::move(mode));
}

ModeId HybridSystem::declare_variant(const std::string& name, ModeId of) {
  ModeInfo mode = schema_.modes.at(of.index);
  mode.name = name;
  return append<ModeId>(schema_.modes, std::move(mode));
}

ModeInfo& HybridSystem::current_mode() {
  if (schema_.modes.empty()) declare_mode("");
  return schema_.modes.back();
}

StateId HybridSystem::declare_state(const std::string& name, double start, const std::string& unit,
                                    const std::string& description, double nominal) {
  ModeInfo& mode = current_mode();
  VariableInfo info = variable(name, start, unit, description);
  info.nominal = nominal;
  mode.nominal.push_back(nominal);
  mode.differential.push_back(1);
  return append<StateId>(mode.states, std::move(info));
}

StateId HybridSystem::declare_algebraic(const std::string& name, double guess,
                                        const std::string& unit, const std::string& description,
                                        double nominal) {
  const StateId id = declare_state(name, guess, unit, description, nominal);
  ModeInfo& mode = current_mode();
  mode.differential.back() = 0;
  if (mode.form == EquationForm::kExplicit) mode.form = EquationForm::kSemiExplicit;
  return id;
}

EventId HybridSystem::declare_event(const std::string& name, Direction direction, ModeId only_in,
                                    int priority) {
  EventInfo info;
  info.name = name;
  info.direction = direction;
  info.mode = only_in;
  info.priority = priority;
  return append<EventId>(schema_.events, std::move(info));
}

TimerId HybridSystem::declare_timer(const std::string& name, double first, double period,
                                    int priority) {
  TimerInfo info;
  info.name = name;
  info.first = first;
  info.period = period;
  info.priority = priority;
  return append<TimerId>(schema_.timers, std::move(info));
}

void HybridSystem::declare_kind(EventId event, EventKind kind) {
  schema_.events[event.index].kind = kind;
}
void HybridSystem::declare_jacobian() { current_mode().has_jacobian = true; }
void HybridSystem::declare_autonomous() { current_mode().autonomous = true; }
void HybridSystem::declare_rows(RowAccess access) { current_mode().rows = access; }
void HybridSystem::declare_constraints(int count) { current_mode().constraints = count; }

void HybridSystem::declare_sparsity(const std::vector<std::pair<StateId, StateId>>& row_column) {
  ModeInfo& mode = current_mode();
  std::vector<std::pair<int, int>> entries;
  for (const auto& [row, column] : row_column) entries.emplace_back(row.index, column.index);
  mode.sparsity =
      SparsityPattern::from_entries(static_cast<int>(mode.states.size()), std::move(entries));
}

void Update::go_to(ModeId mode) {
  const auto& modes = system_.schema().modes;
  if (!mode.valid() || mode.index >= static_cast<int>(modes.size())) {
    throw ApiError(fmt::format("model '{}' goes to a mode it does not have ({})",
                               system_.schema().name, mode.index));
  }
  if (mode == now_.mode) return;
  const bool same_variables = modes[mode.index].state_space == modes[now_.mode.index].state_space;
  const auto& states = modes[mode.index].states;
  now_.mode = mode;
  if (same_variables) return;
  now_.x.resize(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) now_.x[i] = states[i].start;
}

void Update::schedule(TimerId timer, double due) {
  if (timer.index < 0 || static_cast<std::size_t>(timer.index) >= now_.timers.size()) {
    throw ApiError(fmt::format("model '{}' schedules a timer that it has not declared",
                               system_.schema().name));
  }
  now_.timers[timer.index] = {due, due, 0};
}

}  // namespace arges
