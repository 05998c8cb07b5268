#include "arges/hybrid/context.h"

#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/hybrid/simulator.h"

namespace arges {

namespace {

std::vector<double> start_values(const std::vector<VariableInfo>& variables) {
  std::vector<double> values;
  values.reserve(variables.size());
  for (const VariableInfo& variable : variables) values.push_back(variable.start);
  return values;
}

bool assign(const std::vector<VariableInfo>& variables, std::vector<double>& values,
            const std::string& name, double value) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].name != name) continue;
    check_value(variables[i], value);
    values[i] = value;
    return true;
  }
  return false;
}

}  // namespace

void check_value(const VariableInfo& variable, double value) {
  if (variable.type == ValueType::kInteger && value != std::floor(value))
    throw UserError(fmt::format("'{}' is an Integer, and {} is none", variable.name, value));
  if (variable.type == ValueType::kBoolean && value != 0 && value != 1) {
    throw UserError(
        fmt::format("'{}' is a Boolean: give it true or false, not {}", variable.name, value));
  }
  if (value < variable.min || value > variable.max) {
    const bool is_low = value < variable.min;
    throw UserError(fmt::format("'{}' is {} {} (its {}), and {} is {}", variable.name,
                                is_low ? "at least" : "at most",
                                is_low ? variable.min : variable.max, is_low ? "min" : "max", value,
                                is_low ? "less" : "more"));
  }
}

Context make_context(const HybridSystem& system) {
  const Schema& schema = system.schema();
  if (schema.modes.empty())
    throw ApiError(fmt::format("model '{}' declares no state", schema.name));
  Context context;
  context.x = start_values(schema.modes.front().states);
  context.p = start_values(schema.parameters);
  context.u = start_values(schema.inputs);
  context.z = start_values(schema.discretes);
  for (const TimerInfo& timer : schema.timers)
    context.timers.push_back({timer.first, timer.first, 0});
  return context;
}

void set_value(const HybridSystem& system, Context& context, const std::string& name,
               double value) {
  const Schema& schema = system.schema();
  for (const VariableInfo& parameter : schema.parameters) {
    if (parameter.name == name && !parameter.settable) {
      throw UserError(fmt::format(
          "parameter '{}' is final, evaluated or structural: its value is part of the equations; "
          "it cannot change from run to run",
          name));
    }
  }
  if (assign(schema.parameters, context.p, name, value)) return;
  if (assign(schema.inputs, context.u, name, value)) return;
  if (assign(schema.discretes, context.z, name, value)) return;
  if (assign(schema.modes[context.mode.index].states, context.x, name, value)) return;

  std::vector<std::string> known;
  for (const auto* list : {&schema.parameters, &schema.inputs, &schema.discretes,
                           &schema.modes[context.mode.index].states}) {
    for (const VariableInfo& variable : *list) {
      if (!variable.hidden) known.push_back(variable.name);
    }
  }
  throw UserError(fmt::format("model '{}' has no parameter or start value '{}'{}", schema.name,
                              name, did_you_mean(name, known)));
}

}  // namespace arges
