
#include "arges/experiment/fit.h"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include "arges/base/error.h"
#include "arges/experiment/feasibility.h"
#include "arges/linear/dense.h"
#include "arges/random/statistics.h"

namespace arges {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double largest_magnitude(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest > 0 ? largest : 1;
}

// Of singular values to the largest one: derivatives by differences of runs have about six digits.
constexpr double kDependent = 1e-6;
// Of a variable in a direction that nothing depends on.
constexpr double kPart = 1e-3;

// From the covariance of the linearised problem.
void add_confidence(FitResult& result, std::size_t unknowns, double level) {
  result.deviations.assign(unknowns, kInfinity);
  result.confidence.assign(unknowns, {-kInfinity, kInfinity});
  result.determined.assign(unknowns, false);
  result.tied.assign(unknowns, {});
  const auto m = static_cast<Eigen::Index>(result.residuals.size());
  const auto n = static_cast<Eigen::Index>(unknowns);
  if (result.jacobian.size() != result.residuals.size() * unknowns) return;
  // On the scale of the columns: J'J = S V diag(sigma) V' S.
  dense::Matrix jacobian = Eigen::Map<const dense::Matrix>(result.jacobian.data(), m, n);
  dense::Vector scale = jacobian.colwise().norm().transpose();
  for (double& each : scale) each = each > 0 ? each : 1;
  jacobian = jacobian * scale.cwiseInverse().asDiagonal();
  const dense::SingularValues parts = dense::singular_values(jacobian.transpose() * jacobian, true);
  Eigen::Index rank = 0;
  while (rank < n && parts.sigma[rank] > kDependent * kDependent * parts.sigma[0]) ++rank;
  const dense::Matrix range = parts.v.leftCols(rank), kernel = parts.v.rightCols(n - rank);
  const dense::Matrix along = kernel * kernel.transpose();
  const dense::Matrix covariance =
      range * parts.sigma.head(rank).cwiseInverse().asDiagonal() * range.transpose();
  result.degrees = static_cast<std::int64_t>(m - rank);
  const auto degrees = static_cast<double>(result.degrees);
  const double variance = result.value / degrees;
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    result.determined[at] = along(i, i) < kPart * kPart;
    for (Eigen::Index j = 0; j < n && !result.determined[at]; ++j) {
      if (j != i && std::abs(along(i, j)) > kPart)
        result.tied[at].push_back(static_cast<std::size_t>(j));
    }
    if (!result.determined[at] || result.degrees == 0) continue;
    const double deviation = std::sqrt(variance * covariance(i, i)) / scale[i];
    const double reach = random::student_quantile(0.5 + 0.5 * level, degrees) * deviation;
    result.deviations[at] = deviation;
    result.confidence[at] = {result.x[at] - reach, result.x[at] + reach};
  }
}

struct AroundMeans {
  double squares = 0;  // what the mean of each series leaves
  // What nobody would call a bad fit, whatever the mean leaves: a thousandth of the largest value,
  // or two deviations where they are known.
  double good = 0;
};

AroundMeans squares_around_means(const FitRequest& request) {
  AroundMeans sum;
  for (const MeasuredSeries& each : request.series) {
    const double scale = each.deviation > 0 ? each.deviation : largest_magnitude(each.values);
    double mean = 0, count = 0;
    for (const double value : each.values) {
      if (std::isfinite(value)) mean += (value - mean) / ++count;
    }
    for (const double value : each.values) {
      if (std::isfinite(value)) sum.squares += std::pow((value - mean) / scale, 2);
    }
    sum.good += count * (each.deviation > 0 ? 4 : 1e-6);
  }
  return sum;
}

// Of what the means leave: more than this is poor.
constexpr double kPoor = 0.5;

// From the first guess, and from others when that ends with a sum of squares that is poor.
LeastSquaresResult search_from_several(const Residuals& residuals, const FitRequest& request,
                                       double poor) {
  constexpr std::int64_t kMostStarts = 8;
  LeastSquaresResult best = least_squares(residuals, request.variables, request.limits);
  std::int64_t evaluations = best.evaluations;
  for (std::int64_t k = 1; k < kMostStarts; ++k) {
    const bool is_good = std::isfinite(best.value) && best.value <= poor;
    const std::int64_t left = request.limits.max_evaluations - evaluations;
    if (is_good || left <= 0 || best.status == SearchStatus::kCancelled) break;
    SearchLimits limits = request.limits;
    limits.max_evaluations = left;
    limits.progress = nullptr;
    std::vector<SearchVariable> variables = request.variables;
    const std::vector<double> place = spread_point(variables.size(), k);
    for (std::size_t i = 0; i < variables.size(); ++i)
      variables[i].start = variables[i].from_unit(place[i]);
    LeastSquaresResult next = least_squares(residuals, variables, limits);
    evaluations += next.evaluations;
    if (next.status == SearchStatus::kCancelled) best.status = next.status;
    if (!next.residuals.empty() && !(next.value >= best.value)) best = std::move(next);
  }
  best.evaluations = evaluations;
  return best;
}

}  // namespace

std::vector<Observable> fit_observables(const FitRequest& request) {
  std::vector<Observable> all;
  for (const MeasuredSeries& each : request.series) {
    Observable value = parse_observable(each.variable + "@0");
    value.text = each.variable;
    for (std::size_t k = 0; k < request.times.size(); ++k) {
      value.time = request.times[k];
      if (std::isfinite(each.values[k])) all.push_back(value);
    }
  }
  if (all.size() < request.variables.size()) {
    throw UserError(fmt::format("{} measurements do not determine {} values", all.size(),
                                request.variables.size()),
                    {"vary"});
  }
  return all;
}

