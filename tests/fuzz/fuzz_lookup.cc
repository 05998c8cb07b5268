// libFuzzer: any bytes as a file; all names in it are looked up. No crash, no hang, no library is
// loaded from disk.

#include <cstdint>
#include <string>

#include "arges/elaborate/class_tree.h"
#include "arges/elaborate/corpus.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace arges;
  diag::Diagnostics diagnostics(5);
  lang::ClassTree tree{lang::LibraryPath(), diagnostics};
  for (lang::ClassNode* node :
       tree.add_text("fuzz.mo", std::string(reinterpret_cast<const char*>(data), size))) {
    lang::lookup_all(tree, *node);
  }
  return 0;
}
