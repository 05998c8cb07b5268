#include "arges/base/float_spacing.h"

#include <gtest/gtest.h>

namespace arges {
namespace {

TEST(FloatSpacing, IsTheDistanceToTheNextDouble) {
  EXPECT_EQ(spacing(1), 0x1p-52);
  EXPECT_EQ(spacing(-1), 0x1p-52);
  EXPECT_EQ(spacing(1.5e-5), std::nextafter(1.5e-5, 1) - 1.5e-5);
}

TEST(FloatSpacing, ARepresentableStepEndsOnADoubleAndIsNotLonger) {
  const double ulp = spacing(1);
  EXPECT_EQ(representable_step(1, 1.8 * ulp), ulp);
  EXPECT_EQ(representable_step(1, 2.2 * ulp), 2 * ulp);
  EXPECT_EQ(representable_step(1, 0.2 * ulp), ulp);
  EXPECT_EQ(representable_step(1, 100.7 * ulp), 100 * ulp);
  EXPECT_EQ(representable_step(0, 1e-300), 1e-300);
}

}  // namespace
}  // namespace arges
