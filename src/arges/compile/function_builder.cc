// User functions to instructions.

#include <algorithm>
#include <bit>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/index.h"
#include "arges/compile/builder.h"
#include "arges/expr/walk.h"

namespace arges::vm {

namespace {

// Expressions of function bodies are as deep as the user wrote them.
constexpr int kMaxDepth = 2000;
// Of a `while`, in one call.
constexpr int kMostTurns = 100'000'000;

class FunctionBuilder {
 public:
  FunctionBuilder(CodeBase& code, const FlatFunction& f)
      : code_(code), pool_(code.flat->pool), f_(f) {}

  FunctionCode run() {
    out_.name = f_.name;
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < f_.locals.size(); ++i) {
      local_.push_back(next);
      next += static_cast<std::uint32_t>(f_.locals[i].size());
      if (i + 1 == at(f_.inputs)) out_.inputs = next;
      if (i + 1 == at(f_.inputs + f_.outputs)) out_.outputs = next - out_.inputs;
    }
    const bool is_open = std::ranges::any_of(f_.locals, has_run_time_sizes);
    if (is_open) frame_ = next++;
    first_temporary_ = out_.frame = next;
    if (is_open) emit(Code::kFrame, frame_);
    for (std::size_t i = at(f_.inputs); i < f_.locals.size(); ++i) {
      const FlatLocal& v = f_.locals[i];
      begin_statement();
      if (v.initial.valid()) into(v.initial, local_[i]);
      for (std::size_t k = 0; k < v.initial_elements.size(); ++k)
        into(v.initial_elements[k], local_[i] + static_cast<std::uint32_t>(k));
    }
    for (std::size_t i = at(f_.inputs); i < f_.locals.size(); ++i) {
      if (has_run_time_sizes(f_.locals[i])) reserve(i);
    }
    statements(f_.body);
    if (!f_.external.empty()) external();
    for (const std::size_t jump : returns_) out_.program[jump].dst = here();
    emit(Code::kEnd, 0);
    return std::move(out_);
  }

 private:
  static bool has_run_time_sizes(const FlatLocal& v) { return !v.sizes.empty(); }

  void reserve(std::size_t local) {
    const FlatLocal& v = f_.locals[local];
    begin_statement();
    const std::string array = fmt::format("'{}'{}", v.name, in_function());
    const std::uint32_t error = code_.error(array + place_text(pool_, f_.origin));
    const std::uint32_t negative =
        code_.error(array + " has a negative size" + place_text(pool_, f_.origin));
    const std::uint32_t count = temporary(), zero = number(0), fits = temporary();
    emit(Code::kMove, count, number(1));
    for (const ExprId e : v.sizes) {
      const std::uint32_t size = value(e, 0);
      emit(Code::kGreaterEqual, fits, size, zero);
      emit(Code::kFail, fits, negative);
      emit(Code::kMul, count, count, size);
    }
    emit(Code::kReserve, local_[local], count, error);
  }

  std::uint32_t here() const { return static_cast<std::uint32_t>(out_.program.size()); }
  std::size_t emit(Code op, std::uint32_t dst, std::uint32_t a = 0, std::uint32_t b = 0) {
    out_.program.push_back({op, dst, a, b});
    return out_.program.size() - 1;
  }
  std::uint32_t temporary(std::uint32_t count = 1) {
    const std::uint32_t s = next_;
    next_ += count;
    out_.frame = std::max(out_.frame, next_);
    return s;
  }
  void begin_statement() {
    next_ = std::max({first_temporary_, loop_temporaries_, kept_end_});
    memo_ = kept_;
  }

  // A record that a function gives arrives as one assignment for each of its components: between
  // assignments the results of calls stay, unless what was assigned is among their arguments.
  void keep_calls(LocalId assigned) {
    for (const auto& [e, slot] : memo_) {
      if (pool_[ExprId{e}].op != Op::kCall) continue;
      const FlatFunction& f = code_.flat->functions[at(pool_[ExprId{e}].index)];
      if (f.impure || uses(ExprId{e}, assigned)) {
        kept_.erase(e);
        continue;
      }
      kept_.emplace(e, slot);
      kept_end_ = std::max(kept_end_, slot + static_cast<std::uint32_t>(f.output_scalars()));
    }
  }
  void forget_calls() {
    kept_.clear();
    kept_end_ = 0;
  }
  bool uses(ExprId e, LocalId local) {
    for (const ExprId n : walker_.nodes(e)) {
      const Op op = pool_[n].op;
      if ((op == Op::kLocal || op == Op::kElement) && pool_[n].index == local.index) return true;
    }
    return false;
  }
  std::uint32_t number(double v) {
    const std::uint32_t s = temporary();
    const auto bits = std::bit_cast<std::uint64_t>(v);
    emit(Code::kConst, s, static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32));
    return s;
  }

