#include "arges/hybrid/row_writer.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "arges/base/error.h"

namespace arges {

namespace {

Column column_of(const VariableInfo& info, Variability variability) {
  return {info.name, info.unit, info.description, info.type, variability};
}

}  // namespace

RowWriter::RowWriter(const HybridSystem& system) : system_(system) {
  const Schema& schema = system.schema();
  std::unordered_map<std::string, int> known;
  const auto column = [&](const Column& wanted) {
    const auto [at, is_new] = known.emplace(wanted.name, static_cast<int>(columns_.size()));
    if (is_new) columns_.push_back(wanted);
    return at->second;
  };
  std::size_t largest = 0;
  modes_.resize(schema.modes.size());
  for (std::size_t m = 0; m < schema.modes.size(); ++m) {
    for (const VariableInfo& state : schema.modes[m].states) {
      modes_[m].state.push_back(column(column_of(state, Variability::kContinuous)));
    }
    largest = std::max(largest, schema.modes[m].states.size());
  }
  for (std::size_t m = 0; m < schema.modes.size(); ++m) {
    const ModeInfo& mode = schema.modes[m];
    for (std::size_t i = 0; i < mode.states.size(); ++i) {
      Column derivative = column_of(mode.states[i], Variability::kContinuous);
      derivative.name = "der(" + mode.states[i].name + ")";
      derivative.description.clear();
      if (!derivative.unit.empty()) derivative.unit += "/s";
      modes_[m].derivative.push_back(mode.differential[i] != 0 ? column(derivative) : -1);
    }
  }
  const auto append = [&](const std::vector<VariableInfo>& list, Variability variability) {
    const int first = static_cast<int>(columns_.size());
    for (const VariableInfo& info : list) columns_.push_back(column_of(info, variability));
    return first;
  };
  first_output_ = append(schema.outputs, Variability::kContinuous);
  first_input_ = append(schema.inputs, Variability::kDiscrete);
  for (const VariableInfo& info : schema.discretes) {
    discrete_.push_back(info.hidden ? -1 : static_cast<int>(columns_.size()));
    if (!info.hidden) columns_.push_back(column_of(info, Variability::kDiscrete));
  }
  values_.resize(columns_.size());
  xdot_.resize(largest);
}

ResultLayout RowWriter::layout(const Context& context) const {
  ResultLayout layout;
  layout.columns = columns_;
  const auto& parameters = system_.schema().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].hidden) continue;
    layout.parameters.emplace_back(column_of(parameters[i], Variability::kParameter), context.p[i]);
  }
  return layout;
}

std::span<const double> RowWriter::row(const ModeEquations& equations, const Context& context,
                                       double t, const double* x, const double* xdot) {
  const Schema& schema = system_.schema();
  const Point at = equations.point(t, x);
  const ModeColumns& mode = modes_[at.mode.index];
  if (modes_.size() > 1)
    std::fill(values_.begin(), values_.end(), std::numeric_limits<double>::quiet_NaN());
  if (xdot == nullptr && equations.form() != EquationForm::kImplicit) {
    try {
      equations.rhs(t, x, xdot_.data());
    } catch (const EvaluationError&) {  // the row is wanted all the same
      std::fill(xdot_.begin(), xdot_.end(), std::numeric_limits<double>::quiet_NaN());
    }
    xdot = xdot_.data();
  }
  for (int i = 0; i < equations.size(); ++i) {
    values_[mode.state[i]] = x[i];
    if (mode.derivative[i] >= 0) {
      values_[mode.derivative[i]] =
          xdot != nullptr ? xdot[i] : std::numeric_limits<double>::quiet_NaN();
    }
  }
  if (!schema.outputs.empty()) {
    try {
      system_.outputs(at, Outputs(values_.data() + first_output_));
    } catch (const EvaluationError&) {  // likewise
      std::fill_n(values_.begin() + first_output_, schema.outputs.size(),
                  std::numeric_limits<double>::quiet_NaN());
    }
  }
  std::copy(context.u.begin(), context.u.end(), values_.begin() + first_input_);
  for (std::size_t i = 0; i < discrete_.size(); ++i) {
    if (discrete_[i] >= 0) values_[discrete_[i]] = context.z[i];
  }
  return values_;
}

std::vector<std::uint8_t> RowWriter::exists_in(ModeId mode) const {
  std::vector<std::uint8_t> exists(columns_.size(), 0);
  for (const int c : modes_[mode.index].state) exists[c] = 1;
  for (const int c : modes_[mode.index].derivative) {
    if (c >= 0) exists[c] = 1;
  }
  std::fill(exists.begin() + first_output_, exists.end(), 1);
  return exists;
}

}  // namespace arges
