#include "arges/base/background_job.h"

#include <gtest/gtest.h>

#include "arges/base/error.h"

namespace arges {
namespace {

TEST(BackgroundJob, RunsInAnotherThreadEachTimeItIsTold) {
  int count = 0;
  std::thread::id where;
  BackgroundJob job([&] {
    ++count;
    where = std::this_thread::get_id();
  });
  for (int i = 1; i <= 1000; ++i) {
    job.begin();
    job.wait();
    ASSERT_EQ(count, i);
  }
  EXPECT_NE(where, std::this_thread::get_id());
}

TEST(BackgroundJob, PassesOnWhatTheJobThrewOnce) {
  BackgroundJob job([] { throw EvaluationError("no value"); });
  job.begin();
  EXPECT_THROW(job.wait(), EvaluationError);
  EXPECT_NO_THROW(job.wait());
  job.begin();
  EXPECT_THROW(job.wait(), EvaluationError);
}

TEST(BackgroundJob, IsNotDoneWhileItRunsAndCannotBeBegunThen) {
  std::atomic<bool> go = false;
  BackgroundJob job([&] { go.wait(false); });
  EXPECT_TRUE(job.done());
  job.begin();
  EXPECT_FALSE(job.done());
  EXPECT_THROW(job.begin(), ApiError);
  go = true;
  go.notify_all();
  job.wait();
  EXPECT_TRUE(job.done());
}

TEST(BackgroundJob, TheDestructorWaitsForTheJob) {
  std::atomic<int> ended = 0;
  {
    BackgroundJob job([&] { ++ended; });
    job.begin();
  }
  EXPECT_EQ(ended, 1);
}

}  // namespace
}  // namespace arges
