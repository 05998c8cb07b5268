#pragma once
// Runs programs.

#include <algorithm>
#include <exception>
#include <memory>
#include <vector>

#include "arges/base/interrupt.h"
#include "arges/compile/program.h"
#include "arges/linear/lu_solver.h"

namespace arges::vm {

// What programs refer to; constant, shared by all workspaces.
struct Tables : Lists {
  std::vector<double> registers;  // the initial contents: constants in their places
  std::vector<Loop> loops;
  std::vector<FunctionCode> functions;
  std::vector<std::string> errors;
  std::shared_ptr<external::Environment> environment = std::make_shared<external::Environment>();
  std::shared_ptr<const external::SharedLibraries> libraries;  // kept loaded
};

class NativeImage;
class NativeTier;
struct NativeHost;
struct NativeProgram;
class LeastStep;

// Registers and buffers of one thread of evaluation. Unknowns of nonlinear loops keep their last
// values here: the next solution starts from them.
class Workspace {
 public:
  // With a tier, programs that have native code run natively.
  explicit Workspace(const Tables& tables, NativeTier* tier = nullptr);
  double* registers() { return registers_.data(); }
  double& operator[](std::uint32_t i) { return registers_[i]; }
  // Throws EvaluationError: a loop without solution, a subscript out of range, a failed assertion.
  void run(const Program& program);
  // Loops and calls of functions look at this now and then; null: they end by themselves.
  void watch(const Interrupt* interrupt) { interrupt_ = interrupt; }
  // The present values are those to which loops go back that find no solution near the last one.
  void remember_start() {
    start_ = registers_;
    is_on_motion_ = true;
  }
  // Nonlinear loops begin from the values remembered, not from the last ones: those are of a trial
  // that was taken back.
  void forget_trial();
  // All registers, to come back to.
  std::vector<double> values() const { return registers_; }
  void set_values(const std::vector<double>& values) { registers_ = values; }
  // As new, without taking memory.
  void reset() {
    std::copy(tables_.registers.begin(), tables_.registers.end(), registers_.begin());
  }
  void back_to_start() {
    registers_ = start_;
    for (LoopBuffers& buffers : loops_) buffers.is_guessed = false;
  }
  // The linear loops that were singular when they were solved last, and had solutions: of these the
  // one nearest to the values before was taken.
  std::vector<std::uint32_t> nearest_chosen() const;
  // Those, and all loops that this workspace has solved and that hold for other values beside the
  // present ones as well.
  std::vector<std::uint32_t> open_loops();
  // The part of run() for native code, with states and the like at other places than in the
  // registers: p, u, z, x as in Point.
  struct Inputs {
    double time;
    const double *p, *u;
    double* z;
    const double* x;
    double* rates;
  };
  void run_native(const NativeProgram& program, const Inputs& at);

  // The callbacks of native code, whose host is a Workspace.
  static const NativeHost& native_host();

 private:
  struct LoopBuffers {
    std::unique_ptr<LuSolver> lu;
    std::shared_ptr<const LeastStep> least;  // of a singular matrix
    std::vector<double> matrix, step, next, x, residual;
    std::vector<double> first, first_residual;  // where the search began
    std::vector<double> entry_sizes;            // when they were looked at last
    double open = 0;                            // of continuation
    bool is_guessed = false;                    // Loop::guesses were taken
    bool is_nearest = false;                    // see nearest_chosen()
  };
  void execute(const Instruction* program, double* r, const Lists& lists);
  void call(const Call& call, double* r);
  double reserve(double count, std::uint32_t error);
  void call_external(const ExternalCall& call, double* r);
  double text(const TextOperation& operation, const double* r);
  void solve(std::uint32_t index);
  void solve_nonlinear(const Loop& loop, LoopBuffers& buffers);
  void guess(const std::vector<Loop::Guess>& guesses);
  void guess_relations(const Loop& loop, LoopBuffers& buffers);
  // Steps that are halved until they help, full ones, or least ones (LeastStep), also halved.
  enum class Manner : std::uint8_t { kDamped, kFull, kLeast };
  bool newton(const Loop& loop, LoopBuffers& buffers, Manner manner);
  bool is_rounding(const Loop& loop, LoopBuffers& buffers, double size);
  static void solve_with(LoopBuffers& buffers, std::vector<double>& r);
  bool continuation(const Loop& loop, LoopBuffers& buffers);
  bool residual(const Loop& loop, LoopBuffers& buffers);
  bool try_residual(const Loop& loop, LoopBuffers& buffers);
  enum class Matrix : std::uint8_t { kNone, kRegularised, kSingular, kRegular };
  Matrix try_jacobian(const Loop& loop, LoopBuffers& buffers, Manner manner);
  bool jacobian(const Loop& loop, LoopBuffers& buffers);
  void clear_rounding(const Loop& loop, LoopBuffers& buffers);
  bool regularise(const Loop& loop, LoopBuffers& buffers);
  bool least_change(const Loop& loop, LoopBuffers& buffers);
  bool is_open(const Loop& loop, LoopBuffers& buffers);

  static int host_solve(void* host, std::uint32_t loop);
  static int host_call(void* host, std::int32_t owner, std::uint32_t call, double* registers);
  static int host_bounds(void* host, double subscript, std::uint32_t size, std::uint32_t error);
  static int host_fail(void* host, std::uint32_t error);
  static int host_step(void* host, std::int32_t owner, std::uint32_t code, std::uint32_t dst,
                       std::uint32_t a, std::uint32_t b, double* registers);
  static int host_poll(void* host);
  void poll();
  [[noreturn]] void fail_bounds(double subscript, std::uint32_t size, std::uint32_t error) const;
  template <class Body>
  int guarded(Body body);

  const Tables& tables_;
  NativeTier* tier_ = nullptr;
  const NativeImage* image_ = nullptr;  // the last one seen
  std::uint64_t executed_ = 0, report_at_ = 0;
  std::exception_ptr error_;  // on its way through native code
  std::vector<double> registers_, start_;
  bool is_on_motion_ = false;  // start_ has been remembered
  std::vector<LoopBuffers> loops_;
  std::unique_ptr<double[]> stack_;
  std::size_t stack_top_ = 0;
  int call_depth_ = 0;
  const Interrupt* interrupt_ = nullptr;
  int polls_left_ = 0;  // jumps back and calls until the next look at it
};

}  // namespace arges::vm
