#include "arges/base/float_spacing.h"

#include <limits>

#include <gtest/gtest.h>

namespace arges {
namespace {

TEST(FloatSpacing, IsTheDistanceToTheNextDouble) {
  EXPECT_EQ(spacing(1), 0x1p-52);
  EXPECT_EQ(spacing(-1), 0x1p-52);
  EXPECT_EQ(spacing(0), std::numeric_limits<double>::denorm_min());
  for (double t = 1e-300; t < 1e300; t *= 1.7)
    EXPECT_EQ(spacing(t), std::nextafter(t, std::numeric_limits<double>::infinity()) - t) << t;
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
