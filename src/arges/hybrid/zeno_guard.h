#pragma once
// Notices when events keep time from moving on.

#include <array>
#include <cstdint>

namespace arges {

enum class ZenoFinding { kNone, kZeno, kChattering };

// Watches the times of one state event. With a resolution of time
// r = 1e-10 * (time since the start, or a thousandth of the span if that is more), and not less
// than 64 units of rounding of t:
//
//   Zeno         the last kSeries gaps shrank each by a nearly constant factor q < 1, and what is
//                left of the geometric series, gap*q/(1-q), is below r
//   Zeno, too    the sums of three consecutive blocks of kBlock gaps shrink by like factors, and
//   the rest is below r: several
//                events collapse together, in a pattern
//   Zeno, too    after many events that turned the motion back, one that did not, with a gap far
//   below the earlier ones:
//                the bounces have become smaller than the solver's tolerance
//   chattering   the last kBurst gaps were all below r, and do not shrink like that
class ZenoGuard {
 public:
  static constexpr int kBurst = 40;
  static constexpr int kCreep = 1000;

  void start(double t_start, double t_stop);
  // Forgets the past: after a deliberate change of regime.
  void forget();
  // `turned_back`: the condition leaves its root to the side it came from. `acts`: the event set a
  // state, and did not only watch or switch. `sank`: the condition crossed by rounding, or what its
  // action left of the motion is below rounding; then a few bounces before are many.
  ZenoFinding observe(double t, bool turned_back, bool acts, bool sank = false);
  // The last event did nothing, though the one before acted: another condition of its action has
  // ceased to hold, maybe by rounding. Nothing is to rest there; the next one will tell.
  bool missed() const { return missed_; }
  std::int64_t acted() const { return acted_; }  // so often
  // After kZeno: the time at which the events accumulate.
  double accumulation_time() const { return accumulation_; }
  // The last event did not turn the motion back, though all before it did (the third kind of Zeno).
  bool lost_contact() const { return lost_contact_; }
  // To be told of each event whether the condition sank through its root by rounding alone, before
  // it was seen on its side again. True: the last kBurst did, or kSeries after many bounces that
  // have become short; there is no progress.
  bool sinks_without_end(bool sank);
  // To be told of each event whether it was found to accumulate or to chatter. True: kCreep events
  // since such a one have hardly moved time; there is no end to them. Short gaps alone, that
  // nothing was found in, are no creeping: a fast motion has an end.
  bool creeps(double t, bool found);
  // The time in which they would.
  double standstill(double t) const;
  // Gaps below this at t are short.
  double resolution(double t) const;
  // There was a finding since the last forget().
  bool found() const { return found_; }
  // The event has fired in the last `gaps` gaps of `other`.
  bool fires_with(const ZenoGuard& other, double gaps) const {
    return any_ && last_ >= other.last_ - gaps * other.gap_;
  }
  // Long against the last gap, short against the largest: what happens in this time is beyond the
  // accumulation.
  double beyond() const;

 private:
  ZenoFinding judge(double t, bool turned_back, bool sank);
  // Many bounces, of which the last is far shorter than the longest.
  bool fades(bool sank) const { return turned_back_ >= (sank ? kFewest : kSeries) && is_short(); }
  bool is_short() const { return gap_ < 1e-3 * largest_gap_; }

  static constexpr int kSeries = 10;
  static constexpr int kFewest = 2;
  static constexpr int kBlock = 8;
  static constexpr double kResolution = 1e-10;
  static constexpr double kSpacings = 64;  // of doubles: rounding keeps bounces of some dozen alive
  static constexpr double kStandstill = 1e-9;

  double t_start_ = 0, span_ = 0, last_ = 0, accumulation_ = 0;
  double gap_ = 0;
  bool any_ = false, lost_contact_ = false, found_ = false, acts_ = false, missed_ = false;
  std::array<double, kSeries> gaps_{};
  std::array<double, 3> blocks_{};  // sums of gaps, the oldest first
  double open_block_ = 0;
  std::int64_t count_ = 0, acted_ = 0;
  int burst_ = 0;
  int sinks_ = 0;     // so many in a row
  int creeping_ = 0;  // so many since creeping_from_
  double creeping_from_ = 0;
  int turned_back_ = 0;  // so many in a row
  double largest_gap_ = 0;
};

}  // namespace arges
