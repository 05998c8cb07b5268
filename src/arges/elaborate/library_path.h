#pragma once
// Where libraries lie on disk.

#include <string>
#include <string_view>
#include <vector>

namespace arges::lang {

// The children of a package stored as a folder.
struct FolderEntry {
  std::string name;  // of the class
  std::string path;  // NAME.mo or NAME/package.mo
  bool is_folder = false;
};

// The .mo files and the folders with a package.mo in a folder, package.mo itself left out, by name.
// A name that is there twice (X.mo and X/package.mo) appears twice.
std::vector<FolderEntry> list_package(const std::string& folder);

// The lines of package.order without blank ones; empty when there is no such file.
std::vector<std::string> read_package_order(const std::string& folder);

// "3.2.10" > "3.2.9" > "3.2.9-beta" > "3". Negative, zero, positive.
int compare_versions(std::string_view a, std::string_view b);

// A list of folders that hold libraries, searched in order.
class LibraryPath {
 public:
  LibraryPath() = default;
  explicit LibraryPath(std::vector<std::string> roots) : roots_(std::move(roots)) {}
  // The folders of the environment variable MODELICAPATH, separated by `:`.
  static LibraryPath from_environment();

  // The file of a top-level class: NAME.mo or NAME/package.mo, or "NAME VERSION.mo" and
  // "NAME VERSION/package.mo". Within the first root that has any: the wanted version when it is
  // given and there, else the one without a version in its name, else the newest. "" when there is
  // none.
  std::string find(std::string_view name, std::string_view version = {}) const;
  // Names of the libraries that can be found, for advice.
  std::vector<std::string> names() const;
  const std::vector<std::string>& roots() const { return roots_; }

 private:
  std::vector<std::string> roots_;
};

}  // namespace arges::lang
