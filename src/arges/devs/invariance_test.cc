// The same model built in another order, renamed, or flat instead of hierarchical.

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "arges/devs/simulator.h"
#include "arges/devs/test_random_atomic.h"

namespace arges::devs {
namespace {

using testing::Automaton;
using testing::Draw;
using testing::in_ticks;
using testing::kTick;
using testing::Link;
using testing::RandomAtomic;
using testing::Specification;

const Port& port_of(const RandomAtomic& model, bool input, int index) {
  if (input) return index == 0 ? model.in0 : model.in1;
  return index == 0 ? model.out0 : model.out1;
}

// As specified, or with components and couplings in reverse order and under other names.
class Tree : public Coupled {
 public:
  In<int> in0{this, "in0"}, in1{this, "in1"};
  Out<int> out0{this, "out0"}, out1{this, "out1"};

  Tree(const Specification& spec, bool other) {
    std::vector<Specification::Component> components = spec.components;
    std::vector<Link> links(spec.links.begin(), spec.links.end());
    if (other) {
      std::reverse(components.begin(), components.end());
      std::reverse(links.begin(), links.end());
    }
    std::map<std::string, const Model*> named;
    for (const Specification::Component& c : components) {
      const std::string name = other ? "other_" + c.name : c.name;
      named[c.name] = c.coupled ? static_cast<Model*>(&add<Tree>(name, c.inside.front(), other))
                                : &add<RandomAtomic>(name, c.seed);
    }
    for (const auto& [source, source_port, target, target_port] : links) {
      if (source == "!" || target == "!") continue;
      couple(source.empty() ? own(true, source_port) : of(*named[source], false, source_port),
             target.empty() ? own(false, target_port) : of(*named[target], true, target_port));
    }
  }

 private:
  const Port& own(bool input, int index) const {
    if (input) return index == 0 ? in0 : in1;
    return index == 0 ? out0 : out1;
  }
  static const Port& of(const Model& model, bool input, int index) {
    if (model.as_coupled() != nullptr) return static_cast<const Tree&>(model).own(input, index);
    return port_of(static_cast<const RandomAtomic&>(model), input, index);
  }
};

// All atomics side by side, with the couplings that the tree amounts to.
class Flat : public Coupled {
 public:
  explicit Flat(const Specification& spec) {
    add_all(spec, "", nullptr, "");
    for (const auto& [name, place] : places_) {
      for (int port = 0; port < testing::kPorts; ++port) {
        follow(*place.level, place.local, port, {place.atomic, port});
      }
    }
  }
  // A message reaches a port on two ways: one coupling cannot say that.
  bool has_double_ways() const { return double_ways_; }

 private:
  struct Level {
    const Specification* spec;
    const Level* above;
    std::string local;  // name in the level above
    std::map<std::string, const RandomAtomic*> atomics;
  };
  struct Place {
    const Level* level;
    std::string local;
    const RandomAtomic* atomic;
  };
  using End = std::pair<const RandomAtomic*, int>;

  Level* add_all(const Specification& spec, const std::string& path, const Level* above,
                 const std::string& local) {
    levels_.push_back(std::make_unique<Level>(Level{&spec, above, local, {}}));
    Level* level = levels_.back().get();
    for (const Specification::Component& c : spec.components) {
      const std::string name = path + c.name;
      if (c.coupled) {
        children_[{level, c.name}] = add_all(c.inside.front(), name + "/", level, c.name);
      } else {
        const RandomAtomic& atomic = add<RandomAtomic>(name, c.seed);
        level->atomics[c.name] = &atomic;
        places_[name] = {level, c.name, &atomic};
      }
    }
    return level;
  }
  void follow(const Level& level, const std::string& from, int port, const End& sender) {
    for (const auto& [source, source_port, target, target_port] : level.spec->links) {
      if (source != from || source_port != port || target == "!") continue;
      if (target.empty()) {
        if (level.above != nullptr) follow(*level.above, level.local, target_port, sender);
      } else if (const auto found = level.atomics.find(target); found != level.atomics.end()) {
        arrive(sender, {found->second, target_port});
      } else {
        follow(*children_.at({&level, target}), "", target_port, sender);
      }
    }
  }
  void arrive(const End& from, const End& to) {
    if (from.first == to.first || !made_.insert({from, to}).second) {
      double_ways_ = true;  // or back to the sender, which a flat model cannot have
      return;
    }
    couple(port_of(*from.first, false, from.second), port_of(*to.first, true, to.second));
  }

  std::vector<std::unique_ptr<Level>> levels_;
  std::map<std::pair<const Level*, std::string>, Level*> children_;
  std::map<std::string, Place> places_;
  std::set<std::pair<End, End>> made_;
  bool double_ways_ = false;
};

// Sorted inside each step; names without what the variants add to them.
class Course : public Observer {
 public:
  void on_transition(const Simulator& simulator, const TransitionEvent& event) override {
    if (event.kind == Transition::kInitial) return;
    if (event.time != time_ || event.iteration != iteration_) begins_.push_back(lines_.size());
    time_ = event.time;
    iteration_ = event.iteration;
    std::string path = simulator.path(event.component);
    for (std::size_t at = 0; (at = path.find("other_")) != std::string::npos;) path.erase(at, 6);
    std::replace(path.begin(), path.end(), '/', '.');
    lines_.push_back(std::to_string(in_ticks(event.time)) + " " + std::to_string(event.iteration) +
                     " " + path + " " + to_string(event.kind) + " " +
                     std::to_string(static_cast<const Automaton*>(event.state)->word));
  }
  std::vector<std::string> sorted() {
    for (std::size_t i = 0; i < begins_.size(); ++i) {
      const std::size_t end = i + 1 < begins_.size() ? begins_[i + 1] : lines_.size();
      std::sort(lines_.begin() + static_cast<long>(begins_[i]),
                lines_.begin() + static_cast<long>(end));
    }
    return lines_;
  }

 private:
  std::vector<std::string> lines_;
  std::vector<std::size_t> begins_;
  double time_ = -1;
  std::int64_t iteration_ = -1;
};

std::vector<std::string> course_of(const Model& model) {
  Simulator simulator(model);
  Course course;
  simulator.set_observer(&course);
  for (int i = 0; i < 300 && simulator.next_time() < 40.5 * kTick; ++i) {
    EXPECT_TRUE(simulator.step()) << simulator.status().message;
  }
  return course.sorted();
}

TEST(Invariance, OrderNamesAndHierarchyDoNotChangeTheTrace) {
  std::size_t compared = 0;
  int flat_ones = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Draw draw(seed + 1000);
    const Specification spec = random_specification(draw, 2);
    const Tree tree(spec, false), other(spec, true);
    const std::vector<std::string> course = course_of(tree);
    ASSERT_EQ(course_of(other), course) << "model " << seed;
    compared += course.size();
    const Flat flat(spec);
    if (flat.has_double_ways()) continue;
    ++flat_ones;
    ASSERT_EQ(course_of(flat), course) << "model " << seed;
  }
  EXPECT_GT(compared, 5000u);
  EXPECT_GT(flat_ones, 50);
}

}  // namespace
}  // namespace arges::devs
