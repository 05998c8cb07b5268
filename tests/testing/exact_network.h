#pragma once
// What happens in a network of hybrid components (hybrid_networks.h), in closed form: each
// component is a parabola between two times, and what is zero up to 1e-13 is zero.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "testing/hybrid_networks.h"

namespace arges::test {

// Runs the network as docs/guide/hybrid-devs.md says. It ends where that leaves open what happens:
// a root that is only touched, one that is passed the other way at the time of an event, one where
// an event stops the motion that then sets out again; and before events without end.
class ExactNetwork {
 public:
  explicit ExactNetwork(const NetworkDescription& network)
      : network_(network), nodes_(network.nodes.size()), next_order_(nodes_.size()) {
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
      if (network.nodes[i].is_there) come(i);
    }
    look();
    while (!is_open_ && clear_until_ < network_.end) advance();
    std::erase_if(events_, [&](const NodeEvent& event) { return event.time > clear_until_; });
  }
  const std::vector<NodeEvent>& events() const { return events_; }
  // All events up to here, and shortly after it, are known. Negative: none.
  double clear_until() const { return clear_until_; }

 private:
  using Real = long double;
  struct Fired {
    int node, condition;
    bool rising;
  };
  struct Stand {
    int side = 0;
    bool is_known = false;
    bool fired = false,
         turned = false;  // at this time; and its motion was turned round on its root
    Real g = 0;
  };
  struct Node {
    bool is_there = false;
    Real p = 0, v = 0, a = 0;
    std::array<Stand, kConditions> stands;
    std::vector<int> outbox;  // conditions
  };
  struct Motion {
    Real g, speed, acceleration;
    int heading() const { return sign(speed) != 0 ? sign(speed) : sign(acceleration); }
  };

  static int sign(Real value) { return std::abs(value) < 1e-13L ? 0 : value > 0 ? 1 : -1; }
  static bool matches(int condition, bool rising) {
    return kNodeConditions[condition] == Direction::kBoth ||
           (kNodeConditions[condition] == Direction::kRising) == rising;
  }
  static bool is_relation(int condition) { return kNodeConditions[condition] == Direction::kBoth; }
  // Of one in a single direction: where it is before it fires.
  static int armed(int condition) {
    return kNodeConditions[condition] == Direction::kRising ? -1 : 1;
  }

  template <class F>
  void for_each(const F& f) {
    for (const int i : order_) {
      for (int k = 0; k < kConditions; ++k) f(i, k, nodes_[i].stands[k]);
    }
  }
  Motion motion(int i, int k) const {
    const Node& node = nodes_[i];
    const auto& condition = network_.nodes[i].conditions[k];
    Motion result{node.p - condition.level, node.v, node.a};
    const int source = network_.nodes[i].source;
    if (condition.is_relative && source >= 0 && nodes_[source].is_there) {
      result.g -= nodes_[source].p;
      result.speed -= nodes_[source].v;
      result.acceleration -= nodes_[source].a;
    }
    return result;
  }
  void come(int i) {
    const NodeDescription& node = network_.nodes[i];
    nodes_[i] = {
        .is_there = true, .p = node.p, .v = node.v, .a = node.a, .stands = {}, .outbox = {}};
    order_.push_back(i);
  }
  void look() {
    for_each([&](int i, int k, Stand& stand) {
      if (stand.is_known) return;
      stand.g = motion(i, k).g;
      stand.side = sign(stand.g);
      stand.is_known = true;
    });
  }

  // All that happens at the present time, then the way to the next one.
  void advance() {
    constexpr int kMostRounds = 25, kMostEvents = 200;
    for (int round = 0;; ++round) {
      if (round == kMostRounds || events_.size() > kMostEvents) is_open_ = true;
      if (is_open_) return;
      if (next_discrete() <= t_) {
        step();
        continue;
      }
      const std::vector<Fired> fired = take_position();
      if (is_open_) return;
      if (fired.empty()) break;
      fire(fired);
    }
    clear_until_ = static_cast<double>(t_);
    const Real discrete = std::min<Real>(next_discrete(), network_.end);
    const Real root = next_root();
    if (root < discrete && sign(root - discrete) != 0) {
      if (discrete - root < 1e-7L || root - t_ < 1e-4L) is_open_ = true;
      go_to(root);
    } else {
      go_to(discrete);
    }
    if (!is_open_ && t_ == network_.end) clear_until_ = network_.end;
  }

