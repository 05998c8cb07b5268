// Expandable connectors (specification, chapter 9.1.3).
//
// Before the connections are made, each expandable connector gets the members that connections give
// it: connect(bus.x, a.y) puts an x of the class of a.y into bus, and buses that are connected have
// the same members. This is repeated until nothing is added. Members that are declared but nobody
// connects are not there. connect(bus.x[2], a.y) makes an array of x, as long as the largest
// subscript in all connected buses: sizes come first. So does an array that is declared as x[:].
// Elements that are not connected are not there.

#include <algorithm>
#include <utility>

#include "arges/flatten/flattener.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;

bool Flattener::is_bus(Instance& i) {
  return !i.is_array() && i.basic == Basic::kNone &&
         instances_.kind(i) == ClassKind::kExpandableConnector;
}

bool Flattener::has_buses(Instance& i) {
  return i.is_array() ? !i.items.empty() && has_buses(*i.items[0]) : is_bus(i);
}

// Puts a member into the model that was only declared so far.
void Flattener::activate(Instance& member) {
  if (!active_.insert(&member).second) return;
  bus_changed_ = true;
  walk(member);
}

// A member like `like`. `dims`: of a member of a basic type.
void Flattener::add_member(Instance& bus, std::string_view name, Instance& like, Dims dims) {
  if (Slot* declared = instances_.find(bus, name)) {
    if (Instance* member = instances_.component(bus, *declared)) activate(*member);
    return;
  }
  if (bus.depth > kMaxDepth) {
    fail(Code::kRecursiveModel,
         "the connections put buses into buses, " + std::to_string(kMaxDepth) +
             " deep: " + in_quotes(name) + " would contain itself",
         instances_.span(like.text_scope, like.text->range));
  }
  ClassRef ref;
  ref.node = like.cls.node;
  ref.enclosing = like.cls.enclosing;
  Instance& member = instances_.make(ref, World::kModel, &bus, name);
  member.slot = like.slot;
  member.text = like.text;
  member.text_scope = like.text_scope;
  instances_.expand(member);
  member.prefix.connecting = like.prefix.connecting;
  if (like.is_array() || (like.basic == Basic::kNone && !dims.empty())) {
    fail(Code::kNotSupported, "arrays of connectors in expandable connectors are not supported yet",
         instances_.span(like.text_scope, like.text->range));
  }
  if (like.basic != Basic::kNone) member.dims = std::move(dims);
  Slot slot = *like.slot;
  slot.name = name;
  slot.part = slot.visible = 0;
  slot.state = Slot::State::kReady;
  slot.instance = &member;
  slot.replaced = nullptr;
  bus.slots.push_back(slot);
  Slot* made = &bus.slots.back();
  bus.table.emplace(made->name, made);
  bus.order.push_back(made);
  member.slot = made;
  bus_changed_ = true;
  added_.insert(&member);
  activate(member);
}

// The components that a place names, each with the sizes of what is named of it.
std::vector<Flattener::BusEnd> Flattener::component_ends(const Evaluator::Place& p,
                                                         bool has_subscripts) {
  std::vector<BusEnd> ends;
  for (Instance* each : p.instances) {
    if (ends.empty() || ends.back().component != each) ends.push_back({each});
  }
  if (ends.front().component->basic == Basic::kNone) return ends;
  if (ends.size() == 1) {
    ends.front().dims = p.dims;
  } else if (!has_subscripts) {
    for (BusEnd& end : ends) end.dims = end.component->dims;
  }
  return ends;
}

// An end of a connection: components, or the member that buses do not have yet, one for each
// element of an array of them.
std::vector<Flattener::BusEnd> Flattener::bus_ends(const Expr& e, const Context& c) {
  if (e.kind != ExprKind::kReference) return {};
  const auto& whole = as<ReferenceExpr>(e);
  for (std::size_t k = 1; k <= whole.parts.size(); ++k) {
    ReferenceExpr prefix = whole;
    prefix.parts = whole.parts.first(k);
    const Evaluator::Place p = e_.place(prefix, c);
    if (p.disabled || p.instances.empty()) return {};
    if (k == whole.parts.size()) return component_ends(p, !whole.parts.back().subscripts.empty());
    if (!is_bus(*p.instances[0])) continue;
    const ReferencePart& next = whole.parts[k];
    const bool is_last = k + 1 == whole.parts.size();
    std::vector<BusEnd> ends;
    bool lacks = false;
    for (Instance* at : p.instances) {
      Slot* slot = instances_.find(*at, next.name.text);
      Instance* member = slot == nullptr ? nullptr : instances_.component(*at, *slot);
      if (member != nullptr && has_open_size(*member))
        grow(*member, largest_positions(next.subscripts, c));
      if (member != nullptr && !has_buses(*member) && (!is_last || !next.subscripts.empty()))
        activate(*member);
      if (member != nullptr && (has_buses(*member) || active_.count(member) != 0)) {
        ends.push_back({member});
        if (next.subscripts.empty()) ends.back().dims = member->dims;
        continue;
      }
      if (!is_last) {
        if (sizing_) return {};
        fail(Code::kNotSupported,
             in_quotes(print(e)) + ": parts of members that are not declared are not supported yet",
             e_.span(c, e));
      }
      lacks = true;
      ends.push_back(
          {nullptr, {}, at, slot == nullptr ? next.name.text : slot->name, next.subscripts});
    }
    if (lacks) return ends;
  }
  return {};
}

