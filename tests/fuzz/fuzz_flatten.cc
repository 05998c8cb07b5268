// libFuzzer: any bytes as a file; its last class goes the way of `arges check`: it is flattened,
// its units are checked and its equations are sorted. No crash, no hang, memory within limits; what
// is wrong ends in diagnostics or a UserError.

#include <cstdint>

#include "arges/base/error.h"
#include "arges/causalize/machine_modes.h"
#include "arges/causalize/passes.h"
#include "arges/diag/json_client.h"
#include "arges/diag/text_client.h"
#include "arges/flat/print.h"
#include "arges/flatten/unit_check.h"
#include "flatten_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace arges;
  diag::Diagnostics diagnostics(5);
  lang::ClassTree tree{lang::LibraryPath(), diagnostics};
  std::optional<FlatModel> model = fuzz::flatten_bytes(tree, fuzz::to_string(data, size));
  if (model) lang::check_units(*model, tree);
  to_text(diagnostics);
  to_json(diagnostics);
  if (!model) return 0;
  lang::balance(*model);
  to_text(*model);
  try {
    if (model->machines.empty()) {
      to_text(causalize(std::move(*model)));
    } else {
      const ModeSplitter splitter(*model, 20);
      for (const Configuration& mode : splitter.modes()) {
        to_text(causalize(splitter.make(mode).flat));
      }
    }
  } catch (const UserError&) {
    return 0;
  } catch (const ModeError&) {
    return 0;
  }
  return 0;
}
