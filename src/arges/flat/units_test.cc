#include "arges/flat/units.h"

#include <gtest/gtest.h>

#include <numbers>

namespace arges {
namespace {

Unit unit(const char* text) {
  const std::optional<Unit> u = parse_unit(text);
  EXPECT_TRUE(u.has_value()) << text;
  return u.value_or(Unit());
}

TEST(Units, AreReadAsModelicaWritesThem) {
  EXPECT_EQ(to_string(unit("N.m")), "m2.kg/s2");
  EXPECT_EQ(to_string(unit("kg/(m.s2)")), to_string(unit("Pa")));
  EXPECT_EQ(to_string(unit("s-1")), "1/s");
  EXPECT_EQ(to_string(unit("m.s-2")), "m/s2");
  EXPECT_EQ(to_string(unit("V/A")), to_string(unit("Ohm")));
  EXPECT_EQ(to_string(unit("1")), "1");
  EXPECT_EQ(to_string(unit("rad/s")), "1/s");
  EXPECT_EQ(to_string(unit("J/(kg.K)")), "m2/(s2.K)");
}

TEST(Units, KnowPrefixesAndWholeSymbolsGoFirst) {
  EXPECT_DOUBLE_EQ(unit("kN").factor, 1000);
  EXPECT_DOUBLE_EQ(unit("mm").factor, 1e-3);
  EXPECT_DOUBLE_EQ(unit("mg").factor, 1e-6);
  EXPECT_DOUBLE_EQ(unit("min").factor, 60);
  EXPECT_DOUBLE_EQ(unit("km/h").factor, 1000.0 / 3600);
  EXPECT_DOUBLE_EQ(unit("deg").factor, std::numbers::pi / 180);
  EXPECT_DOUBLE_EQ(unit("dam").factor, 10);
  EXPECT_DOUBLE_EQ(unit("cd").factor, 1);
  EXPECT_EQ(to_string(unit("cd")), "cd");
}

TEST(Units, RefuseWhatIsNoUnit) {
  for (const char* text : {"", "N..m", "N.", "/s", "m/", "foo", "m^2", "kmin", "(m", "m)", "2"}) {
    EXPECT_FALSE(parse_unit(text).has_value()) << text;
  }
}

TEST(Units, AreCompatibleWhenDimensionAndFactorAgree) {
  EXPECT_TRUE(compatible(unit("N.m"), unit("J")));
  EXPECT_TRUE(compatible(unit("W"), unit("V.A")));
  EXPECT_FALSE(compatible(unit("mm"), unit("m")));
  EXPECT_FALSE(compatible(unit("degC"), unit("K")));
  EXPECT_FALSE(compatible(unit("N"), unit("N.m")));
  EXPECT_TRUE(compatible(unit("deg"), unit("rad")));
}

TEST(Units, HaveRootsAsFarAsTheyAreFractions) {
  EXPECT_EQ(to_string(*power(unit("m2"), 0.5)), "m");
  EXPECT_EQ(to_string(*power(unit("m"), 0.5)), "m^(6/12)");
  EXPECT_FALSE(power(unit("m"), 0.123).has_value());
}

}  // namespace
}  // namespace arges
