#include "arges/experiment/fit.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/experiment/sampler.h"
#include "arges/hybrid/simulator.h"
#include "arges/random/statistics.h"
#include "arges/random/stream.h"

namespace arges {
namespace {

// x' = -k x: x = x0 exp(-k t).
class Decay : public HybridSystem {
 public:
  Decay() : HybridSystem("Decay") {
    x_ = declare_state("x", 1);
    k_ = declare_parameter("k", 1);
  }
  void derivatives(const Point& at, Rates rates) const override { rates[x_] = -at[k_] * at[x_]; }

 private:
  StateId x_;
  ParameterId k_;
};

RunOptions run_to(double stop, double rtol) {
  RunOptions options;
  options.stop_time = stop;
  options.numerics.rtol = rtol;
  return options;
}

TEST(Sampler, KeepsTheValuesAtItsTimes) {
  const Decay model;
  const RunOptions options = run_to(2, 1e-10);
  const Context start = make_context(model);
  Sampler sampler(Simulator(model, options).layout(start), {"x"}, {0, 0.5, 2});
  Simulator(model, sampler.adapt(options)).run(start, &sampler);
  EXPECT_EQ(sampler.value(0, 0), 1);
  EXPECT_NEAR(sampler.value(1, 0), std::exp(-0.5), 1e-9);
  EXPECT_NEAR(sampler.value(2, 0), std::exp(-2), 1e-9);
  EXPECT_THROW(Sampler(Simulator(model, options).layout(start), {"y"}, {}), UserError);
  EXPECT_EQ(even_times(1, 2, 4), (std::vector<double>{1, 1.25, 1.5, 1.75, 2}));
}

TEST(Fit, ExactDataGiveTheExactValues) {
  FitRequest request;
  request.times = even_times(0, 2, 20);
  MeasuredSeries series{"x", {}, 0};
  for (const double t : request.times) series.values.push_back(3 * std::exp(-0.7 * t));
  series.values[4] = std::nan("");  // not measured
  request.series = {series};
  request.variables = {{"x", 0, 10}, {"k", 0.01, 100, NAN, SearchVariable::Scale::kLogarithmic}};
  const Decay model;
  const FitResult fit = fit_model(model, make_context(model), run_to(2, 1e-11), request);
  EXPECT_EQ(fit.status, SearchStatus::kFound);
  EXPECT_EQ(fit.measurements, 20);
  EXPECT_NEAR(fit.x[0], 3, 1e-8);
  EXPECT_NEAR(fit.x[1], 0.7, 1e-8);
  request.variables[1].name = "q";
  EXPECT_THROW(fit_model(model, make_context(model), run_to(2, 1e-11), request), UserError);
}

// The logarithm would be linear: here the deviation is compared with that of many fits.
TEST(Fit, ConfidenceIntervalsCoverTheTruthAsOftenAsTheySay) {
  const Decay model;
  const int trials = 200;
  int covered = 0;
  random::Tally estimates, deviations;
  for (int trial = 0; trial < trials; ++trial) {
    random::Stream stream(7, static_cast<std::uint64_t>(trial), "noise");
    FitRequest request;
    request.times = even_times(0, 3, 12);
    MeasuredSeries series{"x", {}, 0};
    for (const double t : request.times)
      series.values.push_back(std::exp(-0.7 * t) + stream.normal(0, 0.02));
    request.series = {series};
    request.variables = {{"k", 0.1, 2}};
    const FitResult fit = fit_model(model, make_context(model), run_to(3, 1e-9), request);
    covered += fit.confidence[0].first < 0.7 && 0.7 < fit.confidence[0].second ? 1 : 0;
    estimates.add(fit.x[0]);
    deviations.add(fit.deviations[0]);
  }
  // 190 of 200 are expected; the deviation of that is 3.
  EXPECT_GE(covered, 178);
  EXPECT_LE(covered, 199);
  EXPECT_NEAR(deviations.mean() / estimates.deviation(), 1, 0.2);
}

// a exp(-(k1 + k2) t), measured at some times.
FitResult fit_sum_of_rates(const std::vector<double>& times, double b_from, double b_to) {
  FitRequest request;
  request.times = times;
  MeasuredSeries series{"x", {}, 0};
  for (const double t : times) series.values.push_back(3 * std::exp(-0.7 * t));
  request.series = {series};
  request.variables = {{"a", 1, 10}, {"k1", 0, 1}};
  if (b_from < b_to) request.variables.push_back({"k2", b_from, b_to});
  return fit_runs(
      [&](std::span<const double> x) {
        ModelFunction::Result result;
        const double rate = x[1] + (x.size() > 2 ? x[2] : 0);
        for (const double t : times) result.observables.push_back(x[0] * std::exp(-rate * t));
        return result;
      },
      request);
}

TEST(Fit, OnlyWhatIsTiedToOthersIsNotDetermined) {
  const FitResult fit = fit_sum_of_rates({0, 1, 2, 3}, 0, 1);
  EXPECT_EQ(fit.status, SearchStatus::kFound);
  EXPECT_NEAR(fit.x[0], 3, 1e-8);
  EXPECT_NEAR(fit.x[1] + fit.x[2], 0.7, 1e-8);
  EXPECT_EQ(fit.determined, (std::vector<bool>{true, false, false}));
  EXPECT_EQ(fit.tied[1], std::vector<std::size_t>{2});
  EXPECT_EQ(fit.tied[2], std::vector<std::size_t>{1});
  EXPECT_EQ(fit.degrees, 2);
  EXPECT_TRUE(std::isfinite(fit.deviations[0]));
  EXPECT_FALSE(std::isfinite(fit.deviations[1]));
}

TEST(Fit, AsManyMeasurementsAsUnknownsDetermineThemWithoutIntervals) {
  const FitResult fit = fit_sum_of_rates({0, 1}, 0, 0);
  EXPECT_EQ(fit.status, SearchStatus::kFound);
  EXPECT_NEAR(fit.x[1], 0.7, 1e-8);
  EXPECT_EQ(fit.determined, (std::vector<bool>{true, true}));
  EXPECT_EQ(fit.degrees, 0);
  EXPECT_FALSE(std::isfinite(fit.deviations[0]));
}

TEST(Fit, SaysWhenItGotStuckFarAway) {
  // A narrow valley around 7, and flat ground with a hollow at 2 where the search begins.
  FitRequest request;
  request.times = {0, 1, 2};
  request.series = {{"x", {1, 2, 3}, 0}};
  request.variables = {{"k", 0, 10, 2.5}};
  const FitResult fit = fit_runs(
      [&](std::span<const double> x) {
        const double off =
            1e5 * (1 - std::exp(-50 * (x[0] - 7) * (x[0] - 7))) + (x[0] - 2) * (x[0] - 2);
        return ModelFunction::Result{{1 + off, 2 + off, 3 + off}};
      },
      request);
  EXPECT_EQ(fit.status, SearchStatus::kNotFound);
  EXPECT_NE(fit.message.find("got stuck"), std::string::npos) << fit.message;
}

TEST(Arx, FindsTheCoefficientsOfADifferenceEquation) {
  random::Stream stream(3, 0, "input");
  std::vector<double> u, y(400, 0.0), noisy;
  for (int k = 0; k < 400; ++k) u.push_back(stream.normal(0, 1));
  for (std::size_t k = 3; k < 400; ++k)
    y[k] = 1.5 * y[k - 1] - 0.7 * y[k - 2] + 0.5 * u[k - 2] - 0.2 * u[k - 3];
  const ArxModel exact = identify_arx(u, y, {2, 2, 2});
  EXPECT_NEAR(exact.a[0], -1.5, 1e-10);
  EXPECT_NEAR(exact.a[1], 0.7, 1e-10);
  EXPECT_NEAR(exact.b[0], 0.5, 1e-10);
  EXPECT_NEAR(exact.b[1], -0.2, 1e-10);
  EXPECT_NEAR(exact.fit, 1, 1e-9);
  EXPECT_LT(exact.noise, 1e-12);
  // Noise of the equation, of deviation 0.1.
  for (std::size_t k = 3; k < 400; ++k)
    y[k] =
        1.5 * y[k - 1] - 0.7 * y[k - 2] + 0.5 * u[k - 2] - 0.2 * u[k - 3] + stream.normal(0, 0.1);
  const ArxModel model = identify_arx(u, y, {2, 2, 2});
  EXPECT_NEAR(model.noise, 0.1, 0.015);
  EXPECT_NEAR(model.a[0], -1.5, 4 * model.a_deviations[0]);
  EXPECT_NEAR(model.b[1], -0.2, 4 * model.b_deviations[1]);
  EXPECT_LT(model.a_deviations[0], 0.03);
}

TEST(Arx, RefusesDataThatSayTooLittle) {
  const std::vector<double> constant(50, 1.0);
  EXPECT_THROW(identify_arx(constant, constant, {2, 2, 1}), UserError);
  EXPECT_THROW(identify_arx({1, 2, 3}, {1, 2, 3}, {1, 1, 1}), UserError);
}

}  // namespace
}  // namespace arges
