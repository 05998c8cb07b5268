#pragma once
// Random models for the comparison with a reference simulator: automata whose behaviour is a hash
// of what they have seen, so that any difference in time, messages or order of steps shows at once.

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace arges::devs::testing {

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a + 0x9e3779b97f4a7c15u * (b + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

constexpr int kPorts = 2;
constexpr long kNever = -1;
constexpr double kTick = 0.1;  // not a double: ticks meet only if the clock is right

struct AutomatonMessage {
  int port;
  int value;
};

// The state of an atomic, or of an executive: one word.
struct Automaton {
  std::uint64_t word = 0;

  // In ticks: 0 seldom, so that chains of zero advances die out.
  long time_advance() const {
    const std::uint64_t r = word >> 8 & 15;
    if (r == 0) return 0;
    return r < 2 ? kNever : static_cast<long>(r % 7 + 1);
  }
  std::vector<AutomatonMessage> output() const {
    std::vector<AutomatonMessage> messages;
    for (int port = 0; port < kPorts; ++port) {
      const int count = static_cast<int>(word >> (16 + 4 * port) & 3);
      for (int i = 0; i < count - 1; ++i) {
        messages.push_back({port, static_cast<int>(mix(word, port * 7 + i) & 0xffff)});
      }
    }
    return messages;
  }
  void internal() { word = mix(word, 1); }
  // The bag is a multiset: its hash is a sum.
  void external(long elapsed, const std::vector<AutomatonMessage>& bag) {
    std::uint64_t sum = 0;
    for (const AutomatonMessage& m : bag) sum += mix(m.port + 1, m.value);
    word = mix(mix(word, 2 + elapsed), sum);
  }
  void confluent(const std::vector<AutomatonMessage>& bag) {
    word = mix(word, 3);
    external(0, bag);
  }
};

// (component, port) -> (component, port) inside one coupled model; "" is the coupled model's own
// boundary, "!" its executive (which has port 0 only).
using Link = std::tuple<std::string, int, std::string, int>;

struct ExecutiveState {
  Automaton automaton;
  std::set<Link> links;  // as the executive knows them
};

// A random coupled model, to be built in both simulators.
struct Specification {
  struct Component {
    std::string name;
    bool coupled = false;
    std::uint64_t seed = 0;
    std::vector<Specification> inside;  // one, if coupled
  };
  std::uint64_t seed = 0;
  std::vector<Component> components;
  std::set<Link> links;
};

// Draws from a sequence.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t operator()(std::uint64_t below) { return mix(seed_, count_++) % below; }

 private:
  std::uint64_t seed_, count_ = 0;
};

// A random link that can be a coupling among the named components.
inline bool random_link(Draw& draw, const std::vector<std::string>& names, Link& link) {
  if (names.empty()) return false;
  const std::uint64_t kind = draw(8);
  const std::string& a = names[draw(names.size())];
  const std::string& b = names[draw(names.size())];
  const int p = static_cast<int>(draw(kPorts)), q = static_cast<int>(draw(kPorts));
  if (kind == 0) {
    link = {"", p, b, q};
  } else if (kind == 1) {
    link = {a, p, "", q};
  } else if (kind == 2) {
    link = {a, p, "!", 0};
  } else if (kind == 3) {
    link = {"!", 0, b, q};
  } else if (kind == 4) {
    link = draw(2) == 0 ? Link{"", p, "!", 0} : Link{"!", 0, "", q};
  } else {
    if (a == b) return false;
    link = {a, p, b, q};
  }
  return true;
}

inline Specification random_specification(Draw& draw, int depth) {
  Specification spec;
  spec.seed = draw(~0ull);
  const auto count = 1 + draw(4);
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < count; ++i) {
    Specification::Component c;
    c.name = "c" + std::to_string(i);
    c.coupled = depth > 0 && draw(3) == 0;
    c.seed = draw(~0ull);
    if (c.coupled) c.inside.push_back(random_specification(draw, depth - 1));
    names.push_back(c.name);
    spec.components.push_back(c);
  }
  for (std::uint64_t i = draw(3 * count + 2); i > 0; --i) {
    Link link;
    if (random_link(draw, names, link)) spec.links.insert(link);
  }
  return spec;
}

// What an executive does to its structure, after its automaton has moved. `S` has: names(),
// is_coupled(name), add(name, seed), remove(name), move(name, to), exchange(name, seed),
// couple(link), decouple(link), inside_has(coupled, name).
template <class S>
void change_structure(ExecutiveState& state, S& structure) {
  Draw draw(state.automaton.word);
  const auto forget = [&](const std::string& name) {
    std::erase_if(state.links, [&](const Link& link) {
      return std::get<0>(link) == name || std::get<2>(link) == name;
    });
  };
  for (std::uint64_t changes = draw(4); changes > 0; --changes) {
    const std::vector<std::string> names = structure.names();
    const std::uint64_t what = draw(8);
    const std::string name = names.empty() ? "" : names[draw(names.size())];
    Link link;
    if (what == 0 && names.size() < 8) {
      // Names are unique in the whole model, since components move.
      structure.add("n" + std::to_string(state.automaton.word) + "_" + std::to_string(changes),
                    draw(~0ull));
    } else if (what == 1 && !names.empty()) {
      structure.remove(name);
      forget(name);
    } else if (what == 2 && !names.empty()) {
      const std::string& to = names[draw(names.size())];
      if (to == name || !structure.is_coupled(to) || structure.inside_has(to, name)) continue;
      structure.move(name, to);
      forget(name);
    } else if (what == 3 && !names.empty() && !structure.is_coupled(name)) {
      structure.exchange(name, draw(~0ull));
    } else if (what == 4 && !state.links.empty()) {
      auto gone = state.links.begin();
      std::advance(gone, static_cast<long>(draw(state.links.size())));
      structure.decouple(*gone);
      state.links.erase(gone);
    } else if (random_link(draw, names, link) && state.links.insert(link).second) {
      structure.couple(link);
    }
  }
}

}  // namespace arges::devs::testing
