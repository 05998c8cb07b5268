#pragma once
// Parallel DEVS of variable structure as the textbook says it, slowly: a tree of components, time
// in whole ticks, all components asked at every step, messages handed from level to level.

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arges/devs/test_automaton.h"

namespace arges::devs::testing {

class ReferenceSimulator {
 public:
  explicit ReferenceSimulator(const Specification& spec) {
    root_ = make_coupled(spec);
    root_->name = "model";
  }

  // One line a transition, in the order of time; sorted inside each step.
  std::vector<std::string> run(long end, std::size_t most) {
    std::vector<std::string> trace;
    for (;;) {
      const long t = next(*root_);
      if (t == kNever || t > end || trace.size() > most) return trace;
      now_ = t;
      std::vector<Node*> active;
      collect(*root_, 0, active);
      for (Node* node : active) {
        if (due(*node) != now_) continue;
        for (const AutomatonMessage& m : node->automaton().output()) send(*node, m);
      }
      std::vector<std::string> step;
      // Atomics first, then executives, inner ones first.
      std::stable_sort(active.begin(), active.end(), [](const Node* a, const Node* b) {
        return (a->coupled ? -a->depth : -1000) < (b->coupled ? -b->depth : -1000);
      });
      // An executive may remove nodes that have had their turn, so what to do is looked up first.
      struct Turn {
        Node* node;
        bool due, bag;
      };
      std::vector<Turn> turns;
      for (Node* node : active) {
        const bool is_due = due(*node) == now_, has_bag = !node->bag.empty();
        if (is_due || has_bag) turns.push_back({node, is_due, has_bag});
      }
      for (const Turn& turn : turns) step.push_back(transition(*turn.node, turn.due, turn.bag));
      std::sort(step.begin(), step.end());
      trace.insert(trace.end(), step.begin(), step.end());
    }
  }

 private:
  struct Node {
    std::string name;
    Node* parent = nullptr;
    bool coupled = false;
    int depth = 0;
    ExecutiveState state;  // of an atomic: the automaton only
    long last = 0;
    std::vector<AutomatonMessage> bag;
    std::map<std::string, std::unique_ptr<Node>> children;
    std::set<Link> links;
    Automaton& automaton() { return state.automaton; }
  };

  std::unique_ptr<Node> make_atomic(const std::string& name, std::uint64_t seed) const {
    auto node = std::make_unique<Node>();
    node->name = name;
    node->state.automaton.word = seed;
    node->last = now_;
    return node;
  }
  std::unique_ptr<Node> make_coupled(const Specification& spec) const {
    auto node = make_atomic("", spec.seed);
    node->coupled = true;
    node->state.links = node->links = spec.links;
    for (const Specification::Component& c : spec.components) {
      auto child = c.coupled ? make_coupled(c.inside.front()) : make_atomic(c.name, c.seed);
      child->name = c.name;
      child->parent = node.get();
      node->children[c.name] = std::move(child);
    }
    return node;
  }

  static long due(Node& node) {
    const long advance = node.automaton().time_advance();
    return advance == kNever ? kNever : node.last + advance;
  }
  long next(Node& node) {
    long earliest = due(node);
    for (auto& [name, child] : node.children) {
      const long t = next(*child);
      if (t != kNever && (earliest == kNever || t < earliest)) earliest = t;
    }
    return earliest;
  }
  void collect(Node& node, int depth, std::vector<Node*>& all) {
    node.depth = depth;
    all.push_back(&node);
    for (auto& [name, child] : node.children) collect(*child, depth + 1, all);
  }

  // From an atomic or executive.
  void send(Node& node, const AutomatonMessage& m) {
    if (node.coupled) {
      if (m.port == 0) follow(node, "!", 0, m.value);
    } else if (node.parent != nullptr) {
      follow(*node.parent, node.name, m.port, m.value);
    }
  }
  void follow(Node& where, const std::string& from, int port, int value) {
    for (const auto& [source, source_port, target, target_port] : where.links) {
      if (source != from || source_port != port) continue;
      if (target == "!") {
        where.bag.push_back({0, value});
      } else if (target.empty()) {
        if (where.parent != nullptr) follow(*where.parent, where.name, target_port, value);
      } else {
        Node& child = *where.children.at(target);
        if (child.coupled) {
          follow(child, "", target_port, value);
        } else {
          child.bag.push_back({target_port, value});
        }
      }
    }
  }

  std::string transition(Node& node, bool is_due, bool has_bag) {
    const char* kind = is_due ? (has_bag ? "confluent" : "internal") : "external";
    if (!is_due) {
      node.automaton().external(now_ - node.last, node.bag);
    } else if (has_bag) {
      node.automaton().confluent(node.bag);
    } else {
      node.automaton().internal();
    }
    node.bag.clear();
    node.last = now_;
    std::string line = std::to_string(now_) + " " + path(node) + " " + kind + " " +
                       std::to_string(node.automaton().word);
    if (node.coupled) {
      View view{*this, node};
      change_structure(node.state, view);
    }
    return line;
  }
  static std::string path(const Node& node) {
    if (node.parent == nullptr || node.parent->parent == nullptr) return node.name;
    return path(*node.parent) + "." + node.name;
  }

  struct View {
    ReferenceSimulator& simulator;
    Node& node;
    std::vector<std::string> names() const {
      std::vector<std::string> all;
      for (const auto& [name, child] : node.children) all.push_back(name);
      return all;
    }
    bool is_coupled(const std::string& name) const { return node.children.at(name)->coupled; }
    bool inside_has(const std::string& coupled, const std::string& name) const {
      return node.children.at(coupled)->children.contains(name);
    }
    void add(const std::string& name, std::uint64_t seed) {
      auto child = simulator.make_atomic(name, seed);
      child->parent = &node;
      node.children[name] = std::move(child);
    }
    void forget(const std::string& name) {
      std::erase_if(node.links, [&](const Link& link) {
        return std::get<0>(link) == name || std::get<2>(link) == name;
      });
    }
    void remove(const std::string& name) {
      forget(name);
      node.children.erase(name);
    }
    void move(const std::string& name, const std::string& to) {
      forget(name);
      auto handle = node.children.extract(name);
      Node& target = *node.children.at(to);
      handle.mapped()->parent = &target;
      target.children.insert(std::move(handle));
    }
    void exchange(const std::string& name, std::uint64_t seed) {
      node.children.erase(name);
      add(name, seed);
    }
    void couple(const Link& link) { node.links.insert(link); }
    void decouple(const Link& link) { node.links.erase(link); }
  };

  std::unique_ptr<Node> root_;
  long now_ = 0;
};

}  // namespace arges::devs::testing
