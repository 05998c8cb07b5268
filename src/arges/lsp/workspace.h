#pragma once
// The texts that an editor has open, and what the compiler knows about them.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arges/diag/utf16.h"
#include "arges/elaborate/class_tree.h"

namespace arges::lsp {

// A class tree in which one document has been read, with the unsaved text of every open one. A
// document in a folder with a package.mo belongs to that package, and is read as a part of it.
class Project {
 public:
  Project(const std::string& path, const std::map<std::string, std::string>& texts,
          std::vector<std::string> libraries);

  lang::ClassTree& tree() { return tree_; }
  diag::Diagnostics& diagnostics() { return diagnostics_; }
  // The document; never null.
  const diag::SourceFile& file() const { return *file_; }
  // The classes that stand in the document outermost, and all of them.
  const std::vector<lang::ClassNode*>& outermost() const { return outermost_; }
  std::vector<lang::ClassNode*> classes();
  // The innermost class around an offset; the root when there is none.
  lang::ClassNode& scope_at(std::uint32_t offset);

 private:
  void classes_of(lang::ClassNode& node, std::vector<lang::ClassNode*>& out);

  diag::Diagnostics diagnostics_;
  lang::ClassTree tree_;
  std::vector<lang::ClassNode*> outermost_;
  std::unique_ptr<const diag::SourceFile> own_;  // when the tree could not take the document
  const diag::SourceFile* file_ = nullptr;
};

struct TextChange {
  bool whole = false;  // the new text is all
  diag::Utf16Position begin, end;
  std::string text;
};

class Workspace {
 public:
  // Folders with libraries.
  explicit Workspace(std::vector<std::string> libraries) : libraries_(std::move(libraries)) {}
  void set_libraries(std::vector<std::string> libraries);

  void open(const std::string& path, std::string text);
  // Throws UserError for a document that is not open.
  void change(const std::string& path, const std::vector<TextChange>& changes);
  void close(const std::string& path);

  bool is_open(const std::string& path) const { return texts_.contains(path); }
  std::vector<std::string> open_paths() const;
  // Throws UserError for a document that is not open.
  const std::string& text(const std::string& path) const;
  // Made at need and kept until any text changes. Throws UserError.
  Project& project(const std::string& path);
  // One for the caller alone. Throws UserError.
  std::unique_ptr<Project> make_project(const std::string& path) const;
  // Files on disk have changed.
  void forget_files() { projects_.clear(); }

 private:
  std::vector<std::string> libraries_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, std::unique_ptr<Project>> projects_;
};

}  // namespace arges::lsp
