// libFuzzer: any bytes as a file; its last class is flattened and its equations are sorted. No
// crash, no hang, memory within limits; what is wrong ends in diagnostics or a UserError.

#include <cstdint>
#include <string>

#include "arges/base/error.h"
#include "arges/causalize/passes.h"
#include "arges/diag/text_client.h"
#include "arges/elaborate/class_tree.h"
#include "arges/flat/print.h"
#include "arges/flatten/instances.h"
#include "arges/flatten/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace arges;
  diag::Diagnostics diagnostics(5);
  lang::ClassTree tree{lang::LibraryPath(), diagnostics};
  const std::vector<lang::ClassNode*> added =
      tree.add_text("fuzz.mo", std::string(reinterpret_cast<const char*>(data), size));
  if (added.empty() || diagnostics.has_errors()) return 0;
  lang::Limits limits;
  limits.elements = 2000;
  limits.variables = 500;
  limits.instances = 5000;
  limits.evaluations = 20'000;
  FlatModel model = lang::flatten_class(tree, *added.back(), limits);
  to_text(diagnostics);
  if (diagnostics.has_errors()) return 0;
  to_text(model);
  try {
    causalize(std::move(model));
  } catch (const UserError&) {
    return 0;
  }
  return 0;
}
