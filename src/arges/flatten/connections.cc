// Connections (specification, chapter 9).
//
// Connected potential variables are equal. Connected flow variables add up to zero: what flows into
// a component counts positive seen from outside of it, negative seen from inside. Every flow
// variable is therefore two nodes, one for each side, and one that nobody connects from outside is
// zero. Records with a function equalityConstraint are joined along a spanning tree only; the edges
// that would close a circle give the equations of equalityConstraint instead.

#include <algorithm>

#include "arges/base/saturated.h"
#include "arges/flatten/flattener.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;

void Flattener::connections(Instance& i) {
  for (std::size_t p = 0; p < i.parts.size(); ++p) {
    const ClassDef* def = instances_.tree().definition(*i.parts[p].node);
    if (def == nullptr) continue;
    Context c;
    c.scope = {&i, static_cast<int>(p)};
    for (const Section& s : def->sections) {
      if (s.kind == SectionKind::kEquation) connections(s.equations, c);
    }
  }
}

void Flattener::connections(EquationList list, const Context& c) {
  const auto mentions = [](const auto& self, EquationList l) -> bool {
    return std::any_of(l.begin(), l.end(), [&](const Equation* e) {
      if (e->kind == EquationKind::kConnect) return true;
      if (e->kind == EquationKind::kCall) {
        const auto& callee = *as<CallExpr>(*e->left).callee;
        return callee.parts.size() == 2 && callee.parts[0].name.text == "Connections";
      }
      return std::any_of(e->branches.begin(), e->branches.end(),
                         [&](const auto& b) { return self(self, b.body); });
    });
  };
  for (const Equation* e : list) {
    attempt([&] {
      switch (e->kind) {
        case EquationKind::kConnect:
          if (instances_.is_deselected(*e, c.scope)) break;
          collecting_ ? bus_connection(*e, c) : connect(*e, c);
          break;
        case EquationKind::kCall:
          if (!collecting_) overconstrained_call(as<CallExpr>(*e->left), c);
          break;
        case EquationKind::kFor: {
          if (!mentions(mentions, e->branches[0].body)) break;
          Context structural = c;
          structural.structural = true;
          e_.iterate(
              e->indices, 0, structural,
              [&](const Context& inner) {
                e_.count_turn(c, e->range);
                Context body = inner;
                body.structural = false;
                connections(e->branches[0].body, body);
              },
              [&](std::string_view n) { return find_use(n, e->branches[0].body); });
          break;
        }
        case EquationKind::kIf: {
          const bool any = std::any_of(e->branches.begin(), e->branches.end(),
                                       [&](const auto& b) { return mentions(mentions, b.body); });
          if (!any) break;
          const int chosen = chosen_branch(e->branches, c);
          if (chosen == -2) {
            fail(Code::kNotConstant,
                 "connections cannot depend on a condition that changes during the run",
                 instances_.span(c.scope, e->range));
          }
          if (chosen >= 0) connections(e->branches[static_cast<std::size_t>(chosen)].body, c);
          break;
        }
        default:
          break;
      }
    });
  }
}

void Flattener::connect(const Equation& e, const Context& c) {
  const diag::Span where = instances_.span(c.scope, e.range);
  if (e.left->kind != ExprKind::kReference || e.right->kind != ExprKind::kReference) {
    fail(Code::kNoConnector, "`connect` needs two connectors", where);
  }
  const Evaluator::Place a = e_.place(as<ReferenceExpr>(*e.left), c);
  const Evaluator::Place b = e_.place(as<ReferenceExpr>(*e.right), c);
  if (a.disabled || b.disabled) return;
  check_connection_form(*e.left, a, c);
  check_connection_form(*e.right, b, c);
  const std::size_t n = a.instances.size();
  if (a.dims != b.dims || n != b.instances.size()) {
    fail(Code::kSizeMismatch, "the sides of this connection have different sizes", where);
  }
  const bool outside_a = is_connector(instances_.kind(*a.first)) && a.first->slot != nullptr &&
                         a.first->parent == c.scope.instance;
  const bool outside_b = is_connector(instances_.kind(*b.first)) && b.first->slot != nullptr &&
                         b.first->parent == c.scope.instance;
  for (std::size_t i = 0; i < n; ++i) {
    Instance& x = *a.instances[i];
    Instance& y = *b.instances[i];
    for (const auto& [instance, expr] : {std::pair{&x, e.left}, std::pair{&y, e.right}}) {
      if (!is_connector(instances_.kind(*instance))) {
        bool inside = false;  // a part of a connector
        for (Instance* p = instance->parent; p != nullptr && !inside; p = p->parent) {
          inside = is_connector(instances_.kind(*p));
        }
        if (!inside) {
          fail(Code::kNoConnector, in_quotes(print(*expr)) + " is no connector", e_.span(c, *expr));
        }
      }
    }
    ++e_.cardinalities[&x];
    ++e_.cardinalities[&y];
    if (x.basic != Basic::kNone && y.basic != Basic::kNone) {
      connect_leaves(x, a.offsets[i][0], y, b.offsets[i][0], 1, outside_a, outside_b, c, e.range);
    } else {
      connect_instances(x, y, outside_a, outside_b, c, e.range);
    }
  }
}

