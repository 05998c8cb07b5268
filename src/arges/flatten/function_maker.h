#pragma once
// Functions of the text to functions of the flat model.

#include <map>
#include <string>
#include <vector>

#include "arges/flatten/evaluator.h"

namespace arges::lang {

// Thrown by the first assignment to an array of records `V w[:]`: its locals cannot be made before
// the size is known, so that the function is made once more.
struct OpenSize {
  std::string name;
  Dims dims;
};

// Sets Instances::sizes_at_run_time as long as it lives.
class SizesAtRunTime {
 public:
  SizesAtRunTime(Instances& instances, bool may)
      : instances_(instances), before_(instances.sizes_at_run_time) {
    instances.sizes_at_run_time = may;
  }
  ~SizesAtRunTime() { instances_.sizes_at_run_time = before_; }
  SizesAtRunTime(const SizesAtRunTime&) = delete;
  SizesAtRunTime& operator=(const SizesAtRunTime&) = delete;

 private:
  Instances& instances_;
  bool before_;
};

// Makes the FlatFunction for a combination of argument sizes: arrays of unknown size get the sizes
// of the arguments, records are taken apart. `constants` says which arguments are literals that the
// function is specialised for; they are no inputs any more.
class FunctionMaker {
 public:
  FunctionMaker(Evaluator& evaluator, Instance& function) : e_(evaluator), function_(function) {}

  void make(FlatFunction& out, const std::vector<Value>& arguments,
            const std::vector<bool>& constants);

 private:
  void make_once(FlatFunction& out, const std::vector<Value>& arguments,
                 const std::vector<bool>& constants);
  // The component, with the size that an assignment has told.
  Instance* sized(Instance& f, Slot& slot);
  struct Place {
    Instance* instance;
    std::vector<int> at;
  };
  void add_locals(FlatFunction& out, Instance& i);
  void add_locals(FlatFunction& out, const std::vector<Place>& same, const Dims& outer);
  // Makes inputs of what a function that is given as an argument takes along.
  void captured(FlatFunction& out, std::string_view name, Value& v);
  void set_initial(FlatFunction& out, Instance& i);
  void check_sizes(FlatFunction& out, const Instance& input,
                   const std::vector<std::pair<const Expr*, Scope>>& declared);
  void add_sizes(FlatFunction& out, Instance& i, std::size_t dimensions);
  void compute_sizes(FlatFunction& out, const Instance& i);
  // Initial values that need those of locals further on become statements, in the order of need.
  void order_initials(FlatFunction& out);
  // annotation(inverse(u = g(y, v)))
  void declare_inverses(FlatFunction& out, const ClassDef& def, ClassNode& node, const Context& c);
  void external_clause(FlatFunction& out, Instance& f, const External& external, const Context& c);

  Evaluator& e_;
  Instance& function_;
  std::map<std::string, Dims> sizes_;  // of open arrays of records, by slot
};

// Gives an input the sizes of its argument: those that are `[:]` in the text.
void set_sizes(Instances& instances, Instance& i, const Value& v);

// The scalars of a value in the order in which the locals of `i` take them.
void append_arguments(Instances& instances, Instance& i, const Value& v, std::vector<ExprId>& out);

}  // namespace arges::lang
