// Expandable connectors (specification, chapter 9.1.3).
//
// Before the connections are made, each expandable connector gets the members that connections give
// it: connect(bus.x, a.y) puts an x of the class of a.y into bus, and buses that are connected have
// the same members. This is repeated until nothing is added. Members that are declared but nobody
// connects are not there.

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

// A member like `model`, which may be an element of an array.
void Flattener::add_member(Instance& bus, std::string_view name, Instance& like, bool element) {
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
  if (!element && like.basic != Basic::kNone) member.dims = like.dims;
  if (like.is_array()) {
    fail(Code::kNotSupported, "arrays of connectors in expandable connectors are not supported yet",
         instances_.span(like.text_scope, like.text->range));
  }
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
    if (member != nullptr && (active_.count(member) != 0 || is_bus(*member))) continue;
    if (k + 1 < whole.parts.size() || !next.subscripts.empty()) {
      if (member != nullptr) {
        activate(*member);
        continue;
      }
      fail(Code::kNotSupported,
           quoted(print(e)) + ": elements of members that are not declared are not supported yet",
           e_.span(c, e));
    }
    end.bus = &at;
    end.name = slot == nullptr ? next.name.text : slot->name;
    return end;
  }
  return end;
}

void Flattener::bus_connection(const Equation& e, const Context& c) {
  const BusEnd a = bus_end(*e.left, c);
  const BusEnd b = bus_end(*e.right, c);
  if (a.bus != nullptr && b.component != nullptr && b.single) {
    add_member(*a.bus, a.name, *b.component, b.element);
  } else if (b.bus != nullptr && a.component != nullptr && a.single) {
    add_member(*b.bus, b.name, *a.component, a.element);
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
    if (other == nullptr) {
      add_member(to, slot->name, member, false);
    } else {
      activate(*other);
    }
  }
}

void Flattener::expand_buses() {
  if (!has_buses_) return;
  collecting_ = true;
  bus_changed_ = true;
  for (int round = 0; bus_changed_ && round < 100 && !diagnostics_.has_errors(); ++round) {
    bus_changed_ = false;
    // Walking new members adds to the list.
    for (std::size_t i = 0; i < classes_.size(); ++i) connections(*classes_[i]);
  }
  collecting_ = false;
}

}  // namespace arges::lang
