#pragma once
// The level 4 MAT format: a sequence of matrices, each with a header of five 32-bit integers, its
// name, and its elements column by column.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace arges::mat4 {

// MOPT = 1000 M + 100 O + 10 P + T: byte order (0 little, 1 big endian), 0, element format
// (kDouble, ...), kind of matrix (0 full, 1 text, 2 sparse).
enum class Element { kDouble = 0, kFloat = 1, kInt32 = 2, kInt16 = 3, kUint16 = 4, kUint8 = 5 };

inline constexpr std::int32_t kFullDouble = 0;
inline constexpr std::int32_t kFullInt32 = 20;
inline constexpr std::int32_t kText = 51;
inline constexpr std::size_t kHeaderBytes = 20;
inline constexpr std::size_t kRowsOffset = 4;  // of the number of rows within the header
inline constexpr std::size_t kColumnsOffset = 8;
inline constexpr std::int64_t kMaxCount = 2147483647;

std::size_t element_bytes(Element element);

// Little-endian bytes.
void append_int32(std::string& bytes, std::int32_t value);
void append_double(std::string& bytes, double value);

// Header and name.
std::string header(std::string_view name, std::int32_t type, std::int64_t rows,
                   std::int64_t columns);

}  // namespace arges::mat4
