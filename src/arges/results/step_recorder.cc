#include "arges/results/step_recorder.h"

#include <utility>

#include "arges/base/error.h"

namespace arges {

namespace {
// NaN is what a value that does not exist is.
bool same(double a, double b) { return a == b || (a != a && b != b); }
}  // namespace

std::size_t StepRecorder::add(Column column, double value, Variability variability) {
  if (begun_) throw ApiError("StepRecorder::add after begin: the columns of a result are fixed");
  column.variability = variability;
  layout_.columns.push_back(std::move(column));
  values_.push_back(value);
  return values_.size() - 1;
}

void StepRecorder::add_parameter(Column column, double value) {
  if (begun_) throw ApiError("StepRecorder::add_parameter after begin");
  column.variability = Variability::kParameter;
  layout_.parameters.emplace_back(std::move(column), value);
}

void StepRecorder::begin(double time) {
  begun_ = true;
  start_ = time_ = time;
  sink_.begin(layout_);
  sink_.row(time, values_);
}

void StepRecorder::write_until(double time) {
  if (interval_ > 0) {
    for (;;) {
      const double at = start_ + static_cast<double>(next_) * interval_;
      if (!(at < time)) return;
      sink_.row(at, values_);
      ++next_;
    }
  }
  if (changed_) sink_.row(time_, values_);
  changed_ = false;
}

void StepRecorder::set(double time, std::size_t column, double value) {
  if (same(values_[column], value)) return;
  if (time > time_) {
    write_until(time);
    if (interval_ == 0) sink_.row(time, values_);
    time_ = time;
  } else if (glided_ && interval_ == 0) {
    sink_.row(time_, values_);  // the left limit
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
  if (!writes_it) sink_.row(time, values_);
}

}  // namespace arges
