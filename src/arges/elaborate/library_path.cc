#include "arges/elaborate/library_path.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace arges::lang {
namespace {

namespace fs = std::filesystem;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Entries of a folder that may be libraries or classes: the stem, and the file to read.
std::vector<FolderEntry> entries(const std::string& folder) {
  std::vector<FolderEntry> out;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const fs::path& path = it->path();
    std::error_code ignored;
    if (it->is_directory(ignored)) {
      const fs::path file = path / "package.mo";
      if (fs::exists(file, ignored)) out.push_back({path.filename().string(), file.string(), true});
    } else if (path.extension() == ".mo" && path.filename() != "package.mo") {
      out.push_back({path.stem().string(), path.string(), false});
    }
  }
  std::sort(out.begin(), out.end(), [](const FolderEntry& a, const FolderEntry& b) {
    return a.name != b.name ? a.name < b.name : a.is_folder < b.is_folder;
  });
  return out;
}

}  // namespace

std::vector<FolderEntry> list_package(const std::string& folder) { return entries(folder); }

std::vector<std::string> read_package_order(const std::string& folder) {
  std::vector<std::string> out;
  std::ifstream in(fs::path(folder) / "package.order");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    out.push_back(line.substr(first, line.find_last_not_of(" \t\r") - first + 1));
  }
  return out;
}

int compare_versions(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a[0]) && is_digit(b[0])) {
      const auto number = [](std::string_view& s) {
        std::size_t n = 0;
        while (n < s.size() && is_digit(s[n])) ++n;
        std::string_view digits = s.substr(0, n);
        s.remove_prefix(n);
        while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
        return digits;
      };
      const std::string_view x = number(a);
      const std::string_view y = number(b);
      if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
      if (const int c = x.compare(y); c != 0) return c;
    } else {
      if (a[0] != b[0]) {
        // A release is newer than what comes before it: 4.1.0 > 4.1.0-beta; more parts are newer.
        return a[0] == '-' ? -1 : b[0] == '-' ? 1 : a[0] < b[0] ? -1 : 1;
      }
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  if (a.empty() && b.empty()) return 0;
  if (a.empty()) return b[0] == '-' ? 1 : -1;
  return a[0] == '-' ? -1 : 1;
}

LibraryPath LibraryPath::from_environment() {
  std::vector<std::string> roots;
  const char* value = std::getenv("MODELICAPATH");
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) roots.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return LibraryPath(std::move(roots));
}

std::string LibraryPath::find(std::string_view name, std::string_view version) const {
  for (const std::string& root : roots_) {
    const FolderEntry* best = nullptr;
    std::string_view best_version;
    const std::vector<FolderEntry> found = entries(root);
    for (const FolderEntry& e : found) {
      std::string_view rest = e.name;
      if (!rest.starts_with(name)) continue;
      rest.remove_prefix(name.size());
      if (!rest.empty() && rest[0] != ' ') continue;
      if (!rest.empty()) rest.remove_prefix(1);
      const auto better = [&] {
        if (best == nullptr) return true;
        if (!version.empty() && (rest == version) != (best_version == version)) {
          return rest == version;
        }
        if (rest.empty() != best_version.empty()) return rest.empty();
        return compare_versions(rest, best_version) > 0;
      };
      if (!better()) continue;
      best = &e;
      best_version = rest;
    }
    if (best != nullptr) return best->path;
  }
  return {};
}

std::vector<std::string> LibraryPath::names() const {
  std::vector<std::string> out;
  for (const std::string& root : roots_) {
    for (const FolderEntry& e : entries(root)) out.push_back(e.name.substr(0, e.name.find(' ')));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace arges::lang
