#include "arges/experiment/run_pool.h"

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "arges/experiment/least_squares.h"
#include "arges/experiment/optimise.h"

namespace arges {
namespace {

// Slow enough that running ahead pays; x[0] < -1.9 does not end.
class Valley final : public ModelFunction {
 public:
  explicit Valley(std::atomic<int>& runs) : runs_(runs) {}
  Result operator()(std::span<const double> x) override {
    ++runs_;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    const double value = 100 * std::pow(x[1] - x[0] * x[0], 2) + std::pow(1 - x[0], 2);
    const double nothing = std::nan("");
    if (x[0] < -1.9) return {{nothing, nothing}, RunReason::kZeno};
    return {{value, x[0] - 0.8}, RunReason::kFinished};
  }

 private:
  std::atomic<int>& runs_;
};

struct Found {
  SearchResult result;
  std::vector<double> asked;
  int runs;
};

Found search(const std::string& method, int threads) {
  std::atomic<int> runs{0};
  RunPool pool([&] { return std::make_unique<Valley>(runs); }, threads);
  OptimiseRequest request;
  request.variables = {{"x", -2, 2, -1.2}, {"y", -2, 2, 1}};
  request.inequalities = 1;
  request.method = method;
  request.limits.max_evaluations = 300;
  pool.help(request.limits);
  Found found;
  found.result = optimise(
      [&](std::span<const double> x) {
        found.asked.insert(found.asked.end(), x.begin(), x.end());
        const std::vector<double> seen = pool.at(x).observables;
        return Appraisal{seen[0], {seen[1]}, {}};
      },
      request);
  found.runs = runs;
  return found;
}

class EveryMethod : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, GoesTheSameWayOnAnyNumberOfThreads) {
  const Found one = search(GetParam(), 1);
  for (const int threads : {2, 5}) {
    const Found many = search(GetParam(), threads);
    EXPECT_EQ(many.asked, one.asked) << threads;
    EXPECT_EQ(many.result.x, one.result.x) << threads;
    EXPECT_EQ(many.result.value, one.result.value);
    EXPECT_EQ(many.result.evaluations, one.result.evaluations);
    EXPECT_EQ(many.result.status, one.result.status);
  }
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const OptimiserInfo& each : optimisers()) names.push_back(each.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::ValuesIn(all_names()),
                         [](const auto& each) { return each.param; });

TEST(RunPool, GenerationsAreForeseen) {
  // Few runs of a population method are in vain.
  for (const char* method : {"sga", "gaco"}) {
    const Found many = search(method, 4);
    EXPECT_LT(many.runs, 2 * many.result.evaluations) << method;
  }
}

TEST(RunPool, LeastSquaresTakesTheSameStepsOnAnyNumberOfThreads) {
  const auto solve = [](int threads) {
    std::atomic<int> runs{0};
    RunPool pool([&] { return std::make_unique<Valley>(runs); }, threads);
    SearchLimits limits;
    pool.help(limits);
    const std::vector<SearchVariable> variables{{"x", -1, 2, -1}, {"y", -1, 2, 1}};
    return least_squares(
        [&](std::span<const double> x, std::vector<double>& r) { r = pool.at(x).observables; },
        variables, limits);
  };
  const LeastSquaresResult one = solve(1), many = solve(3);
  EXPECT_EQ(one.x, many.x);
  EXPECT_EQ(one.evaluations, many.evaluations);
  EXPECT_EQ(one.jacobian, many.jacobian);
}

TEST(RunPool, AnExceptionOfARunComesOut) {
  class Thrower final : public ModelFunction {
   public:
    Result operator()(std::span<const double> x) override {
      if (x[0] > 2) throw std::runtime_error("no");
      return {{x[0]}, RunReason::kFinished};
    }
  };
  RunPool pool([] { return std::make_unique<Thrower>(); }, 3);
  pool.run_ahead({{0}, {1}, {2}});
  EXPECT_EQ(pool.at(std::vector<double>{1}).observables[0], 1);
  EXPECT_THROW(pool.run_ahead({{0}, {3}, {1}}), std::runtime_error);
}

// Processes that are threads.
class Mail {
 public:
  void put(int from, int to, const std::string& bytes) {
    const std::lock_guard lock(mutex_);
    boxes_[{from, to}].push_back(bytes);
    arrived_.notify_all();
  }
  std::string get(int from, int to) {
    std::unique_lock lock(mutex_);
    auto& box = boxes_[{from, to}];
    arrived_.wait(lock, [&] { return !box.empty(); });
    std::string bytes = box.front();
    box.pop_front();
    return bytes;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::pair<int, int>, std::deque<std::string>> boxes_;
};

class MailRanks final : public Ranks {
 public:
  MailRanks(Mail& mail, int rank) : mail_(mail), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return 3; }
  void send(int to, const std::string& bytes) override { mail_.put(rank_, to, bytes); }
  std::string receive(int from) override { return mail_.get(from, rank_); }
  void finish() override {}

 private:
  Mail& mail_;
  int rank_;
};

TEST(RunPool, OtherRanksRunForRankZero) {
  Mail mail;
  std::atomic<int> here{0}, there{0};
  std::vector<std::jthread> others;
  for (int k = 1; k < 3; ++k) {
    others.emplace_back([&, k] {
      MailRanks ranks(mail, k);
      serve_pool([&] { return std::make_unique<Valley>(there); }, ranks);
    });
  }
  MailRanks ranks(mail, 0);
  RunPool pool([&] { return std::make_unique<Valley>(here); }, 1, &ranks);
  EXPECT_EQ(pool.width(), 3);
  std::vector<std::vector<double>> points;
  for (int i = 0; i < 60; ++i) points.push_back({0.01 * i - 1.95, 1});
  pool.run_ahead(points);
  std::atomic<int> serial{0};
  Valley alone(serial);
  for (const auto& point : points) {
    const ModelFunction::Result now = pool.at(point), wanted = alone(point);
    EXPECT_EQ(now.status, wanted.status);
    if (now.status != RunReason::kFinished) continue;
    EXPECT_EQ(now.observables, wanted.observables);
  }
  EXPECT_EQ(here + there, 60);
  EXPECT_GT(there, 0);
}

}  // namespace
}  // namespace arges
