#pragma once
// For tests of results: a small run with everything that is awkward to store.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "arges/results/sink.h"
#include "arges/results/trajectory.h"
#include "testing/temp_folder.h"

namespace arges::test {

inline Column column(std::string name, std::string unit = "", std::string description = "",
                     ValueType type = ValueType::kReal,
                     Variability variability = Variability::kContinuous) {
  return {std::move(name), std::move(unit), std::move(description), type, variability};
}

struct TestRun {
  ResultLayout layout;
  std::vector<std::pair<double, std::vector<double>>> rows;
  std::vector<EventRecord> events;
  Manifest manifest;

  void send_to(ResultSink& sink) const {
    sink.begin(layout);
    std::size_t next_event = 0;
    for (const auto& [time, values] : rows) {
      sink.row(time, values);
      while (next_event < events.size() && events[next_event].time <= time) {
        sink.event(events[next_event++]);
      }
    }
    while (next_event < events.size()) sink.event(events[next_event++]);
    sink.finish(manifest);
  }
};

// Awkward names, extreme doubles, absent values, two rows at the event.
inline TestRun awkward_run() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const double least = std::numeric_limits<double>::denorm_min();
  const double most = std::numeric_limits<double>::max();
  TestRun run;
  run.layout.columns = {
      column("x", "m", "position of the ball"),
      column("a[1,2]", "m/s2", "with a comma, and \"quotes\""),
      column("der(motor.inertia.w)"),
      column("'say \"hi\"'", "", "a quoted identifier"),
      column("größe.φ", "°C", "Überlänge"),
      column("count", "1", "", ValueType::kInteger, Variability::kDiscrete),
      column("open", "", "is it open?", ValueType::kBoolean, Variability::kDiscrete),
  };
  run.layout.parameters = {
      {column("g", "m/s2", "gravity", ValueType::kReal, Variability::kParameter), 9.81},
      {column("n", "", "", ValueType::kInteger, Variability::kParameter), 12345678},
      {column("tiny", "", "", ValueType::kReal, Variability::kParameter), least},
  };
  run.rows = {
      {0.0, {1.0, 0.1, -0.0, 1e300, nan, 0, 0}},
      {0.1, {1.0 / 3, 0.1 + 0.2, least, -least, most, 100000, 1}},
      {0.30000000000000004, {-1e-17, -most, inf, -inf, 2.2250738585072014e-308, 3, 1}},
      {0.30000000000000004, {0.0, 5e-324, 1.7976931348623157e308, nan, -3.25, 4, 0}},
      {1e5, {123456789.123456789, -1, 1e22, 1e23, 9007199254740993.0, -2147483648.0, 0}},
  };
  run.events = {
      {0.30000000000000004, 0, "SE-P+SE-X", "ball.bounce", false, {{"x", -1e-17, 0.0}}},
      {0.30000000000000004,
       1,
       "SE-S",
       "größe, \"mode\"",
       false,
       {{"a[1,2]", nan, 5e-324}, {"count", 3, 4}}},
      {1e5, 0, "SE-I", "", true, {}},
  };
  run.manifest.set("arges_version", "0.1.0");
  run.manifest.set("model", "ball, \"Größe\"\n");
  run.manifest.set("status", "finished");
  return run;
}

inline TestRun empty_run() {
  TestRun run = awkward_run();
  run.rows.clear();
  run.events.clear();
  return run;
}

// Equal bit by bit; all NaN are one.
inline ::testing::AssertionResult same_bits(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return ::testing::AssertionSuccess();
  if (std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b)) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << a << " is not " << b;
}

inline void expect_same_column(const Column& a, const Column& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.unit, b.unit);
  EXPECT_EQ(a.description, b.description);
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.variability, b.variability);
}

inline void expect_same(const Trajectory& found, const TestRun& run) {
  ASSERT_EQ(found.layout.columns.size(), run.layout.columns.size());
  ASSERT_EQ(found.layout.parameters.size(), run.layout.parameters.size());
  ASSERT_EQ(found.rows(), run.rows.size());
  ASSERT_EQ(found.events.size(), run.events.size());
  for (std::size_t c = 0; c < run.layout.columns.size(); ++c) {
    expect_same_column(found.layout.columns[c], run.layout.columns[c]);
    ASSERT_EQ(found.values(c).size(), run.rows.size());
    for (std::size_t r = 0; r < run.rows.size(); ++r) {
      EXPECT_TRUE(same_bits(found.values(c)[r], run.rows[r].second[c]))
          << "row " << r << " column " << c;
    }
  }
  for (std::size_t r = 0; r < run.rows.size(); ++r) {
    EXPECT_TRUE(same_bits(found.times[r], run.rows[r].first));
  }
  for (std::size_t p = 0; p < run.layout.parameters.size(); ++p) {
    expect_same_column(found.layout.parameters[p].first, run.layout.parameters[p].first);
    EXPECT_TRUE(same_bits(found.layout.parameters[p].second, run.layout.parameters[p].second));
  }
  for (std::size_t e = 0; e < run.events.size(); ++e) {
    const EventRecord& a = found.events[e];
    const EventRecord& b = run.events[e];
    EXPECT_TRUE(same_bits(a.time, b.time));
    EXPECT_EQ(a.iteration, b.iteration);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.component, b.component);
    EXPECT_EQ(a.is_time_event, b.is_time_event);
    ASSERT_EQ(a.changes.size(), b.changes.size());
    for (std::size_t i = 0; i < a.changes.size(); ++i) {
      EXPECT_EQ(a.changes[i].name, b.changes[i].name);
      EXPECT_TRUE(same_bits(a.changes[i].before, b.changes[i].before));
      EXPECT_TRUE(same_bits(a.changes[i].after, b.changes[i].after));
    }
  }
  EXPECT_EQ(found.manifest.entries, run.manifest.entries);
}

}  // namespace arges::test
