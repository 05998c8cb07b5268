#include "arges/base/plugin.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

namespace arges {

namespace {

namespace fs = std::filesystem;

std::string find(const std::string& file, const char* variable) {
  std::error_code error;
  if (const char* given = std::getenv(variable); given != nullptr)
    return fs::exists(given, error) ? given : "";
  const fs::path bin = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* folder : {"../" ARGES_PLUGIN_FOLDER, "../lib/arges"}) {
    const fs::path path = (bin / folder / file).lexically_normal();
    if (!error && fs::exists(path, error)) return path.string();
  }
  return "";
}

}  // namespace

PluginSymbol load_plugin(const std::string& file, const char* variable, const char* symbol) {
  PluginSymbol result;
  result.path = find(file, variable);
  if (result.path.empty()) {
    result.problem = "the plugin " + file + " is not installed";
    return result;
  }
  void* library = dlopen(result.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    result.problem = dlerror();
    return result;
  }
  result.symbol = dlsym(library, symbol);
  if (result.symbol == nullptr)
    result.problem = "'" + result.path + "' belongs to another version of Arges";
  return result;
}

}  // namespace arges
