// libFuzzer: any bytes as a CSV table. Everything but a Trajectory or an IoError is a bug.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "arges/base/error.h"
#include "arges/results/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    arges::read_csv({reinterpret_cast<const char*>(data), size}, "fuzz.csv");
  } catch (const arges::IoError&) {
  }
  return 0;
}
