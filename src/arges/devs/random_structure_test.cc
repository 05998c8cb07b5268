// Random coupled models with random changes of structure, against the reference simulator.
// ARGES_RANDOM_MODELS=10000 takes that many.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/devs/atomic.h"
#include "arges/devs/simulator.h"
#include "arges/devs/structure.h"
#include "arges/devs/test_random_atomic.h"
#include "arges/devs/test_reference.h"

namespace arges::devs {
namespace {

using testing::Automaton;
using testing::AutomatonMessage;
using testing::ExecutiveState;
using testing::in_ticks;
using testing::in_time;
using testing::kTick;
using testing::Link;
using testing::RandomAtomic;
using testing::Specification;

class RandomCoupled : public VariableCoupled<RandomCoupled> {
 public:
  using State = ExecutiveState;
  In<int> in0{this, "in0"}, in1{this, "in1"};
  Out<int> out0{this, "out0"}, out1{this, "out1"};
  In<int> command{executive(), "command"};
  Out<int> notice{executive(), "notice"};

  explicit RandomCoupled(const Specification& spec) : spec_(spec) {
    for (const Specification::Component& c : spec.components) {
      if (c.coupled) {
        add<RandomCoupled>(c.name, c.inside.front());
      } else {
        add<RandomAtomic>(c.name, c.seed);
      }
    }
    const auto named = [&](const std::string& name) { return find(name); };
    for (const Link& link : spec.links) couple(from(link, named), to(link, named));
  }

  State initial() const { return {{spec_.seed}, spec_.links}; }
  double time_advance(const State& s) const { return in_time(s.automaton.time_advance()); }
  void output(const State& s, Output& y) const {
    for (const AutomatonMessage& m : s.automaton.output()) {
      if (m.port == 0) y.send(notice, m.value);
    }
  }
  void internal(State& s, Structure& now) const {
    s.automaton.internal();
    change(s, now);
  }
  void external(State& s, double e, const Bag& x, Structure& now) const {
    s.automaton.external(in_ticks(e), bag(x));
    change(s, now);
  }
  void confluent(State& s, const Bag& x, Structure& now) const {
    s.automaton.confluent(bag(x));
    change(s, now);
  }

 private:
  static const Port& port(const Model& model, bool input, int index) {
    if (const auto* atomic = dynamic_cast<const RandomAtomic*>(&model)) {
      return input ? (index == 0 ? atomic->in0 : atomic->in1)
                   : (static_cast<const Port&>(index == 0 ? atomic->out0 : atomic->out1));
    }
    const auto& coupled = static_cast<const RandomCoupled&>(model);
    return input ? (index == 0 ? coupled.in0 : coupled.in1)
                 : (static_cast<const Port&>(index == 0 ? coupled.out0 : coupled.out1));
  }
  template <class Find>
  const Port& from(const Link& link, Find find_model) const {
    const auto& [source, source_port, target, target_port] = link;
    if (source == "!") return notice;
    if (source.empty()) return port(*this, true, source_port);
    return port(*find_model(source), false, source_port);
  }
  template <class Find>
  const Port& to(const Link& link, Find find_model) const {
    const auto& [source, source_port, target, target_port] = link;
    if (target == "!") return command;
    if (target.empty()) return port(*this, false, target_port);
    return port(*find_model(target), true, target_port);
  }
  std::vector<AutomatonMessage> bag(const Bag& x) const {
    std::vector<AutomatonMessage> all;
    for (const int value : x.on(command)) all.push_back({0, value});
    return all;
  }

