// What happens when the bytes do not fit. A limit of the file size stands for the full disk: the
// writes fail at the same places.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "arges/base/error.h"
#include "arges/results/event_log.h"
#include "arges/results/open_sink.h"
#include "testing/result_run.h"

namespace arges {
namespace {

class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int) = SIG_DFL;
};

class FullDisk : public ::testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(FullDisk, EndsInAnErrorAndLeavesNoFile) {
  const auto [name, limit_bytes] = GetParam();
  const test::TempFolder folder;
  std::string message;
  {
    const FileSizeLimit limit(static_cast<rlim_t>(limit_bytes));
    message = test::message_of<IoError>([&, name = name] {
      const auto sink = open_sink(folder / name);
      const test::TestRun run = test::awkward_run();
      sink->begin(run.layout);
      for (int i = 0; i < 20000; ++i) {
        sink->row(i, run.rows[1].second);
        sink->event(run.events[1]);
      }
      sink->finish(run.manifest);
    });
  }
  EXPECT_NE(message.find("File too large; raise the file size limit"), std::string::npos)
      << message;
  EXPECT_NE(message.find(name), std::string::npos) << message;
  EXPECT_EQ(folder.files(), std::vector<std::string>{});
}

// The limits let the failure come in the header, among the rows, and near the end.
INSTANTIATE_TEST_SUITE_P(Formats, FullDisk,
                         ::testing::Combine(::testing::Values("run.csv", "run.mat", "run.h5"),
                                            ::testing::Values(1, 3000, 50000, 300000, 1000000)));

TEST(FullDisk, AWriteAfterAFailureOfHdf5WorksInTheSameProcess) {
  const test::TempFolder folder;
  {
    const FileSizeLimit limit(20000);
    EXPECT_THROW(test::awkward_run().send_to(*open_sink(folder / "a.h5")), IoError);
  }
  test::awkward_run().send_to(*open_sink(folder / "b.h5"));
  EXPECT_EQ(folder.files(), std::vector<std::string>{"b.h5"});
}

TEST(FullDisk, AnEventLogOnAFullDeviceIsAnError) {
  EventLogSink log("/dev/full", EventLogFormat::kText);
  EXPECT_THROW(test::awkward_run().send_to(log), IoError);
}

}  // namespace
}  // namespace arges
