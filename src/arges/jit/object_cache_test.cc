#include "arges/jit/object_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace arges::jit {
namespace {

namespace fs = std::filesystem;

class Cache : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("arges_cache_test_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(Cache, GivesBackWhatWasPut) {
  const ObjectCache cache(folder_.string());
  EXPECT_FALSE(cache.find("a"));
  const std::string object("code\0with zero", 14);
  cache.put("a", object);
  EXPECT_EQ(cache.find("a"), object);
  EXPECT_EQ(ObjectCache(folder_.string()).find("a"), object) << "by another process, too";
}

TEST_F(Cache, ADamagedFileIsNotThere) {
  const ObjectCache cache(folder_.string());
  cache.put("a", std::string(1000, 'x'));
  fs::resize_file(folder_ / "a.o", 500);
  EXPECT_FALSE(cache.find("a"));
  cache.put("b", std::string(1000, 'x'));
  std::fstream(folder_ / "b.o", std::ios::in | std::ios::out | std::ios::binary)
      .seekp(700)
      .put('y');
  EXPECT_FALSE(cache.find("b"));
}

TEST_F(Cache, AFolderThatCannotBeMadeIsSilentlyNoCache) {
  std::ofstream(folder_) << "a file";
  const ObjectCache cache(folder_.string() + "/jit");
  cache.put("a", "code");
  EXPECT_FALSE(cache.find("a"));
}

TEST_F(Cache, CodeFromAFolderThatOthersCanWriteToIsNotUsed) {
  ObjectCache(folder_.string()).put("a", "code");
  fs::permissions(folder_, fs::perms::all);
  EXPECT_FALSE(ObjectCache(folder_.string()).find("a"));
}

TEST_F(Cache, PruningRemovesWhatWasUsedLongestAgo) {
  const ObjectCache cache(folder_.string(), 4000);
  for (int i = 0; i < 6; ++i) {
    cache.put(std::to_string(i), std::string(900, 'x'));
    fs::last_write_time(folder_ / (std::to_string(i) + ".o"),
                        fs::file_time_type::clock::now() - std::chrono::hours(10 - i));
  }
  EXPECT_TRUE(cache.find("0"));  // now it is the one used last
  cache.prune();
  EXPECT_TRUE(cache.find("0"));
  EXPECT_TRUE(cache.find("5"));
  EXPECT_FALSE(cache.find("1"));
  EXPECT_FALSE(cache.find("2"));
}

TEST_F(Cache, WritersAtTheSameTimeLeaveWholeFiles) {
  const std::string object(100'000, 'x');
  const auto write = [&] {
    const ObjectCache cache(folder_.string());
    for (int i = 0; i < 50; ++i) {
      cache.put("a", object);
      const auto found = cache.find("a");
      EXPECT_TRUE(found && *found == object);
    }
  };
  std::thread one(write), two(write);
  one.join();
  two.join();
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace arges::jit
