#include "arges/compile/builder.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/external/registry.h"

namespace arges::vm {

namespace {
constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
// What branches of a condition share is compiled in each of them, so that nested ones multiply.
constexpr std::size_t kMostInBranches = 20'000'000;
}  // namespace

Code code_of(Op op, ScalarType type) {
  if (type == ScalarType::kInteger) {
    if (op == Op::kAdd) return Code::kWholeAdd;
    if (op == Op::kSub) return Code::kWholeSub;
    if (op == Op::kMul) return Code::kWholeMul;
  }
  switch (op) {
#define CASE(name) \
  case Op::name:   \
    return Code::name
    CASE(kNeg);
    CASE(kNot);
    CASE(kSin);
    CASE(kCos);
    CASE(kTan);
    CASE(kAsin);
    CASE(kAcos);
    CASE(kAtan);
    CASE(kSinh);
    CASE(kCosh);
    CASE(kTanh);
    CASE(kExp);
    CASE(kLog);
    CASE(kLog10);
    CASE(kSqrt);
    CASE(kAbs);
    CASE(kSign);
    CASE(kFloor);
    CASE(kCeil);
    CASE(kAdd);
    CASE(kSub);
    CASE(kMul);
    CASE(kDiv);
    CASE(kPow);
    CASE(kLess);
    CASE(kLessEqual);
    CASE(kGreater);
    CASE(kGreaterEqual);
    CASE(kEqual);
    CASE(kNotEqual);
    CASE(kAnd);
    CASE(kOr);
    CASE(kAtan2);
    CASE(kMin);
    CASE(kMax);
    CASE(kDivInt);
    CASE(kMod);
    CASE(kRem);
#undef CASE
    case Op::kToInteger:
      return Code::kFloor;
    default:
      throw UserError(fmt::format("'{}' cannot be compiled here", to_string(op)));
  }
}

external::ArgumentType argument_type(ScalarType type, bool is_object) {
  if (is_object) return external::ArgumentType::kObject;
  switch (type) {
    case ScalarType::kReal:
      return external::ArgumentType::kReal;
    case ScalarType::kBoolean:
      return external::ArgumentType::kBoolean;
    case ScalarType::kString:
      return external::ArgumentType::kString;
    default:
      return external::ArgumentType::kInteger;
  }
}

ExternalCall CodeBase::external_call(const FlatFunction& f) const {
  ExternalCall call;
  call.name = f.external;
  // A library that the user names wins over what is built in.
  if (tables.libraries != nullptr) call.address = tables.libraries->find(f.external);
  if (call.address != nullptr) {
    if (!f.external_result.valid()) return call;
    const FlatLocal& v = f.locals[static_cast<std::size_t>(f.external_result.index)];
    call.returns = v.is_object                     ? external::ReturnType::kObject
                   : v.type == ScalarType::kReal   ? external::ReturnType::kReal
                   : v.type == ScalarType::kString ? external::ReturnType::kString
                                                   : external::ReturnType::kInteger;
    return call;
  }
  const external::Entry* entry = external::find_builtin(f.external);
  if (entry == nullptr) {
    throw UserError(
        fmt::format("the external function '{}' of '{}' is not built in; name the shared library "
                    "that has it with --allow-external LIB.so",
                    f.external, f.name));
  }
  if (entry->arguments != f.external_arguments.size()) {
    throw UserError(
        fmt::format("the built-in external function '{}' has {} arguments, '{}' gives {}",
                    f.external, entry->arguments, f.name, f.external_arguments.size()));
  }
  call.function = entry->function;
  return call;
}

std::uint32_t CodeBase::error(std::string text) {
  tables.errors.push_back(std::move(text));
  return static_cast<std::uint32_t>(tables.errors.size()) - 1;
}

std::uint32_t CodeBase::constant(double value) {
  const auto [it, is_new] = constant_slots.try_emplace(
      std::bit_cast<std::uint64_t>(value), static_cast<std::uint32_t>(constants.size()));
  if (is_new) constants.push_back(value);
  return in_region(Region::kConstants, it->second);
}

bool CodeBase::has_call(ExprId e) {
  const ExprPool& pool = flat->pool;
  // Arguments come before what they are arguments of.
  for (auto i = static_cast<std::int32_t>(has_call_.size()); i <= e.index; ++i) {
    const ExprId n{i};
    bool any = pool[n].op == Op::kCall || pool[n].op == Op::kIndex;
    for (const ExprId a : pool.args(n)) any = any || has_call_[static_cast<std::size_t>(a.index)];
    has_call_.push_back(any);
  }
  return has_call_[static_cast<std::size_t>(e.index)];
}

void CodeBase::place_regions() {
  region_size[static_cast<int>(Region::kConstants)] = static_cast<std::uint32_t>(constants.size());
  std::uint32_t next = 0;
  for (int k = 0; k < 4; ++k) {
    base[k] = next;
    next += region_size[k];
  }
  tables.registers.assign(next, 0.0);
  std::copy(constants.begin(), constants.end(),
            tables.registers.begin() + base[static_cast<int>(Region::kConstants)]);
}

std::uint32_t CodeBase::placed(std::uint32_t s) const {
  return base[s >> kRegionShift] + (s & ((1U << kRegionShift) - 1));
}

void CodeBase::link(Program& program) const {
  for (Instruction& i : program) {
    switch (i.code) {
      case Code::kJump:
      case Code::kCall:
      case Code::kSolve:
      case Code::kExternal:
      case Code::kEnd:
        break;
      case Code::kFailText:
        i.b = placed(i.b);
        break;
      case Code::kJumpIfNot:
        i.a = placed(i.a);
        break;
      case Code::kConst:
      case Code::kBounds:
      case Code::kFail:
      case Code::kText:
        i.dst = placed(i.dst);
        break;
      default:
        i.dst = placed(i.dst);
        i.a = placed(i.a);
        i.b = placed(i.b);
    }
  }
}

ProgramBuilder::ProgramBuilder(CodeBase& code, Region temporaries, bool homotopy)
    : code_(code), pool_(code.flat->pool), region_(temporaries), homotopy_(homotopy) {}

void ProgramBuilder::announce(ExprId root) {
  std::vector<ExprId> open;
  const auto use = [&](ExprId e) {
    if (uses_[e.index]++ == 0) open.push_back(e);
  };
  use(root);
  while (!open.empty()) {
    const ExprId e = open.back();
    open.pop_back();
    for (const ExprId a : pool_.args(e)) use(a);
  }
}

std::uint32_t ProgramBuilder::new_temporary() {
  if (!free_.empty()) {
    const std::uint32_t s = free_.back();
    free_.pop_back();
    return s;
  }
  const std::uint32_t s = next_++;
  std::uint32_t& size = code_.region_size[static_cast<int>(region_)];
  size = std::max(size, next_);
  return in_region(region_, s);
}

// One use of e is over.
void ProgramBuilder::release(ExprId e) {
  if (branches_ > 0) return;
  const auto it = place_.find(e.index);
  if (it == place_.end()) return;
  if (--uses_[e.index] > 0) return;
  if ((it->second >> kRegionShift) == static_cast<std::uint32_t>(region_))
    free_.push_back(it->second);
  place_.erase(it);
}

// The register of a leaf, or kNowhere.
std::uint32_t ProgramBuilder::leaf(ExprId e) {
  const ExprNode& node = pool_[e];
  switch (node.op) {
    case Op::kReal:
    case Op::kInteger:
    case Op::kBoolean:
      return code_.constant(node.value);
    case Op::kVar:
      return code_.slot[static_cast<std::size_t>(node.index)];
    case Op::kTime:
      return code_.time_slot;
    case Op::kPre:  // left by the initial system only
      return code_.start_slot[static_cast<std::size_t>(node.index)];
    case Op::kString:
      return code_.constant(code_.string(pool_.text(StringId{node.index})));
    default:
      if (is_leaf(node.op))
        throw ApiError(fmt::format("'{}' must not reach the compiler", to_string(node.op)));
      return kNowhere;
  }
}

std::uint32_t ProgramBuilder::value(ExprId root, std::uint32_t wanted) {
  // Depth first with an explicit stack; a node is on it once to be entered, once (as its
  // complement) to be computed.
  std::vector<std::int32_t> stack{root.index};
  while (!stack.empty()) {
    const std::int32_t top = stack.back();
    stack.pop_back();
    const ExprId e{top < 0 ? ~top : top};
    if (place_.count(e.index)) continue;
    const std::uint32_t l = leaf(e);
    if (l != kNowhere) {
      put(e, l);
      continue;
    }
    const std::uint32_t dst = e == root ? wanted : kNowhere;
    const auto args = pool_.args(e);
    const Op op = pool_[e].op;
    const bool lazy = (op == Op::kIf && (code_.has_call(args[1]) || code_.has_call(args[2]))) ||
                      ((op == Op::kAnd || op == Op::kOr) && code_.has_call(args[1]));
    if (top < 0) {
      if (lazy) {
        compute_lazily(e, dst);
      } else {
        compute(e, dst);
      }
      continue;
    }
    stack.push_back(~e.index);
    if (lazy) {
      stack.push_back(args[0].index);
      continue;
    }
    for (std::size_t k = args.size(); k-- > 0;) stack.push_back(args[k].index);
  }
  return place_.at(root.index);
}

void ProgramBuilder::compute(ExprId e, std::uint32_t wanted) {
  const ExprNode node = pool_[e];
  const auto args = pool_.args(e);
  const auto arg = [&](std::size_t k) { return place_.at(args[k].index); };
  const auto target = [&] { return wanted != kNowhere ? wanted : new_temporary(); };
  const auto release_all = [&] {
    for (const ExprId a : args) release(a);
  };
  switch (node.op) {
    case Op::kIf: {
      // The target must not be one of the operands, which are read after it is written.
      const std::uint32_t dst = target();
      emit(Code::kMove, dst, arg(2), 0);
      emit(Code::kMoveIf, dst, arg(0), arg(1));
      release_all();
      put(e, dst);
      return;
    }
    case Op::kIndex: {
      const std::uint32_t subscript = arg(0);
      // The initial system is solved anew until relations and floors agree with it; before that,
      // a subscript need not be right. The programs of the run look at what comes out.
      if (!homotopy_) {
        emit(Code::kBounds, subscript, static_cast<std::uint32_t>(args.size()) - 1,
             code_.error(pool_.text(StringId{node.index})));
      }
      const std::uint32_t here = new_temporary(), dst = target();
      emit(Code::kMove, dst, arg(1));
      for (std::size_t k = 2; k < args.size(); ++k) {
        emit(Code::kEqual, here, subscript, code_.constant(static_cast<double>(k)));
        emit(Code::kMoveIf, dst, here, arg(k));
      }
      free_.push_back(here);
      release_all();
      put(e, dst);
      return;
    }
    // In bindings and start values, where nothing makes events.
    case Op::kNoEvent:
    case Op::kSmooth:
    case Op::kHomotopy: {
      if (!homotopy_ || node.op != Op::kHomotopy) {
        const std::uint32_t dst = target();
        emit(Code::kMove, dst, arg(node.op == Op::kSmooth ? 1 : 0));
        release_all();
        put(e, dst);
        return;
      }
      code_.has_homotopy = true;
      const std::uint32_t difference = new_temporary();
      emit(Code::kSub, difference, arg(0), arg(1));
      emit(Code::kMul, difference, difference, code_.lambda_slot);
      const std::uint32_t dst = target();
      emit(Code::kAdd, dst, arg(1), difference);
      free_.push_back(difference);
      release_all();
      put(e, dst);
      return;
    }
    case Op::kCall: {
      const FlatFunction& f = code_.flat->functions[static_cast<std::size_t>(node.index)];
      const std::uint32_t count = static_cast<std::uint32_t>(f.output_scalars());
      // Results lie together and are not given back: calls are few.
      std::uint32_t& size = code_.region_size[static_cast<int>(region_)];
      const std::uint32_t results = in_region(region_, next_);
      next_ += count;
      size = std::max(size, next_);
      Call call{static_cast<std::uint32_t>(node.index), {}, results};
      for (std::size_t k = 0; k < args.size(); ++k) call.arguments.push_back(arg(k));
      emit(Code::kCall, results, static_cast<std::uint32_t>(code_.tables.calls.size()));
      code_.tables.calls.push_back(std::move(call));
      release_all();
      put(e, results);
      uses_[e.index] += 1 << 20;
      return;
    }
    case Op::kResult:
      put(e, arg(0) + static_cast<std::uint32_t>(node.index));
      uses_[e.index] += 1 << 20;
      return;
    case Op::kToString:
      return compute_text(
          e, args.size() == 2 ? TextOperation::Kind::kFormat : TextOperation::Kind::kNumber,
          target());
    case Op::kAdd:
      if (node.type == ScalarType::kString)
        return compute_text(e, TextOperation::Kind::kJoin, target());
      break;
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
      if (pool_[args[0]].type == ScalarType::kString) {
        const std::uint32_t dst = target();
        compute_text(e, TextOperation::Kind::kCompare, dst);
        emit(code_of(node.op), dst, dst, code_.constant(0));
        return;
      }
      break;
    case Op::kPow:
      if (pool_.is_value(args[1], 2)) {
        const std::uint32_t a = arg(0);
        release_all();
        const std::uint32_t dst = target();
        emit(Code::kMul, dst, a, a);
        put(e, dst);
        return;
      }
      break;
    default:
      break;
  }
  const std::uint32_t a = arg(0), b = args.size() > 1 ? arg(1) : a;
  release_all();  // an operand's register may become the target
  const std::uint32_t dst = target();
  emit(code_of(node.op, node.type), dst, a, b);
  put(e, dst);
}

void ProgramBuilder::compute_text(ExprId e, TextOperation::Kind kind, std::uint32_t dst) {
  const auto args = pool_.args(e);
  TextOperation t{kind, pool_[args[0]].type, {}};
  for (const ExprId a : args) t.operands.push_back(place_.at(a.index));
  emit(Code::kText, dst, static_cast<std::uint32_t>(code_.tables.texts.size()));
  code_.tables.texts.push_back(std::move(t));
  for (const ExprId a : args) release(a);
  put(e, dst);
}

void ProgramBuilder::put(ExprId e, std::uint32_t place) {
  place_[e.index] = place;
  if (branches_ > 0) put_in_branch_.push_back(e.index);
}

// What a branch computes is known only inside it.
void ProgramBuilder::compute_lazily(ExprId e, std::uint32_t wanted) {
  if (branches_ > 0 && program_.size() > kMostInBranches) {
    throw UserError(fmt::format(
        "calls of functions under conditions that depend on one another need more than {} "
        "instructions: put the statements into a function",
        kMostInBranches));
  }
  const Op op = pool_[e].op;
  const auto args = pool_.args(e);
  const std::uint32_t dst = wanted != kNowhere ? wanted : new_temporary();
  std::uint32_t condition = place_.at(args[0].index);
  if (op != Op::kIf) {
    emit(Code::kMove, dst, condition);
  } else if (condition == dst) {
    condition = new_temporary();
    emit(Code::kMove, condition, dst);
  }
  if (op == Op::kOr) {
    condition = new_temporary();
    emit(Code::kNot, condition, dst);
  }
  const std::size_t test = program_.size();
  emit(Code::kJumpIfNot, 0, condition);
  const auto here = [&] { return static_cast<std::uint32_t>(program_.size()); };
  // Inside a branch nothing is given back: registers that hold values of before must live on.
  const auto branch = [&](ExprId root, Code take) {
    const std::size_t known = put_in_branch_.size();
    std::vector<std::uint32_t> free;
    free.swap(free_);
    ++branches_;
    const std::uint32_t v = value(root, kNowhere);
    emit(take, dst, take == Code::kMove ? v : dst, v);
    --branches_;
    free_.swap(free);
    for (; put_in_branch_.size() > known; put_in_branch_.pop_back())
      place_.erase(put_in_branch_.back());
  };
  branch(args[1], op == Op::kIf ? Code::kMove : op == Op::kAnd ? Code::kAnd : Code::kOr);
  const std::size_t skip = program_.size();
  if (op == Op::kIf) emit(Code::kJump, 0);
  program_[test].dst = here();
  if (op == Op::kIf) {
    branch(args[2], Code::kMove);
    program_[skip].dst = here();
    emit(Code::kMoveIf, dst, condition, dst);  // no branch is right where the condition is NaN
  }
  put(e, dst);
}

void ProgramBuilder::assign(ExprId root, std::uint32_t dst) {
  const bool computed = place_.count(root.index) > 0 || leaf(root) != kNowhere;
  const std::uint32_t v = value(root, computed ? kNowhere : dst);
  if (v != dst) emit(Code::kMove, dst, v);
  release(root);
}

Program ProgramBuilder::finish() {
  emit(Code::kEnd, 0);
  return std::move(program_);
}

}  // namespace arges::vm
