#include "arges/flat/print.h"

#include <cctype>

#include <fmt/format.h>

#include "arges/flat/flat_text.h"
#include "arges/flat/share.h"

namespace arges {

std::string base_modelica_name(const std::string& name) {
  bool plain = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0]));
  for (const char c : name)
    plain = plain && (std::isalnum(static_cast<unsigned char>(c)) || c == '_');
  return plain ? name : "'" + name + "'";
}

ExprNames names_of(const FlatModel& model, const FlatFunction* function) {
  ExprNames names;
  names.variable = [&model](VarId v) { return model[v].name; };
  names.function = [&model](FunctionId f) {
    return model.functions[static_cast<std::size_t>(f.index)].name;
  };
  names.local = [function](LocalId v) {
    return function != nullptr ? function->locals[static_cast<std::size_t>(v.index)].name
                               : fmt::format("$local{}", v.index);
  };
  return names;
}

std::string to_text(const FlatModel& model) {
  const FlatModel shared = with_shared_functions(model);
  return FlatText(shared, {base_modelica_name, false}).run();
}

}  // namespace arges
