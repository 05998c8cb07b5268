#include "arges/hybrid/pacer.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace arges {

namespace {

// From a nanosecond to a thousand seconds.
constexpr double kSmallest = 1e-9, kRatio = 1.01;
constexpr int kClasses = 2800;
constexpr double kQuantile = 0.999;

}  // namespace

void Pacer::start(double t, double pace) {
  pace_ = pace;
  t0_ = last_ = t;
  report_ = RealTimeReport{};
  total_ = 0;
  if (pace <= 0) return;
  classes_.assign(kClasses, 0);
  begin_ = work_begin_ = Clock::now();
}

void Pacer::note(double cost) {
  ++report_.steps;
  total_ += cost;
  report_.worst_s = std::max(report_.worst_s, cost);
  const double number = std::log(std::max(cost, kSmallest) / kSmallest) / std::log(kRatio);
  ++classes_[static_cast<std::size_t>(std::min(number, kClasses - 1.0))];
}

void Pacer::wait(double t) {
  const Clock::time_point now = Clock::now();
  const auto due = begin_ + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>((t - t0_) / pace_));
  if (t > last_) {
    note(std::chrono::duration<double>(now - work_begin_).count());
    const double late = std::chrono::duration<double>(now - due).count();
    if (late > 0) {
      ++report_.overruns;
      report_.latest_s = std::max(report_.latest_s, late);
    }
    last_ = t;
  }
  if (due > now) std::this_thread::sleep_until(due);
  work_begin_ = Clock::now();
}

RealTimeReport Pacer::report() const {
  RealTimeReport report = report_;
  if (report.steps == 0) return report;
  report.mean_s = total_ / static_cast<double>(report.steps);
  // The steps beyond the quantile: one of a thousand, rounded down.
  auto beyond = static_cast<std::int64_t>((1 - kQuantile) * static_cast<double>(report.steps));
  int number = kClasses - 1;
  while (number > 0 && classes_[static_cast<std::size_t>(number)] <= beyond)
    beyond -= classes_[static_cast<std::size_t>(number--)];
  report.cost_999_s = std::min(report.worst_s, kSmallest * std::pow(kRatio, number + 1));
  return report;
}

}  // namespace arges