void Flattener::bus_connection(const Equation& e, const Context& c) {
  std::vector<BusEnd> a = bus_ends(*e.left, c);
  std::vector<BusEnd> b = bus_ends(*e.right, c);
  if (a.empty() || b.empty()) return;
  if (a.size() == b.size()) {
    for (std::size_t i = 0; i < a.size(); ++i) bus_connection(a[i], b[i], c);
    return;
  }
  // An array on one side, the elements of an array of components or of buses on the other.
  const Expr* many = e.right;
  if (a.size() > b.size()) {
    std::swap(a, b);
    many = e.left;
  }
  if (a.size() > 1) return;  // the connection itself will tell that the sizes differ
  if (a[0].bus != nullptr) {
    b[0].dims = e_.place(as<ReferenceExpr>(*many), c).dims;
    bus_connection(a[0], b[0], c);
    return;
  }
  a[0].dims.clear();
  for (const BusEnd& each : b) bus_connection(a[0], each, c);
}

void Flattener::bus_connection(const BusEnd& a, const BusEnd& b, const Context& c) {
  fit(a, b);
  fit(b, a);
  const bool both_buses = a.component != nullptr && b.component != nullptr &&
                          is_bus(*a.component) && is_bus(*b.component);
  if (sizing_) {
    for (const BusEnd* end : {&a, &b}) {
      if (end->bus != nullptr && !end->subscripts.empty()) note_size(*end, c);
    }
    if (both_buses) {
      share_sizes(*a.component, *b.component);
      share_sizes(*b.component, *a.component);
    }
    return;
  }
  if (a.bus != nullptr && b.component != nullptr) {
    add_member(*a.bus, a.name, *b.component, member_dims(a, b, c));
  } else if (b.bus != nullptr && a.component != nullptr) {
    add_member(*b.bus, b.name, *a.component, member_dims(b, a, c));
  } else if (both_buses) {
    share_members(*a.component, *b.component);
  }
}

// Two connected buses; then the buses inside of them, element by element.
void Flattener::share_members(Instance& a, Instance& b) {
  if (a.is_array() || b.is_array()) {
    if (a.items.size() != b.items.size()) return;
    for (std::size_t i = 0; i < a.items.size(); ++i) share_members(*a.items[i], *b.items[i]);
    return;
  }
  give_members(a, b);
  give_members(b, a);
  const std::vector<Slot*> order = a.order;
  for (Slot* slot : order) {
    if (slot->kind != MemberKind::kComponent || slot->state != Slot::State::kReady) continue;
    Slot* twin = instances_.find(b, slot->name);
    Instance* other = twin == nullptr ? nullptr : instances_.component(b, *twin);
    if (other != nullptr && has_buses(*slot->instance) && has_buses(*other))
      share_members(*slot->instance, *other);
  }
}

// What one bus has and the other one lacks.
void Flattener::give_members(Instance& from, Instance& to) {
  const std::vector<Slot*> order = from.order;
  for (Slot* slot : order) {
    if (slot->kind != MemberKind::kComponent || slot->state != Slot::State::kReady) continue;
    Instance& member = *slot->instance;
    Slot* twin = instances_.find(to, slot->name);
    Instance* other = twin == nullptr ? nullptr : instances_.component(to, *twin);
    if (has_buses(member)) {
      if (other == nullptr && is_bus(member)) add_member(to, slot->name, member, {});
      continue;
    }
    if (active_.count(&member) == 0) continue;
    if (other != nullptr && has_open_size(*other)) grow(*other, member.dims);
    if (other == nullptr) {
      add_member(to, slot->name, member, member.dims);
    } else {
      activate(*other);
    }
  }
}

void Flattener::note_size(const BusEnd& end, const Context& c) {
  Dims& size = member_sizes_[end.bus][end.name];
  if (size.size() < end.subscripts.size()) size.resize(end.subscripts.size(), 0);
  const Dims largest = largest_positions(end.subscripts, c);
  for (std::size_t d = 0; d < largest.size(); ++d) {
    if (largest[d] <= size[d]) continue;
    size[d] = largest[d];
    bus_changed_ = true;
  }
}

void Flattener::share_sizes(Instance& from, Instance& to) {
  const auto known = member_sizes_.find(&from);
  if (known == member_sizes_.end()) return;
  const auto sizes = known->second;
  for (const auto& [name, size] : sizes) {
    if (instances_.find(to, name) != nullptr) continue;
    Dims& there = member_sizes_[&to][name];
    if (there.size() < size.size()) there.resize(size.size(), 0);
    for (std::size_t d = 0; d < size.size(); ++d) {
      bus_changed_ = bus_changed_ || there[d] < size[d];
      there[d] = std::max(there[d], size[d]);
    }
  }
}

Dims Flattener::member_dims(const BusEnd& end, const BusEnd& like, const Context& c) {
  const Dims& own = like.dims;
  if (end.subscripts.empty()) return own;
  Dims dims = member_sizes_[end.bus][end.name];
  // x[1:3] takes a vector: its size is that of the subscript.
  std::size_t taken = 0;
  for (const Expr* subscript : end.subscripts) taken += e_.eval_constant(*subscript, c).dims.size();
  taken = std::min(taken, own.size());
  dims.insert(dims.end(), own.begin() + static_cast<std::ptrdiff_t>(taken), own.end());
  return dims;
}

void Flattener::expand_buses() {
  if (!has_buses_) return;
  collecting_ = true;
  bus_changed_ = true;
  while (bus_changed_ && !diagnostics_.has_errors()) {
    sizing_ = true;
    do {
      bus_changed_ = false;
      for (std::size_t i = 0; i < classes_.size(); ++i) connections(*classes_[i]);
    } while (bus_changed_ && !diagnostics_.has_errors());
    sizing_ = false;
    bus_changed_ = false;
    // Walking new members adds to the list.
    for (std::size_t i = 0; i < classes_.size(); ++i) connections(*classes_[i]);
  }
  collecting_ = false;
}

}  // namespace arges::lang