  void into(ExprId e, std::uint32_t dst) {
    const std::uint32_t v = value(e, 0);
    if (v != dst) emit(Code::kMove, dst, v);
  }

  // The register that holds the value. Locals change between statements only.
  std::uint32_t value(ExprId e, int depth) {
    if (depth > kMaxDepth)
      throw UserError(fmt::format("an expression of function '{}' is nested too deeply", f_.name));
    const auto known = memo_.find(e.index);
    if (known != memo_.end()) return known->second;
    // Sums of arrays lean to the left: they are as deep as the array is long.
    std::vector<ExprId> spine{e};
    for (ExprId x = e; leans(x);) {
      x = pool_.arg(x, 0);
      if (memo_.count(x.index) > 0) break;
      spine.push_back(x);
    }
    for (; !spine.empty(); spine.pop_back())
      memo_[spine.back().index] = compute(spine.back(), depth + 1);
    return memo_.at(e.index);
  }

  bool leans(ExprId e) const {
    const Op op = pool_[e].op;
    return op == Op::kAdd || op == Op::kSub || op == Op::kMul || op == Op::kMin || op == Op::kMax;
  }

  std::uint32_t compute(ExprId e, int depth) {
    const ExprNode node = pool_[e];
    const auto args = pool_.args(e);
    switch (node.op) {
      case Op::kReal:
      case Op::kInteger:
      case Op::kBoolean:
        return number(node.value);
      case Op::kString:
        return number(code_.string(pool_.text(StringId{node.index})));
      case Op::kToString:
        return text(args.size() == 2 ? TextOperation::Kind::kFormat : TextOperation::Kind::kNumber,
                    args, depth);
      case Op::kAdd:
        if (node.type == ScalarType::kString) return text(TextOperation::Kind::kJoin, args, depth);
        return operation(node.op, node.type, args, depth);
      case Op::kLess:
      case Op::kLessEqual:
      case Op::kGreater:
      case Op::kGreaterEqual: {
        if (pool_[args[0]].type != ScalarType::kString)
          return operation(node.op, node.type, args, depth);
        const std::uint32_t order = text(TextOperation::Kind::kCompare, args, depth);
        const std::uint32_t dst = temporary();
        emit(code_of(node.op), dst, order, number(0));
        return dst;
      }
      case Op::kLocal:
        return local_[at(node.index)];
      case Op::kElement: {
        if (has_run_time_sizes(f_.locals[at(node.index)])) {
          const std::uint32_t place = place_of(LocalId{node.index}, args, depth);
          const std::uint32_t dst = temporary();
          emit(Code::kLoadAt, dst, place);
          return dst;
        }
        const auto index = offset(LocalId{node.index}, args, depth);
        if (const auto* constant = std::get_if<0>(&index))
          return local_[at(node.index)] + *constant;
        const std::uint32_t dst = temporary();
        emit(Code::kLoad, dst, local_[at(node.index)], std::get<1>(index).slot);
        return dst;
      }
      case Op::kIndex: {
        const std::uint32_t subscript = value(args[0], depth), one = number(1);
        const auto size = static_cast<std::uint32_t>(args.size()) - 1;
        emit(Code::kBounds, subscript, size, code_.error(pool_.text(StringId{node.index})));
        std::vector<std::uint32_t> elements;
        for (const ExprId a : args.subspan(1)) elements.push_back(value(a, depth));
        const std::uint32_t first = temporary(size), dst = temporary();
        for (std::uint32_t k = 0; k < size; ++k) emit(Code::kMove, first + k, elements[k]);
        emit(Code::kSub, dst, subscript, one);
        emit(Code::kLoad, dst, first, dst);
        return dst;
      }
      case Op::kNoEvent:
      case Op::kHomotopy:
        return value(args[0], depth);
      case Op::kSmooth:
        return value(args[1], depth);
      case Op::kIf: {
        const std::uint32_t dst = temporary();
        const std::uint32_t condition = value(args[0], depth);
        const std::size_t test = emit(Code::kJumpIfNot, 0, condition);
        const auto memo = memo_;
        emit(Code::kMove, dst, value(args[1], depth));
        const std::size_t skip = emit(Code::kJump, 0);
        memo_ = memo;
        out_.program[test].dst = here();
        emit(Code::kMove, dst, value(args[2], depth));
        memo_ = memo;
        out_.program[skip].dst = here();
        emit(Code::kMoveIf, dst, condition, dst);  // no branch is right where it is NaN
        return dst;
      }
      case Op::kAnd:
      case Op::kOr: {  // the second operand only when needed
        const std::uint32_t dst = temporary();
        emit(Code::kMove, dst, value(args[0], depth));
        std::uint32_t test = dst;
        if (node.op == Op::kOr) {
          test = temporary();
          emit(Code::kNot, test, dst);
        }
        const std::size_t skip = emit(Code::kJumpIfNot, 0, test);
        const auto memo = memo_;
        emit(node.op == Op::kAnd ? Code::kAnd : Code::kOr, dst, dst, value(args[1], depth));
        memo_ = memo;
        out_.program[skip].dst = here();
        return dst;
      }
      case Op::kSemiLinear: {
        const std::uint32_t x = value(args[0], depth), zero = number(0), test = temporary();
        emit(Code::kGreaterEqual, test, x, zero);
        const std::uint32_t dst = temporary();
        emit(Code::kMove, dst, value(args[2], depth));
        emit(Code::kMoveIf, dst, test, value(args[1], depth));
        emit(Code::kMul, dst, dst, x);
        return dst;
      }
      case Op::kCall: {
        const FlatFunction& f = code_.flat->functions[at(node.index)];
        Call call{static_cast<std::uint32_t>(node.index), {}, 0};
        for (const ExprId a : args) call.arguments.push_back(value(a, depth));
        call.results = temporary(static_cast<std::uint32_t>(f.output_scalars()));
        emit(Code::kCall, call.results, static_cast<std::uint32_t>(out_.calls.size()));
        const std::uint32_t results = call.results;
        out_.calls.push_back(std::move(call));
        return results;
      }
      case Op::kResult:
        return value(args[0], depth) + static_cast<std::uint32_t>(node.index);
      default: {
        if (is_leaf(node.op)) {
          throw UserError(fmt::format("function '{}' uses '{}', which only models may", f_.name,
                                      node.op == Op::kVar
                                          ? code_.flat->variables[at(node.index)].name
                                          : std::string(to_string(node.op))));
        }
        return operation(node.op, node.type, args, depth);
      }
    }
  }

