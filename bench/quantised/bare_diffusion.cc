#include "bench/quantised/bare_diffusion.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace arges::bench {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Indexed binary heap; all cells are always in it.
struct Heap {
  std::vector<double> key;
  std::vector<int> heap, position;

  explicit Heap(int n) : key(n, kNever), heap(n), position(n) {
    for (int i = 0; i < n; ++i) heap[i] = position[i] = i;
  }
  void put(int at, int id) {
    heap[at] = id;
    position[id] = at;
  }
  void set(int id, double time) {
    const double old = key[id];
    key[id] = time;
    int at = position[id];
    const int n = static_cast<int>(heap.size());
    if (time < old) {
      for (; at > 0 && key[heap[(at - 1) / 2]] > time; at = (at - 1) / 2)
        put(at, heap[(at - 1) / 2]);
    } else {
      for (int child = 2 * at + 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && key[heap[child + 1]] < key[heap[child]]) ++child;
        if (key[heap[child]] >= time) break;
        put(at, heap[child]);
        at = child;
      }
    }
    put(at, id);
  }
};

}  // namespace

BareDiffusion run_bare_diffusion(int n, double k, double d, double t_end) {
  BareDiffusion result;
  // One cell more at each end, which stays at zero.
  std::vector<double> x(n + 2, 0.0), q(n + 2, 0.0), rate(n + 2, 0.0), last(n + 2, 0.0);
  Heap heap(n + 2);
  x[n / 2 + 1] = q[n / 2 + 1] = 1;
  const auto look = [&](int i, double t) {
    rate[i] = k * (q[i - 1] + q[i + 1] - 2 * q[i]);
    const double target = rate[i] > 0 ? q[i] + d : q[i] - d;
    heap.set(i, rate[i] == 0 ? kNever : t + std::max(0.0, (target - x[i]) / rate[i]));
  };
  const auto neighbour = [&](int i, double t) {
    if (i < 1 || i > n) return;
    x[i] += rate[i] * (t - last[i]);
    last[i] = t;
    look(i, t);
  };
  for (int i = 1; i <= n; ++i) look(i, 0);
  for (;;) {
    const int i = heap.heap[0];
    const double t = heap.key[i];
    if (!(t <= t_end)) break;
    ++result.transitions;
    x[i] = q[i] += rate[i] > 0 ? d : -d;
    last[i] = t;
    look(i, t);
    neighbour(i - 1, t);
    neighbour(i + 1, t);
  }
  for (int i = 1; i <= n; ++i) result.x.push_back(x[i] + rate[i] * (t_end - last[i]));
  return result;
}

}  // namespace arges::bench