void Flattener::connect_instances(Instance& a, Instance& b, bool outside_a, bool outside_b,
                                  const Context& c, TextRange range) {
  const diag::Span where = instances_.span(c.scope, range);
  if (!a.is_array()) {
    // Also of types such as Real[3, 3] that have the function.
    if (Slot* constraint = instances_.find(a, "equalityConstraint");
        constraint != nullptr && constraint->kind == MemberKind::kClass) {
      optional_edges_.push_back({&a, &b, c, range});
      return;
    }
  }
  if (a.basic != Basic::kNone || b.basic != Basic::kNone) {
    if (a.basic == Basic::kNone || b.basic == Basic::kNone || a.dims != b.dims) {
      fail(Code::kIncompatibleConnectors,
           in_quotes(Instances::full_name(a)) + " and " + in_quotes(Instances::full_name(b)) +
               " do not fit together",
           where);
    }
    connect_leaves(a, 0, b, 0, count(a.dims), outside_a, outside_b, c, range);
    return;
  }
  if (a.is_array() || b.is_array()) {
    if (a.dims != b.dims) fail(Code::kSizeMismatch, "the sizes of the connectors differ", where);
    for (std::size_t i = 0; i < a.items.size(); ++i) {
      connect_instances(*a.items[i], *b.items[i], outside_a, outside_b, c, range);
    }
    return;
  }
  const auto lacks = [&](Instance& has, Instance& other) {
    for (Slot* slot : has.order) {
      if (slot->kind != MemberKind::kComponent) continue;
      if (instances_.component(has, *slot) == nullptr) continue;
      Slot* twin = instances_.find(other, slot->name);
      if (twin == nullptr || twin->kind != MemberKind::kComponent) {
        fail(Code::kIncompatibleConnectors,
             in_quotes(Instances::full_name(other)) + " of class " +
                 in_quotes(other.cls.node->path()) + " has no " + in_quotes(slot->name) + ", " +
                 in_quotes(Instances::full_name(has)) + " has",
             where);
      }
    }
  };
  if (!is_bus(a) && !is_bus(b)) {
    lacks(a, b);
    lacks(b, a);
  }
  for (Slot* slot : a.order) {
    if (slot->kind != MemberKind::kComponent) continue;
    Slot* twin = instances_.find(b, slot->name);
    if (twin == nullptr || twin->kind != MemberKind::kComponent) continue;
    Instance* x = instances_.component(a, *slot);
    Instance* y = instances_.component(b, *twin);
    const auto there = [&](Instance* bus, Instance* member) {
      return member != nullptr &&
             (!is_bus(*bus) || has_buses(*member) || active_.count(member) != 0);
    };
    if (!there(&a, x) || !there(&b, y)) continue;
    if (x != nullptr && y != nullptr) {
      connect_instances(*x, *y, outside_a, outside_b, c, range);
    }
  }
}

int Flattener::node(VarId v, bool outside) {
  const std::int64_t key = static_cast<std::int64_t>(v.index) * 2 + (outside ? 1 : 0);
  const auto [it, fresh] = set_nodes_.try_emplace(key, sets_.size());
  if (fresh) {
    sets_.add();
    set_members_.emplace_back(v, outside);
    set_origins_.emplace_back();
    set_kinds_.push_back(Connecting::kNone);
  }
  return it->second;
}

void Flattener::connect_leaves(Instance& a, std::size_t offset_a, Instance& b, std::size_t offset_b,
                               std::size_t n, bool outside_a, bool outside_b, const Context& c,
                               TextRange range) {
  const diag::Span where = instances_.span(c.scope, range);
  if (a.prefix.connecting != b.prefix.connecting || a.type != b.type) {
    fail(Code::kIncompatibleConnectors,
         in_quotes(Instances::full_name(a)) + " and " + in_quotes(Instances::full_name(b)) +
             (a.type != b.type ? " have different types" : " differ in `flow` or `stream`"),
         where);
  }
  check_connected(a, b, c, range);
  if (a.prefix.variability >= Variability::kParameter) return;
  const bool sided = a.prefix.connecting != Connecting::kNone;
  const VarId x = e_.variable(a);
  const VarId y = e_.variable(b);
  const Origin origin = e_.origin(c, range);
  for (std::size_t i = 0; i < n; ++i) {
    const int p =
        node(VarId{x.index + static_cast<std::int32_t>(offset_a + i)}, sided && outside_a);
    const int q =
        node(VarId{y.index + static_cast<std::int32_t>(offset_b + i)}, sided && outside_b);
    note_signal(set_members_[static_cast<std::size_t>(p)].first, a, outside_a,
                set_members_[static_cast<std::size_t>(q)].first, b, outside_b, c, range);
    for (const int k : {p, q}) {
      if (set_origins_[static_cast<std::size_t>(k)].line == 0) {
        set_origins_[static_cast<std::size_t>(k)] = origin;
      }
    }
    set_kinds_[static_cast<std::size_t>(p)] = a.prefix.connecting;
    set_kinds_[static_cast<std::size_t>(q)] = a.prefix.connecting;
    sets_.join(p, q);
  }
}

