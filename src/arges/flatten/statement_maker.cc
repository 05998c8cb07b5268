#include "arges/flatten/statement_maker.h"

#include "arges/flatten/run_time_vectors.h"

namespace arges::lang {

using diag::Code;

namespace {

// A size or a subscript that is known only during the run.
bool is_run_time(const Failure& why) {
  return why.diagnostic.code == Code::kNotConstant || why.diagnostic.code == Code::kNotSupported;
}

}  // namespace

void StatementMaker::make(StatementList list, const Context& c, std::vector<FlatStatement>& out) {
  for (const Statement* s : list) make(*s, c, out);
}

void StatementMaker::make(const Statement& s, const Context& c, std::vector<FlatStatement>& out) {
  const auto simple = [&](FlatStatement::Kind kind) {
    FlatStatement f;
    f.kind = kind;
    f.origin = e_.origin(c, s.range);
    out.push_back(std::move(f));
  };
  switch (s.kind) {
    case StatementKind::kMissing:
      return;
    case StatementKind::kAssign: {
      const std::size_t before = out.size();
      const std::size_t locals = function_ == nullptr ? 0 : function_->locals.size();
      const std::size_t temporaries = temporaries_.size();
      try {
        return make_assign(s, c, out);
      } catch (const Failure& why) {
        out.resize(before);
        drop_temporaries(temporaries);
        if (function_ != nullptr) function_->locals.resize(locals);
        const bool may_loop = function_ == nullptr ? is_run_time(why)
                                                   : s.left->kind == ExprKind::kReference &&
                                                         RunTimeVectors::may_be(e_, why, c);
        if (!may_loop) throw;
        try {
          if (function_ == nullptr) return make_loop_function(s, 0, c, out);
          return assign_vector(s, c, out);
        } catch (const Failure&) {
          throw why;  // it says what must be known
        }
      }
    }
    case StatementKind::kCall:
      return make_call(s, c, out);
    case StatementKind::kBreak:
      if (loops_ == 0) {
        fail(Code::kBadEquation, "`break` stands in a loop", e_.instances().span(c.scope, s.range));
      }
      return simple(FlatStatement::Kind::kBreak);
    case StatementKind::kReturn:
      if (function_ == nullptr || in_loop_function_) {
        fail(Code::kBadEquation, "`return` stands in a function",
             e_.instances().span(c.scope, s.range));
      }
      return simple(FlatStatement::Kind::kReturn);
    case StatementKind::kIf:
      return make_if(s, c, out);
    case StatementKind::kFor:
      return make_for(s, 0, c, out);
    case StatementKind::kWhile:
      return make_while(s, c, out);
    case StatementKind::kWhen:
      return make_when(s, c, out);
  }
}

void StatementMaker::make_if(const Statement& s, const Context& c,
                             std::vector<FlatStatement>& out) {
  FlatStatement f;
  f.kind = FlatStatement::Kind::kIf;
  f.origin = e_.origin(c, s.range);
  for (const Branch<Statement>& b : s.branches) {
    FlatStatement::Branch branch;
    if (b.condition != nullptr) {
      const ExprId condition = e_.eval_boolean(*b.condition, c);
      if (e_.pool().is_value(condition, 0)) {
        add_unreached(b.body, c);
        continue;
      }
      if (!e_.pool().is_value(condition, 1)) branch.conditions.push_back(condition);
    }
    try {
      make(b.body, c, branch.body);
    } catch (const Failure&) {
      // x[1] of an array without elements, behind a condition that excludes it.
      if (b.condition == nullptr) throw;
      const std::optional<Value> known = e_.try_constant(*b.condition, c);
      if (!known || e_.pool().value(known->scalar()) != 0) throw;
      continue;
    }
    const bool last = branch.conditions.empty();
    if (last) {
      for (const Branch<Statement>* behind = &b + 1;
           behind != s.branches.data() + s.branches.size(); ++behind)
        add_unreached(behind->body, c);
    }
    if (last && f.branches.empty()) {
      out.insert(out.end(), branch.body.begin(), branch.body.end());
      return;
    }
    f.branches.push_back(std::move(branch));
    if (last) break;
  }
  if (!f.branches.empty()) out.push_back(std::move(f));
}

void StatementMaker::make_when(const Statement& s, const Context& c,
                               std::vector<FlatStatement>& out) {
  if (in_when_ || function_ != nullptr) {
    fail(Code::kBadEquation,
         in_loop_function_ ? "`when` cannot stand in a loop whose end is known only during the run"
                           : "`when` cannot stand in another `when` or in a function",
         e_.instances().span(c.scope, s.range));
  }
  in_when_ = true;
  FlatStatement f;
  f.kind = FlatStatement::Kind::kWhen;
  f.origin = e_.origin(c, s.range);
  for (const Branch<Statement>& b : s.branches) {
    FlatStatement::Branch branch;
    const Value v = e_.eval(*b.condition, c);
    if (v.dims.size() > 1 || v.type != ScalarType::kBoolean) {
      fail(Code::kTypeMismatch, "the condition of `when` is a Boolean or a vector of them",
           e_.span(c, *b.condition));
    }
    branch.conditions = v.elements;
    Context body = c;
    body.in_when = true;
    make(b.body, body, branch.body);
    f.branches.push_back(std::move(branch));
  }
  in_when_ = false;
  out.push_back(std::move(f));
}

void StatementMaker::make_call(const Statement& s, const Context& c,
                               std::vector<FlatStatement>& out) {
  const auto& call = as<CallExpr>(*s.left);
  const std::string_view name =
      call.callee->parts.size() == 1 ? call.callee->parts[0].name.text : std::string_view();
  FlatStatement f;
  f.origin = e_.origin(c, s.range);
  if (name == "terminate" && (in_loop_function_ || function_ != nullptr)) {
    fail(in_loop_function_ ? Code::kLoopInAlgorithm : Code::kBadEquation,
         in_quotes(name) + (in_loop_function_
                                ? " cannot stand in a loop whose end is known only during the run"
                                : " cannot stand in a function"),
         e_.instances().span(c.scope, s.range));
  }
  if (name == "assert") {
    f.kind = FlatStatement::Kind::kAssert;
    f.value = e_.eval_boolean(e_.argument(call, 0, "condition", c), c);
    if (e_.pool().is_value(f.value, 1)) return;
    f.message = e_.eval_text(e_.argument(call, 1, "message", c), name, c);
    if (const Expr* level = e_.optional_argument(call, 2, "level")) {
      const Value v = e_.eval_constant(*level, c);
      if (e_.pool().value(v.scalar()) == 1) f.level = AssertionLevel::kWarning;
    }
  } else if (name == "terminate") {
    f.kind = FlatStatement::Kind::kTerminate;
    f.message = e_.eval_text(e_.argument(call, 0, "message", c), name, c);
  } else if (name == "reinit") {
    // Statements have an order, and this takes effect behind all of them (specification, 8.3.6).
    throw Failure{diag::Diagnostic(Code::kBadEquation,
                                   "`reinit` stands in a when-equation, not in an algorithm",
                                   e_.instances().span(c.scope, s.range))
                      .suggest("write it in a `when` of an equation section")};
  } else {
    for (const Value& v : e_.eval_effect(call, c)) {
      assign_one(temporary(v.type), v.scalar(), c, s.range, out);
    }
    return;
  }
  out.push_back(std::move(f));
}

}  // namespace arges::lang
