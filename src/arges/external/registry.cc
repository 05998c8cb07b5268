#include "arges/external/registry.h"

#include <unordered_map>

namespace arges::external {

const Entry* find_builtin(std::string_view name) {
  static const auto all = [] {
    std::unordered_map<std::string_view, const Entry*> map;
    for (const auto list :
         {table_functions(), string_functions(), random_functions(), file_functions(),
          system_functions(), fourier_functions(), matrix_functions(), past_functions()}) {
      for (const Entry& e : list) map.emplace(e.name, &e);
    }
    return map;
  }();
  const auto it = all.find(name);
  return it == all.end() ? nullptr : it->second;
}

}  // namespace arges::external
