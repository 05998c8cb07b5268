#include "arges/jit/emit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include "arges/expr/scalar_ops.h"

namespace arges::jit {

namespace {

using vm::Code;
using vm::Instruction;

// What parts and functions have in common: operations on values.
class Emitter {
 public:
  Emitter(llvm::Module& module, const vm::NativeInput& input)
      : module_(module),
        input_(input),
        b_(module.getContext()),
        double_(b_.getDoubleTy()),
        pointer_(b_.getPtrTy()) {}

 protected:
  using Value = llvm::Value;

  // `apart`: the pointers reach different registers, whatever lies behind them, and nobody else
  // changes these while the function runs.
  llvm::Function* begin_function(const std::string& name, std::vector<llvm::Type*> types,
                                 bool apart) {
    auto* type = llvm::FunctionType::get(b_.getInt32Ty(), types, false);
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, &module_);
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    polls_left_ = nullptr;
    for (unsigned i = 0; i < types.size() && apart; ++i) {
      if (types[i]->isPointerTy()) function_->addParamAttr(i, llvm::Attribute::NoAlias);
    }
    b_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", function_));
    return function_;
  }

  Value* number(double v) { return llvm::ConstantFP::get(double_, v); }
  Value* boolean(Value* flag) { return b_.CreateSelect(flag, number(1), number(0)); }
  Value* boolean(Value* flag, Value* unknown) {
    return b_.CreateSelect(unknown, number(scalar::kNotANumber), boolean(flag));
  }
  Value* holds(Value* v) { return b_.CreateFCmpONE(v, number(0)); }
  Value* choose(Value* condition, Value* a, Value* b) {
    return b_.CreateSelect(b_.CreateFCmpOEQ(condition, number(0)), b,
                           b_.CreateSelect(is_nan(condition), number(scalar::kNotANumber), a));
  }

  // A pure function of doubles that only the host knows.
  Value* math(const vm::NativeMath& f, Value* a, Value* b) {
    const std::vector<llvm::Type*> types(static_cast<std::size_t>(f.arguments), double_);
    llvm::FunctionCallee callee = module_.getOrInsertFunction(
        std::string("arges_") + f.name, llvm::FunctionType::get(double_, types, false));
    auto* declared = llvm::cast<llvm::Function>(callee.getCallee());
    declared->setDoesNotThrow();
    declared->setDoesNotAccessMemory();
    declared->setWillReturn();
    return f.arguments == 1 ? b_.CreateCall(callee, {a}) : b_.CreateCall(callee, {a, b});
  }

  Value* intrinsic(llvm::Intrinsic::ID id, Value* a) { return b_.CreateUnaryIntrinsic(id, a); }

  Value* either(Value* a, Value* b) { return b_.CreateOr(a, b); }
  Value* is_nan(Value* v) { return b_.CreateFCmpUNO(v, v); }

  Value* whole_sum(Value* a, Value* b) {
    Value *s = b_.CreateFAdd(a, b), *of_b = b_.CreateFSub(s, a);
    Value* rest = b_.CreateFAdd(b_.CreateFSub(a, b_.CreateFSub(s, of_b)), b_.CreateFSub(b, of_b));
    Value* exact =
        either(b_.CreateFCmpOLE(intrinsic(llvm::Intrinsic::fabs, s), number(scalar::kLargestWhole)),
               b_.CreateFCmpOEQ(rest, number(0)));
    return b_.CreateSelect(exact, s, b_.CreateFMul(s, number(INFINITY)));
  }

