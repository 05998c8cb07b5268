#pragma once
// Expressions as text.

#include <functional>
#include <string>
#include <utility>

#include "arges/expr/pool.h"

namespace arges {

// Names of what leaves refer to.
struct ExprNames {
  std::function<std::string(VarId)> variable;
  std::function<std::string(LocalId)> local;
  std::function<std::string(FunctionId)> function;
  // For text that is to be read back: the name of a function that gives the scalar result number
  // `result` (from 0) alone, and what stands before and after argument number i of a call, so that
  // arguments can be put into arrays. Without them, see to_text.
  std::function<std::string(FunctionId, std::int32_t result)> result = {};
  std::function<std::pair<std::string, std::string>(FunctionId, std::size_t i)> brackets = {};
  // What a variable is printed as, where that is valid: an expression that it stands for.
  std::function<ExprId(VarId)> stands_for = {};
  // For messages: about as many characters are enough, then "..." stands for the rest. What shares
  // parts has, written out, up to exponentially many.
  std::size_t enough = static_cast<std::size_t>(-1);
};

constexpr std::size_t kEnoughToRead = 2000;

// Modelica text with as few parentheses as its grammar allows; Reals with the digits that give the
// same double back. The i-th scalar result of a call other than the first is printed as
// f(...).i, which is not Modelica.
std::string to_text(const ExprPool& pool, ExprId root, const ExprNames& names);

// A Real literal: shortest text that reads back as the same double, always with '.' or exponent.
std::string real_literal(double value);

}  // namespace arges
