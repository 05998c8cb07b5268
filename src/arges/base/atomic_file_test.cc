#include "arges/base/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arges/base/error.h"
#include "testing/temp_folder.h"

namespace arges {
namespace {

using test::message_of;
using test::slurp;
using test::spit;
using test::TempFolder;

TEST(AtomicFile, AppearsOnCommitOnly) {
  const TempFolder folder;
  AtomicFile file(folder / "a.txt");
  file.write("hello ");
  file.flush();
  file.write("world");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.txt"));
  EXPECT_TRUE(file.partial().filename().string().starts_with(".a.txt.partial-" +
                                                             std::to_string(::getpid()) + "-"));
  EXPECT_TRUE(std::filesystem::exists(file.partial()));
  file.commit(AtomicFile::Durability::kDurable);
  EXPECT_EQ(slurp(folder / "a.txt"), "hello world");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"a.txt"});
}

TEST(AtomicFile, LeavesTheOldFileWhenItIsAbandoned) {
  const TempFolder folder;
  spit(folder / "a.txt", "old");
  { AtomicFile(folder / "a.txt").write("new"); }
  EXPECT_EQ(slurp(folder / "a.txt"), "old");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"a.txt"});
}

TEST(AtomicFile, RemovesWhatAKilledProcessLeftOfTheSameTarget) {
  const TempFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    const AtomicFile file(folder / "a.txt");
    ::_exit(0);  // no destructor, as after kill -9
  }
  ::waitpid(child, nullptr, 0);
  const std::string number = std::to_string(child);
  spit(folder / (".a.txt.partial-" + number + "-elsewhere"), "of another machine");
  spit(folder / ".a.txt.partial-", "of somebody else");
  ASSERT_EQ(folder.files().size(), 3u);
  { AtomicFile(folder / "a.txt").commit(); }
  EXPECT_EQ(folder.files(),
            (std::vector<std::string>{".a.txt.partial-", ".a.txt.partial-" + number + "-elsewhere",
                                      "a.txt"}));
}

TEST(AtomicFile, CanBeWrittenTwiceAtOnceAndTheLastCommitWins) {
  const TempFolder folder;
  AtomicFile first(folder / "a.txt");
  AtomicFile second(folder / "a.txt");
  first.write("first");
  second.write("second");
  second.commit();
  first.commit();
  EXPECT_EQ(slurp(folder / "a.txt"), "first");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"a.txt"});
}

TEST(AtomicFile, PatchesAndReadsBack) {
  const TempFolder folder;
  AtomicFile file(folder / "a.bin");
  file.write("0123456789");
  file.write_at(2, "xy");
  file.write("ab");
  file.write_at(14, "z");
  EXPECT_EQ(file.size(), 15u);
  std::string back(20, '?');
  file.read_at(0, back);
  EXPECT_EQ(back, std::string("01xy456789ab\0\0z\0\0\0\0\0", 20));
  file.resize(13);
  file.write("end");
  file.commit();
  EXPECT_EQ(slurp(folder / "a.bin"), std::string("01xy456789ab\0end", 16));
}

TEST(AtomicFile, WritesPiecesLargerThanItsBuffer) {
  const TempFolder folder;
  const std::string large(3000000, 'q');
  AtomicFile file(folder / "a");
  file.write("start");
  file.write(large);
  file.write("end");
  file.commit();
  EXPECT_EQ(slurp(folder / "a"), "start" + large + "end");
}

TEST(AtomicFile, FollowsALinkAndKeepsThePermissions) {
  const TempFolder folder;
  spit(folder / "real.txt", "old");
  std::filesystem::permissions(folder / "real.txt", std::filesystem::perms(0640));
  std::filesystem::create_symlink("real.txt", folder / "link.txt");
  AtomicFile file(folder / "link.txt");
  file.write("new");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_EQ(slurp(folder / "real.txt"), "new");
  EXPECT_EQ(std::filesystem::status(folder / "real.txt").permissions(),
            std::filesystem::perms(0640));
}

TEST(AtomicFile, WritesALongNameWithAShorterPartialName) {
  const TempFolder folder;
  const std::string name(255, 'n');
  AtomicFile file(folder / name);
  file.write("x");
  file.commit();
  EXPECT_EQ(slurp(folder / name), "x");
}

TEST(AtomicFile, RefusesADirectory) {
  const TempFolder folder;
  EXPECT_EQ(
      message_of<IoError>([&] { AtomicFile file(folder.path()); }),
      "cannot write '" + folder.path().string() + "': Is a directory; give the name of a file");
  EXPECT_THROW(AtomicFile(folder / ""), IoError);
  EXPECT_THROW(AtomicFile(""), IoError);
}

TEST(AtomicFile, SaysThatTheFolderIsMissing) {
  const TempFolder folder;
  EXPECT_EQ(message_of<IoError>([&] { AtomicFile file(folder / "no/a.txt"); }),
            "cannot create '" + (folder / "no/a.txt").string() +
                "': No such file or directory; create the folder first, or correct the path");
}

TEST(AtomicFile, SaysThatTheFolderIsReadOnly) {
  // Even root cannot create files in /proc.
  const std::string message = message_of<IoError>([] { AtomicFile file("/proc/self/a.txt"); });
  EXPECT_TRUE(message.starts_with("cannot create '/proc/self/a.txt': ")) << message;
}

TEST(AtomicFile, WritesADeviceDirectlyAndLeavesItADevice) {
  AtomicFile file("/dev/null");
  EXPECT_TRUE(file.is_direct());
  file.write("gone");
  EXPECT_THROW(file.write_at(0, "x"), IoError);
  file.commit();
  struct stat info {};
  ASSERT_EQ(::stat("/dev/null", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));
}

TEST(AtomicFile, SaysThatTheDiskIsFull) {
  AtomicFile file("/dev/full");
  file.write("x");
  EXPECT_EQ(
      message_of<IoError>([&] { file.commit(); }),
      "cannot write '/dev/full': No space left on device; free some space, or write to another "
      "disk");
}

}  // namespace
}  // namespace arges
