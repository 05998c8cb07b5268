#include "arges/results/manifest.h"

#include <gtest/gtest.h>

#include "arges/base/error.h"
#include "testing/result_run.h"

namespace arges {
namespace {

TEST(Manifest, SetReplacesAndKeepsTheOrder) {
  Manifest manifest;
  manifest.set("solver", "dopri5");
  manifest.set("seed", "1");
  manifest.set("solver", "rodas5p");
  EXPECT_EQ(to_json(manifest), R"({"solver":"rodas5p","seed":"1"})");
  ASSERT_NE(manifest.find("seed"), nullptr);
  EXPECT_EQ(*manifest.find("seed"), "1");
  EXPECT_EQ(manifest.find("sead"), nullptr);
}

TEST(Manifest, ComesBackFromJson) {
  const Manifest manifest = test::awkward_run().manifest;
  EXPECT_EQ(manifest_from_json(to_json(manifest)).entries, manifest.entries);
}

TEST(Manifest, KeepsOtherValuesAsText) {
  const Manifest manifest = manifest_from_json(R"({"steps": 12, "ok": true})");
  EXPECT_EQ(*manifest.find("steps"), "12");
  EXPECT_EQ(*manifest.find("ok"), "true");
}

TEST(Manifest, WritesBytesThatAreNotUtf8AsReplacementCharacters) {
  Manifest manifest;
  manifest.set("model", "a\xff");
  EXPECT_EQ(to_json(manifest), R"({"model":"a\ufffd"})");
}

TEST(Manifest, RefusesWhatIsNotAnObject) {
  EXPECT_THROW(manifest_from_json("[1, 2]"), IoError);
  const auto broken = [] { manifest_from_json("{", "file.json"); };
  EXPECT_TRUE(test::message_of<IoError>(broken).starts_with("file.json: "));
}

TEST(Manifest, RefusesDeepNesting) {
  const std::string deep = "{\"a\":" + std::string(200'000, '[') + std::string(200'000, ']') + "}";
  EXPECT_THROW(manifest_from_json(deep), IoError);
  EXPECT_EQ(manifest_from_json(R"({"a":[[[1]]]})").entries[0].second, "[[[1]]]");
}

}  // namespace
}  // namespace arges
