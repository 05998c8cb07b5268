#include "arges/flat/base_modelica.h"

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/flat/flat_text.h"
#include "arges/flat/share.h"

namespace arges {

std::string to_base_modelica(const FlatModel& model) {
  for (const FlatVariable& v : model.variables) {
    if (!v.is_clock) continue;
    throw UserError(
        fmt::format("the model '{}' has clocks, which Base Modelica cannot hold", model.name));
  }
  for (const FlatFunction& f : model.functions) {
    for (const FlatLocal& l : f.locals) {
      if (!l.is_object) continue;
      throw UserError(fmt::format(
          "the model '{}' has external objects, which Base Modelica cannot hold", model.name));
    }
  }
  const FlatModel shared = with_shared_functions(model);
  const std::string name = quoted_name(model.name);
  return fmt::format("//! base 0.1.0\npackage {}\n{}end {};\n", name,
                     FlatText(shared, {quoted_name, true}).run(), name);
}

}  // namespace arges
