// Parts of a model whose potentials nothing fixes: a circuit without ground.
//
// In such a part the sums of the flows depend on each other: what flows into one component flows
// out of another, so that the last sum follows from the others, and one equation too few is left
// for the potentials. The equations among flow variables alone, with coefficients 1 and -1, show
// it:
//
//   a = 0, a + b = 0, a = b   variables that are zero, or equal up to the sign
//   other sums, rewritten in these, are rows; rows with a common variable belong together; when
//   the rows that belong together add up to nothing, one of them is not needed
//
// This is exact: what is found makes the model singular, whatever the parameters are.

#include <algorithm>
#include <map>
#include <set>

#include "arges/flatten/flattener.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

namespace {

// a = sign * b, in classes; a class can be zero.
class SignedClasses {
 public:
  int add() {
    parent_.push_back(static_cast<int>(parent_.size()));
    sign_.push_back(1);
    zero_.push_back(false);
    return parent_.back();
  }
  // The representative of i, and i = sign * representative.
  std::pair<int, int> find(int i) const {
    int sign = 1;
    while (parent_[at(i)] != i) {
      sign *= sign_[at(i)];
      i = parent_[at(i)];
    }
    return {i, sign};
  }
  bool is_zero(int i) const { return zero_[at(find(i).first)]; }
  // i = 0; false: that was known.
  bool make_zero(int i) {
    const int r = find(i).first;
    if (zero_[at(r)]) return false;
    zero_[at(r)] = true;
    return true;
  }
  // a = sign * b; false: that was known.
  bool join(int a, int b, int sign) {
    auto [p, sp] = find(a);
    auto [q, sq] = find(b);
    if (p == q) return sp == sign * sq ? false : make_zero(p);
    if (zero_[at(p)] && zero_[at(q)]) return false;
    if (size_.size() < parent_.size()) size_.resize(parent_.size(), 1);
    if (size_[at(p)] < size_[at(q)]) std::swap(p, q);
    size_[at(p)] += size_[at(q)];
    parent_[at(q)] = p;
    sign_[at(q)] = sp * sign * sq;
    zero_[at(p)] = zero_[at(p)] || zero_[at(q)];
    return true;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::vector<int> parent_, sign_, size_;
  std::vector<bool> zero_;
};

using Flows = std::unordered_map<std::int32_t, Instance*>;

// Terms of a sum of flows with signs; false: something else stands there.
bool add_terms(const ExprPool& pool, const Flows& flows, ExprId root, int root_sign,
               std::map<std::int32_t, int>& out) {
  std::vector<std::pair<ExprId, int>> stack{{root, root_sign}};
  while (!stack.empty()) {
    const auto [e, sign] = stack.back();
    stack.pop_back();
    switch (pool[e].op) {
      case Op::kVar:
        if (flows.count(pool[e].index) == 0) return false;
        out[pool[e].index] += sign;
        break;
      case Op::kNeg:
        stack.emplace_back(pool.arg(e, 0), -sign);
        break;
      case Op::kAdd:
      case Op::kSub:
        stack.emplace_back(pool.arg(e, 0), sign);
        stack.emplace_back(pool.arg(e, 1), pool[e].op == Op::kAdd ? sign : -sign);
        break;
      default:
        if (!pool.is_value(e, 0)) return false;
    }
  }
  return true;
}

}  // namespace

void Flattener::check_islands() {
  Flows flows;
  for (Instance* leaf : leaves_) {
    if (leaf->prefix.connecting != Connecting::kFlow) continue;
    for (std::size_t k = 0; k < count(leaf->dims); ++k) {
      flows[leaf->variable.index + static_cast<std::int32_t>(k)] = leaf;
    }
  }
  if (flows.empty()) return;
  SignedClasses classes;
  std::unordered_map<std::int32_t, int> numbers;
  std::vector<std::int32_t> variables;
  const auto number = [&](std::int32_t v) {
    const auto [it, fresh] = numbers.try_emplace(v, static_cast<int>(variables.size()));
    if (fresh) {
      classes.add();
      variables.push_back(v);
    }
    return it->second;
  };
  std::vector<std::map<int, int>> rows;
  std::set<int> redundant;  // numbers of variables, one for each sum that follows from others
  for (const FlatEquation& e : model_.equations) {
    std::map<std::int32_t, int> terms;
    if (!add_terms(model_.pool, flows, e.lhs, 1, terms) ||
        !add_terms(model_.pool, flows, e.rhs, -1, terms)) {
      continue;
    }
    std::erase_if(terms, [](const auto& t) { return t.second == 0; });
    const bool usable = !terms.empty() &&
                        std::all_of(terms.begin(), terms.end(),
                                    [&](const auto& t) { return t.second == 1 || t.second == -1; });
    if (!usable) continue;
    const int first = number(terms.begin()->first);
    if (terms.size() == 1) {
      if (!classes.make_zero(first)) redundant.insert(first);
    } else if (terms.size() == 2) {
      const auto [v, sign] = *terms.rbegin();
      if (!classes.join(first, number(v), -sign * terms.begin()->second)) redundant.insert(first);
    } else {
      std::map<int, int> row;
      for (const auto& [v, sign] : terms) row[number(v)] = sign;
      rows.push_back(std::move(row));
    }
  }
  // Rows in representatives.
  UnionFind groups;
  std::unordered_map<int, int> row_of;
  for (auto& row : rows) {
    std::map<int, int> reduced;
    for (const auto& [i, sign] : row) {
      if (classes.is_zero(i)) continue;
      const auto [representative, factor] = classes.find(i);
      reduced[representative] += sign * factor;
    }
    const int group = groups.add();
    for (const auto& [i, factor] : reduced) {
      const auto [it, fresh] = row_of.try_emplace(i, group);
      if (!fresh) groups.join(it->second, group);
    }
    std::erase_if(reduced, [](const auto& t) { return t.second == 0; });
    row = std::move(reduced);
  }
  std::map<int, std::map<int, int>> sums;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    auto& sum = sums[groups.find(static_cast<int>(r))];
    for (const auto& [i, factor] : rows[r]) sum[i] += factor;
  }
  const auto islander = [&](int i) {
    const int representative = classes.find(i).first;
    const auto it = row_of.find(representative);
    return it == row_of.end() ? -1 - representative : groups.find(it->second);
  };
  std::set<int> islands;
  for (const int i : redundant) islands.insert(islander(i));
  for (const auto& [group, sum] : sums) {
    if (std::all_of(sum.begin(), sum.end(), [](const auto& t) { return t.second == 0; })) {
      islands.insert(group);
    }
  }
  for (const int island : islands) report_island(island, islander, variables, flows);
}

