#include "arges/results/memory_sink.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "arges/base/error.h"

namespace arges {

void MemorySink::Extremes::add(double value) {
  if (std::isnan(value)) return;
  if (std::isnan(low)) {
    low = high = value;
    low_first = true;
  } else if (value < low) {
    low = value;
    low_first = false;
  } else if (value > high) {
    high = value;
    low_first = true;
  }
}

MemorySink::MemorySink(MemoryLimits limits) : limits_(limits) {
  if (limits_.max_rows < 8) throw ApiError("MemorySink: max_rows must be at least 8");
}

void MemorySink::begin(const ResultLayout& layout) {
  order_.begin(layout.columns.size());
  result_.layout = layout;
  result_.series.resize(layout.columns.size());
  result_.series_of.resize(layout.columns.size());
  std::iota(result_.series_of.begin(), result_.series_of.end(), std::size_t{0});
}

void MemorySink::row(double time, std::span<const double> values) {
  order_.row(values.size());
  if (bucket_rows_ == 2) {
    store(time, values);
    // One place stays free for the last row.
    const bool whole_buckets = result_.rows() % 4 == 1;
    if (!whole_buckets || limits_.max_rows - result_.rows() > 4) return;
    join_buckets();
    open_last_time_ = time;
  } else {
    add_to_bucket(time, values);
  }
  last_row_.assign(values.begin(), values.end());
  last_row_stored_ = false;
}

void MemorySink::store(double time, std::span<const double> values) {
  result_.times.push_back(time);
  for (std::size_t c = 0; c < values.size(); ++c) result_.series[c].push_back(values[c]);
}

void MemorySink::add_to_bucket(double time, std::span<const double> values) {
  if (open_rows_ == 0) {
    open_first_time_ = time;
    open_.resize(values.size());
    for (std::size_t c = 0; c < values.size(); ++c) open_[c] = {values[c], values[c], true};
  } else {
    for (std::size_t c = 0; c < values.size(); ++c) open_[c].add(values[c]);
  }
  open_last_time_ = time;
  if (++open_rows_ == bucket_rows_) close_bucket();
}

void MemorySink::close_bucket() {
  if (open_rows_ == 0) return;
  result_.times.push_back(open_first_time_);
  result_.times.push_back(open_last_time_);
  for (std::size_t c = 0; c < open_.size(); ++c) {
    const Extremes& e = open_[c];
    result_.series[c].push_back(e.low_first ? e.low : e.high);
    result_.series[c].push_back(e.low_first ? e.high : e.low);
  }
  open_rows_ = 0;
  const bool whole_pairs = result_.rows() % 4 == 1;
  if (whole_pairs && limits_.max_rows - result_.rows() <= 4) join_buckets();
}

void MemorySink::join_buckets() {
  const std::size_t joined = (result_.rows() - 1) / 4;
  std::vector<double>& times = result_.times;
  for (std::size_t b = 0; b < joined; ++b) {
    const double first = times[1 + 4 * b];
    const double last = times[4 + 4 * b];
    times[1 + 2 * b] = first;
    times[2 + 2 * b] = last;
  }
  times.resize(1 + 2 * joined);
  for (std::vector<double>& series : result_.series) {
    for (std::size_t b = 0; b < joined; ++b) {
      Extremes e{series[1 + 4 * b], series[1 + 4 * b], true};
      for (std::size_t i = 2; i <= 4; ++i) e.add(series[i + 4 * b]);
      series[1 + 2 * b] = e.low_first ? e.low : e.high;
      series[2 + 2 * b] = e.low_first ? e.high : e.low;
    }
    series.resize(1 + 2 * joined);
  }
  bucket_rows_ *= 2;
}

void MemorySink::event(const EventRecord& record) {
  order_.event();
  if (result_.events.size() < limits_.max_events) {
    result_.events.push_back(record);
  } else {
    ++result_.events_left_out;
  }
}

void MemorySink::finish(const Manifest& manifest) {
  order_.finish();
  if (!last_row_stored_) {
    const double last_time = open_last_time_;
    close_bucket();
    store(last_time, last_row_);
    last_row_stored_ = true;
  }
  result_.manifest = manifest;
}

const Trajectory& MemorySink::trajectory() const {
  if (!order_.finished()) throw ApiError("MemorySink::trajectory: call it after finish");
  return result_;
}

Trajectory MemorySink::take() {
  if (!order_.finished()) throw ApiError("MemorySink::take: call it after finish");
  return std::move(result_);
}

}  // namespace arges