  std::uint32_t operation(Op op, ScalarType type, std::span<const ExprId> args, int depth) {
    const std::uint32_t a = value(args[0], depth);
    const std::uint32_t b = args.size() > 1 ? value(args[1], depth) : a;
    const std::uint32_t dst = temporary();
    emit(code_of(op, type), dst, a, b);
    return dst;
  }

  std::uint32_t text(TextOperation::Kind kind, std::span<const ExprId> args, int depth) {
    TextOperation t{kind, pool_[args[0]].type, {}};
    for (const ExprId a : args) t.operands.push_back(value(a, depth));
    const std::uint32_t dst = temporary();
    emit(Code::kText, dst, static_cast<std::uint32_t>(out_.texts.size()));
    out_.texts.push_back(std::move(t));
    return dst;
  }

  void external() {
    begin_statement();
    ExternalCall call = code_.external_call(f_);
    for (const ExternalArgument& a : f_.external_arguments) {
      ExternalCall::Slot slot;
      if (a.local.valid()) {
        const FlatLocal& v = f_.locals[at(a.local.index)];
        slot = {argument_type(v.type, v.is_object), local_[at(a.local.index)], v.dims,
                a.local.index >= f_.inputs};
      } else {
        slot = {argument_type(pool_[a.value].type, false), value(a.value, 0), {}, false};
      }
      call.arguments.push_back(std::move(slot));
    }
    call.result = f_.external_result.valid() ? local_[at(f_.external_result.index)] : temporary();
    emit(Code::kExternal, 0, static_cast<std::uint32_t>(out_.externals.size()));
    out_.externals.push_back(std::move(call));
  }

