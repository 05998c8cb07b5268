#include "arges/solvers/sundials_vector.h"

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <nvector/nvector_serial.h>

#include "arges/solvers/sundials_common.h"

namespace arges {
namespace {

constexpr int kSize = 7;

// Vectors with quick operations, and their twins with those of SUNDIALS.
class QuickOperations : public ::testing::Test {
 protected:
  QuickOperations() {
    for (int k = 0; k < kCount; ++k) {
      quick_[k] = context_.make_vector(kSize);
      plain_[k].reset(N_VNew_Serial(kSize, context_));
      EXPECT_EQ(N_VEnableFusedOps_Serial(plain_[k].get(), SUNTRUE), 0);
      for (int i = 0; i < kSize; ++i) {
        const double value = std::sin(1 + 3.7 * i + 11.3 * k);
        NV_Ith_S(quick_[k].get(), i) = NV_Ith_S(plain_[k].get(), i) = value;
      }
    }
  }

  template <typename Operation>
  void expect_the_same(Operation operation) {
    operation(raw(quick_));
    operation(raw(plain_));
    for (int k = 0; k < kCount; ++k) {
      for (int i = 0; i < kSize; ++i) {
        EXPECT_NEAR(NV_Ith_S(quick_[k].get(), i), NV_Ith_S(plain_[k].get(), i), 1e-15)
            << "vector " << k << ", entry " << i;
      }
    }
  }

 private:
  static constexpr int kCount = 5;
  using Vectors = std::array<VectorOwner, kCount>;

  static std::array<N_Vector, kCount> raw(const Vectors& vectors) {
    std::array<N_Vector, kCount> all{};
    for (int k = 0; k < kCount; ++k) all[k] = vectors[k].get();
    return all;
  }

  SundialsContext context_;
  Vectors quick_, plain_;
};

TEST_F(QuickOperations, LinearSumsAgreeInAllSpecialCasesAndInPlace) {
  for (const double a : {1.0, -1.0, 0.3, 0.7}) {
    for (const double b : {1.0, -1.0, 0.7, -0.3}) {
      expect_the_same([&](auto v) { N_VLinearSum(a, v[0], b, v[1], v[2]); });
      expect_the_same([&](auto v) { N_VLinearSum(a, v[3], b, v[1], v[3]); });
      expect_the_same([&](auto v) { N_VLinearSum(a, v[0], b, v[4], v[4]); });
    }
  }
}

TEST_F(QuickOperations, ScalingsAgreeAlsoInPlace) {
  for (const double c : {1.0, -1.0, 0.3}) {
    expect_the_same([&](auto v) { N_VScale(c, v[0], v[1]); });
    expect_the_same([&](auto v) { N_VScale(c, v[2], v[2]); });
  }
}

TEST_F(QuickOperations, SumsOverSeveralVectorsAgreeAlsoInPlace) {
  std::array<double, 3> c = {0.3, -1.7, 1};
  expect_the_same([&](auto v) { N_VLinearCombination(3, c.data(), v.data(), v[4]); });
  expect_the_same([&](auto v) { N_VLinearCombination(3, c.data(), v.data(), v[0]); });
  expect_the_same([&](auto v) { N_VScaleAddMulti(3, c.data(), v[4], v.data(), v.data()); });
  expect_the_same([&](auto v) { N_VScaleVectorArray(3, c.data(), v.data(), v.data()); });
}

TEST_F(QuickOperations, TheNormIsTheWeightedRootMeanSquare) {
  expect_the_same([&](auto v) { N_VConst(N_VWrmsNorm(v[0], v[1]), v[2]); });
}

TEST_F(QuickOperations, ClonesHaveThemToo) {
  const SundialsContext context;
  const VectorOwner original = context.make_vector(kSize);
  const VectorOwner clone(N_VClone(original.get()));
  EXPECT_EQ(clone->ops->nvlinearsum, original->ops->nvlinearsum);
  EXPECT_EQ(clone->ops->nvscaleaddmulti, original->ops->nvscaleaddmulti);
}

}  // namespace
}  // namespace arges