  // What stands on its root goes where its motion leads.
  std::vector<Fired> take_position() {
    std::vector<Fired> result;
    bool any_back = false;
    for_each([&](int i, int k, Stand& stand) {
      const Motion here = motion(i, k);
      const int heading = here.heading();
      if (sign(here.g) != 0) {
        stand.side = sign(here.g);
        return;
      }
      if (stand.fired && !is_relation(k)) {
        if (sign(here.speed) == 0 && heading == -armed(k)) is_open_ = true;
        const bool is_armed = heading == 0 || heading == armed(k);
        if (!is_armed && stand.turned) {
          result.push_back({i, k, heading > 0});
          return;
        }
        stand.side = is_armed ? armed(k) : -armed(k);
        stand.turned = false;
      } else if (heading != 0 && heading != stand.side) {
        if (matches(k, heading > 0)) {
          any_back = any_back || stand.fired;
          result.push_back({i, k, heading > 0});
          return;
        }
        stand.side = heading;
      }
      stand.fired = false;
    });
    // A relation that is thrown back may be so before what else happens then, or after it.
    if (any_back && result.size() > 1) is_open_ = true;
    return result;
  }

  void note_turns() {
    for_each([&](int i, int k, Stand& stand) {
      const Motion here = motion(i, k);
      if (!stand.fired || is_relation(k) || sign(here.g) != 0) return;
      if (here.heading() == -armed(k)) return;
      stand.turned = true;
      stand.side = armed(k);
    });
  }

  // By transitions.
  std::vector<Fired> passed() {
    std::vector<Fired> result;
    look();
    for_each([&](int i, int k, Stand& stand) {
      const Real g = motion(i, k).g;
      if (sign(g - stand.g) == 0) return;
      stand.g = g;
      stand.fired = false;
      const int side = sign(g);
      if (side == stand.side) return;
      const bool rising = stand.side == 0 ? side > 0 : stand.side < 0;
      if (matches(k, rising)) {
        result.push_back({i, k, rising});
      } else if (side != 0) {
        stand.side = side;
      }
    });
    return result;
  }

  void apply(int i, const Commands& commands) {
    Node& node = nodes_[i];
    for (const Command& command : commands) {
      const Real value = command.value;
      switch (command.kind) {
        case Command::kSpeed:
          node.v = value;
          break;
        case Command::kReverse:
          node.v = -node.v;
          break;
        case Command::kPush:
          node.a = value;
          break;
        case Command::kMove:
          node.p += value;
          break;
        case Command::kPlace:
          node.p = value;
      }
    }
  }

  void fire(std::vector<Fired> fired) {
    for (int round = 0; !fired.empty() && !is_open_; ++round) {
      for (const auto& [i, k, rising] : fired)
        nodes_[i].stands[k] = {rising ? 1 : -1, true, true, false, motion(i, k).g};
      for_each([&](int i, int k, Stand&) {
        for (const Fired& each : fired) {
          if (each.node != i || each.condition != k) continue;
          events_.push_back({static_cast<double>(t_), i, k, each.rising});
          apply(i, network_.nodes[i].conditions[k].own);
          if (!network_.nodes[i].conditions[k].sent.empty()) nodes_[i].outbox.push_back(k);
        }
      });
      fired = passed();
      if (round > 25) is_open_ = true;
    }
    note_turns();
  }