  struct Slot {
    std::uint32_t slot;
  };
  // Position of an element in its array: a number, or a register that holds it.
  std::variant<std::uint32_t, Slot> offset(LocalId array, std::span<const ExprId> given,
                                           int depth) {
    const FlatLocal& v = f_.locals[at(array.index)];
    const std::vector<ExprId> subscripts(given.begin(), given.end());
    if (subscripts.size() != v.dims.size())
      throw ApiError(
          fmt::format("'{}' in function '{}': wrong number of subscripts", v.name, f_.name));
    const bool constant = std::all_of(subscripts.begin(), subscripts.end(),
                                      [&](ExprId e) { return pool_.is_constant(e); });
    if (constant) {
      std::uint32_t position = 0;
      for (std::size_t k = 0; k < subscripts.size(); ++k) {
        const double i = pool_.value(subscripts[k]);
        if (!(i >= 1 && i <= v.dims[k])) {
          throw UserError(fmt::format("'{}' in function '{}': subscript {} is not in 1 .. {}",
                                      v.name, f_.name, i, v.dims[k]));
        }
        position =
            position * static_cast<std::uint32_t>(v.dims[k]) + static_cast<std::uint32_t>(i) - 1;
      }
      return position;
    }
    const std::uint32_t text = code_.error(
        fmt::format("'{}' in function '{}'{}", v.name, f_.name, place_text(pool_, origin_)));
    const std::uint32_t one = number(1);
    const std::uint32_t position = temporary();
    for (std::size_t k = 0; k < subscripts.size(); ++k) {
      const std::uint32_t i = value(subscripts[k], depth);
      emit(Code::kBounds, i, static_cast<std::uint32_t>(v.dims[k]), text);
      if (k == 0) {
        emit(Code::kSub, position, i, one);
        continue;
      }
      emit(Code::kMul, position, position, number(v.dims[k]));
      emit(Code::kAdd, position, position, i);
      emit(Code::kSub, position, position, one);
    }
    return Slot{position};
  }

  // Of an element, from the frame.
  std::uint32_t place_of(LocalId array, std::span<const ExprId> given, int depth) {
    const FlatLocal& v = f_.locals[at(array.index)];
    const std::vector<ExprId> subscripts(given.begin(), given.end());
    const std::uint32_t text =
        code_.error(fmt::format("'{}'{}{}", v.name, in_function(), place_text(pool_, origin_)));
    const std::uint32_t one = number(1), place = temporary();
    for (std::size_t k = 0; k < subscripts.size(); ++k) {
      const std::uint32_t i = value(subscripts[k], depth), size = value(v.sizes[k], depth);
      emit(Code::kBoundsOf, i, size, text);
      if (k > 0) emit(Code::kMul, place, place, size);
      emit(k > 0 ? Code::kAdd : Code::kMove, place, k > 0 ? place : i, i);
      emit(Code::kSub, place, place, one);
    }
    emit(Code::kAdd, place, place, local_[at(array.index)]);
    emit(Code::kSub, place, place, frame_);
    return place;
  }

  void statements(const std::vector<Statement>& body) {
    forget_calls();
    for (const Statement& s : body) {
      begin_statement();
      if (s.kind == Statement::Kind::kAssign) {
        statement(s);
        keep_calls(s.local);
        continue;
      }
      forget_calls();
      statement(s);
      forget_calls();
    }
  }

  void statement(const Statement& s) {
    origin_ = s.origin;
    switch (s.kind) {
      case Statement::Kind::kAssign: {
        if (s.subscripts.empty()) return into(s.value, local_[at(s.local.index)]);
        const std::uint32_t v = value(s.value, 0);
        if (has_run_time_sizes(f_.locals[at(s.local.index)])) {
          const std::uint32_t place = place_of(s.local, s.subscripts, 0);
          emit(Code::kStoreAt, 0, place, v);
          return;
        }
        const auto index = offset(s.local, s.subscripts, 0);
        if (const auto* constant = std::get_if<0>(&index)) {
          emit(Code::kMove, local_[at(s.local.index)] + *constant, v);
        } else {
          emit(Code::kStore, local_[at(s.local.index)], std::get<1>(index).slot, v);
        }
        return;
      }
      case Statement::Kind::kIf: {
        std::vector<std::size_t> ends;
        for (const Statement::Branch& b : s.branches) {
          std::optional<std::size_t> test;
          if (!b.conditions.empty()) {
            begin_statement();
            test = jump_if_not(value(b.conditions[0], 0));
          }
          statements(b.body);
          ends.push_back(emit(Code::kJump, 0));
          if (test) out_.program[*test].dst = here();
        }
        for (const std::size_t jump : ends) out_.program[jump].dst = here();
        return;
      }
      case Statement::Kind::kFor:
        return for_loop(s);
      case Statement::Kind::kWhile:
        return while_loop(s);
      case Statement::Kind::kBreak:
        if (breaks_.empty())
          throw UserError(fmt::format("break outside a loop in function '{}'", f_.name));
        breaks_.back().push_back(emit(Code::kJump, 0));
        return;
      case Statement::Kind::kReturn:
        returns_.push_back(emit(Code::kJump, 0));
        return;
      case Statement::Kind::kAssert: {
        if (s.level == AssertionLevel::kWarning) return;
        const std::size_t fails = jump_if_not(value(s.value, 0));
        const std::size_t holds = emit(Code::kJump, 0);
        out_.program[fails].dst = here();
        emit(Code::kFailText, 0, code_.error(fmt::format("assertion{}: ", in_function())),
             value(s.message, 0));
        out_.program[holds].dst = here();
        return;
      }
      default:
        throw UserError(
            fmt::format("function '{}' uses a statement that only models may", f_.name));
    }
  }

