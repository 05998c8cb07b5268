#include "arges/flatten/assignment_paths.h"

#include <optional>
#include <string>
#include <unordered_map>

#include "arges/flatten/assigned_names.h"
#include "arges/parse/print.h"

namespace arges::lang {

namespace {

using Names = std::unordered_set<std::string_view>;

// The names that are assigned on all paths to a place; nothing when no path leads there.
using Reached = std::optional<Names>;

void keep_common(Reached& all, const Reached& one) {
  if (!one) return;
  if (!all) {
    all = one;
    return;
  }
  std::erase_if(*all, [&](std::string_view name) { return !one->contains(name); });
}

class PathWalk {
 public:
  PathWalk(const Names& outputs, const Names& locals) : outputs_(outputs), locals_(locals) {}

  void run(StatementList statements) {
    walk(statements);
    leave();
  }
  std::vector<Unassigned> take() { return std::move(found_); }

 private:
  void walk(StatementList list) {
    for (const Statement* s : list) {
      if (!now_) return;
      walk(*s);
    }
  }

  void walk(const Statement& s) {
    switch (s.kind) {
      case StatementKind::kAssign:
        read(s.right);
        assign(s.left);
        break;
      case StatementKind::kCall:
        read(s.left);
        if (ends(as<CallExpr>(*s.left))) now_.reset();
        break;
      case StatementKind::kIf:
        walk_if(s);
        break;
      case StatementKind::kFor:
        for (const ForIndex& i : s.indices) {
          read(i.range);
          now_->insert(i.name.text);
        }
        walk_loop(s.branches[0].body, false);
        break;
      case StatementKind::kWhile:
        read(s.branches[0].condition);
        walk_loop(s.branches[0].body, s.branches[0].condition->kind == ExprKind::kTrue);
        // What its body does ends it, as a rule: `found := true` beside the assignment.
        if (now_) add_assigned_names(s.branches[0].body, *now_);
        break;
      case StatementKind::kReturn:
        leave();
        now_.reset();
        break;
      case StatementKind::kBreak:
        keep_common(at_break_, now_);
        now_.reset();
        break;
      case StatementKind::kWhen:
      case StatementKind::kMissing:
        break;
    }
  }

  void walk_if(const Statement& s) {
    Reached after;
    Names in_some;
    bool has_else = false;
    Names before = *now_;
    for (const Branch<Statement>& b : s.branches) {
      now_ = before;
      read(b.condition);
      before = *now_;  // the conditions are looked at one after the other
      has_else = b.condition == nullptr;
      const std::string condition = has_else ? std::string() : print(*b.condition);
      if (const auto it = under_.find(condition); it != under_.end())
        now_->insert(it->second.begin(), it->second.end());
      walk(b.body);
      if (now_) {
        in_some.insert(now_->begin(), now_->end());
        if (!has_else) under_[condition].insert(now_->begin(), now_->end());
      }
      keep_common(after, now_);
    }
    if (!has_else) keep_common(after, before);
    now_ = std::move(after);
    for (const std::string_view name : in_some) {
      if (now_ && !now_->contains(name)) cases_[name] = s.range;
    }
  }

  void walk_loop(StatementList body, bool endless) {
    Reached outer = std::exchange(at_break_, std::nullopt);
    walk(body);
    if (endless) now_.reset();
    keep_common(now_, at_break_);
    at_break_ = std::move(outer);
  }

  // Of an assertion that never holds, and the like.
  static bool ends(const CallExpr& call) {
    const std::string_view name = call.callee->parts.back().name.text;
    if (name == "assert")
      return !call.positional.empty() && call.positional[0]->kind == ExprKind::kFalse;
    return name == "error" || name == "terminate";
  }

  void leave() {
    if (!now_) return;
    for (const std::string_view name : outputs_) {
      if (!now_->contains(name)) tell(name, {});
    }
  }

  void tell(std::string_view name, TextRange use) {
    if (!told_.insert(name).second) return;
    const auto it = cases_.find(name);
    found_.push_back({name, use, it == cases_.end() ? TextRange{} : it->second});
  }

  void assign(const Expr* target) {
    if (target == nullptr) return;
    if (target->kind == ExprKind::kTuple) {
      for (const Expr* e : as<TupleExpr>(*target).elements) assign(e);
    }
    if (target->kind != ExprKind::kReference) return;
    const auto& r = as<ReferenceExpr>(*target);
    for (const ReferencePart& part : r.parts) read(part.subscripts);
    now_->insert(r.parts[0].name.text);
  }

  void read(ExprList list) {
    for (const Expr* e : list) read(e);
  }

  void read(const Expr* e) {
    if (e == nullptr) return;
    switch (e->kind) {
      case ExprKind::kReference: {
        const auto& r = as<ReferenceExpr>(*e);
        for (const ReferencePart& part : r.parts) read(part.subscripts);
        const std::string_view name = r.parts[0].name.text;
        const bool watched = outputs_.contains(name) || locals_.contains(name);
        if (watched && !r.global && !now_->contains(name)) tell(name, e->range);
        return;
      }
      case ExprKind::kCall:
        return read_call(as<CallExpr>(*e));
      case ExprKind::kUnary:
        return read(as<UnaryExpr>(*e).operand);
      case ExprKind::kChain:
        return read(as<ChainExpr>(*e).operands);
      case ExprKind::kIf: {
        // Only the first condition is looked at whatever happens.
        return read(as<IfExpr>(*e).branches[0].condition);
      }
      case ExprKind::kRange:
        read(as<RangeExpr>(*e).start);
        read(as<RangeExpr>(*e).step);
        return read(as<RangeExpr>(*e).stop);
      case ExprKind::kArray:
        return with_iterators(as<ArrayExpr>(*e).iterators,
                              [&] { read(as<ArrayExpr>(*e).elements); });
      case ExprKind::kMatrix:
        for (const ExprList& row : as<MatrixExpr>(*e).rows) read(row);
        return;
      case ExprKind::kTuple:
        return read(as<TupleExpr>(*e).elements);
      case ExprKind::kSuffix:
        return read(as<SuffixExpr>(*e).base);
      default:
        return;
    }
  }

  void read_call(const CallExpr& call) {
    const std::string_view name = call.callee->parts.back().name.text;
    if (name == "size" || name == "ndims") return;  // of the declaration
    with_iterators(call.iterators, [&] {
      read(call.positional);
      for (const NamedArgument& a : call.named) read(a.value);
    });
  }

  template <class Body>
  void with_iterators(std::span<const ForIndex> iterators, Body body) {
    const Names before = iterators.empty() ? Names{} : *now_;
    for (const ForIndex& i : iterators) {
      read(i.range);
      now_->insert(i.name.text);
    }
    body();
    if (!iterators.empty()) now_ = before;
  }

  const Names& outputs_;
  const Names& locals_;
  Reached now_ = Names{};
  Reached at_break_;
  std::unordered_map<std::string, Names> under_;  // assigned where a condition holds
  std::unordered_map<std::string_view, TextRange> cases_;
  Names told_;
  std::vector<Unassigned> found_;
};

}  // namespace

std::vector<Unassigned> unassigned_on_paths(StatementList statements, const Names& outputs,
                                            const Names& locals) {
  PathWalk walk(outputs, locals);
  walk.run(statements);
  return walk.take();
}

}  // namespace arges::lang
