#include "arges/hybrid/row_writer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges {

namespace {

Column column_of(const VariableInfo& info, Variability variability) {
  Column column{info.name, info.unit, info.description, info.type, variability};
  column.hidden = info.hides_result;
  column.min = info.range_min;
  column.max = info.range_max;
  return column;
}

}  // namespace

// Names are looked at only where two columns may share one (two modes; a state that is the
// derivative of another): a run without a sink needs none.
RowWriter::RowWriter(const HybridSystem& system)
    : system_(system), modes_(system.schema().modes.size()) {
  const Schema& schema = system.schema();
  std::size_t largest = 0;
  bool names_differ = !schema.shares_names;  // no two columns can have the same name
  for (const ModeInfo& mode : schema.modes) {
    largest = std::max(largest, mode.states.size());
    names_differ = names_differ && mode.state_space == schema.modes.front().state_space;
    for (const VariableInfo& state : mode.states)
      names_differ = names_differ && !state.name.starts_with("der(");
  }
  xdot_.resize(largest);
  first_output_ = names_differ ? count_columns_of_one_space() : count_columns_by_name();
  if (schema.shares_names) return;
  first_input_ = first_output_ + static_cast<int>(schema.outputs.size());
  int columns = first_input_ + static_cast<int>(schema.inputs.size());
  for (const VariableInfo& info : schema.discretes)
    discrete_.push_back(info.hidden ? -1 : columns++);
  values_.resize(columns);
}

int RowWriter::count_columns_of_one_space() {
  int columns = 0;
  for (std::size_t m = 0; m < modes_.size(); ++m) {
    const ModeInfo& mode = system_.schema().modes[m];
    columns = 0;
    for (const VariableInfo& state : mode.states)
      modes_[m].state.push_back(state.hidden ? -1 : columns++);
    for (std::size_t i = 0; i < mode.states.size(); ++i) {
      const bool is_shown = mode.differential[i] != 0 && !mode.states[i].hidden;
      modes_[m].derivative.push_back(is_shown ? columns++ : -1);
    }
  }
  return columns;
}

// States of all modes, then their derivatives.
int RowWriter::count_columns_by_name() {
  int columns = 0;
  std::unordered_map<std::string, int> known;
  const auto column = [&](const std::string& name) {
    const auto [at, is_new] = known.emplace(name, columns);
    if (is_new) ++columns;
    return at->second;
  };
  for (std::size_t m = 0; m < modes_.size(); ++m) {
    for (const VariableInfo& state : system_.schema().modes[m].states)
      modes_[m].state.push_back(state.hidden ? -1 : column(state.name));
  }
  for (std::size_t m = 0; m < modes_.size(); ++m) {
    const ModeInfo& mode = system_.schema().modes[m];
    for (std::size_t i = 0; i < mode.states.size(); ++i) {
      const bool is_shown = mode.differential[i] != 0 && !mode.states[i].hidden;
      modes_[m].derivative.push_back(is_shown ? column("der(" + mode.states[i].name + ")") : -1);
    }
  }
  if (system_.schema().shares_names) share_columns(known);
  return columns;
}

// Outputs, inputs and discretes after them, those with a new name in new columns.
void RowWriter::share_columns(std::unordered_map<std::string, int>& known) {
  const Schema& schema = system_.schema();
  int columns = static_cast<int>(known.size());
  const auto column = [&](const std::string& name) {
    const auto [at, is_new] = known.emplace(name, columns);
    if (is_new) ++columns;
    return at->second;
  };
  for (const VariableInfo& info : schema.outputs) output_.push_back(column(info.name));
  first_input_ = columns;
  for (const VariableInfo& info : schema.inputs) column(info.name);
  for (const VariableInfo& info : schema.discretes)
    discrete_.push_back(info.hidden ? -1 : column(info.name));
  values_.resize(static_cast<std::size_t>(columns));
  outputs_.resize(schema.outputs.size());
}

ResultLayout RowWriter::layout(const Context& context) const {
  const Schema& schema = system_.schema();
  ResultLayout layout;
  layout.columns.resize(first_output_);
  // Backwards, so that the first mode that has a variable describes it.
  for (std::size_t m = modes_.size(); m-- > 0;) {
    const ModeInfo& mode = schema.modes[m];
    for (std::size_t i = 0; i < mode.states.size(); ++i) {
      if (modes_[m].state[i] < 0) continue;
      const Column state = column_of(mode.states[i], Variability::kContinuous);
      layout.columns[modes_[m].state[i]] = state;
      if (modes_[m].derivative[i] < 0) continue;
      Column& rate = layout.columns[modes_[m].derivative[i]];
      rate = {"der(" + state.name + ")", state.unit.empty() ? "" : state.unit + "/s", "",
              state.type, Variability::kContinuous};
      rate.hidden = state.hidden;
    }
  }
  const auto append = [&](const std::vector<VariableInfo>& list, Variability variability,
                          const std::vector<int>& shared) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].hidden && variability == Variability::kDiscrete && !shared.empty()) continue;
      const std::size_t at = schema.shares_names && !shared.empty()
                                 ? static_cast<std::size_t>(shared[i])
                                 : layout.columns.size();
      if (at < layout.columns.size() && !layout.columns[at].name.empty()) continue;
      layout.columns.resize(std::max(layout.columns.size(), at + 1));
      layout.columns[at] = column_of(list[i], variability);
    }
  };
  append(schema.outputs, Variability::kContinuous, output_);
  append(schema.inputs, Variability::kDiscrete, {});
  append(schema.discretes, Variability::kDiscrete, discrete_);
  for (std::size_t i = 0; i < schema.parameters.size(); ++i) {
    if (schema.parameters[i].hidden) continue;
    layout.parameters.emplace_back(column_of(schema.parameters[i], Variability::kParameter),
                                   context.p[i]);
  }
  check_names(layout);
  return layout;
}

