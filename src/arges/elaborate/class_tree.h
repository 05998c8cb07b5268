#pragma once
// The classes of the text: which there are, where they are declared, what they declare.

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arges/diag/diagnostic.h"
#include "arges/elaborate/library_path.h"
#include "arges/parse/tree.h"

namespace arges::lang {

class ClassNode;

enum class MemberKind : std::uint8_t { kClass, kComponent, kLiteral };

// Something that a class declares.
struct Member {
  MemberKind kind = MemberKind::kClass;
  bool is_protected = false;
  ClassNode* node = nullptr;  // kClass
  // The declaration; null for a class that stands in its own file, and for literals.
  const Element* element = nullptr;
  const Component* component = nullptr;  // kComponent
  const EnumLiteral* literal = nullptr;  // kLiteral
};

// One class, or the unnamed root. Filled by ClassTree.
class ClassNode {
 public:
  std::string_view name() const { return name_; }
  ClassNode* parent() const { return parent_; }  // null: the root
  bool is_root() const { return parent_ == nullptr; }
  bool is_predefined() const { return predefined_; }
  // A.B.C; empty for the root.
  std::string path() const;

 private:
  friend class ClassTree;
  friend class Lookup;
  enum class State : std::uint8_t { kOnDisk, kLoaded, kFailed };
  enum class Bases : std::uint8_t { kUnknown, kBusy, kKnown };

  std::string name_;
  ClassNode* parent_ = nullptr;
  bool predefined_ = false;
  State state_ = State::kLoaded;
  std::string disk_path_;  // the file to read, or that was read
  bool is_folder_ = false;
  const ClassDef* def_ = nullptr;
  const SyntaxTree* tree_ = nullptr;
  bool indexed_ = false;
  std::unordered_map<std::string_view, Member> members_;
  std::vector<std::string_view> order_;  // names in the order of declaration
  Bases bases_state_ = Bases::kUnknown;
  std::vector<std::pair<ClassNode*, const Extends*>> bases_;
};

// Owns files, syntax trees and nodes. Reads files on demand and reports what is wrong with them to
// the diagnostics that it was made with, which must outlive it. For one thread.
class ClassTree {
 public:
  ClassTree(LibraryPath path, diag::Diagnostics& diagnostics);
  ~ClassTree();
  ClassTree(const ClassTree&) = delete;
  ClassTree& operator=(const ClassTree&) = delete;

  // Loads a file, a folder with package.mo, or text, and adds its classes below their `within`.
  // Throws IoError when the file cannot be read. Returns the added classes.
  std::vector<ClassNode*> add_file(const std::string& path);
  std::vector<ClassNode*> add_text(std::string name, std::string text);

  // From now on `text` is read where the file `path` would be: what an editor holds and has not
  // saved.
  void set_text_of(const std::string& path, std::string text);

  ClassNode& root() { return *root_; }
  // The scope of Real, Integer, StateSelect, ...
  ClassNode& predefined() { return *predefined_; }

  // The definition, read if need be; null for the root and when the file is unusable.
  const ClassDef* definition(ClassNode& node);
  const SourceFile* file(ClassNode& node);
  // The tree that the definition stands in, for parse_annotation; null where there is none.
  const SyntaxTree* syntax(ClassNode& node);
  // A class that a redeclaration in a modification defines; `at` is the class that the text of the
  // modification stands in.
  ClassNode& redeclared(const ClassDef& def, ClassNode& at);
  // What the class itself declares, not what it inherits or imports. Null: nothing of that name.
  const Member* member(ClassNode& node, std::string_view name);
  // All names it declares, in order (package.order first).
  const std::vector<std::string_view>& member_names(ClassNode& node);

  // A class by its full name from the root, loading libraries; null when there is none. Nothing is
  // reported.
  ClassNode* find_class(std::string_view path);

  diag::Diagnostics& diagnostics() { return diagnostics_; }
  const LibraryPath& library_path() const { return path_; }
  // The file that was read from `path`, or added as a text of that name; null when there is none.
  const SourceFile* find_file(std::string_view path) const;
  // Files read so far.
  std::size_t files_read() const { return files_.size(); }

 private:
  ClassNode& new_node(std::string name, ClassNode* parent);
  // The file, or the text that stands for it. Throws IoError.
  std::unique_ptr<const SourceFile> open(const std::string& path) const;
  const SyntaxTree& parse_file(std::unique_ptr<const SourceFile> file);
  ClassNode* attach(const SyntaxTree& tree, const ClassDef& def, ClassNode& parent);
  ClassNode& within(const SyntaxTree& tree);
  void load(ClassNode& node);
  void check_place(ClassNode& node, const SyntaxTree& tree);
  void index(ClassNode& node);
  void index_definition(ClassNode& node);
  void index_folder(ClassNode& node);
  void apply_package_order(ClassNode& node, const std::string& folder);
  bool declare(ClassNode& node, std::string_view name, const Member& member, diag::Span where);
  bool load_library(std::string_view name);
  void read_uses(const SyntaxTree& tree, const ClassDef& def);

  LibraryPath path_;
  diag::Diagnostics& diagnostics_;
  std::unordered_map<std::string, std::string> texts_;  // by normal absolute path
  std::deque<std::unique_ptr<const SourceFile>> files_;
  std::deque<SyntaxTree> trees_;
  std::deque<ClassNode> nodes_;
  std::unordered_map<const ClassDef*, ClassNode*> redeclared_;
  // Versions that the annotations `uses` of the loaded top-level classes ask for.
  std::unordered_map<std::string, std::string> wanted_versions_;
  ClassNode* root_;
  ClassNode* predefined_;
};

}  // namespace arges::lang
