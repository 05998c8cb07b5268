#pragma once
// Runs programs.

#include <memory>
#include <vector>

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

// Registers and buffers of one thread of evaluation. Unknowns of nonlinear loops keep their last
// values here: the next solution starts from them.
class Workspace {
 public:
  explicit Workspace(const Tables& tables);
  double* registers() { return registers_.data(); }
  double& operator[](std::uint32_t i) { return registers_[i]; }
  // Throws EvaluationError: a loop without solution, a subscript out of range, a failed assertion.
  // The present values are those to which loops go back that find no solution near the last one.
  void remember_start() { start_ = registers_; }
  void run(const Program& program) { execute(program.data(), registers_.data(), tables_); }

 private:
  struct LoopBuffers {
    std::unique_ptr<LuSolver> lu;
    std::vector<double> matrix, step, next, x, residual;
    std::vector<double> first, first_residual;  // where the search began
    double open = 0;                            // of continuation
  };
  void execute(const Instruction* program, double* r, const Lists& lists);
  void call(const Call& call, double* r);
  void call_external(const ExternalCall& call, double* r);
  double text(const TextOperation& operation, const double* r);
  void solve(std::uint32_t index);
  void solve_nonlinear(const Loop& loop, LoopBuffers& buffers);
  bool newton(const Loop& loop, LoopBuffers& buffers, bool damped);
  bool continuation(const Loop& loop, LoopBuffers& buffers);
  bool residual(const Loop& loop, LoopBuffers& buffers);
  bool try_residual(const Loop& loop, LoopBuffers& buffers);
  bool jacobian(const Loop& loop, LoopBuffers& buffers);
  bool regularise(const Loop& loop, LoopBuffers& buffers);

  const Tables& tables_;
  std::vector<double> registers_, start_;
  std::vector<LoopBuffers> loops_;
  std::unique_ptr<double[]> stack_;
  std::size_t stack_top_ = 0;
};

}  // namespace arges::vm
