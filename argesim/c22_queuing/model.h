#pragma once
// ARGESIM C22, non-standard queuing policies: parallel queues with a server each, as processes.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "arges/driver/discrete_model.h"

namespace arges::argesim::c22 {

enum class Policy { kFifoServiceFirst, kFifoArrivalFirst, kJockeying, kReneging, kClassing };

struct Parameters {
  Policy policy = Policy::kFifoServiceFirst;
  int queues = 4;
  int entities = 100;
  bool stochastic = false;  // interarrival times exponential, service times triangular
  double interarrival = 1;  // the first entity comes at t = 1
  double service = 4.5;     // stochastic: triangular, service -2, +0, +2
  double patience = 9;      // reneging
  double first_call = 10;   // classing
  int classes = 5;
  std::uint64_t seed = 1, replication = 0;
};

// A jockeying move (id, from, to), a reneging (id) or a call of the operator (class as id).
struct Incident {
  double time;
  int id, from = 0, to = 0;
  friend bool operator==(const Incident&, const Incident&) = default;
};

struct Exit {
  double time;
  int id;
};

struct Outcome {
  double mean_wait = 0, max_wait = 0;  // of all entities
  // Of the total number waiting, up to the last exit. A length that lasts no time does not count.
  double mean_length = 0, max_length = 0;
  double last_exit = 0;
  std::vector<Exit> exits;  // of those who were served
  std::vector<Incident> incidents;
  std::array<double, 6> class_mean_wait{};  // by class, from 1
  std::vector<double> length_times, lengths;
};

// Throws std::runtime_error when the run does not end as it should.
Outcome simulate(const Parameters& parameters);

// For `arges run`.
std::unique_ptr<DiscreteModel> make_model();

}  // namespace arges::argesim::c22
