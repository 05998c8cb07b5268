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
  activate(member);
}

// The end of a connection: a component, or a member that a bus does not have yet.
Flattener::BusEnd Flattener::bus_end(const Expr& e, const Context& c) {
  BusEnd end;
  if (e.kind != ExprKind::kReference) return end;
  const auto& whole = as<ReferenceExpr>(e);
  for (std::size_t k = 1; k <= whole.parts.size(); ++k) {
    ReferenceExpr prefix = whole;
    prefix.parts = whole.parts.first(k);
    const Evaluator::Place p = e_.place(prefix, c);
    if (p.disabled || p.instances.empty()) return {};
    if (k == whole.parts.size()) {
      end.component = p.instances[0];
      end.element = p.dims.empty() && end.component->basic != Basic::kNone;
      end.single = p.instances.size() == 1 || end.component->basic != Basic::kNone;
      return end;
    }
    Instance& at = *p.instances[0];
    if (p.instances.size() != 1 || !is_bus(at)) continue;
    const ReferencePart& next = whole.parts[k];
    Slot* slot = instances_.find(at, next.name.text);
    Instance* member = slot == nullptr ? nullptr : instances_.component(at, *slot);
    if (member != nullptr && has_open_size(*member))
      grow(*member, largest_positions(next.subscripts, c));
    if (member != nullptr && (active_.count(member) != 0 || is_bus(*member))) continue;
    const bool is_last = k + 1 == whole.parts.size();
    if (member != nullptr && (!is_last || !next.subscripts.empty())) {
      activate(*member);
      continue;
    }
    if (!is_last) {
      if (sizing_) return {};
      fail(Code::kNotSupported,
           in_quotes(print(e)) + ": parts of members that are not declared are not supported yet",
           e_.span(c, e));
    }
    end.bus = &at;
    end.subscripts = next.subscripts;
    end.name = slot == nullptr ? next.name.text : slot->name;
    return end;
  }
  return end;
}

void Flattener::bus_connection(const Equation& e, const Context& c) {
  const BusEnd a = bus_end(*e.left, c);
  const BusEnd b = bus_end(*e.right, c);
  fit(a, b);
  fit(b, a);
  if (sizing_) {
    for (const BusEnd* end : {&a, &b}) {
      if (end->bus != nullptr && !end->subscripts.empty()) note_size(*end, c);
    }
    if (a.component != nullptr && b.component != nullptr && is_bus(*a.component) &&
        is_bus(*b.component)) {
      share_sizes(*a.component, *b.component);
      share_sizes(*b.component, *a.component);
    }
    return;
  }
  if (a.bus != nullptr && b.component != nullptr && b.single) {
    add_member(*a.bus, a.name, *b.component, member_dims(a, b, c));
  } else if (b.bus != nullptr && a.component != nullptr && a.single) {
    add_member(*b.bus, b.name, *a.component, member_dims(b, a, c));
  } else if (a.component != nullptr && b.component != nullptr && is_bus(*a.component) &&
             is_bus(*b.component)) {
    share_members(*a.component, *b.component);
    share_members(*b.component, *a.component);
  }
}

void Flattener::share_members(Instance& from, Instance& to) {
  const std::vector<Slot*> order = from.order;
  for (Slot* slot : order) {
    if (slot->kind != MemberKind::kComponent || slot->state != Slot::State::kReady) continue;
    Instance& member = *slot->instance;
    Slot* twin = instances_.find(to, slot->name);
    Instance* other = twin == nullptr ? nullptr : instances_.component(to, *twin);
    if (is_bus(member) && other != nullptr && is_bus(*other)) {
      share_members(member, *other);
      share_members(*other, member);
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
  Dims own;
  if (!like.element && like.component->basic != Basic::kNone) own = like.component->dims;
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
  for (int round = 0; bus_changed_ && round < 100 && !diagnostics_.has_errors(); ++round) {
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
