#pragma once
// What is counted and averaged in a simulation study.

#include <cstdint>
#include <limits>
#include <vector>

namespace arges::random {

struct ConfidenceInterval {
  double mean = 0, half_width = 0;
  double low() const { return mean - half_width; }
  double high() const { return mean + half_width; }
  bool contains(double value) const { return low() <= value && value <= high(); }
};

// All that a tally knows.
struct TallyState {
  std::int64_t count = 0;
  double mean = 0, squares = 0;
  double min = std::numeric_limits<double>::infinity(),
         max = -std::numeric_limits<double>::infinity();
};

// Observations without regard to time: number, mean, variance, extremes (Welford).
class Tally {
 public:
  Tally() = default;
  // Goes on from there.
  explicit Tally(const TallyState& state)
      : count_(state.count),
        mean_(state.mean),
        squares_(state.squares),
        min_(state.min),
        max_(state.max) {}
  TallyState state() const { return {count_, mean_, squares_, min_, max_}; }

  void add(double value) {
    ++count_;
    const double delta = value - mean_;
    mean_ += delta / static_cast<double>(count_);
    squares_ += delta * (value - mean_);
    if (value < min_) min_ = value;
    if (value > max_) max_ = value;
  }
  // As if the other's observations had been added here.
  void merge(const Tally& other);
  // Forgets all: the end of a warm-up.
  void reset() { *this = {}; }

  std::int64_t count() const { return count_; }
  double mean() const { return count_ > 0 ? mean_ : kNaN; }
  double variance() const {  // of the sample, n - 1
    return count_ > 1 ? squares_ / static_cast<double>(count_ - 1) : kNaN;
  }
  double deviation() const;
  double min() const { return count_ > 0 ? min_ : kNaN; }
  double max() const { return count_ > 0 ? max_ : kNaN; }
  // Of the mean, for independent observations (replications, batch means), by Student's t.
  ConfidenceInterval interval(double level = 0.95) const;

 private:
  static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  std::int64_t count_ = 0;
  double mean_ = 0, squares_ = 0;
  double min_ = std::numeric_limits<double>::infinity(),
         max_ = -std::numeric_limits<double>::infinity();
};

// A piecewise constant quantity: its average is the integral over time, divided by the time.
class TimeWeighted {
 public:
  explicit TimeWeighted(double start = 0, double value = 0)
      : begin_(start), last_(start), value_(value), min_(value), max_(value) {}
  // The quantity has a new value from `time` on.
  void set(double time, double value) {
    area_ += value_ * (time - last_);
    last_ = time;
    value_ = value;
    if (value < min_) min_ = value;
    if (value > max_) max_ = value;
  }
  void add(double time, double change) { set(time, value_ + change); }
  // The end of a warm-up: the past is forgotten, the value stays.
  void reset(double time) { *this = TimeWeighted(time, value_); }

  double value() const { return value_; }
  double min() const { return min_; }
  double max() const { return max_; }
  double integral(double now) const { return area_ + value_ * (now - last_); }
  double mean(double now) const { return now > begin_ ? integral(now) / (now - begin_) : value_; }

 private:
  double begin_, last_, value_, min_, max_, area_ = 0;
};

// Means of batches of equal size of one long run; a last, incomplete batch does not count.
class BatchMeans {
 public:
  explicit BatchMeans(std::int64_t batch_size);
  void add(double value) {
    sum_ += value;
    if (++in_batch_ == size_) close();
  }
  const Tally& batches() const { return batches_; }
  // Correlation of neighbouring batches: near 0 when batches are long enough.
  double lag1_correlation() const;
  ConfidenceInterval interval(double level = 0.95) const { return batches_.interval(level); }

 private:
  void close();
  std::int64_t size_, in_batch_ = 0;
  double sum_ = 0;
  Tally batches_;
  std::vector<double> means_;
};

// Quantile of Student's t distribution, 0 < p < 1.
double student_quantile(double p, double degrees);

}  // namespace arges::random
