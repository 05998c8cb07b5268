#pragma once
// A ring of modes of different dimension, in C++: for tests, and to measure what a switch costs.

#include <string>

#include "arges/hybrid/system.h"
#include "arges/hybrid/update.h"

namespace arges::testing {

// Mode k = 1, ..., n has k states (or k + smallest - 1), which all begin with 1: s_1' = -1, s_i' =
// s_{i-1} - s_i. When s_1 falls through zero, the next mode begins; after the last one the first.
// So mode k begins at k - 1, n + k - 1, 2 n + k - 1, ...
class RingOfModes : public HybridSystem {
 public:
  explicit RingOfModes(int n, int smallest = 1)
      : HybridSystem("ring of modes"), modes_(n), smallest_(smallest) {
    for (int k = 1; k <= n; ++k) {
      declare_mode("mode " + std::to_string(k));
      for (int i = 1; i < k + smallest; ++i) declare_state("s" + std::to_string(i), 1);
    }
    empty_ = declare_event("empty", Direction::kFalling);
  }

  void derivatives(const Point& at, Rates d) const override {
    const int n = at.mode.index + smallest_;
    d.data()[0] = -1;
    for (int i = 1; i < n; ++i) d.data()[i] = at.x[i - 1] - at.x[i];
  }
  void conditions(const Point& at, Conditions g) const override { g[empty_] = at.x[0]; }
  void on_event(EventId, Update& now) const override {
    now.go_to(ModeId{(now.mode().index + 1) % modes_});
    for (double& s : now.context().x) s = 1;
  }

 private:
  int modes_, smallest_;
  EventId empty_;
};

}  // namespace arges::testing
