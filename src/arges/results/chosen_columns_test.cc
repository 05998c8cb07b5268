#include "arges/results/chosen_columns.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "arges/results/memory_sink.h"

namespace arges {
namespace {

TEST(Pattern, AStarStandsForAnyLettersAQuestionMarkForOneAllElseForItself) {
  EXPECT_TRUE(fits_pattern("motor.w", "motor.w"));
  EXPECT_TRUE(fits_pattern("motor.inertia.w", "motor.*"));
  EXPECT_TRUE(fits_pattern("motor.inertia.w", "*.w"));
  EXPECT_TRUE(fits_pattern("motor.inertia.w", "m*in*a*"));
  EXPECT_TRUE(fits_pattern("y[3]", "y[?]"));
  EXPECT_TRUE(fits_pattern("der(x)", "der(*)"));
  EXPECT_TRUE(fits_pattern("", "**"));
  EXPECT_FALSE(fits_pattern("y[10]", "y[?]"));
  EXPECT_FALSE(fits_pattern("y3", "y[3]"));
  EXPECT_FALSE(fits_pattern("motor.w", "motor"));
  EXPECT_FALSE(fits_pattern("w", "motor.w"));
  EXPECT_FALSE(fits_pattern("", "?"));
}

// As the definition says it, by recursion.
bool fits_by_definition(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*')
    return fits_by_definition(name, pattern.substr(1)) ||
           (!name.empty() && fits_by_definition(name.substr(1), pattern));
  return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) &&
         fits_by_definition(name.substr(1), pattern.substr(1));
}

TEST(Pattern, RandomOnesFitAsTheDefinitionSays) {
  std::mt19937 random(7);
  const auto word = [&](const std::string& letters) {
    std::string text;
    for (auto n = random() % 8; n > 0; --n) text += letters[random() % letters.size()];
    return text;
  };
  int fitting = 0;
  for (int k = 0; k < 20'000; ++k) {
    const std::string name = word("ab"), pattern = word("ab*?");
    const bool fits = fits_by_definition(name, pattern);
    EXPECT_EQ(fits_pattern(name, pattern), fits) << name << " " << pattern;
    fitting += fits;
  }
  EXPECT_GT(fitting, 1'000);
}

ResultLayout layout_of(const std::vector<std::string>& columns) {
  ResultLayout layout;
  for (const std::string& name : columns) layout.columns.push_back({name, "", ""});
  layout.parameters.push_back({{"m", "kg", ""}, 2});
  return layout;
}

TEST(ChosenColumns, HandsOnWhatFitsInTheOrderOfTheModel) {
  MemorySink memory;
  ChosenColumns chosen({"z", "x*"}, memory);
  chosen.begin(layout_of({"x1", "y", "x2", "z"}));
  chosen.row(0.5, std::vector<double>{1, 2, 3, 4});
  chosen.event({0.5, 0, "SE-X", "hit", false, {}});
  chosen.finish({});
  const Trajectory result = memory.take();
  ASSERT_EQ(result.layout.columns.size(), 3u);
  EXPECT_EQ(result.layout.columns[1].name, "x2");
  EXPECT_TRUE(result.layout.parameters.empty());
  EXPECT_EQ(result.final_value("x1"), 1);
  EXPECT_EQ(result.final_value("x2"), 3);
  EXPECT_EQ(result.final_value("z"), 4);
  EXPECT_EQ(result.events.size(), 1u);
}

TEST(ChosenColumns, WithoutPatternsHandsOnEverything) {
  MemorySink memory;
  ChosenColumns chosen({}, memory);
  chosen.begin(layout_of({"x", "y"}));
  chosen.row(0, std::vector<double>{1, 2});
  chosen.finish({});
  const Trajectory result = memory.take();
  EXPECT_EQ(result.layout.columns.size(), 2u);
  EXPECT_EQ(result.layout.parameters.size(), 1u);
}

TEST(ChosenColumns, HiddenOnesAreShownWhereAPatternAsksForThem) {
  ResultLayout layout = layout_of({"x", "y", "z"});
  layout.columns[1].hidden = true;
  layout.parameters[0].first.hidden = true;
  const auto result = [&](std::vector<std::string> patterns) {
    MemorySink memory;
    ChosenColumns chosen(std::move(patterns), memory);
    chosen.begin(layout);
    chosen.row(0, std::vector<double>{1, 2, 3});
    chosen.finish({});
    return memory.take();
  };
  const Trajectory without = result({});
  EXPECT_EQ(without.layout.columns.size(), 2u);
  EXPECT_EQ(without.final_value("z"), 3);
  EXPECT_TRUE(without.layout.parameters.empty());
  EXPECT_EQ(result({"y"}).final_value("y"), 2);
  EXPECT_EQ(result({"*"}).layout.columns.size(), 3u);
  EXPECT_EQ(result({"*"}).layout.parameters.size(), 1u);
}

TEST(ChosenColumns, APatternFitsAModelWithoutVariables) {
  MemorySink memory;
  ChosenColumns chosen({"*"}, memory);
  EXPECT_NO_THROW(chosen.begin(ResultLayout{}));
  ChosenColumns named({"height"}, memory);
  EXPECT_THROW(named.begin(ResultLayout{}), UserError);
}

TEST(ChosenColumns, APatternThatNothingFitsIsRefusedWithTheNearOnes) {
  MemorySink memory;
  ChosenColumns chosen({"speed", "heigth"}, memory);
  try {
    chosen.begin(layout_of({"height", "speed"}));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()),
              "no variable has the name 'heigth'; did you mean 'height'?");
  }
}

}  // namespace
}  // namespace arges
