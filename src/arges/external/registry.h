#pragma once
// The external functions that are built in.

#include <span>
#include <string_view>

#include "arges/external/call.h"

namespace arges::external {

struct Entry {
  std::string_view name;  // as the external clause calls it
  std::size_t arguments;  // how many the clause has
  Function function;
  bool pure = true;  // gives the same for the same arguments, and may be called at any time
};

// The entry of this name, or null.
const Entry* find_builtin(std::string_view name);

// One list for each field.
std::span<const Entry> table_functions();
std::span<const Entry> string_functions();
std::span<const Entry> random_functions();
std::span<const Entry> file_functions();
std::span<const Entry> system_functions();
std::span<const Entry> fourier_functions();
std::span<const Entry> matrix_functions();
std::span<const Entry> past_functions();

}  // namespace arges::external
