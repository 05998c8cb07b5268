// What an algorithm assigns where it never comes, or to itself. The algorithm determines it (its
// value is that of before), as it would if a parameter decided about the way.

#include <limits>
#include <unordered_set>

#include "arges/flatten/statement_maker.h"

namespace arges::lang {

namespace {

void add_targets(const std::vector<FlatStatement>& body, std::unordered_set<std::int32_t>& out) {
  for (const FlatStatement& s : body) {
    if (s.kind == FlatStatement::Kind::kAssign) out.insert(s.target.index);
    for (const FlatStatement::Branch& b : s.branches) add_targets(b.body, out);
  }
}

}  // namespace

void StatementMaker::add_unreached(StatementList list, const Context& c) {
  const bool in_model = function_ == nullptr || in_loop_function_;
  if (!in_model || initial_) return;
  for (const Statement* s : list) {
    if (s->kind == StatementKind::kAssign && s->left->kind != ExprKind::kTuple) {
      add_unreached(*s->left, c);
    } else if (s->kind == StatementKind::kAssign) {
      for (const Expr* e : as<TupleExpr>(*s->left).elements) {
        if (e != nullptr) add_unreached(*e, c);
      }
    } else if (s->kind == StatementKind::kFor) {
      bool turns = false;
      try {
        e_.iterate(s->indices, 0, c, [&](const Context& inner) {
          turns = true;
          add_unreached(s->branches[0].body, inner);
        });
      } catch (const Failure&) {
        continue;  // how often is not known
      }
      if (!turns) add_unreached_in_empty(*s, 0, c);
    } else {
      for (const Branch<Statement>& b : s->branches) add_unreached(b.body, c);
    }
  }
}

// No element is assigned whose place the index would tell: it gets a value that is no subscript.
void StatementMaker::add_unreached_in_empty(const Statement& loop, std::size_t at,
                                            const Context& c) {
  if (at == loop.indices.size()) return add_unreached(loop.branches[0].body, c);
  ExprPool& pool = e_.pool();
  const Frame frame{c.frame, loop.indices[at].name.text,
                    scalar_value(pool, pool.integer(std::numeric_limits<std::int32_t>::min()))};
  Context inner = c;
  inner.frame = &frame;
  add_unreached_in_empty(loop, at + 1, inner);
}

void StatementMaker::add_unreached(const Expr& target, const Context& c) {
  std::vector<ExprId> scalars;
  try {
    append_scalars(e_.eval(target, c), scalars);
  } catch (const Failure&) {
    return;  // a[0], which the condition excludes
  }
  for (const ExprId e : scalars) add_unreached(e);
}

void StatementMaker::add_unreached(const std::vector<FlatStatement>& list) {
  for (const FlatStatement& s : list) {
    const bool is_target = s.kind == FlatStatement::Kind::kAssign && s.target.valid();
    if (is_target) add_unreached(e_.model().ref(s.target));
    for (const FlatStatement::Branch& b : s.branches) add_unreached(b.body);
  }
}

void StatementMaker::add_unreached(ExprId scalar) {
  const bool in_model = function_ == nullptr || in_loop_function_;
  if (!in_model || initial_ || e_.pool()[scalar].op != Op::kVar) return;
  const VarId v = e_.pool().var(scalar);
  if (e_.model()[v].variability > FlatVariability::kParameter) unreached_.push_back(v);
}

void StatementMaker::keep_unreached(std::vector<FlatStatement>& body) {
  if (unreached_.empty()) return;
  std::unordered_set<std::int32_t> assigned;
  add_targets(body, assigned);
  std::vector<FlatStatement> kept;
  for (const VarId v : unreached_) {
    if (!assigned.insert(v.index).second) continue;
    FlatStatement& s = kept.emplace_back();
    s.target = v;
    s.value = e_.model().ref(v);
    s.origin = e_.model()[v].origin;
  }
  body.insert(body.begin(), kept.begin(), kept.end());
  unreached_.clear();
}

}  // namespace arges::lang