  // The value of an operation of one or two operands; scalar_ops.h says what each is.
  Value* operation(Code code, Value* a, Value* b) {
    for (const vm::NativeMath& f : input_.math) {
      if (f.code == code) return math(f, a, b);
    }
    switch (code) {
      case Code::kMove:
        return a;
      case Code::kNeg:
        return b_.CreateFNeg(a);
      case Code::kNot:
        return boolean(b_.CreateFCmpOEQ(a, number(0)), is_nan(a));
      case Code::kSqrt:
        return intrinsic(llvm::Intrinsic::sqrt, a);
      case Code::kAbs:
        return intrinsic(llvm::Intrinsic::fabs, a);
      case Code::kSign:
        return b_.CreateSelect(
            b_.CreateFCmpOGT(a, number(0)), number(1),
            b_.CreateSelect(b_.CreateFCmpOLT(a, number(0)), number(-1),
                            b_.CreateSelect(is_nan(a), number(scalar::kNotANumber), number(0))));
      case Code::kFloor:
        return intrinsic(llvm::Intrinsic::floor, a);
      case Code::kCeil:
        return intrinsic(llvm::Intrinsic::ceil, a);
      case Code::kAdd:
        return b_.CreateFAdd(a, b);
      case Code::kSub:
        return b_.CreateFSub(a, b);
      case Code::kWholeAdd:
        return whole_sum(a, b);
      case Code::kWholeSub:
        return whole_sum(a, b_.CreateFNeg(b));
      case Code::kMul:
        return b_.CreateFMul(a, b);
      case Code::kDiv:
        return b_.CreateFDiv(a, b);
      case Code::kLess:
        return boolean(b_.CreateFCmpOLT(a, b), b_.CreateFCmpUNO(a, b));
      case Code::kLessEqual:
        return boolean(b_.CreateFCmpOLE(a, b), b_.CreateFCmpUNO(a, b));
      case Code::kGreater:
        return boolean(b_.CreateFCmpOGT(a, b), b_.CreateFCmpUNO(a, b));
      case Code::kGreaterEqual:
        return boolean(b_.CreateFCmpOGE(a, b), b_.CreateFCmpUNO(a, b));
      case Code::kEqual:
        return boolean(b_.CreateFCmpOEQ(a, b));
      case Code::kNotEqual:
        return boolean(b_.CreateFCmpUNE(a, b));
      case Code::kAnd:
        return b_.CreateSelect(
            either(b_.CreateFCmpOEQ(a, number(0)), b_.CreateFCmpOEQ(b, number(0))), number(0),
            b_.CreateSelect(b_.CreateFCmpUNO(a, b), number(scalar::kNotANumber), number(1)));
      case Code::kOr:
        return b_.CreateSelect(either(holds(a), holds(b)), number(1),
                               boolean(b_.getFalse(), b_.CreateFCmpUNO(a, b)));
      case Code::kMin:
        return b_.CreateSelect(either(b_.CreateFCmpOLT(a, b), is_nan(a)), a, b);
      case Code::kMax:
        return b_.CreateSelect(either(b_.CreateFCmpOGT(a, b), is_nan(a)), a, b);
      case Code::kDivInt:
        return intrinsic(llvm::Intrinsic::trunc, b_.CreateFDiv(a, b));
      case Code::kMod:
        return b_.CreateFSub(
            a, b_.CreateFMul(intrinsic(llvm::Intrinsic::floor, b_.CreateFDiv(a, b)), b));
      case Code::kRem:
        return b_.CreateFSub(
            a, b_.CreateFMul(intrinsic(llvm::Intrinsic::trunc, b_.CreateFDiv(a, b)), b));
      default:
        llvm_unreachable("not an operation");
    }
  }

  static double constant_of(const Instruction& i) {
    return std::bit_cast<double>(std::uint64_t{i.a} | (std::uint64_t{i.b} << 32));
  }

  llvm::FunctionCallee host(const char* name, const std::vector<llvm::Type*>& types) {
    return module_.getOrInsertFunction(std::string("arges_host_") + name,
                                       llvm::FunctionType::get(b_.getInt32Ty(), types, false));
  }
  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(module_.getContext(), name, function_);
  }
  // Leaves with 1 when the call back failed.
  void leave_if_failed(Value* status) {
    llvm::BasicBlock *failed = block("failed"), *next = block("next");
    b_.CreateCondBr(b_.CreateICmpNE(status, b_.getInt32(0)), failed, next);
    b_.SetInsertPoint(failed);
    b_.CreateRet(b_.getInt32(1));
    b_.SetInsertPoint(next);
  }

