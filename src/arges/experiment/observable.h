#pragma once
// What a study notes of each run.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "arges/experiment/formula.h"
#include "arges/experiment/peak.h"
#include "arges/hybrid/run_options.h"
#include "arges/results/sink.h"

namespace arges {

// A number of a run:
//   x, final(x)         the value at the end
//   x@2.5               the value at a time (right of an event there)
//   x@bounce, x@'h <= 0', x@bounce:3, x@bounce:last
//                       the value right of an event, by its name in the event log: the first, the
//                       third, the last of this name
//   max(x), min(x)      over the run, also between rows
//   mean(x), rms(x), integral(x)    over time
//   (all of these look at the solver's own curves, at four points in each step, and at as many as
//   there are in the output interval)
//   time, events, steps             where the run ended (when events that accumulate ended it: the
//                                   time towards which they do), how many
// x may be a formula of variables: max(x - y), integral((x - 1)^2).
struct Observable {
  enum class Kind {
    kFinal,
    kAt,
    kAtEvent,
    kMax,
    kMin,
    kMean,
    kRms,
    kIntegral,
    kTime,
    kEvents,
    kSteps
  };
  static constexpr std::int64_t kLast = 0;
  std::string text;
  Kind kind = Kind::kFinal;
  Formula formula;              // of a row
  double time = 0;              // of kAt
  std::string event{};          // of kAtEvent
  std::int64_t occurrence = 1;  // likewise: which one, or kLast

  bool needs_rows() const { return kind >= Kind::kAt && kind <= Kind::kIntegral; }
  // Looks at all rows, not at some.
  bool over_time() const { return kind >= Kind::kMax && kind <= Kind::kIntegral; }
};

// Throws UserError with the place in the text. Whether the variable exists is for Observer to say.
Observable parse_observable(const std::string& text);

// Computes observables from the rows of runs, one run after another.
class Observer final : public ResultSink {
 public:
  enum class Rows {
    kCurves,  // rows are where they are wanted, and there are curves between them
    kHeld,    // rows are where something changes, and hold until the next one
  };
  // `layout` is that of the model; `events` are the names that it can log, when that is known.
  // Throws UserError for unknown variables and events, and for times outside the run.
  Observer(std::vector<Observable> observables, const ResultLayout& layout,
           const RunOptions& options, Rows rows = Rows::kCurves,
           const std::vector<std::string>* events = nullptr);

  bool needs_rows() const { return needs_rows_; }
  // The options, with rows where the observables need them.
  RunOptions adapt(RunOptions options) const;

  // Held rows may have other columns in another run: what is not there is NaN.
  void begin(const ResultLayout& layout) override;
  void row(double time, std::span<const double> values) override;
  void event(const EventRecord& record) override;
  bool wants_curves() const override { return rows_ == Rows::kCurves && !over_time_.empty(); }
  void curve(double from, double until, const RowAt& at) override;
  void finish(const Manifest&) override {}

  // Before a run that is not recorded.
  void start_run();
  // In the order of the observables; NaN for what the run did not get to.
  std::vector<double> values(const RunResult& result);

 private:
  struct Accumulator {
    std::vector<int> columns;  // of the leaves of the formula; kTimeColumn, kNoColumn
    double extreme = 0, at = 0;
    double sum = 0;               // integral
    double event_time = 0;        // of the event whose row is still to come
    std::int64_t events = 0;      // of the name
    bool waits = false;           // for the row behind the event
    double t[3] = {}, v[3] = {};  // the last rows, the newest first
    int smooth = 0;               // how many rows since the last event, at most 3
    std::int64_t rows = 0;
    double begin = 0;
  };
  static constexpr int kTimeColumn = -1, kNoColumn = -2;
  void bind(const ResultLayout& layout);
  void check(const Observable& observable, const ResultLayout& layout, const RunOptions& options,
             const std::vector<std::string>* events) const;
  // What the last row says about everything before `time`, and at it when `inclusive`.
  void settle_held(double time, bool inclusive);
  double value(std::size_t observable, double time, std::span<const double> row);
  void add(const Observable& observable, Accumulator& sum, double time, double value) const;
  void add_held(const Observable& observable, Accumulator& sum) const;
  // A piece of a curve, from its values at the points of Gauss.
  void add_piece(std::size_t observable, double from, double until,
                 const std::array<double, kGaussPoints>& values, const RowAt& at);

  std::vector<Observable> observables_;
  std::vector<Accumulator> accumulators_;
  std::vector<std::size_t> over_time_;                    // that look at every row
  std::vector<std::pair<double, std::size_t>> at_times_;  // that look at one, in the order of time
  std::vector<std::size_t> at_events_;
  std::size_t next_at_ = 0;  // the first that is not behind the last row
  std::vector<double> leaves_, last_row_;
  std::vector<std::array<double, kGaussPoints>> piece_;  // of those over time
  bool needs_rows_ = false;
  Rows rows_;
};

}  // namespace arges
