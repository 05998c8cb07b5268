// libFuzzer: any bytes as a MAT v4 trajectory. Everything but a Trajectory or an IoError is a bug.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "arges/base/error.h"
#include "arges/results/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    arges::read_mat4({reinterpret_cast<const char*>(data), size}, "fuzz.mat");
  } catch (const arges::IoError&) {
  }
  return 0;
}
