#include "arges/experiment/ranks.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

namespace arges {
namespace {

// Processes that are threads.
struct Post {
  std::mutex mutex;
  std::condition_variable arrived;
  std::map<std::pair<int, int>, std::deque<std::string>> boxes;  // from, to
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(Post& post, int rank, int size) : post_(post), rank_(rank), size_(size) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void send(int to, const std::string& bytes) override {
    const std::lock_guard lock(post_.mutex);
    post_.boxes[{rank_, to}].push_back(bytes);
    post_.arrived.notify_all();
  }
  std::string receive(int from) override {
    std::unique_lock lock(post_.mutex);
    auto& box = post_.boxes[{from, rank_}];
    post_.arrived.wait(lock, [&] { return !box.empty(); });
    std::string bytes = box.front();
    box.pop_front();
    return bytes;
  }
  void finish() override {}

 private:
  Post& post_;
  int rank_, size_;
};

class SquareWorker final : public Worker {
 public:
  StudyRow run(std::int64_t index) override {
    const auto x = static_cast<double>(index);
    if (index % 5 == 0) return {index, {x}, {x * x}, RunReason::kZeno, "too many"};
    return {index, {x}, {x * x}};
  }
};

std::vector<double> squares(int ranks, std::int64_t until) {
  Post post;
  std::vector<double> taken;
  const auto make = [] { return std::make_unique<SquareWorker>(); };
  const auto as_it_is = [](std::unique_ptr<Worker> worker) { return worker; };
  std::vector<std::jthread> others;
  for (int k = 1; k < ranks; ++k) {
    others.emplace_back([&, k] {
      ThreadRanks me(post, k, ranks);
      EXPECT_EQ(run_on_ranks(1000, make, as_it_is, {}, me, [](const StudyRow&) { return true; }),
                -1);
    });
  }
  ThreadRanks leader(post, 0, ranks);
  const std::int64_t count =
      run_on_ranks(1000, make, as_it_is, {}, leader, [&](const StudyRow& row) {
        if (row.index >= until) return false;
        EXPECT_EQ(row.status == RunReason::kZeno, row.index % 5 == 0);
        EXPECT_EQ(row.message, row.index % 5 == 0 ? "too many" : "");
        EXPECT_EQ(row.parameters[0], static_cast<double>(row.index));
        taken.push_back(row.observables[0]);
        return true;
      });
  EXPECT_EQ(count, static_cast<std::int64_t>(taken.size()));
  return taken;
}

TEST(Ranks, AnyNumberOfThemTakesTheSameRowsInOrder) {
  const std::vector<double> alone = squares(1, 1000);
  ASSERT_EQ(alone.size(), 1000u);
  EXPECT_EQ(alone[30], 900);
  for (const int ranks : {2, 4}) {
    EXPECT_EQ(squares(ranks, 1000), alone);
    EXPECT_EQ(squares(ranks, 137).size(), 137u);
  }
}

TEST(Ranks, WithoutMpirunThereIsOne) {
  EXPECT_EQ(rank_by_environment().size, 1);
  EXPECT_EQ(rank_by_environment().rank, 0);
}

}  // namespace
}  // namespace arges
