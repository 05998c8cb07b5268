#include <gtest/gtest.h>

#include <algorithm>

#include "arges/base/error.h"
#include "arges/variants/modelica_text.h"
#include "arges/variants/prune.h"
#include "arges/variants/read_structure.h"

namespace arges::variants {
namespace {

// The tree of figures 4 and 5 of Hagendorf, Pawletta and Larek (SNE 22(1), 2012).
const char* const kPaper = R"(
root = "A"
[entity.A.aspect.dec]
parts = ["C", "D", "E"]
[entity.C.aspect.dec1]
parts = ["F", "G"]
[entity.C.aspect.dec2]
parts = ["H"]
[entity.D.multi.number]
part = "K"
count = [2, 3, 4]
[entity.E.specialisation.kind]
choices = ["E1", "E2", "E3"]
[entity.E1]
[entity.E2]
[entity.E3]
[entity.F]
[entity.G]
[entity.H]
[entity.K]
)";

std::vector<Variant> all_of(const EntityStructure& structure,
                            const std::vector<std::string>& select = {}) {
  std::vector<Variant> all;
  for_each_variant(structure, parse_selection(structure, select), [&](const Variant& variant) {
    all.push_back(variant);
    return true;
  });
  return all;
}

std::string message_of(const std::string& text) {
  try {
    parse_structure("s.toml", text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Structure, HasTheSearchSpaceOfThePaper) {
  const EntityStructure structure = parse_structure("paper.toml", kPaper);
  ASSERT_EQ(structure.decisions.size(), 3u);
  EXPECT_EQ(structure.decisions[0].name, "C");
  EXPECT_EQ(structure.decisions[0].options, (std::vector<std::string>{"dec1", "dec2"}));
  EXPECT_EQ(structure.decisions[1].name, "D.number");
  EXPECT_EQ(structure.decisions[1].options, (std::vector<std::string>{"2", "3", "4"}));
  EXPECT_EQ(structure.decisions[2].name, "E.kind");
  EXPECT_EQ(structure.decisions[2].options, (std::vector<std::string>{"E1", "E2", "E3"}));
  EXPECT_EQ(all_of(structure).size(), 18u);
}

TEST(Structure, PrunesThePointOfThePaper) {
  const EntityStructure structure = parse_structure("paper.toml", kPaper);
  const std::vector<Variant> left = all_of(structure, {"C=dec1", "number=4", "E.kind=E2"});
  ASSERT_EQ(left.size(), 1u);
  const PrunedEntity& root = left[0].root;
  ASSERT_EQ(root.parts.size(), 3u);
  EXPECT_EQ(root.parts[0].decomposition->label.text, "dec1");
  EXPECT_EQ(root.parts[1].count, 4);
  EXPECT_EQ(root.parts[1].parts[0].name, "K");
  EXPECT_EQ(root.parts[2].kinds, (std::vector<std::string>{"E", "E2"}));
  EXPECT_EQ(root.parts[2].model.text, "E2");
}

TEST(Structure, ChoicesInheritAttributesModelsAndDecompositions) {
  const EntityStructure structure = parse_structure("s.toml", R"(
root = "Car"
[entity.Car]
model = "Vehicle"
attributes = { mass = 900, wheels = 4 }
specialisation.use.choices = ["Van", "Sports"]
aspect.plain.parts = ["Body"]
[entity.Van]
attributes.mass = 1500
aspect.roomy.parts = ["Body", "Rack"]
[entity.Sports]
model = "Racer"
specialisation.roof.choices = ["Open", "Closed"]
[entity.Open]
[entity.Closed]
[entity.Body]
[entity.Rack]
)");
  const std::vector<Variant> all = all_of(structure);
  ASSERT_EQ(all.size(), 4u);  // van plain, van roomy, sports open, sports closed
  auto numbers = numbers_of(structure, all[1]);
  EXPECT_EQ(numbers["mass"], 1500);
  EXPECT_EQ(numbers["wheels"], 4);
  EXPECT_EQ(all[1].root.model.text, "Vehicle");
  EXPECT_EQ(all[1].root.parts.size(), 2u);
  EXPECT_EQ(all[2].root.model.text, "Racer");
  EXPECT_EQ(numbers_of(structure, all[2])["mass"], 900);
  EXPECT_EQ(all[3].root.kinds, (std::vector<std::string>{"Car", "Sports", "Closed"}));
}

TEST(Structure, RulesAndConditionsOfChoicesExcludeVariants) {
  const std::string text = std::string(
                               "rules = ['C = dec2 => D.number <= 3 and E.kind != E1', "
                               "'number = 2|4']\n") +
                           kPaper;
  // dec1: 2 numbers, 3 kinds; dec2: number 2, kinds E2 and E3.
  EXPECT_EQ(all_of(parse_structure("s.toml", text)).size(), 8u);
  std::string with_when = kPaper;
  const std::string choices = "choices = [\"E1\", \"E2\", \"E3\"]\n";
  with_when.insert(with_when.find(choices) + choices.size(),
                   "when.E3 = 'C = dec1 and number > 3'\n");
  EXPECT_EQ(all_of(parse_structure("s.toml", with_when)).size(), 13u);
}

TEST(Structure, WhatAVariantDoesNotDecideBreaksNoRule) {
  const EntityStructure structure = parse_structure("s.toml", R"(
root = "A"
rules = ["A = some => some >= 3", "some = 4 => B.kind = X"]
[entity.A.multi.some]
part = "P"
count = "2:4"
[entity.A.aspect.one]
parts = ["B"]
[entity.B.specialisation.kind]
choices = ["X", "Y"]
[entity.P]
[entity.X]
[entity.Y]
)");
  EXPECT_EQ(all_of(structure).size(), 4u);  // 3, 4; X, Y
  EXPECT_EQ(all_of(structure, {"B.kind=Y"}).size(), 1u);
}

TEST(Structure, ReplicasThatAreNotAlikeAreDecidedOneByOne) {
  const EntityStructure structure = parse_structure("s.toml", R"(
root = "Row"
[entity.Row.multi.cells]
part = "Cell"
count = "1:3"
alike = false
couplings = ["Cell[i].out -> Cell[i+1].in"]
[entity.Cell.specialisation.kind]
choices = ["X", "Y"]
[entity.X]
[entity.Y]
)");
  EXPECT_EQ(structure.decisions.size(), 4u);
  EXPECT_EQ(all_of(structure).size(), 2u + 4u + 8u);
  const Variant last = all_of(structure).back();
  EXPECT_EQ(last.root.parts[2].name, "Cell_3");
  const auto connections = expand_couplings(structure, last.root);
  ASSERT_EQ(connections.size(), 2u);
  EXPECT_EQ(connections[1].from, "Cell_2.out");
  EXPECT_EQ(connections[1].to, "Cell_3.in");
}

TEST(Structure, FormulasSeeDecisionsAndAttributes) {
  const EntityStructure structure = parse_structure("s.toml", R"(
root = "A"
[entity.A]
aspect.dec.parts = ["D", "S"]
attributes.total = { formula = "D.n*S.load + D.K.x" }
[entity.D.multi.n]
part = "K"
count = "2:3"
[entity.K]
attributes.x = { formula = "S.load/2" }
[entity.S]
attributes.load = { value = 8, range = "1:10" }
)");
  const Variant variant = all_of(structure).back();
  EXPECT_EQ(numbers_of(structure, variant)["total"], 3 * 8 + 4);
  EXPECT_EQ(numbers_of(structure, variant, {{"S.load", 2}})["total"], 3 * 2 + 1);
  ASSERT_EQ(structure.ranges.size(), 1u);
  EXPECT_EQ(structure.ranges[0].name, "S.load");
  EXPECT_EQ(structure.ranges[0].first_guess(), 8);
  EXPECT_EQ(names_in_model(variant, "D.K.x"),
            (std::vector<std::string>{"D.K[1].x", "D.K[2].x", "D.K[3].x"}));
}

TEST(Structure, MistakesAreRefusedWithTheirPlace) {
  EXPECT_EQ(message_of("root = 3"), "s.toml:1:8: 'root' takes a text\n  root = 3\n         ^");
  EXPECT_EQ(message_of("[entity.A]"),
            "s.toml:1:1: the root is missing, as in root = \"Plant\"\n  [entity.A]\n  ^");
  const auto says = [](const std::string& text, const std::string& place, const std::string& what) {
    const std::string message = message_of(text);
    EXPECT_TRUE(message.starts_with("s.toml:" + place + ": ")) << message;
    EXPECT_NE(message.find(what), std::string::npos) << message;
  };
  const std::string root = "root = 'A'\n";
  says(root + "[entity.B]\n", "1:8", "there is no entity 'A'");
  says(root + "[entity.A]\nattribute = 3\n", "3:1", "did you mean 'attributes'?");
  says(root + "[entity.A.aspect.d]\nparts = ['B', 'B']\n[entity.B]\n", "3:15", "valid brothers");
  says(root + "[entity.A]\nattributes.d = 1\naspect.d.parts = ['B']\n[entity.B]\n", "4:8",
       "valid brothers");
  says(root + "[entity.A.aspect.d]\nparts = ['B']\n[entity.B.aspect.e]\nparts = ['A']\n", "5:10",
       "strict hierarchy");
  says(root + "[entity.A]\n[entity.B]\n", "3:9", "not in the tree of 'A'");
  says(root + "[entity.A]\n[entity.A]\n", "3:1", "cannot redefine");  // uniformity
  says(root +
           "[entity.A]\nspecialisation.s.choices = ['B', 'C']\nspecialisation.t.choices = "
           "['D', 'E']\n[entity.B]\nattributes.k = 1\n[entity.C]\n[entity.D]\n[entity.E]\n"
           "attributes.k = 2\n",
       "10:12", "attached variables");
  says(root + "[entity.A.multi.m]\npart = 'B'\ncount = '3:1'\n[entity.B]\n", "4:9", "empty");
  says(root + "[entity.A]\nattributes.k = { range = '5:1' }\n", "3:27", "the range is empty");
  says(root + "[entity.A]\nattributes.k = { formula = '1 + kk' }\n", "3:33", "no variant has");
  says(root + "[entity.A]\nattributes.k = { formula = '1 + ' }\n", "3:33", "ends too early");
  says("rules = ['A = x => n > 2']\n" + root +
           "[entity.A]\nspecialisation.s.choices = ['B', 'C']\n[entity.B]\n[entity.C]\n",
       "1:11", "there is no decision 'A'");
  says("rules = ['s = X']\n" + root +
           "[entity.A]\nspecialisation.s.choices = ['B', 'C']\n[entity.B]\n[entity.C]\n",
       "1:15", "'X' is no option of 's'");
}

TEST(Structure, EndlessEnumerationIsGivenUp) {
  // 2^17 combinations, of which the last one only is allowed.
  std::string text = "root = 'Row'\nrules = ['Cell_1.kind = Y'";
  for (int i = 2; i <= 17; ++i) text += ", 'Cell_" + std::to_string(i) + ".kind = Y'";
  text +=
      "]\n[entity.Row.multi.cells]\npart = 'Cell'\ncount = 17\nalike = false\n"
      "[entity.Cell.specialisation.kind]\nchoices = ['X', 'Y']\n[entity.X]\n[entity.Y]\n";
  const EntityStructure structure = parse_structure("s.toml", text);
  EXPECT_EQ(structure.decisions.size(), 17u);
  EXPECT_THROW(all_of(structure), UserError);
}

TEST(Structure, AFormulaOfItselfIsRefused) {
  const EntityStructure structure =
      parse_structure("s.toml",
                      "root = 'A'\n[entity.A]\nattributes.a = { formula = 'b' }\nattributes.b = { "
                      "formula = 'a' }\n");
  EXPECT_THROW(numbers_of(structure, all_of(structure)[0]), UserError);
}

}  // namespace
}  // namespace arges::variants
