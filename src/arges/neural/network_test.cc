#include "arges/neural/network.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "arges/base/error.h"

namespace arges::neural {
namespace {

Network some_net() {
  Network net(2, 3);
  net.set_scale(0, 0.5, 2);
  for (std::size_t i = 0; i < net.weights().size(); ++i)
    net.weights()[i] = std::sin(1.0 + 3.0 * static_cast<double>(i));
  return net;
}

TEST(Network, IsTheSumOfItsUnits) {
  Network net(1, 1);
  net.set_scale(0, 1, 4);
  const double weights[] = {2, 0.5, 3, -1};  // w, b, v, c
  std::copy_n(weights, 4, net.weights().begin());
  EXPECT_DOUBLE_EQ(net(std::array{5.0}), -1 + 3 * std::tanh(0.5 + 2 * (5.0 - 1) / 4));
  EXPECT_THROW(Network(0, 1), ApiError);
  EXPECT_THROW(net.set_scale(1, 0, 1), ApiError);
}

TEST(Network, SlopesAgreeWithDifferences) {
  Network net = some_net();
  const std::array x{0.3, -0.7};
  std::vector<double> slopes(net.weights().size());
  EXPECT_EQ(net.slopes(x, slopes), net(x));
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const double w = net.weights()[i], h = 1e-6;
    net.weights()[i] = w + h;
    const double above = net(x);
    net.weights()[i] = w - h;
    EXPECT_NEAR(slopes[i], (above - net(x)) / (2 * h), 1e-8) << i;
    net.weights()[i] = w;
  }
}

TEST(Network, LearnsASmoothFunctionAndTheSameOneEachTime) {
  Examples examples;
  for (int k = 0; k <= 100; ++k) {
    const double x = -2 + 0.04 * k;
    examples.add(std::array{x}, std::sin(2 * x));
  }
  TrainingOptions options;
  options.units = 6;
  const Training training = train(examples, options);
  EXPECT_LT(training.error, 1e-3);
  for (std::size_t i = 1; i < training.errors.size(); ++i)
    EXPECT_LE(training.errors[i], training.errors[i - 1]);
  EXPECT_NEAR(training.network(std::array{0.71}), std::sin(1.42), 5e-3);
  const Training again = train(examples, options);
  EXPECT_TRUE(std::equal(training.network.weights().begin(), training.network.weights().end(),
                         again.network.weights().begin()));
}

TEST(Network, DecayKeepsWeightsSmall) {
  Examples examples;
  for (int k = 0; k <= 50; ++k) examples.add(std::array{0.1 * k}, k < 25 ? -1.0 : 1.0);
  const auto size = [&](double decay) {
    TrainingOptions options;
    options.units = 3;
    options.decay = decay;
    double sum = 0;
    const Training training = train(examples, options);
    for (const double w : training.network.weights()) sum += w * w;
    return sum;
  };
  EXPECT_LT(size(1e-2), 0.5 * size(1e-6));
}

TEST(Network, FewerExamplesThanWeightsAreRefused) {
  Examples examples;
  examples.add(std::array{1.0}, 1);
  EXPECT_THROW(train(examples, {}), UserError);
}

TEST(Network, WritesItselfAsAFunction) {
  const std::string text = some_net().modelica_text("g", {"a", "b"});
  EXPECT_TRUE(text.starts_with("function g "));
  EXPECT_NE(text.find("input Real b;"), std::string::npos);
  EXPECT_TRUE(text.ends_with("end g;\n"));
  EXPECT_THROW(some_net().modelica_text("g", {"a"}), ApiError);
}

}  // namespace
}  // namespace arges::neural