// Flow variables that nobody connects: from outside; of members that buses have got from other
// buses, from inside as well.
void Flattener::zero_flows() {
  const auto is_added = [&](Instance* i) {
    for (; i != nullptr; i = i->parent) {
      if (added_.count(i) != 0) return true;
    }
    return false;
  };
  for (Instance* leaf : leaves_) {
    if (leaf->prefix.connecting != Connecting::kFlow) continue;
    const bool added = is_added(leaf);
    const VarId first = e_.variable(*leaf);
    for (std::size_t k = 0; k < count(leaf->dims); ++k) {
      const VarId v{first.index + static_cast<std::int32_t>(k)};
      const auto is_connected = [&](int side) {
        return set_nodes_.count(static_cast<std::int64_t>(v.index) * 2 + side) != 0;
      };
      if (is_connected(0) && (!added || is_connected(1))) continue;
      FlatEquation e{};
      e.lhs = model_.ref(v);
      e.rhs = e_.pool().real(0);
      e.origin = model_[v].origin;
      model_.equations.push_back(e);
    }
  }
}

void Flattener::connection_equations() {
  ExprPool& pool = e_.pool();
  zero_flows();
  std::vector<std::vector<int>> sets(static_cast<std::size_t>(sets_.size()));
  for (int i = 0; i < sets_.size(); ++i) sets[static_cast<std::size_t>(sets_.find(i))].push_back(i);
  for (const std::vector<int>& set : sets) {
    if (set.empty()) continue;
    const auto member = [&](std::size_t i) {
      return set_members_[static_cast<std::size_t>(set[i])];
    };
    const VarId first = member(0).first;
    if (model_[first].absent) continue;
    const Connecting kind = set_kinds_[static_cast<std::size_t>(set[0])];
    if (kind == Connecting::kStream) {
      stream_equations(set);
      continue;
    }
    if (kind == Connecting::kFlow) {
      ExprId total;
      for (std::size_t i = 0; i < set.size(); ++i) {
        const ExprId v = model_.ref(member(i).first);
        if (!total.valid()) {
          total = member(i).second ? pool.neg(v) : v;
        } else {
          total = member(i).second ? pool.sub(total, v) : pool.add(total, v);
        }
      }
      FlatEquation e{};
      e.lhs = total;
      e.rhs = pool.real(0);
      e.origin = set_origins_[static_cast<std::size_t>(set[0])];
      model_.equations.push_back(e);
      continue;
    }
    for (std::size_t i = 1; i < set.size(); ++i) {
      if (member(i).first == first) continue;
      FlatEquation e{};
      e.lhs = model_.ref(first);
      e.rhs = model_.ref(member(i).first);
      e.origin = set_origins_[static_cast<std::size_t>(set[i])];
      model_.equations.push_back(e);
    }
  }
  for (const Edge& edge : broken_edges_) {
    const Value a = e_.instance_value(*edge.a, {});
    const Value b = e_.instance_value(*edge.b, {});
    const diag::Span where = instances_.span(edge.context.scope, edge.range);
    const std::vector<Value> r = e_.call_member(*edge.a, "equalityConstraint", {a, b}, where);
    for (const ExprId x : r.at(0).elements) {
      FlatEquation e{};
      e.lhs = x;
      e.rhs = pool.real(0);
      e.origin = e_.origin(edge.context, edge.range);
      model_.equations.push_back(e);
    }
  }
}

// ---- overconstrained connections ----

