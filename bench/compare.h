#pragma once
// Times of two ways to do the same work.

#include <functional>
#include <string>

namespace arges::bench {

// CPU time of this process, in seconds.
double cpu_seconds();

// The least CPU time of one of `runs` runs, in seconds.
using Timed = std::function<double(int runs)>;

// Runs `work` in this process.
Timed in_process(std::function<void()> work);

struct Times {
  double ours, reference;
};
// `rounds` times, in turns, the least time of about 15 ms of either; of these pairs the one whose
// ratio is the median, so that a machine that is busy, or slows down, does little harm.
Times compare(const Timed& ours, const Timed& reference, int rounds = 15);

// The plain C program for a problem ("c1", "c5", "heat"), in a process of its own.
struct BareCvode {
  std::string problem;
  double rtol;

  struct Report {
    double least = 0;  // seconds
    double error = 0;
    int events = 0;
    long steps = 0;
  };
  Report run(int runs) const;
  Timed timed() const;
};

}  // namespace arges::bench
