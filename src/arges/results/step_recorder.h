#pragma once
// Piecewise constant values into a sink: what discrete-event runs leave behind.

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "arges/results/result_spool.h"
#include "arges/results/sink.h"

namespace arges {

// Keeps the present value of each column and writes rows:
//
//   interval = 0: at each time at which a value jumps two rows, before and after all that happens
//                 at that time; one at each to which values glide; and one at the start and the end
//   interval > 0: one row at each multiple of the interval from the start, after what happens
//                 then; and one at the end
//
// Calls come as add..., begin, (set | glide | event)* in the order of time, end. The manifest is
// left to whoever owns the sink.
//
// A recorder that may grow (let_grow before begin) takes further columns while the run goes on; in
// the rows before, they are NaN. Then the sink, which has to know all columns first, gets
// everything at the end.
class StepRecorder {
 public:
  // Columns beyond the ones at the start, for a model that makes new things for ever.
  static constexpr std::size_t kMostLateColumns = 1000;

  explicit StepRecorder(ResultSink& sink, double interval = 0) : sink_(sink), interval_(interval) {}
  void let_grow();
  bool may_add() const {
    return !begun_ || (grows_ && values_.size() < columns_at_start_ + kMostLateColumns);
  }

  // A column and its value at the start; its number. After begin its value is NaN until it is set.
  std::size_t add(Column column, double value, Variability variability = Variability::kDiscrete);
  // Another thing of that name is of another type: the column has room for both.
  void widen(std::size_t column, ValueType type);
  void add_parameter(Column column, double value);
  void begin(double time);
  bool begun() const { return begun_; }

  void set(double time, std::size_t column, double value);
  // A value that has come here continuously: one row at each time, and not two.
  void glide(double time, std::size_t column, double value);
  void event(const EventRecord& record);
  void end(double time);

  const std::vector<Column>& columns() const { return layout_.columns; }
  std::span<const double> values() const { return values_; }

 private:
  // All rows before `time` are there.
  void write_until(double time);
  void row(double time);

  ResultSink& sink_;
  double interval_;
  ResultLayout layout_;
  std::vector<double> values_;
  bool begun_ = false, changed_ = false;
  bool grows_ = false;
  std::size_t columns_at_start_ = 0;
  ResultSpool spool_;            // when it grows
  bool glided_ = false;          // all that changed at time_ has glided
  double start_ = 0, time_ = 0;  // time_: of the last change
  std::size_t next_ = 1;         // number of the next multiple of the interval
};

}  // namespace arges