  // Instructions [begin, end) with jumps and calls back. Results are written to memory at once;
  // values are at hand within a basic block only.
  void control(const vm::Program& code, std::uint32_t begin, std::uint32_t end,
               std::int32_t owner) {
    std::map<std::uint32_t, llvm::BasicBlock*> targets;
    for (std::uint32_t i = begin; i < end; ++i) {
      if (code[i].code != Code::kJump && code[i].code != Code::kJumpIfNot) continue;
      targets.try_emplace(code[i].dst, nullptr);
      targets.try_emplace(i + 1, nullptr);
    }
    for (auto& [at, target] : targets) target = block("target");
    std::map<std::uint32_t, Value*> known;
    const auto get = [&](std::uint32_t r) {
      Value*& v = known[r];
      if (v == nullptr) v = load(r);
      return v;
    };
    const auto put = [&](std::uint32_t r, Value* v) {
      store(r, v);
      known[r] = v;
    };
    bool reached = true;  // the insertion point
    for (std::uint32_t i = begin; i < end; ++i) {
      const Instruction& in = code[i];
      const auto target = targets.find(i);
      if (target != targets.end()) {
        if (reached) b_.CreateBr(target->second);
        b_.SetInsertPoint(target->second);
        known.clear();
        reached = true;
      }
      switch (in.code) {
        case Code::kMoveIf: {
          Value *condition = get(in.a), *b = get(in.b), *old = get(in.dst);
          put(in.dst, choose(condition, b, old));
          break;
        }
        case Code::kConst:
          put(in.dst, number(constant_of(in)));
          break;
        case Code::kJump:
          if (in.dst <= i) poll();
          b_.CreateBr(targets.at(in.dst));
          reached = false;
          break;
        case Code::kJumpIfNot:
          if (in.b != 0) {
            Value* condition = get(in.a);
            fail_unless(b_.CreateFCmpORD(condition, condition), [&] {
              b_.CreateCall(host("fail", {pointer_, b_.getInt32Ty()}),
                            {host_argument(), b_.getInt32(in.b - 1)});
            });
          }
          b_.CreateCondBr(b_.CreateFCmpOEQ(get(in.a), number(0)), targets.at(in.dst),
                          targets.at(i + 1));
          reached = false;
          break;
        case Code::kLoad:
          put(in.dst, b_.CreateLoad(double_, indexed(in.a, get(in.b))));
          break;
        case Code::kStore: {
          Value *index = get(in.a), *value = get(in.b);
          b_.CreateStore(value, indexed(in.dst, index));
          known.clear();
          break;
        }
        case Code::kBounds:
          bounds(get(in.dst), number(in.a), in.b);
          break;
        case Code::kBoundsOf: {
          Value *subscript = get(in.dst), *size = get(in.a);
          bounds(subscript, size, in.b);
          break;
        }
        case Code::kLoadAt:
          put(in.dst, b_.CreateLoad(double_, anywhere(get(in.a))));
          break;
        case Code::kStoreAt: {
          Value *place = get(in.a), *value = get(in.b);
          b_.CreateStore(value, anywhere(place));
          known.clear();
          break;
        }
        case Code::kFail:
          fail_unless(b_.CreateFCmpUNE(get(in.dst), number(0)), [&] {
            b_.CreateCall(host("fail", {pointer_, b_.getInt32Ty()}),
                          {host_argument(), b_.getInt32(in.a)});
          });
          break;
        case Code::kCall:
          leave_if_failed(
              b_.CreateCall(host("call", {pointer_, b_.getInt32Ty(), b_.getInt32Ty(), pointer_}),
                            {host_argument(), b_.getInt32(static_cast<std::uint32_t>(owner)),
                             b_.getInt32(in.a), registers_argument()}));
          known.clear();
          break;
        case Code::kSolve:
          leave_if_failed(b_.CreateCall(host("solve", {pointer_, b_.getInt32Ty()}),
                                        {host_argument(), b_.getInt32(in.a)}));
          known.clear();
          break;
        case Code::kEnd:
          b_.CreateRet(b_.getInt32(0));
          reached = false;
          break;
        default: {
          if (is_step(in.code)) {
            step(in, owner);
            known.clear();
            break;
          }
          Value* a = get(in.a);
          Value* b = operands_of(in.code).reads_b ? get(in.b) : a;
          put(in.dst, operation(in.code, a, b));
        }
      }
    }
    const auto target = targets.find(end);
    if (target != targets.end()) {
      if (reached) b_.CreateBr(target->second);
      b_.SetInsertPoint(target->second);
    }
  }

