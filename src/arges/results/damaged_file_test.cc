// Damaged files: cut off anywhere, bits flipped, bytes overwritten. Each ends in a Trajectory or an
// IoError; the sanitizers see to the rest. The mutations are the same in every run.

#include <gtest/gtest.h>

#include <random>

#include "arges/base/error.h"
#include "arges/results/open_sink.h"
#include "arges/results/reader.h"
#include "testing/result_run.h"

// The HDF5 library (1.10.8) loses some hundred bytes on its way out of a damaged object header. Our
// own handles cannot hide behind this: the library always knows of them, so they are never
// "leaked".
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace arges {
namespace {

class DamagedFile : public ::testing::TestWithParam<const char*> {
 protected:
  DamagedFile() {
    const test::TempFolder folder;
    test::TestRun run = test::awkward_run();
    run.send_to(*open_sink(folder / GetParam()));
    bytes_ = test::slurp(folder / GetParam());
  }

  // True when it could be read nevertheless.
  static bool read(const std::string& bytes) {
    try {
      const Trajectory found = read_result(bytes, "damaged");
      for (std::size_t c = 0; c < found.layout.columns.size(); ++c) {
        EXPECT_EQ(found.values(c).size(), found.rows());
      }
      return true;
    } catch (const IoError& error) {
      EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos) << error.what();
      return false;
    }
  }

  // The HDF5 library takes its time.
  static int mutations() { return std::string(GetParam()) == "a.h5" ? 1000 : 4000; }

  std::string bytes_;
};

TEST_P(DamagedFile, CutOffAnywhereIsAnErrorOrAShorterTable) {
  const std::size_t stride = bytes_.size() > 20000 ? 97 : 1;
  std::size_t readable = 0;
  for (std::size_t size = 0; size < bytes_.size(); size += stride) {
    readable += read(bytes_.substr(0, size)) ? 1 : 0;
  }
  // A table may end after any number; the binary formats know their length.
  if (std::string(GetParam()) == "a.h5") {
    EXPECT_EQ(readable, 0u);
  }
  // Behind data_2 a MAT file is complete but for the manifest.
  if (std::string(GetParam()) == "a.mat") {
    EXPECT_EQ(readable, 1u);
  }
}

TEST_P(DamagedFile, WithFlippedBitsNeverCrashes) {
  std::mt19937 random(20240511);
  for (int i = 0; i < mutations(); ++i) {
    std::string damaged = bytes_;
    const int flips = 1 + static_cast<int>(random() % 4);
    for (int f = 0; f < flips; ++f) {
      damaged[random() % damaged.size()] ^= static_cast<char>(1u << random() % 8);
    }
    read(damaged);
  }
}

TEST_P(DamagedFile, WithOverwrittenWordsNeverCrashes) {
  std::mt19937 random(7);
  // Counts and indices that tempt a reader: 0, -1, large, just too large.
  const std::vector<std::uint32_t> words = {0,          0xffffffff, 0x7fffffff, 0x80000000,
                                            0x00010000, 8,          255};
  const std::size_t head = std::min<std::size_t>(bytes_.size(), 4000);
  for (int i = 0; i < mutations(); ++i) {
    std::string damaged = bytes_;
    const std::uint32_t word = words[random() % words.size()];
    const std::size_t place = random() % (head - 4);
    for (std::size_t b = 0; b < 4; ++b)
      damaged[place + b] = static_cast<char>(word >> 8 * b & 0xff);
    read(damaged);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, DamagedFile, ::testing::Values("a.csv", "a.mat", "a.h5"),
                         [](const auto& format) { return std::string(format.param).substr(2); });

}  // namespace
}  // namespace arges
