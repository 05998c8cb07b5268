#include "arges/causalize/past_readers.h"

#include <utility>

namespace arges {

FunctionId add_reader(FlatModel& flat, const char* function, const char* external,
                      std::initializer_list<const char*> names) {
  FlatFunction f;
  f.name = function;
  f.external = external;
  f.impure = true;
  for (const char* name : names) {
    FlatLocal local;
    local.name = name;
    f.external_arguments.push_back({LocalId{static_cast<std::int32_t>(f.locals.size())}, {}});
    f.locals.push_back(std::move(local));
  }
  f.inputs = static_cast<std::int32_t>(names.size()) - 1;
  f.outputs = 1;
  f.external_result = f.external_arguments.back().local;
  f.external_arguments.pop_back();
  flat.functions.push_back(std::move(f));
  return FunctionId{static_cast<std::int32_t>(flat.functions.size()) - 1};
}

}  // namespace arges
