#pragma once
// What is wrong with the equations of a model, for those who wrote them.

#include <string>
#include <utility>
#include <vector>

#include "arges/base/error.h"
#include "arges/diag/codes.h"
#include "arges/flat/flat_model.h"

namespace arges {

// A place in the text, that outlives the model, and what is said of it. Line 0: not known.
struct TextPlace {
  std::string file, text;
  std::int32_t line = 0, column = 0, end_line = 0, end_column = 0;
};
inline TextPlace place_in_text(const ExprPool& pool, const Origin& origin, std::string text) {
  return {origin.file.valid() ? pool.text(origin.file) : "",
          std::move(text),
          origin.line,
          origin.column,
          origin.end_line,
          origin.end_column};
}

// Something that does not keep a model from running, for those who wrote it.
struct ModelWarning {
  diag::Code code;
  std::string text;  // complete without the places
  std::vector<TextPlace> places;
};

// The message is complete without the places.
class ModelError : public UserError {
 public:
  ModelError(diag::Code what_kind, const std::string& what, std::vector<TextPlace> where = {})
      : UserError(what), code(what_kind), places(std::move(where)) {}
  diag::Code code;
  std::vector<TextPlace> places;
};

// The system is structurally singular: which equations are too many, which variables are not
// determined (as the user wrote them).
class StructuralError : public ModelError {
 public:
  StructuralError(diag::Code what_kind, const std::string& what, std::vector<std::string> surplus,
                  std::vector<std::string> undetermined, std::vector<TextPlace> where)
      : ModelError(what_kind, what, std::move(where)),
        surplus_equations(std::move(surplus)),
        undetermined_variables(std::move(undetermined)) {}
  std::vector<std::string> surplus_equations, undetermined_variables;
};

}  // namespace arges
