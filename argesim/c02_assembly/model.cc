#include "argesim/c02_assembly/model.h"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/process/resource.h"
#include "arges/process/world.h"
#include "arges/random/statistics.h"

namespace arges::argesim::c02 {

namespace {

using process::Discipline;
using process::Process;
using process::Resource;
using process::World;

constexpr double kMove = 4.0 / 3;  // one place of 0.4 m at 0.3 m/s
constexpr double kShift = 2;
enum : int { kFromStation = 0, kFromBypass = 1 };  // who goes first into Sy

// A place for one pallet. A pallet that begins to move has the place ahead, and gives up its own at
// that moment, for all pallets move with the same speed: a row that stands moves at once.
using Cell = std::unique_ptr<Resource>;

struct Kind {
  const char* name;
  double operation;
  int buffer, bypass;  // in places
};
constexpr Kind kA1{"A1", 15, 3, 5}, kA2{"A2", 60, 2, 4}, kA3{"A3", 20, 2, 4}, kA4{"A4", 20, 2, 4},
    kA5{"A5", 20, 2, 4}, kA6{"A6", 30, 3, 5};
constexpr std::array<const Kind*, 8> kOrder = {&kA1, &kA2, &kA2, &kA2, &kA3, &kA4, &kA5, &kA6};

struct SubSystem {
  const Kind* kind;
  Cell shift_in;              // Sx
  std::vector<Cell> bypass;   // B1
  std::vector<Cell> buffer;   // B2 in front of the station
  Cell station, behind;       // the station, and the place behind it
  Cell shift_out;             // Sy
  std::vector<Cell> link;     // to the next
  random::TimeWeighted busy;  // of the station
};

// What has been done to the product on a pallet.
struct Product {
  bool loaded = false;
  bool a2 = false, a3 = false, a4 = false, a5 = false;
  double since = 0;  // end of loading
};

bool middle_done(const Product& p) { return p.a3 && p.a4 && p.a5; }

bool needs(const Product& p, const Kind& kind) {
  if (&kind == &kA1) return !p.loaded || (p.a2 && middle_done(p));
  if (&kind == &kA2) return !p.a2 && (middle_done(p) || !(p.a3 || p.a4 || p.a5));
  if (&kind == &kA3) return !p.a3;
  if (&kind == &kA4) return !p.a4;
  if (&kind == &kA5) return !p.a5;
  return !middle_done(p);
}

class Plant : public ProcessScene {
 public:
  Plant(World& world, const Parameters& p) : world_(world), p_(p) {
    if (p.pallets < 1) throw UserError("C2 has one pallet at least");
    for (std::size_t i = 0; i < kOrder.size(); ++i) add_sub_system(i);
    for (int id = 1; id <= p.pallets; ++id) world.start(pallet(world), "pallet");
    world.start(observation(world), "observation", {.daemon = true});
  }

  Outcome outcome() const {
    Outcome result;
    result.parts = static_cast<int>(times_.count());
    result.mean_time = times_.mean();
    result.longest_time = times_.max();
    for (const SubSystem& s : systems_) {
      if (s.kind == &kA2) result.utilisation_a2 += s.busy.mean(world_.now()) / 3;
    }
    result.time_reached = world_.now();
    result.activations = world_.resumptions();
    return result;
  }

  void watch(process::ResultRecorder& recorder) override {
    recorder.watch({"parts", "", "finished since the warm-up", ValueType::kInteger},
                   [this] { return static_cast<double>(times_.count()); });
    for (std::size_t i = 0; i < systems_.size(); ++i) {
      recorder.watch({names_[i] + ".busy", "", "whether it operates", ValueType::kBoolean},
                     [this, i] { return systems_[i].busy.value(); });
    }
  }
  std::vector<NamedValue> summary() const override {
    const Outcome result = outcome();
    return {{"mean_time", result.mean_time, ValueType::kReal},
            {"longest_time", result.longest_time, ValueType::kReal},
            {"utilisation_a2", result.utilisation_a2, ValueType::kReal}};
  }

 private:
  void add_sub_system(std::size_t i) {
    const Kind& kind = *kOrder[i];
    const std::string name = &kind == &kA2 ? fmt::format("A2[{}]", i) : std::string(kind.name);
    names_.push_back(name);
    const auto cell = [&](const std::string& what, Discipline discipline = Discipline::kFifo) {
      return std::make_unique<Resource>(world_, name + "." + what, 1, discipline);
    };
    const auto row = [&](const std::string& what, int count) {
      std::vector<Cell> cells;
      for (int k = 1; k <= count; ++k) cells.push_back(cell(fmt::format("{}[{}]", what, k)));
      return cells;
    };
    SubSystem s;
    s.kind = &kind;
    s.shift_in = cell("Sx");
    s.bypass = row("B1", p_.lengths_swapped ? kind.buffer : kind.bypass);
    s.buffer = row("B2", p_.lengths_swapped ? kind.bypass : kind.buffer);
    s.station = cell("station");
    s.behind = cell("behind");
    s.shift_out = cell("Sy", Discipline::kPriority);
    // The last A2 and A3 touch, and so do A6 and A1.
    if (i != 3 && i != 7) s.link = row("link", p_.link_cells);
    systems_.push_back(std::move(s));
  }

