#include "argesim/common/eigenvalues.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arges/driver/model_text.h"
#include "arges/hybrid/simulator.h"

namespace arges::argesim {
namespace {

// df/dx = [-3 exp(-x), sin(y); y, x] at (1, 2).
TEST(Eigenvalues, OfTextAreExactToManyDigits) {
  const auto model = model_from_text("M.mo", R"(model M
    Real x(start=1, fixed=true), y(start=2, fixed=true);
  equation
    der(x) = 3*exp(-x) - cos(y);
    der(y) = x*y;
  end M;)");
  const double a = -3 * std::exp(-1.0), b = std::sin(2.0), c = 2, d = 1;
  const double mean = (a + d) / 2, root = std::sqrt((a - d) * (a - d) / 4 + b * c);
  const auto values = eigenvalues(*model, make_context(*model));
  ASSERT_EQ(values.size(), 2u);
  EXPECT_NEAR(values[0].real(), mean - root, 1e-12);
  EXPECT_NEAR(values[1].real(), mean + root, 1e-12);
}

}  // namespace
}  // namespace arges::argesim
