// libFuzzer: any bytes as a file of Base Modelica (its first line is put before them). When its
// last class flattens, what is written of it is read back without an error and has as many
// equations and unknowns.

#include <cstdint>

#include "arges/base/error.h"
#include "arges/diag/text_client.h"
#include "arges/flat/base_modelica.h"
#include "flatten_bytes.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace arges;
  diag::Diagnostics diagnostics(5);
  lang::ClassTree tree{lang::LibraryPath(), diagnostics};
  const std::optional<FlatModel> model =
      fuzz::flatten_bytes(tree, "//! base 0.1.0\n" + fuzz::to_string(data, size));
  to_text(diagnostics);
  if (!model) return 0;
  std::string text;
  try {
    text = to_base_modelica(*model);
  } catch (const UserError&) {
    return 0;
  }
  diag::Diagnostics found;
  lang::ClassTree again{lang::LibraryPath(), found};
  const FlatModel read = lang::load_model_text(again, "flat.mo", text);
  if (found.has_errors()) std::fputs(to_text(found).c_str(), stderr);
  fuzz::require(!found.has_errors(), "the flat model is read back");
  fuzz::require(lang::balance(*model).equations == lang::balance(read).equations &&
                    lang::balance(*model).unknowns == lang::balance(read).unknowns,
                "the flat model that is read back has as many equations and unknowns");
  return 0;
}
