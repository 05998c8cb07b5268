// libFuzzer: any bytes as the JSON of a manifest. Everything but a Manifest or an IoError is a bug,
// and what was read is read again from what is written of it.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "arges/base/error.h"
#include "arges/results/manifest.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace arges;
  try {
    const Manifest manifest =
        manifest_from_json({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    const std::string text = to_json(manifest);
    fuzz::require(to_json(manifest_from_json(text, "again.json")) == text,
                  "a manifest is read as it was written");
  } catch (const IoError&) {
  }
  return 0;
}
