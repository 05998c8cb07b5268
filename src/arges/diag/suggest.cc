#include "arges/diag/suggest.h"

#include <algorithm>

#include "arges/base/nearest.h"

namespace arges::diag {

void suggest_names(Diagnostic& d, std::string_view wanted, const std::vector<std::string>& here,
                   const std::vector<std::string>& around, const std::string& where) {
  constexpr std::size_t kFew = 8;
  std::vector<std::string> known = here;
  known.insert(known.end(), around.begin(), around.end());
  std::erase(known, std::string(wanted));
  const std::vector<std::string> near = nearest_names(wanted, known, 1);
  if (!near.empty()) {
    d.suggest("did you mean `" + near[0] + "`?");
    return;
  }
  std::vector<std::string> own = here;
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  if (own.empty() || own.size() > kFew) return;
  std::string list;
  for (const std::string& name : own) list += (list.empty() ? "`" : ", `") + name + "`";
  d.suggest("declared " + where + ": " + list);
}

}  // namespace arges::diag
