#include "arges/experiment/pade.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/linear/dense.h"

namespace arges {

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Dense = dense::Matrix;

Dense copy(const Matrix& matrix) {
  return Eigen::Map<const Rows>(matrix.values.data(), matrix.rows, matrix.columns);
}

Matrix copy(const Dense& matrix) {
  Matrix result(static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()));
  for (int i = 0; i < result.rows; ++i) {
    for (int j = 0; j < result.columns; ++j) result(i, j) = matrix(i, j) + 0.0;  // no -0
  }
  return result;
}

// q' = A q + B z, w = C q + D z of all delays together.
struct Ladders {
  Dense A, B, C, D;

  Ladders(const std::vector<double>& times, int order) {
    const auto count = static_cast<int>(times.size());
    int states = 0;
    for (const double time : times) states += time > 0 ? order : 0;
    A = Dense::Zero(states, states);
    B = Dense::Zero(states, count);
    C = Dense::Zero(count, states);
    D = Dense::Identity(count, count);
    const double sign = order % 2 == 0 ? 1 : -1;
    int first = 0;
    for (int d = 0; d < count; ++d) {
      const double time = times[static_cast<std::size_t>(d)];
      if (!(time > 0)) continue;
      const auto is_driven = [&](int k) { return (order - k) % 2 == 0; };
      for (int k = 1; k <= order; ++k) {
        const int row = first + k - 1;
        const double rate = 2 / time * (2 * k - 1);
        if (is_driven(k)) {
          B(row, d) = rate;
          C(d, row) = -2 * sign;
        }
        for (int j = 1; j <= order; ++j) {
          if (is_driven(k) && (is_driven(j) || j < k)) A(row, first + j - 1) = -rate;
          if (!is_driven(k) && is_driven(j) && j > k) A(row, first + j - 1) = rate;
        }
      }
      D(d, d) = sign;
      first += order;
    }
  }
};

}  // namespace

LinearModel with_pade(const DelayedModel& delayed, int order) {
  if (order < 1 || order > 10)
    throw ApiError(fmt::format("with_pade: the order is from 1 to 10, not {}", order));
  const LinearModel& open = delayed.open;
  const auto count = static_cast<int>(delayed.times.size());
  const int n = open.A.rows, inputs = open.B.columns - count, outputs = open.C.rows - count;
  const Dense A = copy(open.A), B = copy(open.B), C = copy(open.C), D = copy(open.D);
  const Ladders ladders(delayed.times, order);
  const auto states = static_cast<int>(ladders.A.rows());

  // w = C_p q + D_p z with z = C_z x + D_z u + D_zw w: w = W [x; q; u].
  const Dense through =
      Dense::Identity(count, count) - ladders.D * D.bottomRightCorner(count, count);
  Dense right(count, n + states + inputs);
  right << ladders.D * C.bottomRows(count), ladders.C,
      ladders.D * D.bottomLeftCorner(count, inputs);
  const std::optional<dense::Matrix> solved =
      count > 0 ? dense::solve_if_regular(through, right) : right;
  if (!solved)
    throw EvaluationError(
        fmt::format("delays in a loop without states, which passes on as much as goes in: an "
                    "approximation of order {} has no solution there; try an {} one",
                    order, order % 2 == 0 ? "odd" : "even"),
        false);
  const Dense& w = *solved;
  // z = Z [x; q; u].
  Dense z = D.bottomRightCorner(count, count) * w;
  z.leftCols(n) += C.bottomRows(count);
  z.rightCols(inputs) += D.bottomLeftCorner(count, inputs);

  Dense rates(n + states, n + states + inputs), values(outputs, n + states + inputs);
  rates.topRows(n) = B.rightCols(count) * w;
  rates.topLeftCorner(n, n) += A;
  rates.topRightCorner(n, inputs) += B.leftCols(inputs);
  rates.bottomRows(states) = ladders.B * z;
  rates.block(n, n, states, states) += ladders.A;
  values = D.topRightCorner(outputs, count) * w;
  values.leftCols(n) += C.topRows(outputs);
  values.rightCols(inputs) += D.topLeftCorner(outputs, inputs);

  LinearModel model;
  model.time = open.time;
  model.states = open.states;
  for (int d = 0; d < count; ++d) {
    const auto at = static_cast<std::size_t>(d);
    const std::string name = open.outputs.size() > static_cast<std::size_t>(outputs) + at
                                 ? open.outputs[static_cast<std::size_t>(outputs) + at]
                                 : fmt::format("delay{}", d + 1);
    for (int k = 1; delayed.times[at] > 0 && k <= order; ++k)
      model.states.push_back(fmt::format("{}.pade[{}]", name, k));
  }
  const auto shown = [](std::vector<std::string> names, int kept) {
    names.resize(std::min(names.size(), static_cast<std::size_t>(kept)));
    return names;
  };
  model.inputs = shown(open.inputs, inputs);
  model.outputs = shown(open.outputs, outputs);
  model.A = copy(Dense(rates.leftCols(n + states)));
  model.B = copy(Dense(rates.rightCols(inputs)));
  model.C = copy(Dense(values.leftCols(n + states)));
  model.D = copy(Dense(values.rightCols(inputs)));
  set_spectrum(model);
  return model;
}

}  // namespace arges
