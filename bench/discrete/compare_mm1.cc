#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>
#include <vector>

#include <fmt/format.h>

#include "arges/process/resource.h"
#include "arges/process/world.h"
#include "arges/random/stream.h"
#include "bench/discrete/stopwatch.h"
#include "bench/suites.h"

namespace arges::bench {

namespace {

constexpr double kArrivalMean = 1 / 0.9, kServiceMean = 1;

process::Process customer(process::World& world, process::Resource& server, random::Stream& service,
                          double& waits) {
  const double arrival = world.now();
  co_await server.acquire();
  waits += world.now() - arrival;
  co_await process::delay(service.exponential(kServiceMean));
  server.release();
}

process::Process arrivals(process::World& world, process::Resource& server, random::Stream& between,
                          random::Stream& service, double& waits, int count) {
  for (int i = 0; i < count; ++i) {
    co_await process::delay(between.exponential(kArrivalMean));
    world.start(customer(world, server, service, waits), "customer");
  }
}

double with_processes(int count) {
  process::World world;
  process::Resource server(world, "server");
  const random::Streams streams{.seed = 7};
  random::Stream between = streams("arrivals"), service = streams("service");
  double waits = 0;
  world.start(arrivals(world, server, between, service, waits, count), "arrivals");
  world.run();
  return waits / count;
}

// A heap of (time, kind) and a line of arrival times, by hand, with the same random numbers.
double by_hand(int count) {
  struct Event {
    double time;
    int kind;
    bool operator<(const Event& other) const { return time > other.time; }
  };
  const random::Streams streams{.seed = 7};
  random::Stream between = streams("arrivals"), service = streams("service");
  std::priority_queue<Event> events;
  std::deque<double> line;
  events.push({between.exponential(kArrivalMean), 0});
  bool busy = false;
  int arrived = 0, served = 0;
  double waits = 0;
  while (served < count) {
    const Event event = events.top();
    events.pop();
    if (event.kind == 0) {
      if (++arrived < count) events.push({event.time + between.exponential(kArrivalMean), 0});
      if (busy) {
        line.push_back(event.time);
      } else {
        busy = true;
        ++served;
        events.push({event.time + service.exponential(kServiceMean), 1});
      }
    } else if (!line.empty()) {
      waits += event.time - line.front();
      line.pop_front();
      ++served;
      events.push({event.time + service.exponential(kServiceMean), 1});
    } else {
      busy = false;
    }
  }
  return waits / count;
}

}  // namespace

void compare_mm1(Table& table) {
  table.section("M/M/1 as processes, against a loop by hand");
  constexpr int kCustomers = 1'000'000;
  std::vector<double> ours, bare;
  double mean = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Stopwatch first;
    const double expected = by_hand(kCustomers);
    bare.push_back(first.seconds());
    const Stopwatch second;
    mean = with_processes(kCustomers);
    ours.push_back(second.seconds());
    if (std::abs(mean - expected) > 1e-9 * expected) {
      table.wrong(fmt::format("M/M/1: mean wait {} as processes, {} by hand", mean, expected));
    }
  }
  std::sort(ours.begin(), ours.end());
  std::sort(bare.begin(), bare.end());
  table.add({.name = "10^6 customers, load 0.9",
             .ours = ours[2] * 1e3,
             .reference = bare[2] * 1e3,
             .unit = "ms",
             .bound = 2.5,
             .note = fmt::format("{:.1f} M customers/s; mean wait {:.4f} (theory 9)",
                                 kCustomers / ours[2] / 1e6, mean)});
}

}  // namespace arges::bench
