#pragma once
// The one printer of flat models. What differs between a text to look at and one to read back is
// in FlatStyle.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arges/expr/print.h"
#include "arges/flat/flat_model.h"

namespace arges {

// The name of a variable that is written as it is.
inline constexpr const char* kTimeInState = "timeInState()";

struct FlatStyle {
  // How a name of a variable, function, type or model is written.
  std::function<std::string(const std::string&)> name;
  // For reading back: enumerations as Integers, a function for each result that is used alone,
  // annotations, the experiment.
  bool complete = false;
};

// Names in 'quotes', with escapes; text in "quotes".
std::string quoted_name(const std::string& name);
std::string quoted_text(const std::string& text);

// Prints functions and the model. The model must outlive it.
class FlatText {
 public:
  FlatText(const FlatModel& model, FlatStyle style);

  std::string run();

 private:
  const FlatFunction& at(FunctionId f) const {
    return model_.functions[static_cast<std::size_t>(f.index)];
  }
  std::string function_name(std::int32_t f) const {
    return style_.name(unique_[static_cast<std::size_t>(f)]);
  }
  std::string result_name(FunctionId f, std::int32_t result) const;
  std::string local(LocalId v) const;
  std::string text(ExprId e) const { return to_text(model_.pool, e, names_); }
  std::string type_name(ScalarType type, std::int32_t enumeration) const;

  // Machines: blocks are empty, and equations say by an annotation to which one they belong.
  bool belongs_to_machine(const FlatVariable& v) const;
  std::string machine_variable(VarId v) const;
  std::string owner_mark(const Origin& origin) const;
  std::string state_class() const;
  void machine_states();
  void machines();

  void enumerations();
  void model();
  void experiment();
  void variable(const FlatVariable& v);
  void equations(const char* title, const std::vector<FlatEquation>& list);
  std::string side(ExprId e) const;
  std::string condition(const std::vector<ExprId>& conditions) const;
  void when(const WhenClause& clause);
  void algorithms(const char* title, const std::vector<FlatAlgorithm>& list);
  std::string declaration(const FlatLocal& l, const char* kind) const;
  void function(const FlatFunction& f, const std::string& name);
  void single_result(FunctionId id, std::int32_t result);
  std::string target(const Statement& s) const;
  void statements(const std::vector<Statement>& body, const std::string& indent);
  void branches(const Statement& s, const char* word, const std::string& indent);
  void statement(const Statement& s, const std::string& indent);

  const FlatModel& model_;
  FlatStyle style_;
  const FlatFunction* function_ = nullptr;
  std::vector<std::string> unique_;  // names of the functions
  ExprNames names_;
  std::string functions_;
  std::string out_;
  std::set<std::pair<std::int32_t, std::int32_t>> results_;
  std::vector<std::pair<FunctionId, std::int32_t>> pending_;
};

}  // namespace arges