void Flattener::overconstrained_call(const CallExpr& call, const Context& c) {
  const auto& parts = call.callee->parts;
  if (parts.size() != 2 || parts[0].name.text != "Connections") return;
  const std::string_view name = parts[1].name.text;
  const auto component = [&](std::size_t i) -> Instance* {
    const Expr& a = e_.argument(call, i, "", c);
    if (a.kind != ExprKind::kReference) {
      fail(Code::kWrongArguments, "a component is needed here", e_.span(c, a));
    }
    const Evaluator::Place p = e_.place(as<ReferenceExpr>(a), c);
    return p.disabled || p.instances.empty() ? nullptr : p.instances[0];
  };
  if (name == "branch") {
    Instance* a = component(0);
    Instance* b = component(1);
    if (a != nullptr && b != nullptr) branches_.emplace_back(a, b);
  } else if (name == "root") {
    if (Instance* a = component(0)) definite_roots_.push_back(a);
  } else if (name == "potentialRoot") {
    int priority = 0;
    if (const Expr* p = e_.optional_argument(call, 1, "priority")) {
      priority = saturated<int>(e_.pool().value(e_.eval_constant(*p, c).scalar()));
    }
    if (Instance* a = component(0)) potential_roots_.emplace_back(priority, a);
  } else if (name == "uniqueRoot") {
    fail(Code::kNotSupported, "`Connections.uniqueRoot` is not supported yet", e_.span(c, call));
  }
}

void Flattener::resolve_graph() {
  std::unordered_map<Instance*, int> nodes;
  std::vector<Instance*> list;
  UnionFind trees;
  const auto node_of = [&](Instance* i) {
    const auto [it, fresh] = nodes.try_emplace(i, trees.size());
    if (fresh) {
      trees.add();
      list.push_back(i);
    }
    return it->second;
  };
  std::vector<std::vector<int>> neighbours;
  const auto link = [&](int a, int b) {
    neighbours.resize(static_cast<std::size_t>(trees.size()));
    neighbours[static_cast<std::size_t>(a)].push_back(b);
    neighbours[static_cast<std::size_t>(b)].push_back(a);
  };
  // All roots belong to one tree as long as it is decided which edges to break.
  const int source = trees.add();
  list.push_back(nullptr);
  for (const auto& [a, b] : branches_) {
    const int p = node_of(a);
    const int q = node_of(b);
    trees.join(p, q);
    link(p, q);
  }
  for (Instance* r : definite_roots_) trees.join(source, node_of(r));
  for (const Edge& e : optional_edges_) {
    node_of(e.a);
    node_of(e.b);
  }
  for (const auto& [priority, r] : potential_roots_) node_of(r);
  for (const Edge& e : optional_edges_) {
    const int p = node_of(e.a);
    const int q = node_of(e.b);
    if (trees.join(p, q)) {
      link(p, q);
      attempt([&] {
        const Value a = e_.instance_value(*e.a, {});
        const Value b = e_.instance_value(*e.b, {});
        std::vector<ExprId> x;
        std::vector<ExprId> y;
        append_scalars(a, x);
        append_scalars(b, y);
        const Origin origin = e_.origin(e.context, e.range);
        for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) {
          if (e_.pool()[x[i]].op != Op::kVar || e_.pool()[y[i]].op != Op::kVar) continue;
          const int m = node(e_.pool().var(x[i]), false);
          const int n = node(e_.pool().var(y[i]), false);
          set_origins_[static_cast<std::size_t>(m)] = origin;
          set_origins_[static_cast<std::size_t>(n)] = origin;
          sets_.join(m, n);
        }
      });
    } else {
      broken_edges_.push_back(e);
    }
  }
  std::vector<Instance*> roots = definite_roots_;
  std::stable_sort(potential_roots_.begin(), potential_roots_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [priority, r] : potential_roots_) {
    if (trees.join(source, node_of(r))) roots.push_back(r);
  }
  for (Instance* i : list) {
    if (i != nullptr && trees.join(source, node_of(i))) roots.push_back(i);
  }
  // From the roots outward: of two joined by a branch, the nearer one is `rooted`.
  neighbours.resize(static_cast<std::size_t>(trees.size()));
  std::vector<int> distance(static_cast<std::size_t>(trees.size()), -1);
  std::vector<int> queue;
  for (Instance* r : roots) {
    const int n = node_of(r);
    e_.roots[r] = {true, true};
    if (distance[static_cast<std::size_t>(n)] < 0) {
      distance[static_cast<std::size_t>(n)] = 0;
      queue.push_back(n);
    }
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const int n : neighbours[static_cast<std::size_t>(queue[i])]) {
      int& d = distance[static_cast<std::size_t>(n)];
      if (d >= 0) continue;
      d = distance[static_cast<std::size_t>(queue[i])] + 1;
      queue.push_back(n);
    }
  }
  const std::vector<Instance*>& is_root = roots;
  for (Instance* i : list) {
    if (i == nullptr) continue;
    const bool root = e_.roots.count(i) != 0;
    e_.roots[i] = {root, root || is_root.empty()};
  }
  for (const auto& [a, b] : branches_) {
    const int da = distance[static_cast<std::size_t>(node_of(a))];
    const int db = distance[static_cast<std::size_t>(node_of(b))];
    e_.roots[a].second = e_.roots[a].second || da < db;
    e_.roots[b].second = e_.roots[b].second || db < da;
  }
}

}  // namespace arges::lang