  template <class Next>
  void loop_body(const std::vector<Statement>& body, Next next) {
    breaks_.emplace_back();
    statements(body);
    next();
  }
  void finish_breaks() {
    for (const std::size_t jump : breaks_.back()) out_.program[jump].dst = here();
    breaks_.pop_back();
  }

  // What is to be done where a condition is NaN, nobody knows.
  std::size_t jump_if_not(std::uint32_t condition) {
    const std::uint32_t text = code_.error(
        fmt::format("a condition{} compares what is not a number (NaN): look for a division by "
                    "zero or a function outside its domain before it{}",
                    in_function(), place_text(pool_, origin_)));
    return emit(Code::kJumpIfNot, 0, condition, text + 1);
  }

  // A loop of a model is a function that the text does not name.
  std::string in_function() const {
    return f_.name.find('$') != std::string::npos ? "" : fmt::format(" in function '{}'", f_.name);
  }

  // One that never ends would hang the run without a word.
  void while_loop(const Statement& s) {
    const std::uint32_t saved = loop_temporaries_;
    const std::uint32_t left = temporary(), one = temporary();
    loop_temporaries_ = next_;
    emit(Code::kMove, left, number(kMostTurns));
    emit(Code::kMove, one, number(1));
    const std::uint32_t top = here();
    begin_statement();
    const std::size_t test = jump_if_not(value(s.value, 0));
    const std::uint32_t text =
        code_.error(fmt::format("a loop{} took more than {} turns: does it end?{}", in_function(),
                                kMostTurns, place_text(pool_, s.origin)));
    loop_body(s.branches[0].body, [&] {
      emit(Code::kSub, left, left, one);
      emit(Code::kFail, left, text);
      emit(Code::kJump, top);
    });
    out_.program[test].dst = here();
    finish_breaks();
    loop_temporaries_ = saved;
  }

  // The k-th value is first + k step, so that the last one does not depend on rounding of a sum.
  void for_loop(const Statement& s) {
    const std::uint32_t saved = loop_temporaries_;
    const std::uint32_t first = temporary(), step = temporary(), count = temporary(),
                        k = temporary(), test = temporary(), one = temporary();
    loop_temporaries_ = next_;
    into(s.first, first);
    if (s.step.valid()) {
      into(s.step, step);
    } else {
      emit(Code::kMove, step, number(1));
    }
    // floor((last - first) / step + 1e-10): the number of steps.
    emit(Code::kMove, one, number(1));
    emit(Code::kSub, count, value(s.last, 0), first);
    emit(Code::kDiv, count, count, step);
    emit(Code::kAdd, count, count, number(1e-10));
    emit(Code::kFloor, count, count);
    emit(Code::kMove, k, number(0));
    const std::uint32_t top = here();
    emit(Code::kLessEqual, test, k, count);
    const std::size_t leave = jump_if_not(test);
    emit(Code::kMul, test, k, step);
    emit(Code::kAdd, local_[at(s.local.index)], first, test);
    loop_body(s.branches[0].body, [&] {
      emit(Code::kAdd, k, k, one);
      emit(Code::kJump, top);
    });
    out_.program[leave].dst = here();
    finish_breaks();
    loop_temporaries_ = saved;
  }

  CodeBase& code_;
  const ExprPool& pool_;
  const FlatFunction& f_;
  FunctionCode out_;
  Origin origin_;  // of the present statement
  std::vector<std::uint32_t> local_;
  std::uint32_t frame_ = 0;  // holds the place of the frame; of functions with such arrays
  std::uint32_t first_temporary_ = 0, next_ = 0, loop_temporaries_ = 0;
  std::unordered_map<std::int32_t, std::uint32_t> memo_;  // by expression
  std::unordered_map<std::int32_t, std::uint32_t> kept_;  // calls of the assignments before
  std::uint32_t kept_end_ = 0;
  ExprWalker walker_{pool_};
  std::vector<std::vector<std::size_t>> breaks_;
  std::vector<std::size_t> returns_;
};

}  // namespace

FunctionCode compile_function(CodeBase& code, const FlatFunction& function) {
  return FunctionBuilder(code, function).run();
}

}  // namespace arges::vm
