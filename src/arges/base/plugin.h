#pragma once
// Parts of the system that bring large libraries along: they are loaded when they are wanted.

#include <string>

namespace arges {

// What a plugin exports under its symbol, or why it could not be had.
struct PluginSymbol {
  const void* symbol = nullptr;
  std::string path;     // "": it is not installed
  std::string problem;  // "": none
};

// Loads the plugin `file` ("arges_jit.so") from the path in the environment variable `variable` if
// that is set, or from the library's folder beside the one of the program. It stays loaded.
PluginSymbol load_plugin(const std::string& file, const char* variable, const char* symbol);

}  // namespace arges
