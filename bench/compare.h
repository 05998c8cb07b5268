#pragma once
// Times of two ways to do the same work.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace arges::bench {

// CPU time of this process, in seconds.
double cpu_seconds();

// The least CPU time of one of `runs` runs, in seconds.
using Timed = std::function<double(int runs)>;

// Runs `work` in this process.
Timed in_process(std::function<void()> work);

// Several ways to do the same work, timed in turns. What disturbs a run makes it longer, and in so
// many short turns each way meets quiet moments, also on a busy machine. A neighbour on the same
// core can stay for a second and slow down one way more than another: whoever compares with a
// bound spreads the turns over a longer time.
class Contest {
 public:
  // Returns the number of the entrant.
  std::size_t enter(Timed way);
  // So many turns of each: the least time of one run in about 5 ms.
  void take_turns(int turns);
  // The lower quartile of the turns so far, in seconds; the very least would be at the mercy of
  // the CPU clock, which sometimes loses time on a busy machine.
  double time(std::size_t entrant) const;

 private:
  struct Entrant {
    Timed way;
    int runs = 0;  // in a turn
    std::vector<double> times;
  };
  std::vector<Entrant> entrants_;
};

struct Times {
  double ours, reference;
};
// A contest of two, all turns at once.
Times compare(const Timed& ours, const Timed& reference, int turns = 40);

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
