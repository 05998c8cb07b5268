// The integrator of a piecewise constant rate from the appendix of Muzy et al., "The activity
// tracking paradigm", and its Table A.1: fifteen rows, with a confluent event at t = 2.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/devs/simulator.h"
#include "arges/devs/test_models.h"

namespace arges::devs {
namespace {

class Integrator : public Atomic<Integrator> {
 public:
  struct State {
    double q = 0, rate = 0, sigma = kInfinity;
  };
  In<double> rate{this, "rate"};
  Out<double> out{this, "out"};

  double time_advance(const State& s) const { return s.sigma; }
  void output(const State& s, Output& y) const { y.send(out, s.q + s.sigma * s.rate); }
  void internal(State& s) const { s = {s.q + s.sigma * s.rate, s.rate, 1 / std::abs(s.rate)}; }
  void external(State& s, double e, const Bag& x) const {
    s = {s.q + e * s.rate, x.on(rate).front(), 0};
  }
  void confluent(State& s, const Bag& x) const {
    const double r = x.on(rate).front();
    s = {s.q + s.sigma * s.rate, r, 1 / std::abs(r)};
  }
};

class Experiment : public Coupled {
 public:
  testing::Source& source;
  Integrator& integrator;

  Experiment()
      : source(add<testing::Source>("source",
                                    std::vector<testing::Source::Event>{{1, 5}, {2, 2}, {4.1, 6}})),
        integrator(add<Integrator>("integrator")) {
    couple(source.out, integrator.rate);
  }
};

struct TableRow {
  double t, q, rate, sigma;
  Transition kind;
};

class TableObserver : public Observer {
 public:
  explicit TableObserver(const Integrator& integrator) : integrator_(integrator) {}
  void on_transition(const Simulator&, const TransitionEvent& event) override {
    if (&event.model != &integrator_) return;
    const auto& s = *static_cast<const Integrator::State*>(event.state);
    rows.push_back({event.time, s.q, s.rate, s.sigma, event.kind});
  }
  std::vector<TableRow> rows;

 private:
  const Integrator& integrator_;
};

constexpr Transition kInt = Transition::kInternal, kExt = Transition::kExternal,
                     kCon = Transition::kConfluent;

// Rows 2 to 15; the first is the initial state.
const std::vector<TableRow> kTable = {
    {1, 0, 5, 0, kExt},          {1, 0, 5, 0.2, kInt},
    {1.2, 1, 5, 0.2, kInt},      {1.4, 2, 5, 0.2, kInt},
    {1.6, 3, 5, 0.2, kInt},      {1.8, 4, 5, 0.2, kInt},
    {2, 5, 2, 0.5, kCon},        {2.5, 6, 2, 0.5, kInt},
    {3, 7, 2, 0.5, kInt},        {3.5, 8, 2, 0.5, kInt},
    {4, 9, 2, 0.5, kInt},        {4.1, 9.2, 6, 0, kExt},
    {4.1, 9.2, 6, 1. / 6, kInt}, {64. / 15, 10.2, 6, 1. / 6, kInt}};

TEST(ActivityTable, HasItsFifteenRowsInBothQueues) {
  for (const QueueKind queue : {QueueKind::kHeap, QueueKind::kCalendar}) {
    const Experiment model;
    Simulator simulator(model, {.queue = queue});
    TableObserver observer(model.integrator);
    simulator.set_observer(&observer);
    EXPECT_EQ(simulator.state(model.integrator).sigma, kInfinity);
    ASSERT_TRUE(simulator.run_until(4.3).ok());
    ASSERT_EQ(observer.rows.size(), kTable.size());
    for (std::size_t i = 0; i < kTable.size(); ++i) {
      const TableRow &row = observer.rows[i], &expected = kTable[i];
      EXPECT_NEAR(row.t, expected.t, 4e-16 * expected.t) << i;
      EXPECT_NEAR(row.q, expected.q, 4e-15) << i;
      EXPECT_EQ(row.rate, expected.rate) << i;
      EXPECT_NEAR(row.sigma, expected.sigma, 1e-16) << i;
      EXPECT_EQ(row.kind, expected.kind) << i;
    }
    EXPECT_EQ(observer.rows[6].t, 2.0);  // to the last bit, although five times 0.2 is not
    EXPECT_EQ(observer.rows[6].q, 5.0);
  }
}

}  // namespace
}  // namespace arges::devs
