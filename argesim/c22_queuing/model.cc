#include "argesim/c22_queuing/model.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "arges/base/error.h"
#include "arges/process/any_all.h"
#include "arges/process/resource.h"
#include "arges/process/world.h"
#include "arges/random/statistics.h"
#include "arges/random/stream.h"

namespace arges::argesim::c22 {

namespace {

using process::Process;
using process::Resource;
using process::World;

// What happens at one time happens in this order. With arrivals first they come before all.
enum Order : int {
  kArrivalFirst = -10,
  kServiceEnd = 0,
  kJockeyCheck = 5,
  kWaiting = 6,  // an entity that moves or reneges
  kArrival = 10,
  kOperator = 20,
};

class Bank : public ProcessScene {
 public:
  Bank(World& world, const Parameters& p)
      : p_(p),
        world_(world),
        ended_(world_, "service end"),
        arrived_(world_, "arrival"),
        between_(p.seed, p.replication, "interarrival times"),
        service_(p.seed, p.replication, "service times"),
        class_(p.seed, p.replication, "classes"),
        class_waits_(static_cast<std::size_t>(p.classes) + 1) {
    for (int i = 1; i <= p.queues; ++i) {
      servers_.push_back(std::make_unique<Resource>(world_, "server " + std::to_string(i)));
    }
    for (int i = 0; i <= p.classes; ++i) {
      calls_.push_back(
          std::make_unique<process::Event>(world_, "call of class " + std::to_string(i)));
    }
    assigned_.resize(static_cast<std::size_t>(p.queues));
    const int arrival_order = p_.policy == Policy::kFifoArrivalFirst ? kArrivalFirst : kArrival;
    world_.start(arrivals(world_), "arrivals", {.priority = arrival_order});
    if (p_.policy == Policy::kJockeying) {
      world_.start(jockeying(world_), "jockeying", {.priority = kJockeyCheck, .daemon = true});
    }
    if (p_.policy == Policy::kClassing) {
      world_.start(operating(world_), "operator", {.priority = kOperator, .daemon = true});
    }
  }

  Outcome outcome() const {
    Outcome result = outcome_;
    result.mean_wait = waits_.mean();
    result.max_wait = waits_.max();
    result.last_exit = last_exit_;
    result.mean_length = length_.integral(last_exit_) / last_exit_;
    result.max_length = max_length_;
    for (int c = 1; c <= p_.classes && c < 6; ++c) {
      result.class_mean_wait[static_cast<std::size_t>(c)] =
          class_waits_[static_cast<std::size_t>(c)].mean();
    }
    return result;
  }

  void watch(process::ResultRecorder& recorder) override {
    recorder.watch({"waiting", "", "number of those who wait", ValueType::kInteger},
                   [this] { return length_.value(); });
    recorder.watch({"served", "", "number of those who were served", ValueType::kInteger},
                   [this] { return static_cast<double>(outcome_.exits.size()); });
  }
  std::vector<NamedValue> summary() const override {
    const Outcome result = outcome();
    return {{"mean_wait", result.mean_wait, ValueType::kReal},
            {"max_wait", result.max_wait, ValueType::kReal},
            {"mean_length", result.mean_length, ValueType::kReal},
            {"max_length", result.max_length, ValueType::kReal},
            {"last_exit", result.last_exit, ValueType::kReal},
            {"incidents", static_cast<double>(result.incidents.size()), ValueType::kInteger}};
  }

 private:
  Process arrivals(World& world) {
    co_await process::delay(1);
    for (int id = 1; id <= p_.entities; ++id) {
      const int order = world.priority_of(world.current().slot);
      world.start(entity(world, id), "entity", {.priority = order});
      if (id == p_.entities) break;
      co_await process::delay(p_.stochastic ? between_.exponential(p_.interarrival)
                                            : p_.interarrival);
    }
  }

  // Waiting and in service.
  int length(std::size_t queue) const { return assigned_[queue]; }
  std::size_t shortest() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < assigned_.size(); ++i) {
      if (length(i) < length(best)) best = i;
    }
    return best;
  }
  void count_waiting(int change) {
    if (world_.now() > length_since_) max_length_ = std::max(max_length_, length_.value());
    length_since_ = world_.now();
    length_.add(world_.now(), change);
    outcome_.length_times.push_back(world_.now());
    outcome_.lengths.push_back(length_.value());
  }
  void leave_line(double arrival, int of_class) {
    count_waiting(-1);
    waits_.add(world_.now() - arrival);
    class_waits_[static_cast<std::size_t>(of_class)].add(world_.now() - arrival);
  }

