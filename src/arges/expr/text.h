#pragma once
// String(): values as text.

#include <string>
#include <string_view>

#include "arges/expr/op.h"

namespace arges {

// `text`, filled up with blanks to `length` characters.
std::string padded_text(std::string text, int length, bool left);
// String(value, significantDigits, minimumLength, leftJustified).
std::string value_text(ScalarType type, double value, int digits = 6, int length = 0,
                       bool left = true);
// String(value, format): the format of C without the percent sign, such as "6.3f".
std::string formatted_text(ScalarType type, double value, std::string_view format);

}  // namespace arges
