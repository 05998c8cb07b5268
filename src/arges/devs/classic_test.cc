// Classic DEVS against coordinators and simulators as the textbook has them.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "arges/devs/simulator.h"
#include "arges/devs/test_random_atomic.h"

namespace arges::devs {
namespace {

using testing::Automaton;
using testing::AutomatonMessage;
using testing::Draw;
using testing::kNever;
using testing::kTick;
using testing::Link;
using testing::RandomAtomic;
using testing::Specification;

// Priorities belong to the select functions: one number for each component of the tree.
int priority_of(const Specification::Component& c) { return static_cast<int>(c.seed % 3) - 1; }

// A tree of coordinators. Each holds the times of its children; a message goes from level to level.
class Coordinators {
 public:
  explicit Coordinators(const Specification& spec) { root_ = make(spec); }

  std::vector<std::string> run(long end, std::size_t most) {
    std::vector<std::string> trace;
    for (;;) {
      const long t = next(*root_);
      if (t == kNever || t > end || trace.size() > most) return trace;
      now_ = t;
      lines_.clear();
      star(*root_);
      std::sort(lines_.begin(), lines_.end());
      trace.insert(trace.end(), lines_.begin(), lines_.end());
    }
  }

 private:
  struct Node {
    std::string name;
    int priority = 0, order = 0;
    Node* parent = nullptr;
    bool coupled = false;
    Automaton automaton;
    long last = 0;
    std::vector<std::unique_ptr<Node>> children;
    std::set<Link> links;
  };
  struct Arrival {
    Node* node;
    int port;
  };

  std::unique_ptr<Node> make(const Specification& spec) {
    auto node = std::make_unique<Node>();
    node->coupled = true;
    node->links = spec.links;
    for (const Specification::Component& c : spec.components) {
      auto child = c.coupled ? make(c.inside.front()) : std::make_unique<Node>();
      child->name = c.name;
      child->priority = priority_of(c);
      child->parent = node.get();
      if (!c.coupled) {
        child->automaton.word = c.seed;
        child->order = created_++;
      }
      node->children.push_back(std::move(child));
    }
    return node;
  }
  static long next(const Node& node) {
    if (!node.coupled) {
      const long advance = node.automaton.time_advance();
      return advance == kNever ? kNever : node.last + advance;
    }
    long earliest = kNever;
    for (const auto& child : node.children) {
      const long t = next(*child);
      if (t != kNever && (earliest == kNever || t < earliest)) earliest = t;
    }
    return earliest;
  }
  // The message *: to the selected child, down to an atomic.
  void star(Node& node) {
    if (node.coupled) {
      Node* selected = nullptr;
      for (const auto& child : node.children) {
        if (next(*child) != now_) continue;
        if (selected == nullptr || child->priority < selected->priority) selected = child.get();
      }
      star(*selected);
      return;
    }
    for (const AutomatonMessage& m : node.automaton.output()) {
      std::vector<Arrival> arrivals;
      follow(*node.parent, node.name, m.port, arrivals);
      std::sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) {
        return std::tie(a.node->order, a.port) < std::tie(b.node->order, b.port);
      });
      for (const Arrival& to : arrivals) {
        to.node->automaton.external(now_ - to.node->last, {{to.port, m.value}});
        to.node->last = now_;
        note(*to.node, "external");
      }
    }
    node.automaton.internal();
    node.last = now_;
    note(node, "internal");
  }
  void follow(Node& where, const std::string& from, int port, std::vector<Arrival>& arrivals) {
    for (const auto& [source, source_port, target, target_port] : where.links) {
      if (source != from || source_port != port || target == "!") continue;
      if (target.empty()) {
        if (where.parent != nullptr) follow(*where.parent, where.name, target_port, arrivals);
        continue;
      }
      for (const auto& child : where.children) {
        if (child->name != target) continue;
        if (child->coupled) {
          follow(*child, "", target_port, arrivals);
        } else {
          arrivals.push_back({child.get(), target_port});
        }
      }
    }
  }
  static std::string path(const Node& node) {
    if (node.parent == nullptr || node.parent->parent == nullptr) return node.name;
    return path(*node.parent) + "." + node.name;
  }
  void note(const Node& node, const char* kind) {
    lines_.push_back(std::to_string(now_) + " " + path(node) + " " + kind + " " +
                     std::to_string(node.automaton.word));
  }

