// All queues against a plain map.

#include "arges/devs/event_queue.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace arges::devs {
namespace {

// Increments of very different kinds: what is good for one width is bad for another.
double increment(std::mt19937_64& random, int kind) {
  const double u = (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53;
  switch (kind) {
    case 0:
      return -std::log(u);
    case 1:
      return 1;  // ties
    case 2:
      return u < 0.9 ? 1e-6 * u : 1e6 * u;  // two scales
    case 3:
      return std::exp(40 * (u - 0.5));  // all scales
    case 4:
      return 1e300 * u;  // far away
    default:
      return static_cast<double>(random() % 4) * 0.25;  // ties and the present moment
  }
}

class EventQueues : public ::testing::TestWithParam<QueueKind> {};

TEST_P(EventQueues, DoWhatAMapDoes) {
  for (int kind = 0; kind < 6; ++kind) {
    for (const std::uint32_t ids : {1u, 10u, 300u, 1000u}) {
      const std::unique_ptr<EventQueue> queue = make_event_queue(GetParam());
      std::map<std::uint32_t, double> expected;
      std::mt19937_64 random(kind + ids);
      double now = 0;
      std::vector<std::uint32_t> due;
      for (int step = 0; step < 2000; ++step) {
        const auto id = static_cast<std::uint32_t>(random() % ids);
        const int what = static_cast<int>(random() % 8);
        if (what < 5) {
          const double time = now + increment(random, kind);
          if (const auto [found, is_new] = expected.try_emplace(id, time); is_new) {
            queue->insert(id, time);
          } else {
            queue->move(id, found->second, time);
            found->second = time;
          }
        } else if (what == 5) {
          if (const auto found = expected.find(id); found != expected.end()) {
            queue->erase(id, found->second);
            expected.erase(found);
          }
        } else {
          double first = std::numeric_limits<double>::infinity();
          for (const auto& [other, time] : expected) first = std::min(first, time);
          ASSERT_EQ(queue->min_time(), first) << kind << ' ' << ids << ' ' << step;
          if (expected.empty() || what == 6) continue;
          now = first;
          due.clear();
          queue->pop_until(now, due);
          std::sort(due.begin(), due.end());
          std::vector<std::uint32_t> expected_due;
          for (const auto& [other, time] : expected) {
            if (time <= now) expected_due.push_back(other);
          }
          for (const std::uint32_t gone : expected_due) expected.erase(gone);
          ASSERT_EQ(due, expected_due) << kind << ' ' << ids << ' ' << step;
        }
        ASSERT_EQ(queue->size(), expected.size());
      }
    }
  }
}

TEST_P(EventQueues, HoldAndThenRunEmpty) {
  for (int kind = 0; kind < 6; ++kind) {
    const std::unique_ptr<EventQueue> queue = make_event_queue(GetParam());
    std::mt19937_64 random(kind);
    constexpr std::uint32_t kIds = 500;
    for (std::uint32_t id = 0; id < kIds; ++id) queue->insert(id, increment(random, kind));
    std::vector<std::uint32_t> due;
    double now = 0;
    for (int step = 0; step < 2000; ++step) {
      const double next = queue->min_time();
      ASSERT_GE(next, now);
      now = next;
      due.clear();
      queue->pop_until(now, due);
      ASSERT_FALSE(due.empty());
      for (const std::uint32_t id : due) queue->insert(id, now + increment(random, kind));
    }
    std::size_t left = queue->size();
    EXPECT_EQ(left, kIds);
    while (queue->size() > 0) {
      ASSERT_GE(queue->min_time(), now);
      now = queue->min_time();
      due.clear();
      queue->pop_until(now, due);
      left -= due.size();
    }
    EXPECT_EQ(left, 0u);
    EXPECT_EQ(queue->min_time(), std::numeric_limits<double>::infinity());
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EventQueues,
                         ::testing::Values(QueueKind::kAdaptive, QueueKind::kHeap,
                                           QueueKind::kCalendar),
                         [](const auto& tested) {
                           return std::string(tested.param == QueueKind::kHeap       ? "Heap"
                                              : tested.param == QueueKind::kCalendar ? "Calendar"
                                                                                     : "Adaptive");
                         });

}  // namespace
}  // namespace arges::devs
