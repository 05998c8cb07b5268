#include "arges/results/mat4_format.h"

#include <bit>

namespace arges::mat4 {

std::size_t element_bytes(Element element) {
  switch (element) {
    case Element::kDouble:
      return 8;
    case Element::kFloat:
    case Element::kInt32:
      return 4;
    case Element::kInt16:
    case Element::kUint16:
      return 2;
    case Element::kUint8:
      break;
  }
  return 1;
}

void append_int32(std::string& bytes, std::int32_t value) {
  const auto bits = static_cast<std::uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(bits >> shift & 0xff);
}

void append_double(std::string& bytes, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(bits >> shift & 0xff);
}

std::string header(std::string_view name, std::int32_t type, std::int64_t rows,
                   std::int64_t columns) {
  std::string bytes;
  append_int32(bytes, type);
  append_int32(bytes, static_cast<std::int32_t>(rows));
  append_int32(bytes, static_cast<std::int32_t>(columns));
  append_int32(bytes, 0);  // no imaginary part
  append_int32(bytes, static_cast<std::int32_t>(name.size() + 1));
  bytes += name;
  bytes += '\0';
  return bytes;
}

}  // namespace arges::mat4
