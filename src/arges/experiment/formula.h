#pragma once
// Arithmetic that users write.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace arges {

// An expression of numbers, pi, names, + - * / ^, parentheses and the functions abs, sqrt, exp,
// log, log10, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, floor, ceil, sign, min and
// max. ^ binds from the right and before a sign: -2^2 is -4.
//
// What names stand for is not known here: they are leaves, whose values are given. In an expression
// of a row the leaves are variables ("x", "a[2].v", "der(x)", "time"); in one of a run they are
// observables ("x", "x@2.5", "max(x - y)", "events").
class Formula {
 public:
  enum class Leaves { kRow, kRun };

  // Throws UserError with the place in the text.
  static Formula parse(const std::string& text, Leaves leaves);
  // The part from `begin` to `end` of a text; places are those of the whole text.
  static Formula parse_part(const std::string& whole, std::size_t begin, std::size_t end,
                            Leaves leaves);
  // Nothing but this name.
  static Formula leaf(const std::string& name);

  const std::string& text() const { return text_; }
  const std::vector<std::string>& leaves() const { return leaves_; }  // each once
  // `values` in the order of leaves().
  double value(std::span<const double> values) const;

 private:
  friend class FormulaParser;
  using Function = double (*)(const double* arguments);
  struct Step {  // of a stack machine
    enum class Kind { kNumber, kLeaf, kCall } kind;
    double number = 0;
    int count = 0;  // which leaf; how many arguments
    Function function = nullptr;
  };
  static constexpr int kDeepest = 64;

  std::string text_;
  std::vector<std::string> leaves_;
  std::vector<Step> steps_;
};

// Two formulas of a run that shall be equal, or one of which shall be at most the other.
struct Condition {
  enum class Kind { kEqual, kAtMost };
  std::string text;
  Formula left, right;  // left = right, or left <= right
  Kind kind = Kind::kEqual;
};

// "x@2 = 1", "max(v) <= 3", "min(x) >= 0" (which becomes 0 <= min(x)); < and > are <= and >=, == is
// =. Throws UserError with the place.
Condition parse_condition(const std::string& text, Formula::Leaves leaves);

}  // namespace arges
