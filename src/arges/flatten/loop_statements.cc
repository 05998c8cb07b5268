// Loops of algorithms and functions.

#include <algorithm>
#include <optional>

#include "arges/flatten/loop_function.h"
#include "arges/flatten/run_time_vectors.h"
#include "arges/flatten/statement_maker.h"

namespace arges::lang {

using diag::Code;

namespace {

bool has_break(StatementList list) {
  for (const Statement* s : list) {
    if (s->kind == StatementKind::kBreak) return true;
    if (s->kind == StatementKind::kFor || s->kind == StatementKind::kWhile) continue;
    for (const Branch<Statement>& b : s->branches) {
      if (has_break(b.body)) return true;
    }
  }
  return false;
}

bool may_break(const FlatStatement& s) {
  if (s.kind == FlatStatement::Kind::kBreak) return true;
  if (s.kind != FlatStatement::Kind::kIf) return false;
  return std::any_of(s.branches.begin(), s.branches.end(), [](const FlatStatement::Branch& b) {
    return std::any_of(b.body.begin(), b.body.end(), may_break);
  });
}

}  // namespace

void StatementMaker::make_while(const Statement& s, const Context& c,
                                std::vector<FlatStatement>& out) {
  if (function_ == nullptr) return make_loop_function(s, 0, c, out);
  const Nested nested(loops_);
  FlatStatement f;
  f.kind = FlatStatement::Kind::kWhile;
  f.origin = e_.origin(c, s.range);
  f.value = e_.eval_boolean(*s.branches[0].condition, c);
  make(s.branches[0].body, c, f.branches.emplace_back().body);
  out.push_back(std::move(f));
}

void StatementMaker::make_for(const Statement& s, std::size_t at, const Context& c,
                              std::vector<FlatStatement>& out) {
  if (at == s.indices.size()) {
    make(s.branches[0].body, c, out);
    return;
  }
  const ForIndex& index = s.indices[at];
  ExprPool& pool = e_.pool();
  std::optional<Failure> failure;
  if (function_ != nullptr && index.range != nullptr && index.range->kind == ExprKind::kRange) {
    const auto& range = as<RangeExpr>(*index.range);
    const std::size_t locals = function_->locals.size();
    try {
      const Nested nested(loops_);
      FlatStatement f;
      f.kind = FlatStatement::Kind::kFor;
      f.origin = e_.origin(c, s.range);
      f.first = e_.eval_scalar(*range.start, c);
      f.step = range.step == nullptr ? pool.integer(1) : e_.eval_scalar(*range.step, c);
      f.last = e_.eval_scalar(*range.stop, c);
      const ScalarType type = pool[f.first].type;
      f.local = add_local(index.name.text, type);
      const Frame frame{c.frame, index.name.text, scalar_value(pool, pool.local(f.local, type))};
      Context inner = c;
      inner.frame = &frame;
      f.branches.emplace_back();
      make_for(s, at + 1, inner, f.branches[0].body);
      out.push_back(std::move(f));
      return;
    } catch (const Failure& why) {
      function_->locals.resize(locals);  // sizes depend on the loop: unroll it
      failure = why;
    }
  }
  Context structural = c;
  structural.structural = true;
  const IndexUse use = find_use(index.name.text, s.branches[0].body);
  std::vector<Value> values;
  try {
    values = e_.range_values(index, structural, &use);
  } catch (const Failure& why) {
    if (why.diagnostic.code != Code::kNotConstant) throw;
    if (failure) throw Failure(*failure);
    if (function_ == nullptr) return make_loop_function(s, at, c, out);
    if (make_for_elements(s, at, c, out)) return;
    throw;
  }
  if (values.empty()) return add_unreached_in_empty(s, at, c);
  const Nested nested(loops_);
  const bool breaks = at + 1 == s.indices.size() && has_break(s.branches[0].body);
  Flag broken;
  if (breaks) {
    broken.value = temporary(ScalarType::kBoolean);
    assign_one(broken.value, pool.boolean(false), c, s.range, out);
    broken.set = out.back();
    broken.set.value = pool.boolean(true);
  }
  const std::size_t begin = out.size(), temporaries = temporaries_.size();
  const int choices = choices_;
  for (std::size_t n = 0; n < values.size(); ++n) {
    e_.count_turn(c, s.range);
    const Frame frame{c.frame, index.name.text, std::move(values[n])};
    Context inner = c;
    inner.frame = &frame;
    if (!breaks) {
      make_for(s, at + 1, inner, out);
    } else {
      std::vector<FlatStatement> turn;
      make_for(s, at + 1, inner, turn);
      replace_breaks(turn, broken);
      out.push_back(unless(broken, std::move(turn)));
    }
    if (n == 0 && choices_ != choices && values.size() > 1 &&
        may_be_function({out.begin() + static_cast<std::ptrdiff_t>(begin), out.end()})) {
      // Unrolled, each turn would have a branch for each element of the array.
      out.resize(begin);
      drop_temporaries(temporaries);
      return make_loop_function(s, at, c, out);
    }
  }
}

// Whether statements mean the same in a function: they make no events, and assign no discrete
// variables outside of `when`.
bool StatementMaker::may_be_function(std::span<const FlatStatement> list) {
  if (function_ != nullptr) return false;
  return std::all_of(list.begin(), list.end(), [&](const FlatStatement& s) {
    const bool events = !in_when_ && !initial_;
    const auto makes_events = [&](ExprId e) { return events && e.valid() && e_.makes_events(e); };
    if (s.kind == FlatStatement::Kind::kAssert) return true;
    if (s.kind == FlatStatement::Kind::kAssign) {
      return !makes_events(s.value) &&
             (!events || e_.model()[s.target].variability == FlatVariability::kContinuous);
    }
    if (s.kind != FlatStatement::Kind::kIf) return false;
    return std::all_of(s.branches.begin(), s.branches.end(), [&](const FlatStatement::Branch& b) {
      return std::none_of(b.conditions.begin(), b.conditions.end(), makes_events) &&
             may_be_function(b.body);
    });
  });
}

// The elements are those before the first turn.
bool StatementMaker::make_for_elements(const Statement& s, std::size_t at, const Context& c,
                                       std::vector<FlatStatement>& out) {
  const ForIndex& index = s.indices[at];
  if (index.range == nullptr || index.range->kind == ExprKind::kRange) return false;
  ExprPool& pool = e_.pool();
  const LocalId position = add_local("$at", ScalarType::kInteger);
  const ExprId here = pool.local(position, ScalarType::kInteger);
  FlatStatement f;
  f.kind = FlatStatement::Kind::kFor;
  f.origin = e_.origin(c, s.range);
  f.first = f.step = pool.integer(1);
  f.local = position;
  Value element;
  const auto keep = [&](const Value& v, ExprId size) {
    // One local array for each scalar of an element.
    const auto kept = [&](auto&& self, Value& part) -> void {
      for (auto& [name, field] : part.fields) self(self, field);
      for (ExprId& x : part.elements) {
        const ScalarType type = pool[x].type;
        x = pool.element(add_local(index.name.text, type, size), {&here, 1}, type);
      }
    };
    element = v;
    kept(kept, element);
  };
  const auto place = [&](ExprId kept, ExprId at_position) {
    return pool.element(LocalId{pool[kept].index}, {&at_position, 1}, pool[kept].type);
  };
  try {
    const Value v = e_.eval(*index.range, c);
    if (v.kind == Value::Kind::kFunction || v.dims.size() != 1) return false;
    if (v.dims[0] == 0) return true;  // no turn
    f.last = pool.integer(v.dims[0]);
    keep(element_of(v, 1), f.last);
    std::vector<ExprId> targets, values;
    append_scalars(element, targets);
    for (int k = 1; k <= v.dims[0]; ++k) {
      values.clear();
      append_scalars(element_of(v, k), values);
      for (std::size_t n = 0; n < values.size(); ++n)
        assign_one(place(targets[n], pool.integer(k)), values[n], c, s.range, out);
    }
  } catch (const Failure& why) {
    if (!RunTimeVectors::may_be(e_, why, c)) throw;
    RunTimeVectors vectors(e_, here);
    const RunTimeVectors::Item v = vectors.make(*index.range, c);
    if (!v.is_vector || !v.most.valid()) throw;
    for (const auto& [a, b] : vectors.checks())
      out.push_back(RunTimeVectors::check(e_, a, b, f.origin));
    f.last = v.length;
    keep(v.element, v.most);
    FlatStatement copy = f;
    assign_one(place(element.scalar(), here), v.element.scalar(), c, s.range,
               copy.branches.emplace_back().body);
    out.push_back(std::move(copy));
  }
  const Frame frame{c.frame, index.name.text, std::move(element)};
  Context inner = c;
  inner.frame = &frame;
  const Nested nested(loops_);
  make_for(s, at + 1, inner, f.branches.emplace_back().body);
  out.push_back(std::move(f));
  return true;
}

void StatementMaker::make_loop_function(const Statement& s, std::size_t at, const Context& c,
                                        std::vector<FlatStatement>& out) {
  const diag::Span where = e_.instances().span(c.scope, s.range);
  FlatFunction made;
  made.origin = e_.origin(c, s.range);
  made.name = e_.model().name + ".$loop" + std::to_string(e_.model().functions.size());
  StatementMaker inside(e_, made);
  inside.in_loop_function_ = true;
  std::optional<FunctionAround> around;
  around.emplace(e_, &made);
  const FunctionMade inside_of(e_, nullptr);  // its arrays are those of the model so far
  Context inner = c;
  inner.in_function = true;
  if (s.kind == StatementKind::kFor) {
    inside.make_for(s, at, inner, made.body);
  } else {
    inside.make(s, inner, made.body);
  }
  around.reset();
  unreached_.insert(unreached_.end(), inside.unreached_.begin(), inside.unreached_.end());
  std::vector<ExprId> targets, values;
  std::vector<ScalarType> types;
  for (const LoopFunction::Result& r : LoopFunction(e_, made).close(where)) {
    targets.push_back(r.variable);
    values.push_back(r.value);
    types.push_back(e_.pool()[r.variable].type);
  }
  if (targets.empty()) return check_loop(std::move(made), c, s.range, out);
  assign_scalars(std::move(targets), std::move(values), types, c, s.range, out);
}

// A loop that assigns nothing is there for its assertions: it gives a number, which is asserted to
// be what it is.
void StatementMaker::check_loop(FlatFunction loop, const Context& c, TextRange range,
                                std::vector<FlatStatement>& out) {
  ExprPool& pool = e_.pool();
  e_.model().functions.pop_back();  // without results it cannot be called
  const ExprId passed = temporary(ScalarType::kReal);
  std::vector<FlatStatement> first;
  assign_one(passed, pool.real(1), c, range, first);
  loop.body.insert(loop.body.begin(), first[0]);
  const auto results = LoopFunction(e_, std::move(loop)).close(e_.instances().span(c.scope, range));
  assign_one(passed, pool.real(0), c, range, out);
  assign_one(passed, results[0].value, c, range, out);
  FlatStatement check;
  check.kind = FlatStatement::Kind::kAssert;
  check.origin = e_.origin(c, range);
  check.value = pool.make(Op::kNoEvent, {pool.make(Op::kGreater, {passed, pool.real(0)})});
  check.message = pool.string("the loop has not ended");
  out.push_back(std::move(check));
}

FlatStatement StatementMaker::unless(const Flag& broken, std::vector<FlatStatement> body) {
  FlatStatement f;
  f.kind = FlatStatement::Kind::kIf;
  f.origin = broken.set.origin;
  f.branches.push_back({{e_.pool().make(Op::kNot, {broken.value})}, std::move(body)});
  return f;
}

// In a loop that is unrolled: `break` sets a flag, and what could run behind it asks for the flag.
void StatementMaker::replace_breaks(std::vector<FlatStatement>& list, const Flag& broken) {
  const auto first = std::find_if(list.begin(), list.end(), may_break);
  if (first == list.end()) return;
  std::vector<FlatStatement> rest(std::next(first), list.end());
  list.erase(std::next(first), list.end());
  if (list.back().kind == FlatStatement::Kind::kBreak) {
    list.back() = broken.set;
    return add_unreached(rest);
  }
  for (FlatStatement::Branch& b : list.back().branches) replace_breaks(b.body, broken);
  if (rest.empty()) return;
  replace_breaks(rest, broken);
  list.push_back(unless(broken, std::move(rest)));
}

}  // namespace arges::lang
