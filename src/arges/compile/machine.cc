#include "arges/compile/machine.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/compile/native.h"
#include "arges/expr/scalar_ops.h"
#include "arges/expr/text.h"

namespace arges::vm {

namespace {
constexpr int kPollInterval = 4096;
constexpr std::size_t kStackSize = std::size_t{1} << 20;
}  // namespace

Workspace::Workspace(const Tables& tables, NativeTier* tier)
    : tables_(tables),
      tier_(tier),
      registers_(tables.registers),
      start_(tables.registers),
      loops_(tables.loops.size()) {
  if (tier != nullptr) registers_.push_back(0);  // the host's address: run_native()
  // Not touched before it is used: costs address space only.
  if (!tables.functions.empty()) stack_.reset(new double[kStackSize]);
}

// The labels are an extension of gcc and clang; each instruction jumps to the next one's code
// itself, which branch predictors follow better than one switch.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
void Workspace::execute(const Instruction* program, double* r, const Lists& lists) {
  static const void* const labels[] = {
#define X(name, value) &&label_##name,
      ARGES_VM_UNARY(X) ARGES_VM_BINARY(X)
#undef X
          && label_kMoveIf,
      &&label_kConst,
      &&label_kJump,
      &&label_kJumpIfNot,
      &&label_kLoad,
      &&label_kStore,
      &&label_kBounds,
      &&label_kBoundsOf,
      &&label_kFrame,
      &&label_kReserve,
      &&label_kLoadAt,
      &&label_kStoreAt,
      &&label_kCall,
      &&label_kSolve,
      &&label_kFail,
      &&label_kFailText,
      &&label_kText,
      &&label_kExternal,
      &&label_kEnd};
  const Instruction* i = program;
// NOLINTNEXTLINE(bugprone-macro-parentheses): a statement
#define NEXT goto* labels[static_cast<std::uint32_t>((++i)->code)]
  goto* labels[static_cast<std::uint32_t>(i->code)];
#define X(name, value)        \
  label_##name : {            \
    const double a = r[i->a]; \
    r[i->dst] = value;        \
    NEXT;                     \
  }
  ARGES_VM_UNARY(X)
#undef X
#define X(name, value)                     \
  label_##name : {                         \
    const double a = r[i->a], b = r[i->b]; \
    r[i->dst] = value;                     \
    NEXT;                                  \
  }
  ARGES_VM_BINARY(X)
#undef X
label_kMoveIf:
  r[i->dst] = scalar::choose(r[i->a], r[i->b], r[i->dst]);
  NEXT;
label_kConst:
  r[i->dst] = std::bit_cast<double>(std::uint64_t{i->a} | (std::uint64_t{i->b} << 32));
  NEXT;
label_kJump:
  if (i->dst <= i - program && --polls_left_ < 0) poll();
  i = program + i->dst - 1;
  NEXT;
label_kJumpIfNot:
  if (r[i->a] == 0) {
    i = program + i->dst - 1;
  } else if (i->b != 0 && std::isnan(r[i->a])) {
    throw EvaluationError(tables_.errors[i->b - 1]);
  }
  NEXT;
label_kLoad:
  r[i->dst] = r[i->a + static_cast<std::uint32_t>(r[i->b])];
  NEXT;
label_kStore:
  r[i->dst + static_cast<std::uint32_t>(r[i->a])] = r[i->b];
  NEXT;
label_kBounds:
  if (!(r[i->dst] >= 1 && r[i->dst] <= i->a && r[i->dst] == std::floor(r[i->dst]))) {
    fail_bounds(r[i->dst], i->a, i->b);
  }
  NEXT;
label_kBoundsOf:
  if (!(r[i->dst] >= 1 && r[i->dst] <= r[i->a] && r[i->dst] == std::floor(r[i->dst])))
    fail_bounds(r[i->dst], static_cast<std::uint32_t>(r[i->a]), i->b);
  NEXT;
label_kFrame:
  r[i->dst] = static_cast<double>(r - stack_.get());
  NEXT;
label_kReserve:
  r[i->dst] = reserve(r[i->a], i->b);
  NEXT;
label_kLoadAt:
  r[i->dst] = r[static_cast<std::ptrdiff_t>(r[i->a])];
  NEXT;
label_kStoreAt:
  r[static_cast<std::ptrdiff_t>(r[i->a])] = r[i->b];
  NEXT;
label_kCall:
  call(lists.calls[i->a], r);
  NEXT;
label_kSolve:
  solve(i->a);
  NEXT;
