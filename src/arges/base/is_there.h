#pragma once
// A file that may have any name.

#include <filesystem>
#include <string>
#include <system_error>

namespace arges {

// False, too, for names that no file can have (too long).
inline bool is_there(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

}  // namespace arges