void Flattener::report_island(int island, const std::function<int(int)>& islander,
                              const std::vector<std::int32_t>& variables,
                              const std::unordered_map<std::int32_t, Instance*>& flows) {
  std::vector<std::string> names;
  const Instance* pin = nullptr;
  const Instance* text = nullptr;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (islander(static_cast<int>(i)) != island) continue;
    const Instance* flow = flows.at(variables[i]);
    const Instance* component = flow->parent == nullptr ? nullptr : flow->parent->parent;
    if (component == nullptr || component->parent == nullptr) continue;
    if (pin == nullptr) pin = flow->parent;
    const std::string name = Instances::full_name(*component);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    if (text == nullptr && component->text != nullptr) text = component;
  }
  if (pin == nullptr || text == nullptr) return;
  std::string potential;
  for (const Slot* slot : pin->order) {
    const Instance* i = slot->instance;
    if (i != nullptr && i->basic == Basic::kScalar && i->prefix.connecting == Connecting::kNone &&
        i->prefix.variability == Variability::kNone && potential.empty()) {
      potential = Instances::full_name(*i);
    }
  }
  if (potential.empty()) return;
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < 6; ++i) {
    list += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  }
  if (names.size() > 6) list += " and " + std::to_string(names.size() - 6) + " more";
  const bool electrical =
      pin->cls.node != nullptr && pin->cls.node->path().starts_with("Modelica.Electrical.Analog");
  diagnostics_.report(
      Diagnostic(Code::kNoReference,
                 "nothing fixes the potential " + in_quotes(potential) +
                     ": one equation of the flows of " + list + " follows from the others",
                 instances_.span(text->text_scope, text->text->range))
          .suggest(
              electrical
                  ? "add a Modelica.Electrical.Analog.Basic.Ground and connect it to one of them"
                  : "add a component that gives the potential a value, as a ground does, and "
                    "connect it to one of them"));
}

}  // namespace arges::lang
