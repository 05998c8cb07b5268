// Arrays in expandable connectors: sizes that connections decide, and elements that no connection
// has.

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "arges/flatten/flattener.h"

namespace arges::lang {

// Declared with `:`, and without a value.
bool Flattener::has_open_size(Instance& member) {
  if (member.basic == Basic::kNone || member.parent == nullptr || member.slot == nullptr ||
      !is_bus(*member.parent) || member.slot->component == nullptr)
    return false;
  const ExprList subscripts = member.slot->component->subscripts;
  const bool has_colon = std::any_of(subscripts.begin(), subscripts.end(),
                                     [](const Expr* e) { return e->kind == ExprKind::kColon; });
  return has_colon && instances_.binding(member).expr == nullptr;
}

// To at least these sizes, where the declaration leaves them open.
void Flattener::grow(Instance& member, const Dims& dims) {
  const ExprList subscripts = member.slot->component->subscripts;
  for (std::size_t d = 0; d < std::min(dims.size(), subscripts.size()); ++d) {
    if (subscripts[d]->kind != ExprKind::kColon || member.dims[d] >= dims[d]) continue;
    member.dims[d] = dims[d];
    bus_changed_ = true;
  }
}

// The largest of the positions that subscripts name; 0 for `:`.
Dims Flattener::largest_positions(ExprList subscripts, const Context& c) {
  Dims largest(subscripts.size(), 0);
  for (std::size_t d = 0; d < subscripts.size(); ++d) {
    const Expr& subscript = *subscripts[d];
    if (subscript.kind == ExprKind::kColon) continue;
    const Value positions = e_.eval_constant(subscript, c);
    const bool counts =
        positions.type == ScalarType::kInteger || positions.type == ScalarType::kEnumeration;
    if (positions.kind != Value::Kind::kArray || positions.dims.size() > 1 || !counts) {
      fail(diag::Code::kBadSubscript,
           "a subscript here is an Integer, a literal of an enumeration, or a vector of them",
           e_.span(c, subscript));
    }
    for (const ExprId e : positions.elements) {
      const auto position = static_cast<std::size_t>(std::max(0.0, e_.pool().value(e)));
      if (position == 0) {
        fail(diag::Code::kBadSubscript, "subscripts begin with 1", e_.span(c, subscript));
      }
      e_.allow(position, e_.span(c, subscript));
      largest[d] = std::max(largest[d], static_cast<int>(position));
    }
  }
  return largest;
}

// Between two ends of which one is a whole array of open size.
void Flattener::fit(const BusEnd& end, const BusEnd& other) {
  if (other.component == nullptr || other.component->basic == Basic::kNone) return;
  Instance* member = end.component;
  if (end.bus != nullptr && end.subscripts.empty()) {
    Slot* slot = instances_.find(*end.bus, end.name);
    member = slot == nullptr ? nullptr : instances_.component(*end.bus, *slot);
  }
  if (member != nullptr && has_open_size(*member)) grow(*member, other.dims);
}

// An element of a member is there if it is connected to something else than such elements
// (specification, 9.1.3). What equations name all the same stays, and is told as not determined.
void Flattener::drop_unconnected() {
  std::unordered_map<std::int32_t, int> elements;  // of variables: their set, or -1
  for (Instance* member : leaves_) {
    if (active_.count(member) == 0 || member->dims.empty() ||
        member->prefix.connecting != Connecting::kNone ||
        member->prefix.variability > Variability::kDiscrete)
      continue;
    for (std::size_t k = 0; k < count(member->dims); ++k) {
      const std::int32_t v = member->variable.index + static_cast<std::int32_t>(k);
      const auto it = set_nodes_.find(static_cast<std::int64_t>(v) * 2);
      elements[v] = it == set_nodes_.end() ? -1 : sets_.find(it->second);
    }
  }
  if (elements.empty()) return;
  std::unordered_set<int> connected;  // sets
  for (std::size_t i = 0; i < set_members_.size(); ++i) {
    if (elements.count(set_members_[i].first.index) == 0)
      connected.insert(sets_.find(static_cast<int>(i)));
  }
  std::erase_if(elements, [&](const auto& e) { return connected.count(e.second) != 0; });
  if (elements.empty()) return;
  std::unordered_set<std::int32_t> named;  // expressions
  const ExprPool& pool = model_.pool;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(pool.size()); ++i) {
    for (const ExprId e : pool.args(ExprId{i})) named.insert(e.index);
  }
  for (const auto* list : {&model_.equations, &model_.initial_equations}) {
    for (const FlatEquation& e : *list) {
      named.insert(e.lhs.index);
      named.insert(e.rhs.index);
    }
  }
  std::unordered_set<int> needed;  // sets
  for (const auto& [v, set] : elements) {
    if (set >= 0 && named.count(model_.ref(VarId{v}).index) != 0) needed.insert(set);
  }
  for (const auto& [v, set] : elements) {
    const bool is_named = named.count(model_.ref(VarId{v}).index) != 0;
    if (!is_named && needed.count(set) == 0) model_[VarId{v}].absent = true;
  }
}

}  // namespace arges::lang
