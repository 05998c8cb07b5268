#include "arges/devs/result_recorder.h"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "arges/devs/simulator.h"
#include "arges/devs/structure.h"
#include "arges/devs/test_models.h"
#include "arges/results/memory_sink.h"

namespace arges::devs {
namespace {

using Values = std::vector<double>;

// Counts what arrives.
class Counter : public Atomic<Counter> {
 public:
  struct State {
    int count = 0;
    double last = 0;
  };
  In<double> in{this, "in"};
  void external(State& s, double, const Bag& x) const {
    for (const double value : x.on(in)) s = {s.count + 1, value};
  }
  void record(const State& s, StateRecorder& r) const {
    r.value("count", s.count);
    r.value("last", s.last, "m", "the last value");
  }
};

// Exchanges its counter at t = 1.5, removes it at t = 3.5.
class Bench : public VariableCoupled<Bench> {
 public:
  struct State {
    int phase = 0;
  };
  testing::Source& source;
  Counter& counter;
  Bench()
      : source(add<testing::Source>("source",
                                    std::vector<testing::Source::Event>{{1, 5}, {2, 7}, {3, 9}})),
        counter(add<Counter>("counter")) {
    couple(source.out, counter.in);
  }
  double time_advance(const State& s) const {
    return s.phase == 0 ? 1.5 : s.phase == 1 ? 2 : kInfinity;
  }
  void internal(State& s, Structure& now) const {
    const Counter& present = now.get<Counter>("counter");
    if (++s.phase == 1) {
      now.exchange<Counter>(present, Pending::kRefuse);
    } else {
      now.remove(present);
    }
  }
  void record(const State& s, StateRecorder& r) const { r.value("phase", s.phase); }
};

TEST(ResultRecorder, HasAColumnForEachRecordedValueAndAnEventForEachTransition) {
  const Bench model;
  Simulator simulator(model);
  MemorySink memory;
  StepRecorder steps(memory);
  ResultRecorder recorder(simulator, steps, {});
  simulator.set_observer(&recorder);
  steps.begin(0);
  ASSERT_TRUE(simulator.run_until(4).ok());
  steps.end(4);
  memory.finish({});
  const Trajectory& result = memory.trajectory();

  ASSERT_EQ(result.layout.columns.size(), 3u);
  const Column& last = result.layout.columns[*result.find_column("counter.last")];
  EXPECT_EQ(last.unit, "m");
  EXPECT_EQ(last.description, "the last value");
  EXPECT_EQ(result.layout.columns[*result.find_column("counter.count")].type, ValueType::kInteger);
  EXPECT_EQ(result.times, (Values{0, 1, 1, 1.5, 1.5, 2, 2, 3, 3, 3.5, 3.5, 4}));
  const Values counts = result.values_of("counter.count");
  EXPECT_EQ(Values(counts.begin(), counts.begin() + 10), (Values{0, 0, 1, 1, 0, 0, 1, 1, 2, 2}));
  EXPECT_TRUE(std::isnan(counts.back()));  // it is gone
  EXPECT_EQ(result.values_of("model.phase").back(), 2);

  std::vector<std::string> course;
  for (const EventRecord& event : result.events) {
    course.push_back(event.kind + " " + event.component);
  }
  EXPECT_EQ(course[0], "message source.out -> counter.in");
  EXPECT_EQ(result.events[0].changes[0].after, 5);
  EXPECT_EQ(course[1], "internal source");
  EXPECT_TRUE(result.events[1].is_time_event);
  EXPECT_EQ(course[2], "external counter");
  ASSERT_EQ(result.events[2].changes.size(), 2u);
  EXPECT_EQ(result.events[2].changes[0].name, "counter.count");
  EXPECT_EQ(result.events[2].changes[0].before, 0);
  EXPECT_EQ(result.events[2].changes[0].after, 1);
  EXPECT_EQ(course[3], "initial counter");
  EXPECT_EQ(course[4], "exchanged counter");
  EXPECT_EQ(course[course.size() - 2], "removed counter");
}

class Real : public Atomic<Real> {
 public:
  struct State {};
  double time_advance(const State&) const { return kInfinity; }
  void record(const State&, StateRecorder& r) const {
    r.value("count", 2.5);
    r.value("only_here", true);
  }
};

// t = 1: "late" appears; 2: it moves into the hall; 3: another class takes its old path; 4: both
// go.
class Growing : public VariableCoupled<Growing> {
 public:
  struct State {
    int phase = 0;
  };
  Coupled& hall;
  Growing() : hall(add<Coupled>("hall")) {}
  double time_advance(const State& s) const { return s.phase < 4 ? 1 : kInfinity; }
  void internal(State& s, Structure& now) const {
    switch (++s.phase) {
      case 1:
        now.add<Counter>("late");
        break;
      case 2:
        now.move(*now.find("late"), hall);
        break;
      case 3:
        now.add<Real>("late");
        break;
      default:
        now.remove(*now.find("late"));
        now.of(hall).remove(*now.of(hall).find("late"));
    }
  }
};

std::string in_words(const Values& values) {
  std::string text;
  for (const double value : values) text += std::isnan(value) ? "- " : fmt::format("{} ", value);
  return text;
}

TEST(ResultRecorder, ComponentsThatComeMoveAndGoHaveColumnsWhileTheyAreThere) {
  const Growing model;
  Simulator simulator(model);
  MemorySink memory;
  StepRecorder steps(memory);
  ResultRecorder recorder(simulator, steps, {});
  simulator.set_observer(&recorder);
  steps.begin(0);
  ASSERT_TRUE(simulator.run_until(5).ok());
  steps.end(5);
  memory.finish({});
  const Trajectory& result = memory.trajectory();
  EXPECT_EQ(result.times, (Values{0, 1, 1, 2, 2, 3, 3, 4, 4, 5}));
  EXPECT_EQ(in_words(result.values_of("late.count")), "- - 0 0 - - 2.5 2.5 - - ");
  EXPECT_EQ(in_words(result.values_of("hall.late.count")), "- - - - 0 0 0 0 - - ");
  EXPECT_EQ(in_words(result.values_of("late.only_here")), "- - - - - - 1 1 - - ");
  EXPECT_EQ(result.layout.columns[*result.find_column("late.count")].type, ValueType::kReal);
  EXPECT_EQ(recorder.without_columns(), 0u);
}

}  // namespace
}  // namespace arges::devs