  Process entity(World& world, int id) {
    std::size_t queue = shortest();
    ++assigned_[queue];
    const double arrival = world.now();
    int of_class = 0;
    if (p_.policy == Policy::kClassing) {
      of_class = p_.stochastic ? static_cast<int>(class_.integer(1, p_.classes))
                               : (id - 1) % p_.classes + 1;
    }
    count_waiting(1);
    arrived_.fire();
    world.set_priority(world.current(), kWaiting);
    if (p_.policy == Policy::kClassing) {
      ++uncalled_;
      co_await *calls_[static_cast<std::size_t>(of_class)];
      --uncalled_;
    }
    if (p_.policy == Policy::kReneging) {
      const std::size_t which =
          co_await process::any_of(*servers_[queue], process::after(p_.patience));
      if (which == 1) {
        leave_line(arrival, of_class);
        --assigned_[queue];
        outcome_.incidents.push_back({world.now(), id});
        last_exit_ = std::max(last_exit_, world.now());
        co_return;
      }
    } else {
      for (bool served = false; !served;) {
        try {
          co_await servers_[queue]->acquire();
          served = true;
        } catch (const process::Interrupted&) {
          // Jockeying: to the end of another line.
          --assigned_[queue];
          outcome_.incidents.push_back(
              {world.now(), id, static_cast<int>(queue) + 1, static_cast<int>(destination_) + 1});
          queue = destination_;
          ++assigned_[queue];
        }
      }
    }
    leave_line(arrival, of_class);
    world.set_priority(world.current(), kServiceEnd);
    co_await process::delay(p_.stochastic
                                ? service_.triangular(p_.service - 2, p_.service, p_.service + 2)
                                : p_.service);
    --assigned_[queue];
    servers_[queue]->release();
    outcome_.exits.push_back({world.now(), id});
    last_exit_ = std::max(last_exit_, world.now());
    ended_.fire();
  }

  // One check at each time with service ends; at most one entity moves.
  Process jockeying(World& world) {
    for (;;) {
      co_await ended_;
      const std::size_t to = shortest();
      std::size_t from = assigned_.size();
      for (std::size_t i = 0; i < assigned_.size(); ++i) {
        if (length(i) < length(to) + 2) continue;
        const auto distance = [&](std::size_t q) { return q > to ? q - to : to - q; };
        if (from == assigned_.size() || distance(i) < distance(from)) from = i;
      }
      if (from == assigned_.size()) continue;
      const process::WaitQueue& line = servers_[from]->line();
      destination_ = to;
      world.interrupt(world.reference(line[line.size() - 1].waiter.slot), "jockeying");
    }
  }

  Process operating(World& world) {
    co_await process::delay(p_.first_call);
    for (int next = p_.classes;; next = next > 1 ? next - 1 : p_.classes) {
      while (uncalled_ == 0) co_await arrived_;
      process::Event& call = *calls_[static_cast<std::size_t>(next)];
      if (call.waiting() == 0) continue;
      outcome_.incidents.push_back({world.now(), next});
      call.fire();
      // After those who were called have gone to their servers:
      co_await process::delay(0);
      co_await process::when([this] {
        for (const auto& server : servers_) {
          if (server->in_use() > 0 || !server->line().empty()) return false;
        }
        return true;
      });
    }
  }

  Parameters p_;
  World& world_;
  process::Event ended_, arrived_;
  random::Stream between_, service_, class_;
  std::vector<std::unique_ptr<Resource>> servers_;
  std::vector<std::unique_ptr<process::Event>> calls_;
  std::vector<int> assigned_;  // to each queue: waiting and in service
  std::size_t destination_ = 0;
  int uncalled_ = 0;
  double last_exit_ = 0;
  random::Tally waits_;
  std::vector<random::Tally> class_waits_;
  random::TimeWeighted length_;
  double length_since_ = 0, max_length_ = 0;
  Outcome outcome_;
};

}  // namespace

Outcome simulate(const Parameters& parameters) {
  World world;
  const Bank bank(world, parameters);
  const RunStatus status = world.run();
  if (!status.ok()) throw std::runtime_error("C22: " + status.message);
  return bank.outcome();
}

std::unique_ptr<DiscreteModel> make_model() {
  DiscreteModel::Info info;
  info.name = "C22";
  info.description = "parallel queues whose customers change over, lose patience or are called";
  const Parameters p;
  const auto parameter = [&](const char* name, double value, ValueType type,
                             const char* description) {
    info.parameters.push_back({name, value, 1, "", description, type});
  };
  parameter("policy", 0, ValueType::kInteger,
            "0, 1: FIFO, service or arrival first; 2: jockeying; 3: reneging; 4: classing");
  parameter("queues", p.queues, ValueType::kInteger, "number of queues with a server each");
  parameter("entities", p.entities, ValueType::kInteger, "number of those who come");
  parameter("stochastic", 0, ValueType::kBoolean, "random times");
  parameter("interarrival", p.interarrival, ValueType::kReal, "(mean) time between arrivals");
  parameter("service", p.service, ValueType::kReal, "(most frequent) time of a service");
  parameter("patience", p.patience, ValueType::kReal, "of those who renege");
  parameter("seed", 1, ValueType::kInteger, "of the random numbers");
  parameter("replication", 0, ValueType::kInteger, "which of the runs with that seed");
  info.experiment.stop_time = devs::kInfinity;
  return std::make_unique<ProcessModel>(
      std::move(info), [](World& world, const ParameterValues& values) {
        Parameters of_run;
        const int policy = values.integer("policy");
        if (policy < 0 || policy > 4 || values["queues"] < 1 || values["entities"] < 1) {
          throw UserError(
              "C22: policies are numbered 0 to 4, and there is one queue and one entity at least");
        }
        of_run.policy = static_cast<Policy>(policy);
        of_run.queues = values.integer("queues");
        of_run.entities = values.integer("entities");
        of_run.stochastic = values["stochastic"] != 0;
        of_run.interarrival = values["interarrival"];
        of_run.service = values["service"];
        of_run.patience = values["patience"];
        of_run.seed = static_cast<std::uint64_t>(values["seed"]);
        of_run.replication = static_cast<std::uint64_t>(values["replication"]);
        return std::make_unique<Bank>(world, of_run);
      });
}

}  // namespace arges::argesim::c22
