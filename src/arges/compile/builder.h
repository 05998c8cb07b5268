#pragma once
// Expressions to instructions.

#include <unordered_map>
#include <vector>

#include "arges/compile/machine.h"
#include "arges/flat/flat_model.h"

namespace arges::vm {

// Registers are numbered within regions while programs are built; link() puts the regions one after
// the other.
enum class Region : std::uint32_t { kVariables, kConstants, kOuter, kInner, kCount };
constexpr std::uint32_t kRegionShift = 29;
constexpr std::uint32_t in_region(Region region, std::uint32_t offset) {
  return (static_cast<std::uint32_t>(region) << kRegionShift) | offset;
}

// Shared by all programs of a model.
struct CodeBase {
  const FlatModel* flat = nullptr;
  std::vector<std::uint32_t> slot;  // of each variable, in kVariables
  std::uint32_t time_slot = 0, lambda_slot = 0;
  bool has_homotopy = false;              // a program reads lambda
  std::vector<std::uint32_t> start_slot;  // of states and discretes: where pre(v) of the initial
                                          // system stands
  std::uint32_t region_size[4] = {0, 0, 0, 0};
  std::vector<double> constants;
  std::unordered_map<std::uint64_t, std::uint32_t> constant_slots;
  Tables tables;

  std::uint32_t constant(double value);
  // The number of an error text for instructions that may fail.
  std::uint32_t error(std::string text);
  // The number that stands for a string.
  double string(std::string_view text) const { return tables.environment->intern(text); }
  // The external function of f, without arguments. Throws UserError when there is none.
  ExternalCall external_call(const FlatFunction& f) const;
  // Whether the expression calls a function or has a subscript.
  bool has_call(ExprId e);
  // Computes the final places; after this, link() may be called on programs.
  void place_regions();
  std::uint32_t placed(std::uint32_t slot) const;
  void link(Program& program) const;
  std::uint32_t base[4] = {0, 0, 0, 0};

 private:
  std::vector<bool> has_call_;  // of the nodes of the pool, as far as asked for
};

// Builds one program. Each node is computed once; temporaries are given back after their last use.
// First all roots are announced (for the number of uses), then compiled in the same order.
//
// All of an if-expression is computed, and the right branch taken, unless a branch calls a
// function or has a subscript: then it is jumped over (it may fail, or recur).
class ProgramBuilder {
 public:
  // `homotopy`: homotopy(a, s) is lambda a + (1 - lambda) s; else a.
  ProgramBuilder(CodeBase& code, Region temporaries, bool homotopy = false);

  void announce(ExprId root);
  // The value of the root is in the register `dst` afterwards.
  void assign(ExprId root, std::uint32_t dst);
  void assign(ExprId root, VarId v) { assign(root, code_.slot[static_cast<std::size_t>(v.index)]); }
  void emit(Code op, std::uint32_t dst, std::uint32_t a = 0, std::uint32_t b = 0) {
    program_.push_back({op, dst, a, b});
  }
  Program finish();

 private:
  std::uint32_t value(ExprId root, std::uint32_t wanted);
  void compute(ExprId e, std::uint32_t wanted);
  void compute_lazily(ExprId e, std::uint32_t wanted);
  std::uint32_t leaf(ExprId e);
  void put(ExprId e, std::uint32_t place);
  std::uint32_t new_temporary();
  void release(ExprId e);
  void compute_text(ExprId e, TextOperation::Kind kind, std::uint32_t dst);

  CodeBase& code_;
  const ExprPool& pool_;
  Region region_;
  bool homotopy_;
  std::unordered_map<std::int32_t, std::int32_t> uses_;
  std::unordered_map<std::int32_t, std::uint32_t> place_;  // of computed nodes
  int branches_ = 0;                         // so many are being compiled, one in the other
  std::vector<std::int32_t> put_in_branch_;  // what is forgotten at their ends
  std::vector<std::uint32_t> free_;
  std::uint32_t next_ = 0;
  Program program_;
};

external::ArgumentType argument_type(ScalarType type, bool is_object);
// The machine operation for an expression with one or two arguments, with a result of the type.
Code code_of(Op op, ScalarType type = ScalarType::kReal);
// The code of a function of the model; its error texts go to the tables.
FunctionCode compile_function(CodeBase& code, const FlatFunction& function);

}  // namespace arges::vm