  // Counts down; at zero the host looks whether the run shall end.
  void poll() {
    llvm::Type* word = b_.getInt32Ty();
    if (polls_left_ == nullptr) {
      llvm::IRBuilder<> entry(&function_->getEntryBlock(), function_->getEntryBlock().begin());
      polls_left_ = entry.CreateAlloca(word);
      entry.CreateStore(entry.getInt32(vm::kNativePollInterval), polls_left_);
    }
    Value* left = b_.CreateSub(b_.CreateLoad(word, polls_left_), b_.getInt32(1));
    b_.CreateStore(left, polls_left_);
    llvm::BasicBlock *look = block("look"), *go = block("go");
    b_.CreateCondBr(b_.CreateICmpEQ(left, b_.getInt32(0)), look, go);
    b_.SetInsertPoint(look);
    b_.CreateStore(b_.getInt32(vm::kNativePollInterval), polls_left_);
    leave_if_failed(b_.CreateCall(host("poll", {pointer_}), {host_argument()}));
    b_.CreateBr(go);
    b_.SetInsertPoint(go);
  }

  void step(const Instruction& in, std::int32_t owner) {
    llvm::Type* word = b_.getInt32Ty();
    leave_if_failed(
        b_.CreateCall(host("step", {pointer_, word, word, word, word, word, pointer_}),
                      {host_argument(), b_.getInt32(static_cast<std::uint32_t>(owner)),
                       b_.getInt32(static_cast<std::uint32_t>(in.code)), b_.getInt32(in.dst),
                       b_.getInt32(in.a), b_.getInt32(in.b), registers_argument()}));
  }

  void bounds(Value* v, Value* size, std::uint32_t error) {
    Value* fits =
        b_.CreateAnd(b_.CreateAnd(b_.CreateFCmpOGE(v, number(1)), b_.CreateFCmpOLE(v, size)),
                     b_.CreateFCmpOEQ(v, intrinsic(llvm::Intrinsic::floor, v)));
    fail_unless(fits, [&] {
      llvm::Type* word = b_.getInt32Ty();
      b_.CreateCall(host("bounds", {pointer_, double_, word, word}),
                    {host_argument(), v, b_.CreateFPToUI(size, word), b_.getInt32(error)});
    });
  }

  // Also before the registers of the function.
  Value* anywhere(Value* offset) {
    return b_.CreateGEP(double_, registers_argument(), b_.CreateFPToSI(offset, b_.getInt64Ty()));
  }

  template <class Report>
  void fail_unless(Value* holds, Report report) {
    llvm::BasicBlock *failed = block("failed"), *next = block("next");
    b_.CreateCondBr(holds, next, failed);
    b_.SetInsertPoint(failed);
    report();
    b_.CreateRet(b_.getInt32(1));
    b_.SetInsertPoint(next);
  }