// The same name in two modes is one column; any other name that comes twice is a slip in the model.
void RowWriter::check_names(const ResultLayout& layout) const {
  std::unordered_set<std::string_view> seen;
  const auto check = [&](const Column& column) {
    if (seen.insert(column.name).second) return;
    throw ApiError(fmt::format("model '{}' declares two variables with the name '{}'",
                               system_.schema().name, column.name));
  };
  for (const Column& column : layout.columns) check(column);
  for (const auto& [column, value] : layout.parameters) check(column);
}

std::span<const double> RowWriter::row(const ModeEquations& equations, const Context& context,
                                       double t, const double* x, const double* xdot) {
  const Schema& schema = system_.schema();
  if (schema.projection != Projection::kNone && !as_is_) {
    projected_.assign(x, x + equations.size());
    try {
      system_.project(equations.point(t, x), projected_.data());
    } catch (const std::exception& error) {  // as for outputs, below
      if (failure_.empty()) failure_ = error.what();
    }
    x = projected_.data();
  }
  const Point at = equations.point(t, x);
  const ModeColumns& mode = modes_[at.mode.index];
  if (modes_.size() > 1)
    std::fill(values_.begin(), values_.end(), std::numeric_limits<double>::quiet_NaN());
  if (xdot == nullptr && equations.form() != EquationForm::kImplicit) {
    try {
      equations.rhs(t, x, xdot_.data());
    } catch (const std::exception&) {  // the row is wanted all the same
      std::fill(xdot_.begin(), xdot_.end(), std::numeric_limits<double>::quiet_NaN());
    }
    xdot = xdot_.data();
  }
  for (int i = 0; i < equations.size(); ++i) {
    if (mode.state[i] >= 0) values_[mode.state[i]] = x[i];
    if (mode.derivative[i] >= 0) {
      values_[mode.derivative[i]] =
          xdot != nullptr ? xdot[i] : std::numeric_limits<double>::quiet_NaN();
    }
  }
  if (!schema.outputs.empty()) {
    double* to = values_.data() + first_output_;
    if (schema.shares_names) {
      std::fill(outputs_.begin(), outputs_.end(), std::numeric_limits<double>::quiet_NaN());
      to = outputs_.data();
    }
    try {
      system_.outputs(at, Outputs(to));
    } catch (
        const std::exception& error) {  // likewise; but the run must not go on as if all were well
      if (failure_.empty()) failure_ = error.what();
      std::fill_n(to, schema.outputs.size(), std::numeric_limits<double>::quiet_NaN());
    }
  }
  std::copy(context.u.begin(), context.u.end(), values_.begin() + first_input_);
  if (schema.shares_names) {
    write_shared(context);
    return values_;
  }
  for (std::size_t i = 0; i < discrete_.size(); ++i) {
    if (discrete_[i] >= 0) values_[discrete_[i]] = context.z[i];
  }
  return values_;
}

// Of several variables of one name at most one is a number.
void RowWriter::write_shared(const Context& context) {
  for (std::size_t i = 0; i < output_.size(); ++i) {
    if (!std::isnan(outputs_[i])) values_[output_[i]] = outputs_[i];
  }
  for (std::size_t i = 0; i < discrete_.size(); ++i) {
    if (discrete_[i] >= 0 && !std::isnan(context.z[i])) values_[discrete_[i]] = context.z[i];
  }
}

std::vector<std::uint8_t> RowWriter::exists_in(ModeId mode) const {
  std::vector<std::uint8_t> exists(values_.size(), 0);
  for (const auto* list : {&modes_[mode.index].state, &modes_[mode.index].derivative}) {
    for (const int c : *list) {
      if (c >= 0) exists[static_cast<std::size_t>(c)] = 1;
    }
  }
  if (system_.schema().shares_names) {
    for (std::size_t c = 0; c < exists.size(); ++c)
      exists[c] = exists[c] != 0 || !std::isnan(values_[c]);
    return exists;
  }
  std::fill(exists.begin() + first_output_, exists.end(), 1);
  return exists;
}

}  // namespace arges
