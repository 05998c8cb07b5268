#pragma once
// Random networks of hybrid components: piecewise polynomial motion, thresholds, messages, changes
// of structure. All numbers are small multiples of 1/2, so that many things happen at one time.

#include <array>
#include <cmath>
#include <initializer_list>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arges/devs/structure.h"
#include "arges/hybrid_devs/hybrid_simulator.h"

namespace arges::test {

// What a state transition or a message does to the motion p'' = a of a component.
struct Command {
  enum Kind { kSpeed, kReverse, kPush, kMove, kPlace } kind;  // v = , v = -v, a = , p += , p =
  double value;
  friend bool operator<(const Command& x, const Command& y) {
    return std::tuple(x.kind, x.value) < std::tuple(y.kind, y.value);
  }
};
using Commands = std::vector<Command>;

inline constexpr std::array kNodeConditions = {Direction::kFalling, Direction::kRising,
                                               Direction::kBoth};
inline constexpr int kConditions = 3;

struct NodeDescription {
  struct Condition {
    bool is_relative = false;  // to the component that drives its input
    double level = 0;
    Commands own, sent;
  };
  double p = 0, v = 0, a = 0;
  int source = -1;  // drives the input
  bool is_there = true;
  std::array<Condition, kConditions> conditions;
  std::vector<int> listeners;
  std::vector<std::pair<double, Commands>> orders;  // at these times
};

struct NetworkDescription {
  std::vector<NodeDescription> nodes;
  std::vector<std::pair<double, int>> changes;  // then this node comes, or goes
  double end = 19.90625;
  // Of the model: what the numbers are multiplied by, and the start time.
  double length = 1, time = 1, start = 0;
};

// A state event.
struct NodeEvent {
  double time;
  int node, condition;
  bool rising;
};

// Straight motion, or parabolas as well.
inline NetworkDescription random_network(unsigned seed, bool curved, bool scaled) {
  std::mt19937 random(seed);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto among = [&](std::initializer_list<double> values) {
    return values.begin()[pick(static_cast<int>(values.size()))];
  };
  const auto place = [&] { return 0.5 * (pick(17) - 8); };
  const auto speed = [&] { return among({-2, -1, -0.5, 0, 0.5, 1, 2}); };
  const auto later = [&] { return 0.5 * (1 + pick(8)); };
  const auto command = [&]() -> Command {
    switch (pick(curved ? 7 : 6)) {
      case 0:
      case 1:
        return {Command::kSpeed, speed()};
      case 2:
      case 3:
        return {Command::kReverse, 0};
      case 4:
        return {Command::kMove, 0.5 * (pick(9) - 4)};
      case 5:
        return {Command::kPlace, place()};
      default:
        return {Command::kPush, among({-1, -0.5, 0, 0, 0.5, 1})};
    }
  };
  const auto commands = [&] {
    Commands list = {command()};
    if (pick(4) == 0) list.push_back(command());
    return list;
  };
  NetworkDescription network;
  const int n = 1 + pick(5);
  network.nodes.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    NodeDescription& node = network.nodes[i];
    node.p = place();
    node.v = speed();
    node.a = curved ? among({-1, -0.5, 0, 0, 0, 0.5, 1}) : 0;
    node.source = n > 1 && pick(3) != 0 ? pick(n) : -1;
    if (node.source == i) node.source = -1;
    node.is_there = pick(4) != 0;
    for (auto& condition : node.conditions) {
      condition.is_relative = node.source >= 0 && pick(2) != 0;
      condition.level = condition.is_relative && pick(2) != 0 ? 0 : place();
      if (pick(3) != 0) condition.own = commands();
      if (pick(3) == 0) condition.sent = commands();
    }
    for (int j = 0; j < n; ++j) {
      if (j != i && pick(3) == 0) node.listeners.push_back(j);
    }
    double t = 0;
    for (int k = pick(5); k > 0; --k) node.orders.emplace_back(t += later(), commands());
  }
  double t = 0;
  for (int k = pick(6); k > 0; --k) network.changes.emplace_back(t += later(), pick(n));
  if (scaled) {
    network.length = among({1, 0.1, 0.3, 1.7, 1e3, 1e-3});
    network.time = among({1, 0.1, 0.7, 1.3});
    network.start = among({0, 0, 10, 1000});
  }
  return network;
}

// What the parts of a model share.
struct NetworkRun {
  explicit NetworkRun(const NetworkDescription& of) : network(of) {}
  const NetworkDescription& network;
  std::vector<Commands> messages;  // a message is a number of these
  const hybrid_devs::HybridSimulator* simulator = nullptr;
  std::vector<NodeEvent> events;
};

class Node : public hybrid_devs::HybridAtomic<Node> {
 public:
  struct State {
    std::array<double, 2> x = {0, 0};  // p, v
    double a = 0;
    std::vector<int> outbox;
  };
  hybrid_devs::ContinuousIn u{this, "u"};
  hybrid_devs::ContinuousOut y{this, "y"};
  devs::In<int> in{this, "in"};
  devs::Out<int> out{this, "out"};
  static constexpr std::array kConditions = kNodeConditions;

