#include "arges/elaborate/library_path.h"

#include <gtest/gtest.h>

#include "arges/elaborate/class_tree.h"
#include "arges/elaborate/lookup.h"

namespace arges::lang {
namespace {

TEST(Versions, CompareNumberByNumber) {
  EXPECT_GT(compare_versions("3.2.10", "3.2.9"), 0);
  EXPECT_GT(compare_versions("4.0.0", "4.0.0-beta.1"), 0);
  EXPECT_LT(compare_versions("4.0.0-alpha", "4.0.0-beta"), 0);
  EXPECT_GT(compare_versions("3.2.1", "3.2"), 0);
  EXPECT_LT(compare_versions("3.2", "10"), 0);
  EXPECT_EQ(compare_versions("1.0", "1.0"), 0);
  EXPECT_EQ(compare_versions("1.01", "1.1"), 0);
}

TEST(LibraryPath, AMissingFolderHoldsNothing) {
  const LibraryPath path({"/nonexistent"});
  EXPECT_EQ(path.find("Modelica"), "");
  EXPECT_TRUE(path.names().empty());
}

TEST(ClassTree, QuotedNamesMayHoldDots) {
  diag::Diagnostics diagnostics;
  ClassTree tree{LibraryPath(), diagnostics};
  tree.add_text("a.mo", "package 'a.b' model 'c.d' end 'c.d'; end 'a.b';");
  ASSERT_NE(tree.find_class("'a.b'.'c.d'"), nullptr);
  Lookup lookup(tree);
  const Found f = lookup.find("'a.b'.'c.d'", tree.root());
  EXPECT_EQ(f.node, tree.find_class("'a.b'.'c.d'"));
  EXPECT_EQ(f.used, 2U);
}

TEST(ClassTree, FilesAreAddedBelowTheirWithin) {
  diag::Diagnostics diagnostics;
  ClassTree tree{LibraryPath(), diagnostics};
  tree.add_text("p.mo", "package P end P;");
  const std::vector<ClassNode*> added = tree.add_text("m.mo", "within P; model M end M;");
  ASSERT_EQ(added.size(), 1U);
  EXPECT_EQ(added[0]->path(), "P.M");
  EXPECT_FALSE(diagnostics.has_errors());
}

TEST(Lookup, WalksLongChainsOfInheritance) {
  std::string text = "model M0 Real x; end M0;";
  for (int i = 1; i < 300; ++i) {
    text += "model M" + std::to_string(i) + " extends M" + std::to_string(i - 1) + "; end M" +
            std::to_string(i) + ";";
  }
  diag::Diagnostics diagnostics;
  ClassTree tree{LibraryPath(), diagnostics};
  tree.add_text("m.mo", text);
  Lookup lookup(tree);
  const Found f = lookup.find("x", *tree.find_class("M299"));
  ASSERT_EQ(f.kind, FoundKind::kComponent);
  EXPECT_EQ(f.owner->path(), "M0");
}

}  // namespace
}  // namespace arges::lang
