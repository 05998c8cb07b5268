#pragma once
// What the register machine and a compiler to native code agree on. Plain data and two interfaces:
// the compiler is a plugin that is loaded only when it is wanted (native_tier.h).

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arges/compile/machine.h"

namespace arges::vm {

// Where the registers lie that the kernel hands over: [at, next at) each, time is register 0.
struct Segments {
  std::uint32_t parameter_at = 1, input_at = 1, discrete_at = 1, state_at = 1, rate_at = 1;
  std::uint32_t other_at = 1;                       // this and all after it: the workspace
  std::uint32_t constant_at = 1, constant_end = 1;  // never written
  std::uint32_t variable_end = 1;                   // registers from here on are temporaries
};

// Code for a part of a program; the parts of a program run one after the other. `work` is the
// register file, after whose last register the host's address stands (so that all arguments go in
// registers of the processor); the other pointers may point into it (each to its segment) or
// elsewhere. Returns 0, or 1 after the host has noted an exception. The order of the arguments
// leaves `rates` in the register in which the kernel hands it to a model.
using NativePart = int (*)(double time, const double* parameters, const double* states,
                           double* rates, const double* inputs, double* discretes, double* work);
// Code of a user function on its frame.
using NativeFunction = int (*)(double* frame, void* host);

// What native code calls back for. `host` is what it was called with.
struct NativeHost {
  int (*solve)(void* host, std::uint32_t loop);
  // `owner`: the function whose calls are meant, or -1 for those of the model.
  int (*call)(void* host, std::int32_t owner, std::uint32_t call, double* registers);
  int (*bounds)(void* host, double subscript, std::uint32_t size, std::uint32_t error);
  int (*fail)(void* host, std::uint32_t error);
  // Called in loops, every kNativePollInterval-th time round. 1: end.
  int (*poll)(void* host);
  // Any other instruction, on the machine.
  int (*step)(void* host, std::int32_t owner, std::uint32_t code, std::uint32_t dst,
              std::uint32_t a, std::uint32_t b, double* registers);
};

constexpr std::uint32_t kNativePollInterval = 4096;

// One libm function or operation that is not a machine instruction: the same address that the
// machine uses, so that the bits are the same.
struct NativeMath {
  Code code;
  const char* name;
  int arguments;
  void* address;
};

struct NativeProgramInput {
  const Program* program = nullptr;
  std::vector<std::uint32_t> live_out;  // registers that are read after the program
  bool all_variables = false;           // all below variable_end are
};

// Refers to tables that live as long as the image.
struct NativeInput {
  const Tables* tables = nullptr;
  Segments segments;
  std::vector<NativeProgramInput> programs;  // by Program::native
  NativeHost host{};
  std::vector<NativeMath> math;
};

struct NativeProgram {
  std::vector<NativePart> parts;  // empty: not compiled, the machine runs it
  bool needs_work = false;        // reads or writes `work`
  bool needs_host = false;        // calls back: all registers must be in the register file
};

// Compiled programs. Immutable; the code lives as long as this.
class NativeImage {
 public:
  virtual ~NativeImage() = default;
  std::vector<NativeProgram> programs;    // by Program::native
  std::vector<NativeFunction> functions;  // by number; null: not compiled
  std::size_t bytes = 0;                  // of object code
  int modules = 0, from_cache = 0;
};

enum class NativeLevel { kFast, kOptimised };

class NativeCompiler {
 public:
  virtual ~NativeCompiler() = default;
  // Null when `stop` became true. What it cannot compile it leaves to the machine. Throws
  // std::runtime_error.
  virtual std::unique_ptr<NativeImage> compile(const NativeInput& input, NativeLevel level,
                                               const std::atomic<bool>& stop) = 0;
  // Seconds that compile() will take, roughly, when nothing is in the cache.
  virtual double estimate(const NativeInput& input, NativeLevel level) = 0;
};

// A plugin that was built with other structures than these must not be used.
constexpr std::uint64_t kNativeAbi = 3 + 1000 * static_cast<std::uint64_t>(Code::kEnd) +
                                     100'000'000 * sizeof(Tables) + sizeof(NativeInput);
constexpr const char* kNativePluginSymbol = "arges_native_plugin";
struct NativePlugin {
  std::uint64_t abi;
  NativeCompiler* (*make)(const char* cache_folder);  // "": no cache
};

}  // namespace arges::vm