  Node(NetworkRun& run, int index) : run_(run), index_(index) {}
  State initial() const {
    const NodeDescription& node = description();
    return {{node.p * length(), node.v * speed()}, node.a * speed() / run_.network.time, {}};
  }
  void derivatives(const State& s, const hybrid_devs::Flow& at, std::span<double> dx) const {
    dx[0] = at.x[1];
    dx[1] = s.a;
  }
  void outputs(const State&, const hybrid_devs::Flow& at,
               hybrid_devs::ContinuousValues values) const {
    values[y] = at.x[0];
  }
  void conditions(const State&, const hybrid_devs::Flow& at, std::span<double> g) const {
    for (int k = 0; k < test::kConditions; ++k) {
      const auto& condition = description().conditions[k];
      g[k] = at.x[0] - (condition.is_relative ? at[u] : 0) - condition.level * length();
    }
  }
  void state_event(State& s, hybrid_devs::StateEvents events) const {
    for (const hybrid_devs::StateEvent& event : events) {
      run_.events.push_back({run_.simulator->time(), index_, event.condition, event.rising});
      const auto& condition = description().conditions[event.condition];
      apply(s, condition.own);
      if (!condition.sent.empty()) s.outbox.push_back(index_ * test::kConditions + event.condition);
    }
  }
  double time_advance(const State& s) const { return s.outbox.empty() ? devs::kInfinity : 0; }
  void output(const State& s, devs::Output& to) const {
    for (const int message : s.outbox) to.send(out, message);
  }
  void internal(State& s) const { s.outbox.clear(); }
  void external(State& s, double, const devs::Bag& bag) const {
    Commands all;
    for (const int message : bag.on(in)) {
      const Commands& commands = run_.messages[message];
      all.insert(all.end(), commands.begin(), commands.end());
    }
    std::stable_sort(all.begin(), all.end());
    apply(s, all);
  }

 private:
  const NodeDescription& description() const { return run_.network.nodes[index_]; }
  double length() const { return run_.network.length; }
  double speed() const { return length() / run_.network.time; }
  void apply(State& s, const Commands& commands) const {
    for (const Command& command : commands) {
      switch (command.kind) {
        case Command::kSpeed:
          s.x[1] = command.value * speed();
          break;
        case Command::kReverse:
          s.x[1] = -s.x[1];
          break;
        case Command::kPush:
          s.a = command.value * speed() / run_.network.time;
          break;
        case Command::kMove:
          s.x[0] += command.value * length();
          break;
        case Command::kPlace:
          s.x[0] = command.value * length();
      }
    }
  }

  NetworkRun& run_;
  int index_;
};

// Sends the orders of a node.
class OrderClock : public devs::Atomic<OrderClock> {
 public:
  struct State {
    std::size_t next = 0;
    double now = 0;
  };
  devs::Out<int> out{this, "out"};
  OrderClock(NetworkRun& run, int node) : run_(run), orders_(run.network.nodes[node].orders) {
    first_ = static_cast<int>(run.messages.size());
    for (const auto& [time, commands] : orders_) run.messages.push_back(commands);
  }
  double time_advance(const State& s) const {
    return s.next < orders_.size() ? (orders_[s.next].first - s.now) * run_.network.time
                                   : devs::kInfinity;
  }
  void output(const State& s, devs::Output& to) const {
    to.send(out, first_ + static_cast<int>(s.next));
  }
  void internal(State& s) const { s.now = orders_[s.next++].first; }

 private:
  NetworkRun& run_;
  const std::vector<std::pair<double, Commands>>& orders_;
  int first_ = 0;
};

class NetworkModel : public devs::VariableCoupled<NetworkModel> {
 public:
  struct State {
    std::vector<const Node*> nodes;
    std::size_t next = 0;
    double now = 0;
  };
  explicit NetworkModel(NetworkRun& run) : run_(run) {
    const auto& nodes = run.network.nodes;
    for (const NodeDescription& node : nodes) {
      for (const auto& condition : node.conditions) run.messages.push_back(condition.sent);
    }
    for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
      const std::string number = std::to_string(i);
      first_.nodes.push_back(nodes[i].is_there ? &add<Node>("node" + number, run, i) : nullptr);
      clocks_.push_back(&add<OrderClock>("clock" + number, run, i));
    }
    for_each_coupling(first_.nodes,
                      [&](int, int, const auto& from, const auto& to) { couple(from, to); });
  }
  State initial() const { return first_; }
  double time_advance(const State& s) const {
    const auto& changes = run_.network.changes;
    return s.next < changes.size() ? (changes[s.next].first - s.now) * run_.network.time
                                   : devs::kInfinity;
  }
  void internal(State& s, devs::Structure& structure) const {
    const auto [time, node] = run_.network.changes[s.next++];
    s.now = time;
    if (s.nodes[node] != nullptr) {
      structure.remove(*s.nodes[node], devs::Pending::kDrop);
      s.nodes[node] = nullptr;
      return;
    }
    const std::string name = "node" + std::to_string(node) + "_" + std::to_string(s.next);
    s.nodes[node] = &structure.add<Node>(name, run_, node);
    for_each_coupling(s.nodes, [&, only = node](int a, int b, const auto& from, const auto& to) {
      if (a == only || b == only) structure.couple(from, to);
    });
  }

 private:
  template <class F>
  void for_each_coupling(const std::vector<const Node*>& nodes, const F& f) const {
    for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
      if (nodes[i] == nullptr) continue;
      const NodeDescription& node = run_.network.nodes[i];
      f(i, i, clocks_[i]->out, nodes[i]->in);
      if (node.source >= 0 && nodes[node.source] != nullptr)
        f(node.source, i, nodes[node.source]->y, nodes[i]->u);
      for (const int to : node.listeners) {
        if (nodes[to] != nullptr) f(i, to, nodes[i]->out, nodes[to]->in);
      }
    }
  }

  NetworkRun& run_;
  std::vector<const OrderClock*> clocks_;
  State first_;
};

}  // namespace arges::test
