#include "arges/plot/text.h"

#include <gtest/gtest.h>

namespace arges::plot {
namespace {

std::string joined(const RichText& text) {
  std::string out;
  for (const TextRun& run : text) out += run.text;
  return out;
}

TEST(Text, SplitsSubAndSuperscripts) {
  const RichText text = parse_text("x_{max}^{2} = 1");
  ASSERT_EQ(text.size(), 4u);
  EXPECT_EQ(text[1].text, "max");
  EXPECT_LT(text[1].rise, 0);
  EXPECT_EQ(text[2].text, "2");
  EXPECT_GT(text[2].rise, 0);
  EXPECT_LT(text[2].scale, 1);
  EXPECT_EQ(text[3].text, " = 1");
}

TEST(Text, LeavesUnderscoresInNamesAlone) {
  EXPECT_EQ(joined(parse_text("tank_1.x_dot")), "tank_1.x_dot");
  EXPECT_EQ(joined(parse_text("a_{b")), "a_{b");
  EXPECT_TRUE(parse_text("").empty());
}

TEST(Text, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(joined(parse_text("a\xff"
                              "b")),
            "a\uFFFDb");
  EXPECT_EQ(joined(parse_text("\xc3")), "\uFFFD");
  EXPECT_EQ(joined(parse_text("\xed\xa0\x80")), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(joined(parse_text("a\nb\x01")), "a b ");
}

TEST(Text, HasTheWidthsOfDejaVuSans) {
  EXPECT_NEAR(text_width(parse_text("0"), 10), 6.36, 1e-12);
  EXPECT_NEAR(text_width(parse_text("Ωτ"), 10), 7.64 + 6.02, 1e-12);
  EXPECT_NEAR(text_width(parse_text("−"), 10), 8.38, 1e-12);
  EXPECT_NEAR(text_width(parse_text("1^{0}"), 10), 6.36 * 1.7, 1e-12);
}

TEST(Text, IsCutInTheMiddleToFit) {
  const RichText text = parse_text("runs/a_very_long_name_of_a_file.h5");
  const RichText cut = fit_text(text, 8, 60);
  EXPECT_LE(text_width(cut, 8), 60);
  EXPECT_GT(text_width(cut, 8), 45);
  EXPECT_EQ(joined(cut).substr(0, 2), "ru");
  EXPECT_EQ(joined(cut).substr(joined(cut).size() - 3), ".h5");
  EXPECT_NE(joined(cut).find("…"), std::string::npos);
  EXPECT_EQ(joined(fit_text(text, 8, 600)), joined(text));
}

TEST(Units, OfModelicaAreSetProperly) {
  EXPECT_EQ(pretty_unit("m/s2"), "m/s^{2}");
  EXPECT_EQ(pretty_unit("kg.m2"), "kg·m^{2}");
  EXPECT_EQ(pretty_unit("s-1"), "s^{−1}");
  EXPECT_EQ(pretty_unit("degC"), "°C");
  EXPECT_EQ(pretty_unit("Ohm"), "Ω");
  EXPECT_EQ(pretty_unit("1/min"), "1/min");
  EXPECT_EQ(pretty_unit("W/(m2.K)"), "W/(m^{2}·K)");
}

}  // namespace
}  // namespace arges::plot