  std::unique_ptr<Node> root_;
  std::vector<std::string> lines_;
  long now_ = 0;
  int created_ = 0;
};

class FixedCoupled : public Coupled {
 public:
  In<int> in0{this, "in0"}, in1{this, "in1"};
  Out<int> out0{this, "out0"}, out1{this, "out1"};
  explicit FixedCoupled(const Specification& spec) {
    for (const Specification::Component& c : spec.components) {
      Model& added = c.coupled ? static_cast<Model&>(add<FixedCoupled>(c.name, c.inside.front()))
                               : add<RandomAtomic>(c.name, c.seed);
      set_priority(added, priority_of(c));
    }
    for (const auto& [source, source_port, target, target_port] : spec.links) {
      couple(source.empty() ? port<true>(*this, source_port)
                            : port_of<false>(*find(source), source_port),
             target.empty() ? port<false>(*this, target_port)
                            : port_of<true>(*find(target), target_port));
    }
  }

 private:
  template <bool kInput, class M>
  static const Port& port(const M& model, int index) {
    if constexpr (kInput) {
      return index == 0 ? model.in0 : model.in1;
    } else {
      return index == 0 ? model.out0 : model.out1;
    }
  }
  template <bool kInput>
  static const Port& port_of(const Model& model, int index) {
    if (model.as_coupled() == nullptr) {
      return port<kInput>(static_cast<const RandomAtomic&>(model), index);
    }
    return port<kInput>(static_cast<const FixedCoupled&>(model), index);
  }
};

void leave_out_executives(Specification& spec) {
  std::erase_if(spec.links, [](const Link& link) {
    return std::get<0>(link) == "!" || std::get<2>(link) == "!";
  });
  for (Specification::Component& c : spec.components) {
    if (c.coupled) leave_out_executives(c.inside.front());
  }
}

class LineObserver : public Observer {
 public:
  void on_transition(const Simulator& simulator, const TransitionEvent& event) override {
    if (event.kind == Transition::kInitial) return;
    if (event.time != time_ || event.iteration != iteration_) begins_.push_back(lines.size());
    time_ = event.time;
    iteration_ = event.iteration;
    lines.push_back(std::to_string(std::lround(event.time / kTick)) + " " +
                    simulator.path(event.component) + " " + to_string(event.kind) + " " +
                    std::to_string(static_cast<const Automaton*>(event.state)->word));
  }
  // Sorted inside each step.
  void sort() {
    for (std::size_t i = 0; i < begins_.size(); ++i) {
      const std::size_t end = i + 1 < begins_.size() ? begins_[i + 1] : lines.size();
      std::sort(lines.begin() + static_cast<long>(begins_[i]),
                lines.begin() + static_cast<long>(end));
    }
  }
  std::vector<std::string> lines;

 private:
  std::vector<std::size_t> begins_;
  double time_ = -1;
  std::int64_t iteration_ = -1;
};

TEST(Classic, AgreesWithTheTextbook) {
  constexpr int kModels = 300;
  constexpr long kEnd = 40;
  constexpr std::size_t kMost = 2000;
  std::size_t compared = 0;
  for (int seed = 0; seed < kModels; ++seed) {
    Draw draw(static_cast<std::uint64_t>(seed) + 77);
    Specification spec = random_specification(draw, 2);
    leave_out_executives(spec);
    std::vector<std::string> expected = Coordinators(spec).run(kEnd, kMost);
    const FixedCoupled model(spec);
    Simulator simulator(model, {.semantics = Semantics::kClassic});
    LineObserver observer;
    simulator.set_observer(&observer);
    while (simulator.next_time() < (kEnd + 0.5) * kTick && observer.lines.size() <= kMost) {
      ASSERT_TRUE(simulator.step()) << simulator.status().message;
    }
    observer.sort();
    if (expected.size() > kMost) {
      const std::size_t common = std::min(expected.size(), observer.lines.size());
      expected.resize(common);
      observer.lines.resize(common);
    }
    ASSERT_EQ(observer.lines, expected) << "model " << seed;
    ASSERT_EQ(simulator.statistics().confluent, 0);  // there is no such thing in classic DEVS
    compared += expected.size();
  }
  EXPECT_GT(compared, 30u * kModels);
}

}  // namespace
}  // namespace arges::devs
