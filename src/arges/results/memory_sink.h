#pragma once
// Records a result in memory.

#include <cstddef>
#include <limits>
#include <vector>

#include "arges/results/call_order.h"
#include "arges/results/sink.h"
#include "arges/results/trajectory.h"

namespace arges {

struct MemoryLimits {
  std::size_t max_rows = std::numeric_limits<std::size_t>::max();
  std::size_t max_events = std::numeric_limits<std::size_t>::max();
};

// Keeps every row until max_rows (at least 8) is reached; from then on it keeps an envelope, so
// that a plot against time looks the same while memory stays bounded:
//
//   the first row stays as it is; the rows after it form buckets of 2^k consecutive rows, k = 1 at
//   first, and each bucket is kept as two rows, at the times of its first and its last row
//     k = 1: the two rows themselves
//     k > 1: in each column the least and the greatest value of the bucket, in the order in which
//            they came; NaN counts only when the column has nothing else in the bucket
//   when there are max_rows rows: join neighbouring buckets, k += 1
//   on finish: the last row is appended as it is
//
// So an extreme value is never lost, and is moved in time by less than its bucket; the final values
// are exact; a jump at an event stays a jump. About max_rows / 2 to max_rows rows are kept. What
// is lost is that the values of one row belong together: phase plots blur by the width of a bucket.
//
// Events beyond max_events are counted (Trajectory::events_left_out), not kept.
class MemorySink : public ResultSink {
 public:
  explicit MemorySink(MemoryLimits limits = {});

  void begin(const ResultLayout& layout) override;
  void row(double time, std::span<const double> values) override;
  void event(const EventRecord& record) override;
  void finish(const Manifest& manifest) override;

  // After finish (ApiError before).
  const Trajectory& trajectory() const;
  Trajectory take();

 private:
  // The envelope of one column in the open bucket.
  struct Extremes {
    double low;
    double high;
    bool low_first;
    void add(double value);
  };

  void store(double time, std::span<const double> values);
  void add_to_bucket(double time, std::span<const double> values);
  void close_bucket();
  void join_buckets();

  CallOrder order_;
  MemoryLimits limits_;
  Trajectory result_;
  std::size_t bucket_rows_ = 2;  // 2^k
  std::size_t open_rows_ = 0;    // rows in the open bucket; used for k > 1
  double open_first_time_ = 0;
  double open_last_time_ = 0;
  std::vector<Extremes> open_;
  std::vector<double> last_row_;
  bool last_row_stored_ = true;
};

}  // namespace arges
