#pragma once
// Programs for the register machine.

#include <cstdint>
#include <string>
#include <vector>

#include "arges/expr/op.h"
#include "arges/external/shared_library.h"
#include "arges/linear/sparsity.h"

namespace arges::vm {

// clang-format off
// name, value of one operand a
#define ARGES_VM_UNARY(X) \
  X(kMove, a) X(kNeg, -a) X(kNot, scalar::negation(a)) X(kSin, std::sin(a)) X(kCos, std::cos(a)) \
  X(kTan, std::tan(a)) X(kAsin, std::asin(a)) X(kAcos, std::acos(a)) X(kAtan, std::atan(a)) \
  X(kSinh, std::sinh(a)) X(kCosh, std::cosh(a)) X(kTanh, std::tanh(a)) X(kExp, std::exp(a)) \
  X(kLog, std::log(a)) X(kLog10, std::log10(a)) X(kSqrt, std::sqrt(a)) X(kAbs, std::abs(a)) \
  X(kSign, scalar::sign(a)) X(kFloor, std::floor(a)) X(kCeil, std::ceil(a))
// name, value of two operands a, b
#define ARGES_VM_BINARY(X) \
  X(kAdd, a + b) X(kSub, a - b) X(kMul, a * b) \
  X(kWholeAdd, scalar::whole_sum(a, b)) X(kWholeSub, scalar::whole_sum(a, -b)) \
  X(kWholeMul, scalar::whole_product(a, b)) X(kDiv, a / b) X(kPow, scalar::pow(a, b)) \
  X(kLess, scalar::less(a, b)) X(kLessEqual, scalar::less_equal(a, b)) \
  X(kGreater, scalar::less(b, a)) X(kGreaterEqual, scalar::less_equal(b, a)) \
  X(kEqual, a == b ? 1.0 : 0.0) X(kNotEqual, a != b ? 1.0 : 0.0) \
  X(kAnd, scalar::both(a, b)) X(kOr, scalar::either(a, b)) X(kAtan2, std::atan2(a, b)) X(kMin, scalar::min(a, b)) \
  X(kMax, scalar::max(a, b)) X(kDivInt, scalar::div(a, b)) X(kMod, scalar::mod(a, b)) \
  X(kRem, scalar::rem(a, b))
// clang-format on

enum class Code : std::uint32_t {
#define X(name, value) name,
  ARGES_VM_UNARY(X) ARGES_VM_BINARY(X)
#undef X
      kMoveIf,  // if r[a] != 0: r[dst] = r[b]; NaN if r[a] is
  kConst,       // r[dst] = the double whose bits are (a, b)
  kJump,        // to instruction dst
  kJumpIfNot,   // to instruction dst, if r[a] == 0; if it is NaN: the error b - 1, unless b = 0
  kLoad,        // r[dst] = r[a + r[b]]
  kStore,       // r[dst + r[a]] = r[b]
  kBounds,      // r[dst] must be an integer from 1 to a; else the error `b`
  kBoundsOf,    // r[dst] must be an integer from 1 to r[a]; else the error `b`
  // Arrays whose sizes are known only when their function runs lie behind the frames. They are told
  // by their place on the stack, which holds in all functions.
  kFrame,     // r[dst] = the place of the frame
  kReserve,   // r[dst] = the place of r[a] new registers, all 0; or the error `b`
  kLoadAt,    // r[dst] = r[r[a]], which may lie before the frame
  kStoreAt,   // r[r[a]] = r[b]
  kCall,      // of a function: calls[a]
  kSolve,     // loops[a]
  kFail,      // ends with the error `a`, if r[dst] == 0
  kFailText,  // ends with the error `a`, followed by the string r[b]
  kText,      // r[dst] = texts[a]
  kExternal,  // externals[a]
  kEnd,
};

// 16 bytes. Operands are indices into the registers, which hold everything (time, parameters,
// states, constants, results), so that no instruction loads or stores.
struct Instruction {
  Code code;
  std::uint32_t dst, a, b;
};

// Ends with kEnd.
struct Program : std::vector<Instruction> {
  std::int32_t native = -1;  // number among the programs that may be compiled to native code
};

struct Call {
  std::uint32_t function;
  std::vector<std::uint32_t> arguments;
  std::uint32_t results;  // the first; they lie together
};

// What is done with strings. Registers hold their numbers in the environment.
struct TextOperation {
  enum class Kind : std::uint8_t {
    kJoin,     // two strings
    kNumber,   // String(value, digits, length, left)
    kFormat,   // String(value, format)
    kCompare,  // two strings: -1, 0 or 1
  };
  Kind kind = Kind::kJoin;
  ScalarType type = ScalarType::kReal;  // of the value
  std::vector<std::uint32_t> operands;
};

// A call of an external function from the body of a function.
struct ExternalCall {
  struct Slot {
    external::ArgumentType type = external::ArgumentType::kReal;
    std::uint32_t first = 0;
    std::vector<std::int32_t> dims;
    bool is_output = false;
  };
  std::string name;
  external::Function function = nullptr;  // built in, or
  void* address = nullptr;                // of a library
  external::ReturnType returns = external::ReturnType::kNothing;
  std::vector<Slot> arguments;
  std::uint32_t result = 0;
};

// What instructions refer to by number.
struct Lists {
  std::vector<Call> calls;
  std::vector<TextOperation> texts;
  std::vector<ExternalCall> externals;
};

// A user function: registers are relative to its frame: inputs, outputs, other locals, temporaries.
struct FunctionCode : Lists {
  std::string name;
  Program program;
  std::uint32_t inputs = 0, outputs = 0, frame = 0;
};

// An algebraic loop.
struct Loop {
  Program residual;  // inner variables, then the residuals
  Program jacobian;  // the entries; empty: by differences
  // Of a linear loop: how large the terms of its entries are; empty: nothing can cancel.
  Program sizes;
  // With what the unknowns begin when the loop is solved for the first time; each may fail.
  struct Guess {
    std::uint32_t target;
    Program value;
  };
  std::vector<Guess> guesses;
  std::vector<Guess> relation_guesses;  // what these say of relations in the loop
  std::vector<std::uint32_t> unknowns, residuals, entries, entry_sizes;
  std::vector<double> nominal;
  std::vector<std::uint32_t> never_negative;  // unknowns
  SparsityPattern pattern;                    // of the Jacobian (with the diagonal)
  std::vector<std::int32_t> position;         // entry -> position in the pattern
  bool linear = false;
  bool is_derivative = false;  // of another loop: where it is singular, NaN says so
  std::string description;     // for messages: the equations and unknowns
};

}  // namespace arges::vm