  virtual Value* load(std::uint32_t r) = 0;
  virtual void store(std::uint32_t r, Value* v) = 0;
  virtual Value* indexed(std::uint32_t r, Value* offset) = 0;
  virtual Value* host_argument() = 0;
  virtual Value* registers_argument() = 0;
  virtual ~Emitter() = default;

  llvm::Module& module_;
  const vm::NativeInput& input_;
  llvm::IRBuilder<> b_;
  llvm::Type *double_, *pointer_;
  llvm::Function* function_ = nullptr;
  Value* polls_left_ = nullptr;  // in the present function; null: it has no loop so far
};

class PartEmitter : Emitter {
 public:
  PartEmitter(llvm::Module& module, const vm::NativeInput& input, const vm::Program& program,
              const Plan& plan)
      : Emitter(module, input), code_(program), plan_(plan) {}

  bool run(const std::string& name, const Part& part) {
    const bool calls_back = std::any_of(part.pieces.begin(), part.pieces.end(), [](const Piece& p) {
      return p.kind == Piece::Kind::kControl;
    });
    begin_function(name, {double_, pointer_, pointer_, pointer_, pointer_, pointer_, pointer_},
                   !calls_back);
    for (const Piece& piece : part.pieces) emit(piece);
    b_.CreateRet(b_.getInt32(0));
    return has_loops_;
  }

 private:
  void emit(const Piece& piece) {
    switch (piece.kind) {
      case Piece::Kind::kLeaf:
        return leaf(piece);
      case Piece::Kind::kLoop:
        return loop(piece);
      case Piece::Kind::kControl:
        return control(code_, piece.begin, piece.begin + piece.length, -1);
    }
  }

  void loop(const Piece& piece) {
    has_loops_ = true;
    llvm::BasicBlock *before = b_.GetInsertBlock(), *body = block("loop"), *after = block("after");
    b_.CreateBr(body);
    b_.SetInsertPoint(body);
    auto* k = b_.CreatePHI(b_.getInt64Ty(), 2);
    k->addIncoming(b_.getInt64(0), before);
    around_.push_back({piece.length, piece.count});
    counters_.push_back(k);
    for (const Piece& p : piece.body) emit(p);
    around_.pop_back();
    counters_.pop_back();
    Value* next = b_.CreateNUWAdd(k, b_.getInt64(1));
    k->addIncoming(next, b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateICmpEQ(next, b_.getInt64(piece.count)), after, body);
    b_.SetInsertPoint(after);
  }

  void leaf(const Piece& piece) {
    Forwarding<Value*> known(around_);
    for (std::uint32_t i = piece.begin; i < piece.begin + piece.length; ++i) {
      const Instruction& in = code_[i];
      const auto get = [&](Operand which) -> Value* {
        const Reference r = reference(code_, i, which, around_);
        if (Value* const* v = known.find(r)) return *v;
        Value* v = load_reference(r);
        known.loaded(r, v);
        return v;
      };
      Value* v = nullptr;
      if (in.code == Code::kConst) {
        v = number(constant_of(in));
      } else {
        const Operands o = operands_of(in.code);
        Value* a = get(Operand::kA);
        Value* b = o.reads_b ? get(Operand::kB) : a;
        v = o.reads_dst ? choose(a, b, get(Operand::kDst)) : operation(in.code, a, b);
      }
      const Reference dst = reference(code_, i, Operand::kDst, around_);
      if (plan_.stored[i]) b_.CreateStore(v, address(dst));
      known.written(dst, v);
    }
  }

  bool is_constant(std::int64_t r) const {
    return r >= input_.segments.constant_at && r < input_.segments.constant_end;
  }

  Value* load_reference(const Reference& r) {
    const bool moves = r.stride[0] != 0 || r.stride[1] != 0;
    if (!moves && is_constant(r.base))
      return number(input_.tables->registers[static_cast<std::size_t>(r.base)]);
    if (!moves && r.base == 0) return function_->getArg(0);
    return b_.CreateLoad(double_, address(r));
  }

