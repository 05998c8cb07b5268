#pragma once

namespace arges {

// How far a condition must go beyond its root to switch back, and what it remembers for that: three
// numbers, which live among the discrete values of a run.
//
// A condition that has just switched may lie on its old side again by rounding, or by what a loop
// that is solved by iteration leaves open: it shall not go back for that. One that goes back and
// forth within moments gets a band that grows tenfold each time, until it rests or the kernel finds
// that it chatters. One that does not loses its band again.
class SwitchBand {
 public:
  // What rounding leaves open, and what iteration does, relative to the values compared.
  static constexpr double kRounding = 1e-15, kIteration = 1e-12;

  SwitchBand(double& width, double& switched, double& gap)
      : width_(width), switched_(switched), gap_(gap) {}

  // It switches at t. True: it did so a moment ago, and must go further: widen() it. Times are told
  // apart relative to t, or to a thousandth of the span of the run.
  [[nodiscard]] bool note_switch(double t, double span);

  // `scale` is the size of what is compared, here and below.
  void widen(double scale);
  void narrow(double width);
  // At least that wide.
  void hold(double width);
  // It has switched, and lies beyond its root by this much, on the old side.
  void cover(double missed_by);
  // Neither side agrees with itself: off by `g` on this one, by `other` when it last was on the
  // other. If that is the noise of a badly conditioned loop, it covers it and returns true.
  bool cover_noise(double g, double other, double scale);

 private:
  double& width_;
  double& switched_;  // when it did so last
  double& gap_;       // between the last two
};

}  // namespace arges