  struct View {
    const RandomCoupled& model;
    Structure& now;
    std::vector<std::string> names() const {
      std::vector<std::string> all;
      for (const Model* component : now.components()) all.push_back(component->name());
      return all;
    }
    bool is_coupled(const std::string& name) const {
      return now.find(name)->as_coupled() != nullptr;
    }
    bool inside_has(const std::string& coupled, const std::string& name) const {
      return now.of(*now.find(coupled)->as_coupled()).find(name) != nullptr;
    }
    void add(const std::string& name, std::uint64_t seed) { now.add<RandomAtomic>(name, seed); }
    void remove(const std::string& name) { now.remove(*now.find(name), Pending::kDrop); }
    void move(const std::string& name, const std::string& to) {
      now.move(*now.find(name), *now.find(to)->as_coupled());
    }
    void exchange(const std::string& name, std::uint64_t seed) {
      now.exchange<RandomAtomic>(*now.find(name), Pending::kDrop, seed);
    }
    const Port& end(const Link& link, bool source) const {
      const auto named = [&](const std::string& name) { return now.find(name); };
      return source ? model.from(link, named) : model.to(link, named);
    }
    void couple(const Link& link) { now.couple(end(link, true), end(link, false)); }
    void decouple(const Link& link) { now.decouple(end(link, true), end(link, false)); }
  };
  void change(State& s, Structure& now) const {
    View view{*this, now};
    testing::change_structure(s, view);
  }

  const Specification& spec_;
};

class LineObserver : public Observer {
 public:
  void on_transition(const Simulator& simulator, const TransitionEvent& event) override {
    if (event.kind == Transition::kInitial) return;
    const auto* atomic = dynamic_cast<const RandomAtomic*>(&event.model);
    const Automaton& automaton = atomic != nullptr
                                     ? *static_cast<const Automaton*>(event.state)
                                     : static_cast<const ExecutiveState*>(event.state)->automaton;
    if (event.time != time_ || event.iteration != iteration_) end_step();
    time_ = event.time;
    iteration_ = event.iteration;
    step_.push_back(std::to_string(in_ticks(event.time)) + " " + path_of(simulator, event) + " " +
                    to_string(event.kind) + " " + std::to_string(automaton.word));
  }
  std::vector<std::string> take() {
    end_step();
    return std::move(lines_);
  }

 private:
  static std::string path_of(const Simulator& simulator, const TransitionEvent& event) {
    return simulator.path(event.component);
  }
  void end_step() {
    std::sort(step_.begin(), step_.end());
    lines_.insert(lines_.end(), step_.begin(), step_.end());
    step_.clear();
  }
  std::vector<std::string> lines_, step_;
  double time_ = -1;
  std::int64_t iteration_ = -1;
};

TEST(RandomStructure, AgreesWithTheTextbook) {
  const char* asked = std::getenv("ARGES_RANDOM_MODELS");
  const int models = asked != nullptr ? std::atoi(asked) : 200;
  std::size_t compared = 0;
  std::int64_t changes = 0, confluents = 0;
  for (int seed = 0; seed < models; ++seed) {
    testing::Draw draw(static_cast<std::uint64_t>(seed));
    const Specification spec = random_specification(draw, 2);
    constexpr long kEnd = 60;
    constexpr std::size_t kMost = 3000;
    std::vector<std::string> expected = testing::ReferenceSimulator(spec).run(kEnd, kMost);
    const RandomCoupled model(spec);
    Simulator simulator(model, {.queue = seed % 2 == 0 ? QueueKind::kHeap : QueueKind::kCalendar});
    LineObserver observer;
    simulator.set_observer(&observer);
    const bool whole = expected.size() <= kMost;
    while (simulator.next_time() < (kEnd + 0.5) * kTick &&
           simulator.statistics().internal + simulator.statistics().external +
                   simulator.statistics().confluent <=
               static_cast<std::int64_t>(kMost)) {
      ASSERT_TRUE(simulator.step()) << simulator.status().message;
    }
    std::vector<std::string> lines = observer.take();
    if (!whole) {
      const std::size_t common = std::min(lines.size(), expected.size());
      lines.resize(common);
      expected.resize(common);
    }
    ASSERT_EQ(lines, expected) << "model " << seed;
    compared += lines.size();
    changes += simulator.statistics().structure_changes;
    confluents += simulator.statistics().confluent;
  }
  // The models are worth comparing.
  EXPECT_GT(compared, 50u * static_cast<std::size_t>(models));
  EXPECT_GT(changes, 10 * models);
  EXPECT_GT(confluents, models);
}

}  // namespace
}  // namespace arges::devs
