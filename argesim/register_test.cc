#include "argesim/register.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/hybrid/mode_equations.h"
#include "arges/hybrid/simulator.h"

namespace arges::argesim {
namespace {

class Gallery : public ::testing::TestWithParam<std::string> {};

// One test a benchmark, so that they run beside each other.
TEST_P(Gallery, EveryNumberIsWithinItsTolerance) {
  const std::vector<Benchmark> all = argesim_benchmarks();
  const auto benchmark = std::ranges::find(all, GetParam(), &Benchmark::id);
  BenchmarkReport report(benchmark->id);
  benchmark->solve(report);
  EXPECT_FALSE(report.rows().empty());
  for (const BenchmarkRow& row : report.rows()) {
    EXPECT_TRUE(row.ok) << row.benchmark << ' ' << row.task << ", " << row.quantity << ": computed "
                        << row.computed << ", expected " << row.published << ", tolerance "
                        << row.tolerance;
  }
}

std::vector<std::string> all_ids() {
  std::vector<std::string> ids;
  for (const Benchmark& benchmark : argesim_benchmarks()) ids.push_back(benchmark.id);
  return ids;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Argesim, Gallery, ::testing::ValuesIn(all_ids()), test_name);

TEST(GalleryModels, AreRegisteredUnderTheirNames) {
  ModelRegistry registry;
  register_argesim_models(registry);
  for (const char* name : {"C1", "C3", "C5", "C7", "C12", "C21-ball", "C21-pendulum"}) {
    EXPECT_EQ(registry.make(name)->schema().name, name);
  }
  for (const char* name : {"C2", "C22", "devs-a1"})
    EXPECT_NE(registry.find_discrete(name), nullptr);
}

// Central differences at a point off the start values, in every mode.
TEST(GalleryModels, HaveJacobiansThatAgreeWithDifferences) {
  ModelRegistry registry;
  register_argesim_models(registry);
  for (const ModelEntry& entry : registry.entries()) {
    const auto model = entry.make();
    Context context = make_context(*model);
    context.t = 1e-7;
    for (int m = 0; m < static_cast<int>(model->schema().modes.size()); ++m) {
      context.mode = ModeId{m};
      context.x = {};
      for (const VariableInfo& state : model->schema().modes[m].states)
        context.x.push_back(state.start + 0.1 * static_cast<double>(context.x.size() + 1));
      const int n = static_cast<int>(context.x.size());
      const ModeEquations equations(*model, context, context.mode);
      ASSERT_TRUE(equations.has_jacobian()) << entry.name;
      std::vector<double> jacobian(static_cast<std::size_t>(n) * n), dfdt(n), low(n), high(n);
      equations.jacobian(context.t, context.x.data(), nullptr, 0, jacobian.data(), dfdt.data());
      const SparsityPattern dense = SparsityPattern::dense(n);
      const SparsityPattern& pattern = equations.sparsity() ? *equations.sparsity() : dense;
      for (int j = 0; j < n; ++j) {
        std::vector<double> x = context.x;
        const double h = 1e-5;
        x[j] = context.x[j] + h;
        equations.rhs(context.t, x.data(), high.data());
        x[j] = context.x[j] - h;
        equations.rhs(context.t, x.data(), low.data());
        for (int i = 0; i < n; ++i) {
          const double difference = (high[i] - low[i]) / (2 * h);
          const double size = std::abs(high[i]) + std::abs(difference) + 1;
          const int place = pattern.find(i, j);
          EXPECT_NEAR(place < 0 ? 0 : jacobian[place], difference, 1e-8 * size)
              << entry.name << ", mode " << m << ", entry " << i << ' ' << j;
        }
      }
    }
  }
}

}  // namespace
}  // namespace arges::argesim
