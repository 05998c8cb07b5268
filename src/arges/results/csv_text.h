#pragma once
// The cells of a CSV file (RFC 4180).

#include <cstddef>
#include <string>
#include <string_view>

namespace arges {

// The most characters that append_number writes.
inline constexpr std::size_t kMaxNumberChars = 32;

// Writes the shortest decimal that reads back as the same double, and returns the end. NaN gives
// nothing, the infinities "inf" and "-inf". `whole` writes an integral value without an exponent.
char* write_number(char* out, double value, bool whole = false);

std::string format_number(double value);

// The text as a cell, in quotes when it holds a comma, a quote, a line break, or blanks at an end.
std::string csv_cell(std::string_view text);

}  // namespace arges
