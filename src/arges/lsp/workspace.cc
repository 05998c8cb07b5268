#include "arges/lsp/workspace.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::lsp {

namespace fs = std::filesystem;

namespace {

// The folder above the outermost package that a file belongs to, and the name of its class; an
// empty folder for a file that belongs to none.
struct PackagePlace {
  fs::path folder;
  std::string name;
};

PackagePlace package_place(const fs::path& path) {
  std::error_code ignored;  // a folder that cannot be read holds no package
  const auto is_package = [&](const fs::path& folder) {
    return fs::exists(folder / "package.mo", ignored);
  };
  // "Modelica 4.1.0" is the folder of Modelica.
  const auto class_of = [](const fs::path& folder) {
    const std::string name = folder.filename().string();
    return name.substr(0, name.find(' '));
  };
  PackagePlace place{path.parent_path(), path.stem().string()};
  if (path.filename() == "package.mo") {
    place = {path.parent_path().parent_path(), class_of(path.parent_path())};
  } else if (!is_package(place.folder)) {
    return {};
  }
  while (is_package(place.folder)) {
    place.name = class_of(place.folder) + "." + place.name;
    place.folder = place.folder.parent_path();
  }
  return place;
}

lang::LibraryPath with_root(const std::string& path, std::vector<std::string> libraries) {
  const PackagePlace place = package_place(path);
  if (!place.folder.empty()) libraries.insert(libraries.begin(), place.folder.string());
  return lang::LibraryPath(std::move(libraries));
}

}  // namespace

Project::Project(const std::string& path, const std::map<std::string, std::string>& texts,
                 std::vector<std::string> libraries)
    : tree_(with_root(path, std::move(libraries)), diagnostics_) {
  for (const auto& [name, text] : texts) tree_.set_text_of(name, text);
  const PackagePlace place = package_place(path);
  if (!place.folder.empty()) {
    lang::ClassNode* node = tree_.find_class(place.name);
    if (node != nullptr && tree_.definition(*node) != nullptr &&
        fs::path(tree_.file(*node)->path()).lexically_normal() == fs::path(path)) {
      outermost_.push_back(node);
      file_ = tree_.file(*node);
    }
  }
  if (file_ == nullptr) {
    outermost_ = tree_.add_text(path, texts.at(path));
    file_ = tree_.find_file(path);
  }
  if (file_ == nullptr) {
    own_ = std::make_unique<const diag::SourceFile>(path, texts.at(path));
    file_ = own_.get();
  }
}

void Project::classes_of(lang::ClassNode& node, std::vector<lang::ClassNode*>& out) {
  out.push_back(&node);
  const std::vector<std::string_view> names = tree_.member_names(node);
  for (const std::string_view name : names) {
    const lang::Member* m = tree_.member(node, name);
    // A class in a file of its own has no element here, and is not read.
    if (m->kind == lang::MemberKind::kClass && m->element != nullptr) classes_of(*m->node, out);
  }
}

std::vector<lang::ClassNode*> Project::classes() {
  std::vector<lang::ClassNode*> all;
  for (lang::ClassNode* node : outermost_) classes_of(*node, all);
  return all;
}

lang::ClassNode& Project::scope_at(std::uint32_t offset) {
  lang::ClassNode* scope = nullptr;
  for (lang::ClassNode* node : classes()) {
    const lang::ClassDef* def = tree_.definition(*node);
    if (def == nullptr || offset < def->range.begin || offset > def->range.end) continue;
    scope = node;  // inner classes come after those around them
  }
  return scope == nullptr ? tree_.root() : *scope;
}

void Workspace::set_libraries(std::vector<std::string> libraries) {
  libraries_ = std::move(libraries);
  projects_.clear();
}

void Workspace::open(const std::string& path, std::string text) {
  texts_[path] = std::move(text);
  projects_.clear();
}

void Workspace::change(const std::string& path, const std::vector<TextChange>& changes) {
  std::string now = text(path);
  for (const TextChange& change : changes) {
    if (change.whole) {
      now = change.text;
      continue;
    }
    const diag::SourceFile before(path, now);
    const std::uint32_t begin = diag::offset_at(before, change.begin);
    const std::uint32_t end = std::max(begin, diag::offset_at(before, change.end));
    now.replace(begin, end - begin, change.text);
  }
  open(path, std::move(now));
}

void Workspace::close(const std::string& path) {
  texts_.erase(path);
  projects_.clear();
}

std::vector<std::string> Workspace::open_paths() const {
  std::vector<std::string> paths;
  for (const auto& [path, text] : texts_) paths.push_back(path);
  return paths;
}

const std::string& Workspace::text(const std::string& path) const {
  const auto it = texts_.find(path);
  if (it == texts_.end()) throw UserError(fmt::format("the document '{}' is not open", path));
  return it->second;
}

Project& Workspace::project(const std::string& path) {
  std::unique_ptr<Project>& project = projects_[path];
  if (project == nullptr) project = make_project(path);
  return *project;
}

std::unique_ptr<Project> Workspace::make_project(const std::string& path) const {
  text(path);
  return std::make_unique<Project>(path, texts_, libraries_);
}

}  // namespace arges::lsp
