#include "arges/driver/compiled_variants.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "arges/experiment/ensemble.h"

namespace arges {
namespace {

class CompiledVariantsTest : public ::testing::Test {
 protected:
  CompiledVariantsTest() {
    // One file for each test: they may run at the same time.
    path_ = std::filesystem::temp_directory_path() /
            (std::string("arges_") +
             ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".mo");
    std::ofstream(path_) << R"(model Cells
  type Wall = enumeration(open, closed);
  parameter Integer n = 3;
  parameter Real k = 2;
  parameter Wall wall = Wall.open;
  Real x[n](each start = 1, each fixed = true);
equation
  assert(n < 9, "too many");
  for i in 1:n loop
    der(x[i]) = if wall == Wall.closed then 0 else -k*i*x[i];
  end for;
end Cells;
)";
    variants_ = std::make_shared<CompiledVariants>(models_, ModelSource{path_.string(), ""});
    auto runs = std::make_shared<VariantRuns>();
    runs->variants = variants_;
    runs->names = {{"n", true, ValueType::kInteger},
                   {"wall", true, ValueType::kInteger, {"Wall.open", "Wall.closed"}},
                   {"k"}};
    runs->options.solver = "dopri5";
    runs->options.numerics.rtol = 1e-10;
    runs->observables = {parse_observable("x[1]"), parse_observable("x[4]")};
    runs_ = runs;
  }
  ~CompiledVariantsTest() override { std::filesystem::remove(path_); }

  ModelRegistry models_;
  std::filesystem::path path_;
  std::shared_ptr<CompiledVariants> variants_;
  std::shared_ptr<const VariantRuns> runs_;
};

TEST_F(CompiledVariantsTest, EachIsCompiledOnce) {
  const auto two = variants_->with({"n = 2"}), four = variants_->with({"n = 4"});
  EXPECT_NE(two, four);
  EXPECT_EQ(variants_->with({"n = 2"}), two);
  std::vector<std::shared_ptr<const CompiledVariant>> seen(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < seen.size(); ++i)
      threads.emplace_back([&, i] { seen[i] = variants_->with({"n = 5"}); });
  }
  for (const auto& each : seen) EXPECT_EQ(each, seen[0]);
  EXPECT_EQ(seen[0]->model->schema().modes[0].states.size(), 5u);
  const auto wrong = variants_->with({"n = {1}"});
  EXPECT_NE(wrong->failure.find("cannot be compiled with n = {1}"), std::string::npos);
}

TEST_F(CompiledVariantsTest, ValuesChooseTheVariantAndAreSetInIt) {
  const auto run = variant_functions(runs_)();
  const auto rate = [](const ModelFunction::Result& result, std::size_t i) {
    return -std::log(result.observables[i]);
  };
  const double four[] = {4, 0, 1.5}, closed[] = {4, 1, 1.5}, two[] = {2, 0, 0.5};
  EXPECT_NEAR(rate((*run)(four), 0), 1.5, 1e-8);
  EXPECT_NEAR(rate((*run)(four), 1), 6, 1e-8);
  EXPECT_EQ((*run)(closed).observables, (std::vector<double>{1, 1}));
  const ModelFunction::Result lacks = (*run)(two);
  EXPECT_NEAR(rate(lacks, 0), 0.5, 1e-8);
  EXPECT_TRUE(std::isnan(lacks.observables[1]));
  EXPECT_TRUE(lacks.ended());
  EXPECT_EQ(lacks.message, "with n = 2, wall = Wall.open: the model has no variable 'x[4]'");
}

TEST_F(CompiledVariantsTest, AnEnsembleIsTheSameOnAnyNumberOfThreads) {
  const RunValues values = [](std::int64_t index) {
    const auto i = static_cast<double>(index);
    return std::vector<double>{1 + std::fmod(i, 5), std::fmod(i, 2), 1 + 0.01 * i};
  };
  const auto rows = [&](int threads) {
    std::string bytes;
    EnsembleOptions options;
    options.threads = threads;
    run_ensemble(40, study_workers(variant_functions(runs_), values), options,
                 [&](const StudyRow& row) {
                   put_row(bytes, row);
                   return true;
                 });
    return bytes;
  };
  const std::string one = rows(1);
  EXPECT_EQ(rows(3), one);
}

}  // namespace
}  // namespace arges
