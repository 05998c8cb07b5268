#include "arges/hybrid/zeno_guard.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace arges {

void ZenoGuard::start(double t_start, double t_stop) {
  t_start_ = t_start;
  span_ = std::abs(t_stop - t_start);
  forget();
}

void ZenoGuard::forget() {
  any_ = lost_contact_ = found_ = acts_ = missed_ = false;
  gap_ = 0;
  count_ = acted_ = 0;
  burst_ = 0;
  sinks_ = 0;
  creeping_ = 0;
  turned_back_ = 0;
  largest_gap_ = 0;
  blocks_ = {};
  open_block_ = 0;
}

double ZenoGuard::resolution(double t) const {
  const double of_doubles = kSpacings * std::numeric_limits<double>::epsilon() * std::abs(t);
  return std::max(kResolution * std::max(std::abs(t - t_start_), 1e-3 * span_), of_doubles);
}

// Unlike the resolution it does not grow with the time that is still to come: what goes on at the
// very start of a long run may be fast.
double ZenoGuard::standstill(double t) const {
  return kStandstill * std::max(std::abs(t), std::abs(t - t_start_));
}

bool ZenoGuard::creeps(double t, bool found) {
  if (t - creeping_from_ > standstill(t)) creeping_ = 0;
  if (creeping_ == 0) {
    if (!found) return false;
    creeping_from_ = t;
  }
  return ++creeping_ >= kCreep;
}

double ZenoGuard::beyond() const { return std::max(8 * gap_, 1e-2 * largest_gap_); }

bool ZenoGuard::sinks_without_end(bool sank) {
  sinks_ = sank ? sinks_ + 1 : 0;
  return sinks_ >= (fades(false) ? kSeries : kBurst);
}

ZenoFinding ZenoGuard::observe(double t, bool turned_back, bool acts, bool sank) {
  missed_ = acts_ && !acts;
  acts_ = acts;
  const ZenoFinding finding = judge(t, turned_back || missed_, sank);
  if (missed_) return ZenoFinding::kNone;
  found_ = found_ || finding != ZenoFinding::kNone;
  if (acts && burst_ == 0) ++acted_;
  return finding;
}

ZenoFinding ZenoGuard::judge(double t, bool turned_back, bool sank) {
  if (!any_) {
    any_ = true;
    last_ = t;
    return ZenoFinding::kNone;
  }
  const double resolution = this->resolution(t);
  const double gap = gap_ = t - last_;
  last_ = t;
  gaps_[count_++ % kSeries] = gap;
  burst_ = gap < resolution ? burst_ + 1 : 0;
  lost_contact_ = !turned_back && fades(sank);
  if (!lost_contact_) turned_back_ = turned_back ? turned_back_ + 1 : 0;
  largest_gap_ = std::max(largest_gap_, gap);
  if (lost_contact_) {
    accumulation_ = t;
    return ZenoFinding::kZeno;
  }

  open_block_ += gap;
  if (count_ % kBlock == 0) {
    blocks_ = {blocks_[1], blocks_[2], open_block_};
    open_block_ = 0;
    const double q1 = blocks_[0] > 0 ? blocks_[1] / blocks_[0] : 1;
    const double q2 = blocks_[1] > 0 ? blocks_[2] / blocks_[1] : 1;
    const double q = std::max(q1, q2);
    if (q < 0.9 && std::min(q1, q2) > 0.2 * q && blocks_[2] * q / (1 - q) < resolution) {
      accumulation_ = t + blocks_[2] * q / (1 - q);
      return ZenoFinding::kZeno;
    }
  }

  bool shrinks_steadily = false;
  if (count_ >= kSeries) {
    double least = 1, largest = 0;
    for (int i = 1; i < kSeries; ++i) {
      const double before = gaps_[(count_ - i - 1) % kSeries],
                   after = gaps_[(count_ - i) % kSeries];
      const double q = before > 0 ? after / before : 1;
      least = std::min(least, q);
      largest = std::max(largest, q);
    }
    shrinks_steadily = largest < 0.9999 && largest - least < 0.02 + 0.2 * (1 - largest);
    const double rest = gap * largest / (1 - largest);
    if (shrinks_steadily && rest < resolution) {
      accumulation_ = t + rest;
      return ZenoFinding::kZeno;
    }
  }
  return burst_ >= kBurst && !shrinks_steadily ? ZenoFinding::kChattering : ZenoFinding::kNone;
}

}  // namespace arges