  // Round and round; all begin empty, in a row before A1.
  Process pallet(World& world) {
    Product product;
    Resource* at = nullptr;
    for (std::size_t i = 0;; i = (i + 1) % systems_.size()) {
      SubSystem& s = systems_[i];
      co_await s.shift_in->acquire();
      if (at != nullptr) at->release();
      at = s.shift_in.get();
      co_await process::delay(kMove);
      const bool served = needs(product, *s.kind) && (p_.has_a6 || s.kind != &kA6);
      if (served && s.buffer[0]->try_acquire()) {
        co_await process::delay(kShift);
        at->release();
        at = s.buffer[0].get();
        for (std::size_t k = 1; k < s.buffer.size(); ++k) {
          co_await s.buffer[k]->acquire();
          at->release();
          at = s.buffer[k].get();
          co_await process::delay(kMove);
        }
        co_await s.station->acquire();
        at->release();
        co_await process::delay(kMove);
        s.busy.set(world.now(), 1);
        co_await process::delay(s.kind->operation - (p_.feed_included ? kMove : 0));
        s.busy.set(world.now(), 0);
        operate(product, *s.kind);
        co_await s.behind->acquire();
        s.station->release();
        co_await process::delay(kMove);
        co_await s.shift_out->acquire(1, kFromStation);
        co_await process::delay(kShift);
        s.behind->release();
      } else {
        for (const Cell& cell : s.bypass) {
          co_await cell->acquire();
          at->release();
          at = cell.get();
          co_await process::delay(kMove);
        }
        co_await s.shift_out->acquire(1, kFromBypass);
        at->release();
        co_await process::delay(kMove);
      }
      at = s.shift_out.get();
      for (const Cell& cell : s.link) {
        co_await cell->acquire();
        at->release();
        at = cell.get();
        co_await process::delay(kMove);
      }
    }
  }

  void operate(Product& product, const Kind& kind) {
    if (&kind == &kA1) {
      if (product.loaded && observing_) times_.add(world_.now() - product.since);
      product = {};
      product.loaded = true;
      product.since = world_.now();
    } else if (&kind == &kA2) {
      product.a2 = true;
    } else {
      const bool all = &kind == &kA6;
      product.a3 |= all || &kind == &kA3;
      product.a4 |= all || &kind == &kA4;
      product.a5 |= all || &kind == &kA5;
    }
  }

  Process observation(World& world) {
    co_await process::delay(p_.warm_up);
    observing_ = true;
    for (SubSystem& s : systems_) s.busy.reset(world.now());
    co_await process::delay(p_.observed);
    observing_ = false;
  }

  World& world_;
  Parameters p_;
  std::vector<SubSystem> systems_;
  std::vector<std::string> names_;
  random::Tally times_;
  bool observing_ = false;
};

}  // namespace

Outcome simulate(const Parameters& parameters) {
  World world;
  const Plant plant(world, parameters);
  const double end = parameters.warm_up + parameters.observed;
  RunStatus status = world.run_until(end);
  // Nobody will move any more although time goes on: a total jam.
  if (status.ok() && world.next_time() == devs::kInfinity) status = world.run();
  if (!status.ok()) throw std::runtime_error("C2: " + status.message);
  return plant.outcome();
}

std::unique_ptr<DiscreteModel> make_model() {
  DiscreteModel::Info info;
  info.name = "C2";
  info.description = "flexible assembly system: pallets, stations and belts that block";
  const Parameters p;
  const auto parameter = [&](const char* name, double value, ValueType type, const char* unit,
                             const char* description) {
    info.parameters.push_back({name, value, 1, unit, description, type});
  };
  parameter("pallets", p.pallets, ValueType::kInteger, "", "number of pallets");
  parameter("feed_included", 0, ValueType::kBoolean, "", "feeding is part of the operation");
  parameter("has_a6", 1, ValueType::kBoolean, "", "false: A6 is a bypass only");
  parameter("link_cells", p.link_cells, ValueType::kInteger, "", "length of links in pallets");
  parameter("warm_up", p.warm_up, ValueType::kReal, "s", "time before the observation");
  info.experiment.stop_time = p.warm_up + p.observed;
  return std::make_unique<ProcessModel>(std::move(info),
                                        [](World& world, const ParameterValues& values) {
                                          Parameters of_run;
                                          of_run.pallets = values.integer("pallets");
                                          of_run.feed_included = values["feed_included"] != 0;
                                          of_run.has_a6 = values["has_a6"] != 0;
                                          of_run.link_cells = values.integer("link_cells");
                                          of_run.warm_up = values["warm_up"];
                                          of_run.observed = devs::kInfinity;  // until the run ends
                                          return std::make_unique<Plant>(world, of_run);
                                        });
}

}  // namespace arges::argesim::c02
