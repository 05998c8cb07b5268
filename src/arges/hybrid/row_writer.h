#pragma once
// Turns the values of a run into result rows.

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "arges/hybrid/mode_equations.h"
#include "arges/hybrid/system.h"
#include "arges/results/sink.h"

namespace arges {

// The columns of a model's result: the states of all modes (one column a name), their derivatives
// der(x), outputs, inputs and discrete variables. A variable that does not exist in the active mode
// is NaN. With Schema::shares_names outputs and discretes of one name are one column, too.
class RowWriter {
 public:
  explicit RowWriter(const HybridSystem& system);

  // Whether rows show states as they are, although the model could project them onto constraints.
  void show_as_is(bool as_is) { as_is_ = as_is; }
  // With the parameter values of this context.
  ResultLayout layout(const Context& context) const;
  // The row at (t, x); xdot null: derivatives are computed (kImplicit needs xdot given).
  std::span<const double> row(const ModeEquations& equations, const Context& context, double t,
                              const double* x, const double* xdot);
  // What the outputs of a row threw, of the first that did since forget_failure(): they are NaN.
  const std::string& failure() const { return failure_; }
  void forget_failure() { failure_.clear(); }
  // Of the last row: outputs, inputs, discretes.
  std::span<const double> computed() const {
    return std::span(values_).subspan(static_cast<std::size_t>(first_output_));
  }
  // For each column, whether it exists in a mode.
  std::vector<std::uint8_t> exists_in(ModeId mode) const;

 private:
  void check_names(const ResultLayout& layout) const;
  // Columns of the variables of one mode.
  struct ModeColumns {
    std::vector<int> state;
    std::vector<int> derivative;  // -1: none (algebraic)
  };

  int count_columns_of_one_space();
  int count_columns_by_name();
  void share_columns(std::unordered_map<std::string, int>& known);
  void write_shared(const Context& context);

  const HybridSystem& system_;
  std::vector<ModeColumns> modes_;
  int first_output_ = 0, first_input_ = 0;
  std::vector<int> discrete_;  // column of each discrete, -1: hidden
  std::vector<int> output_;    // column of each output, when names are shared
  std::vector<double> values_, xdot_, outputs_, projected_;
  std::string failure_;
  bool as_is_ = false;
};

}  // namespace arges
