#include "arges/experiment/journal.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "arges/base/error.h"

namespace arges {
namespace {

// Rows with a reason are longer than others.
std::string message_of(std::int64_t index) {
  return index % 5 == 0 ? std::string(static_cast<std::size_t>(index), 'n') : "";
}

class CountingWorker : public Worker {
 public:
  explicit CountingWorker(int& count) : count_(count) {}
  StudyRow run(std::int64_t index) override {
    ++count_;
    const auto x = static_cast<double>(index);
    StudyRow row{index, {x}, {x * x, index % 7 == 0 ? std::nan("") : -x}};
    if (index % 5 == 0) row.status = RunReason::kNewtonFailed;
    row.message = message_of(index);
    return row;
  }

 private:
  int& count_;
};

class JournalTest : public ::testing::Test {
 protected:
  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("arges_journal_test_" + std::to_string(getpid()));
  void TearDown() override { std::filesystem::remove(path_); }

  // Returns how many runs were done; checks the rows.
  int study(bool resume, std::int64_t until = 100, const std::string& name = "study") {
    int done = 0;
    Journal journal(path_, name, resume);
    EnsembleOptions options;
    options.threads = 1;
    std::int64_t next = 0;
    run_ensemble(
        100, [&] { return journalled(std::make_unique<CountingWorker>(done), journal); }, options,
        [&](const StudyRow& row) {
          if (row.index >= until) return false;
          EXPECT_EQ(row.index, next++);
          EXPECT_EQ(row.observables[0], row.parameters[0] * row.parameters[0]);
          EXPECT_EQ(std::isnan(row.observables[1]), row.index % 7 == 0);
          EXPECT_EQ(row.status == RunReason::kNewtonFailed, row.index % 5 == 0);
          EXPECT_EQ(row.message, message_of(row.index));
          return true;
        });
    return done;
  }
};

TEST_F(JournalTest, FinishedRunsAreNotDoneAgain) {
  const int first = study(false, 40);
  EXPECT_GE(first, 40);
  EXPECT_EQ(study(true), 100 - first);
  EXPECT_EQ(study(true), 0);
  EXPECT_EQ(study(false), 100);
}

TEST_F(JournalTest, ARecordThatWasCutOffIsDoneAgain) {
  study(false);
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 3);
  EXPECT_EQ(study(true), 1);
  EXPECT_EQ(study(true), 0);
  std::filesystem::resize_file(path_, 5);
  EXPECT_EQ(study(true), 100);
}

TEST_F(JournalTest, AnotherStudyIsRefused) {
  study(false);
  EXPECT_THROW(study(true, 100, "another"), UserError);
}

TEST_F(JournalTest, WhatIsKnownFromElsewhereIsNotDone) {
  int done = 0;
  {
    Journal journal(path_, "study", false);
    journal.know({3, {3}, {-1, -1}});
    EXPECT_EQ(journal.known(), 1);
    const auto worker = journalled(std::make_unique<CountingWorker>(done), journal);
    EXPECT_EQ(worker->run(3).observables[0], -1);
    EXPECT_EQ(worker->run(4).observables[0], 16);
    EXPECT_EQ(done, 1);
  }
  // Nor is it in the file: who knows it says so again.
  const Journal again(path_, "study", true);
  EXPECT_FALSE(again.knows(3));
  EXPECT_FALSE(again.find(3).has_value());
  EXPECT_EQ(again.find(4).value().observables[0], 16);
}

}  // namespace
}  // namespace arges