  Value* address(const Reference& r) {
    const vm::Segments& s = input_.segments;
    unsigned argument = 6;
    std::int64_t first = 0;
    switch (segment_of(s, r.base)) {
      case Segment::kParameters:
        argument = 1;
        first = s.parameter_at;
        break;
      case Segment::kInputs:
        argument = 4;
        first = s.input_at;
        break;
      case Segment::kDiscretes:
        argument = 5;
        first = s.discrete_at;
        break;
      case Segment::kStates:
        argument = 2;
        first = s.state_at;
        break;
      case Segment::kRates:
        argument = 3;
        first = s.rate_at;
        break;
      case Segment::kTime:
      case Segment::kWork:
        break;
    }
    Value* offset = b_.getInt64(static_cast<std::uint64_t>(r.base - first));
    for (std::size_t k = 0; k < counters_.size(); ++k) {
      if (r.stride[k] == 0) continue;
      offset = b_.CreateNSWAdd(
          b_.CreateNSWMul(counters_[k], b_.getInt64(static_cast<std::uint64_t>(r.stride[k]))),
          offset);
    }
    return b_.CreateInBoundsGEP(double_, function_->getArg(argument), offset);
  }

  // In control pieces all is in the register file, through the segments' own pointers.
  Value* load(std::uint32_t r) override { return load_reference({r, {0, 0}}); }
  void store(std::uint32_t r, Value* v) override { b_.CreateStore(v, address({r, {0, 0}})); }
  Value* indexed(std::uint32_t r, Value* offset) override {
    return b_.CreateInBoundsGEP(
        double_, function_->getArg(6),
        b_.CreateAdd(b_.getInt64(r), b_.CreateFPToUI(offset, b_.getInt64Ty())));
  }
  Value* host_argument() override {
    return b_.CreateLoad(pointer_, b_.CreateConstInBoundsGEP1_64(double_, function_->getArg(6),
                                                                 input_.tables->registers.size()));
  }
  Value* registers_argument() override { return function_->getArg(6); }

  const vm::Program& code_;
  const Plan& plan_;
  bool has_loops_ = false;
  std::vector<LoopLevel> around_;
  std::vector<Value*> counters_;
};

class FunctionEmitter : Emitter {
 public:
  using Emitter::Emitter;

  bool run(const std::string& name, std::uint32_t index) {
    const vm::FunctionCode& f = input_.tables->functions[index];
    for (const Instruction& i : f.program) {
      if (!is_known(i.code)) return false;
    }
    begin_function(name, {pointer_, pointer_}, false);
    control(f.program, 0, static_cast<std::uint32_t>(f.program.size()),
            static_cast<std::int32_t>(index));
    return true;
  }

 private:
  Value* at(Value* offset) { return b_.CreateInBoundsGEP(double_, function_->getArg(0), offset); }
  Value* load(std::uint32_t r) override { return b_.CreateLoad(double_, at(b_.getInt64(r))); }
  void store(std::uint32_t r, Value* v) override { b_.CreateStore(v, at(b_.getInt64(r))); }
  Value* indexed(std::uint32_t r, Value* offset) override {
    return at(b_.CreateAdd(b_.getInt64(r), b_.CreateFPToUI(offset, b_.getInt64Ty())));
  }
  Value* host_argument() override { return function_->getArg(1); }
  Value* registers_argument() override { return function_->getArg(0); }
};

}  // namespace

bool emit_part(llvm::Module& module, const std::string& name, const vm::NativeInput& input,
               const vm::Program& program, const Plan& plan, const Part& part) {
  return PartEmitter(module, input, program, plan).run(name, part);
}

bool emit_function(llvm::Module& module, const std::string& name, const vm::NativeInput& input,
                   std::uint32_t index) {
  return FunctionEmitter(module, input).run(name, index);
}

}  // namespace arges::jit