  Real next_discrete() const {
    Real due = network_.end + 1;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!nodes_[i].outbox.empty()) return t_;
      const auto& orders = network_.nodes[i].orders;
      if (next_order_[i] < orders.size()) due = std::min<Real>(due, orders[next_order_[i]].first);
    }
    if (next_change_ < network_.changes.size())
      due = std::min<Real>(due, network_.changes[next_change_].first);
    return due;
  }

  // One step of the discrete simulator.
  void step() {
    std::vector<Commands> bags(nodes_.size());
    const auto send = [&](int to, const Commands& commands) {
      if (nodes_[to].is_there) bags[to].insert(bags[to].end(), commands.begin(), commands.end());
    };
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
      const NodeDescription& node = network_.nodes[i];
      for (const int k : std::exchange(nodes_[i].outbox, {})) {
        for (const int to : node.listeners) send(to, node.conditions[k].sent);
      }
      if (next_order_[i] == node.orders.size() || node.orders[next_order_[i]].first > t_) continue;
      send(i, node.orders[next_order_[i]++].second);
    }
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
      std::stable_sort(bags[i].begin(), bags[i].end());
      apply(i, bags[i]);
    }
    if (next_change_ < network_.changes.size() && network_.changes[next_change_].first <= t_) {
      const int i = network_.changes[next_change_++].second;
      if (nodes_[i].is_there) {
        nodes_[i] = {};
        std::erase(order_, i);
      } else {
        come(i);
      }
    }
    const std::vector<Fired> fired = passed();
    if (fired.empty()) note_turns();
    fire(fired);
  }

  // After the present time; a root that is touched ends all.
  Real next_root() {
    Real first = network_.end + 1;
    const auto add = [&](Real after) {
      if (after > 1e-12L) first = std::min(first, t_ + after);
    };
    for_each([&](int i, int k, Stand&) {
      const auto [g, speed, acceleration] = motion(i, k);
      if (sign(acceleration) == 0) {
        if (sign(speed) != 0 && sign(g) != 0) add(-g / speed);
      } else if (sign(g) == 0) {
        add(-2 * speed / acceleration);
      } else {
        const Real d = speed * speed - 2 * acceleration * g;
        if (std::abs(d) < 1e-6L && speed / acceleration < 0) is_open_ = true;
        if (d < 1e-6L) return;
        const Real q = -(speed + std::copysign(std::sqrt(d), speed));
        add(q / acceleration);
        add(2 * g / q);
      }
    });
    return first;
  }

  void go_to(Real t) {
    const Real h = t - t_;
    std::vector<Fired> fired;
    bool any_silent = false;
    for_each([&](int i, int k, Stand& stand) {
      const auto [g, speed, acceleration] = motion(i, k);
      const Real there = g + speed * h + acceleration * h * h / 2;
      const Real speed_there = speed + acceleration * h;
      if (sign(there) != 0) {
        if (std::abs(there) < 1e-7L) is_open_ = true;
        stand.side = sign(there);
        return;
      }
      if (sign(g) == 0 && sign(speed) == 0 && sign(acceleration) == 0) return;
      if (std::abs(speed_there) < 1e-6L) is_open_ = true;
      if (matches(k, speed_there > 0)) {
        fired.push_back({i, k, speed_there > 0});
      } else {
        stand.side = speed_there > 0 ? 1 : -1;
        any_silent = true;
      }
    });
    for (Node& node : nodes_) {
      node.p += node.v * h + node.a * h * h / 2;
      node.v += node.a * h;
    }
    t_ = t;
    for_each([&](int i, int k, Stand& stand) {
      stand.g = motion(i, k).g;
      stand.fired = stand.turned = false;
    });
    if (any_silent && (!fired.empty() || next_discrete() <= t_)) is_open_ = true;
    if (!is_open_) fire(fired);
  }

  const NetworkDescription& network_;
  std::vector<Node> nodes_;
  std::vector<int> order_;  // of those that are there
  std::vector<std::size_t> next_order_;
  std::size_t next_change_ = 0;
  Real t_ = 0;
  std::vector<NodeEvent> events_;
  bool is_open_ = false;
  double clear_until_ = -1;
};

}  // namespace arges::test