label_kFail:
  if (r[i->dst] == 0) throw EvaluationError(tables_.errors[i->a]);
  NEXT;
label_kFailText:
  throw EvaluationError(tables_.errors[i->a] + tables_.environment->text(r[i->b]));
label_kText:
  r[i->dst] = text(lists.texts[i->a], r);
  NEXT;
label_kExternal:
  call_external(lists.externals[i->a], r);
  NEXT;
label_kEnd:
  return;
#undef NEXT
}
#pragma GCC diagnostic pop

void Workspace::poll() {
  polls_left_ = kPollInterval;
  if (interrupt_ == nullptr || !interrupt_->requested()) return;
  polls_left_ = 0;
  throw EvaluationError("interrupted while the model was being evaluated", false);
}

void Workspace::fail_bounds(double subscript, std::uint32_t size, std::uint32_t error) const {
  throw EvaluationError(
      fmt::format("{}: subscript {} is not in 1 .. {}", tables_.errors[error], subscript, size));
}

// Until the function ends that asks for it.
double Workspace::reserve(double count, std::uint32_t error) {
  if (std::isnan(count))
    throw EvaluationError(tables_.errors[error] + ": its size is not a number (NaN)");
  if (!(count <= static_cast<double>(kStackSize - stack_top_)))
    throw EvaluationError(
        fmt::format("{}: {} elements are too many", tables_.errors[error], count));
  const std::size_t place = stack_top_;
  stack_top_ += static_cast<std::size_t>(count);
  std::fill(stack_.get() + place, stack_.get() + stack_top_, 0.0);
  return static_cast<double>(place);
}

void Workspace::call(const Call& call, double* r) {
  const FunctionCode& f = tables_.functions[call.function];
  if (--polls_left_ < 0) poll();
  // Each call takes a frame of the processor's stack, too.
  constexpr int kDeepest = 2000;
  if (stack_top_ + f.frame > kStackSize || call_depth_ >= kDeepest) {
    throw EvaluationError(
        fmt::format("function '{}' calls itself too deeply; is its recursion bounded?", f.name),
        false);
  }
  const std::size_t top = stack_top_;
  double* frame = stack_.get() + top;
  for (std::size_t k = 0; k < call.arguments.size(); ++k) frame[k] = r[call.arguments[k]];
  std::fill(frame + f.inputs, frame + f.frame, 0.0);
  stack_top_ += f.frame;
  ++call_depth_;
  try {
    const NativeFunction native = image_ != nullptr ? image_->functions[call.function] : nullptr;
    if (native == nullptr) {
      executed_ += f.program.size();
      execute(f.program.data(), frame, f);
    } else if (native(frame, this) != 0) {
      std::rethrow_exception(std::exchange(error_, nullptr));
    }
  } catch (...) {
    stack_top_ = top;
    --call_depth_;
    throw;
  }
  stack_top_ = top;
  --call_depth_;
  std::copy(frame + f.inputs, frame + f.inputs + f.outputs, r + call.results);
}

double Workspace::text(const TextOperation& operation, const double* r) {
  external::Environment& e = *tables_.environment;
  const auto value = [&](std::size_t k) { return r[operation.operands[k]]; };
  switch (operation.kind) {
    case TextOperation::Kind::kJoin:
      return e.intern(e.text(value(0)) + e.text(value(1)));
    case TextOperation::Kind::kNumber:
      if (operation.type == ScalarType::kString) return value(0);
      if (operation.operands.size() < 4) return e.intern(value_text(operation.type, value(0)));
      return e.intern(value_text(operation.type, value(0), static_cast<int>(value(1)),
                                 static_cast<int>(value(2)), value(3) != 0));
    case TextOperation::Kind::kFormat:
      return e.intern(formatted_text(operation.type, value(0), e.text(value(1))));
    case TextOperation::Kind::kCompare: {
      const int order = e.text(value(0)).compare(e.text(value(1)));
      return order < 0 ? -1 : order > 0 ? 1 : 0;
    }
  }
  return 0;
}

void Workspace::call_external(const ExternalCall& call, double* r) {
  std::vector<external::Argument> arguments;
  arguments.reserve(call.arguments.size());
  for (const ExternalCall::Slot& s : call.arguments)
    arguments.push_back({s.type, r + s.first, s.dims, s.is_output});
  const external::Call view(*tables_.environment, call.name, arguments, r + call.result);
  if (call.function != nullptr) {
    call.function(view);
  } else {
    external::call_library(call.address, view, call.returns);
  }
}

}  // namespace arges::vm
