#include "arges/results/step_recorder.h"

#include <limits>
#include <utility>

#include "arges/base/error.h"

namespace arges {

namespace {
// NaN is what a value that does not exist is.
bool same(double a, double b) { return a == b || (a != a && b != b); }
}  // namespace

std::size_t StepRecorder::add(Column column, double value, Variability variability) {
  if (!may_add()) {
    throw ApiError("StepRecorder::add after begin: the columns of this result are fixed");
  }
  column.variability = variability;
  layout_.columns.push_back(std::move(column));
  values_.push_back(begun_ ? std::numeric_limits<double>::quiet_NaN() : value);
  return values_.size() - 1;
}

void StepRecorder::let_grow() {
  if (begun_) throw ApiError("StepRecorder::let_grow after begin");
  grows_ = true;
}

void StepRecorder::widen(std::size_t column, ValueType type) {
  ValueType& present = layout_.columns[column].type;
  if (present == type || (begun_ && !grows_)) return;
  present = present == ValueType::kReal || type == ValueType::kReal ? ValueType::kReal
                                                                    : ValueType::kInteger;
}

void StepRecorder::row(double time) {
  if (grows_) {
    spool_.row(time, values_);
  } else {
    sink_.row(time, values_);
  }
}

void StepRecorder::event(const EventRecord& record) {
  if (grows_) {
    spool_.event(record);
  } else {
    sink_.event(record);
  }
}

void StepRecorder::add_parameter(Column column, double value) {
  if (begun_) throw ApiError("StepRecorder::add_parameter after begin");
  column.variability = Variability::kParameter;
  layout_.parameters.emplace_back(std::move(column), value);
}

void StepRecorder::begin(double time) {
  begun_ = true;
  start_ = time_ = time;
  columns_at_start_ = values_.size();
  if (!grows_) sink_.begin(layout_);
  row(time);
}

void StepRecorder::write_until(double time) {
  if (interval_ > 0) {
    for (;;) {
      const double at = start_ + static_cast<double>(next_) * interval_;
      if (!(at < time)) return;
      row(at);
      ++next_;
    }
  }
  if (changed_) row(time_);
  changed_ = false;
}

void StepRecorder::set(double time, std::size_t column, double value) {
  if (same(values_[column], value)) return;
  if (time > time_) {
    write_until(time);
    if (interval_ == 0) row(time);
    time_ = time;
  } else if (glided_ && interval_ == 0) {
    row(time_);  // the left limit
  }
  glided_ = false;
  changed_ = true;
  values_[column] = value;
}

void StepRecorder::glide(double time, std::size_t column, double value) {
  if (time > time_) {
    write_until(time);
    time_ = time;
    glided_ = true;
  }
  changed_ = true;
  values_[column] = value;
}

void StepRecorder::end(double time) {
  const bool writes_it = interval_ == 0 && changed_ && time_ == time;
  write_until(time);
  if (!writes_it) row(time);
  if (grows_) {
    sink_.begin(layout_);
    spool_.replay(sink_, values_.size());
  }
}

}  // namespace arges
