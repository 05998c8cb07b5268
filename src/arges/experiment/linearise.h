#pragma once
// A model as a linear system around a point.

#include <complex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arges/base/error.h"
#include "arges/hybrid/system.h"

namespace arges {

// Row by row.
struct Matrix {
  int rows = 0, columns = 0;
  std::vector<double> values{};

  Matrix() = default;
  Matrix(int the_rows, int the_columns)
      : rows(the_rows), columns(the_columns), values(std::size_t(rows) * columns) {}
  double& operator()(int i, int j) { return values[std::size_t(i) * columns + j]; }
  double operator()(int i, int j) const { return values[std::size_t(i) * columns + j]; }
};

// dx/dt = A dx + B du, dy = C dx + D du for small deviations from the point.
struct LinearModel {
  double time = 0;
  std::vector<std::string> states, inputs, outputs;
  Matrix A, B, C, D;
  std::vector<std::complex<double>> eigenvalues;  // the fastest decay first
  // Largest over smallest |Re| of the decaying modes; 1 when one decays, 0 when none does.
  double stiffness = 0;

  // All modes decay.
  bool stable() const;
  // None grows, but one does not decay either, to rounding: linearisation does not tell what
  // becomes of a small disturbance.
  bool neutral() const;
};

// The eigenvalues of A, and the stiffness. Throws EvaluationError when there are none.
void set_spectrum(LinearModel& model);

struct LineariseRequest {
  // Names of inputs; not given: all.
  std::optional<std::vector<std::string>> inputs{};
  // Names of outputs, states, algebraic variables, or der(x); not given: the outputs of the model,
  // if they are not more than kManyOutputs (models as text have all their variables there).
  std::optional<std::vector<std::string>> outputs{};
  static constexpr std::size_t kManyOutputs = 20;
};

// A name of a request that the model does not have.
class UnknownName : public UserError {
 public:
  UnknownName(const std::string& message, bool the_input, std::size_t the_position)
      : UserError(message), is_input(the_input), position(the_position) {}
  bool is_input;         // or an output
  std::size_t position;  // among those of the request
};

// A variable that is in no text: "$..." or, where delays are taken out, "delay(x, 1)".
inline bool is_made_by_arges(std::string_view name) {
  return name.starts_with('$') || name.starts_with("delay(");
}

// Throws UserError when the model has delay() or spatialDistribution(): their pasts are a part of
// its state, which a point does not have. `consequence` says what this means for the user.
void refuse_memory(const HybridSystem& system, const std::string& consequence);

// The active mode of a model, around values that are consistent (of a run that has ended, of
// trim()). Between events: relations and discrete variables keep their values. Algebraic variables
// are eliminated:
//
//   0 = F(x', x, a, u)   ->   E [dx'; da] = -F_x dx - F_u du,   E = [F_x', F_a]
//
// The Jacobian of the model is taken when it has one, accurate differences (derivative.h) for the
// rest. Throws UnknownName, EvaluationError when E is singular here; UserError for a model with
// delays: what they do to a response is no rational function of the frequency.
LinearModel linearise(const HybridSystem& system, const Context& at,
                      const LineariseRequest& request = {});

}  // namespace arges