FitResult fit_runs(const RunAt& run, const FitRequest& request) {
  std::vector<double> weights, measured;
  for (const MeasuredSeries& each : request.series) {
    const double deviation = each.deviation > 0 ? each.deviation : largest_magnitude(each.values);
    for (const double value : each.values) {
      if (!std::isfinite(value)) continue;
      measured.push_back(value);
      weights.push_back(1 / deviation);
    }
  }
  const Residuals residuals = [&](std::span<const double> x, std::vector<double>& r) {
    r = run(x).observables;
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = weights[i] * (r[i] - measured[i]);
  };
  const AroundMeans around = squares_around_means(request);
  const double poor = kPoor * around.squares + around.good;
  FitResult result;
  static_cast<LeastSquaresResult&>(result) = search_from_several(residuals, request, poor);
  result.measurements = static_cast<std::int64_t>(measured.size());
  result.residual = std::sqrt(result.value / static_cast<double>(measured.size()));
  add_confidence(result, request.variables.size(), request.level);
  result.explained = around.squares > 0 ? 1 - result.value / around.squares : std::nan("");
  if (result.status == SearchStatus::kFound && result.value > around.squares + around.good) {
    result.status = SearchStatus::kNotFound;
    result.message = fmt::format(
        "the search got stuck: with these values the model explains the data worse than their mean "
        "does (the sum of squares is {:.3g} times as large): begin elsewhere, as in --vary "
        "{}=LOW:HIGH@GUESS, or give other ranges",
        result.value / around.squares, request.variables[0].name);
  } else if (result.status == SearchStatus::kFound && result.value > poor) {
    result.message = fmt::format(
        "with these values the model explains {:.2g} % of what the data vary by: with others it "
        "may "
        "do better; begin elsewhere, as in --vary {}=LOW:HIGH@GUESS",
        100 * result.explained, request.variables[0].name);
  }
  return result;
}

FitResult fit_model(const HybridSystem& model, const Context& start, const RunOptions& options,
                    const FitRequest& request) {
  std::vector<std::string> names;
  for (const SearchVariable& each : request.variables) names.push_back(each.name);
  RunFunction run(model, start, options, names, fit_observables(request));
  return fit_runs([&](std::span<const double> x) { return run(x); }, request);
}

ArxModel identify_arx(const std::vector<double>& u, const std::vector<double>& y,
                      ArxOrders orders) {
  const auto [na, nb, nk] = orders;
  const int unknowns = na + nb;
  const int first = std::max(na, nk + nb - 1);
  const auto samples = static_cast<int>(y.size());
  const int equations = samples - first;
  if (equations <= unknowns) {
    throw UserError(
        fmt::format("{} samples are too few for {} coefficients: {} are needed at least", samples,
                    unknowns, first + unknowns + 1),
        {"arx"});
  }
  dense::Matrix regressors(equations, unknowns);
  dense::Vector right(equations);
  for (int row = 0; row < equations; ++row) {
    const int k = first + row;
    for (int i = 0; i < na; ++i) regressors(row, i) = -y[static_cast<std::size_t>(k - 1 - i)];
    for (int j = 0; j < nb; ++j) regressors(row, na + j) = u[static_cast<std::size_t>(k - nk - j)];
    right[row] = y[static_cast<std::size_t>(k)];
  }
  if (!regressors.allFinite() || !right.allFinite())
    throw UserError("the data have gaps: every sample has to be a number", {"data"});
  const std::optional<dense::Matrix> inverse = dense::normal_inverse(regressors);
  if (!inverse) {
    throw UserError(
        "the data do not determine the coefficients: the input excites too little, or the orders "
        "are too high",
        {"arx"});
  }
  const dense::Vector theta = dense::least_squares(regressors, right).x;
  const double squares = (right - regressors * theta).squaredNorm();
  ArxModel model;
  model.equations = equations;
  model.noise = std::sqrt(squares / (equations - unknowns));
  for (int i = 0; i < unknowns; ++i) {
    const double deviation = model.noise * std::sqrt(std::max(0.0, (*inverse)(i, i)));
    (i < na ? model.a : model.b).push_back(theta[i]);
    (i < na ? model.a_deviations : model.b_deviations).push_back(deviation);
  }
  // Simulated from the first samples, without looking at later outputs.
  std::vector<double> simulated(y.begin(), y.begin() + first);
  double mean = 0;
  for (int k = first; k < samples; ++k) {
    double value = 0;
    for (int i = 0; i < na; ++i) value -= theta[i] * simulated[static_cast<std::size_t>(k - 1 - i)];
    for (int j = 0; j < nb; ++j) value += theta[na + j] * u[static_cast<std::size_t>(k - nk - j)];
    simulated.push_back(value);
    mean += y[static_cast<std::size_t>(k)] / equations;
  }
  double unexplained = 0, all = 0;
  for (int k = first; k < samples; ++k) {
    const auto at = static_cast<std::size_t>(k);
    unexplained += std::pow(y[at] - simulated[at], 2);
    all += std::pow(y[at] - mean, 2);
  }
  model.fit = all > 0 ? 1 - std::sqrt(unexplained / all) : 0;
  model.simulated = std::move(simulated);
  return model;
}

}  // namespace arges
