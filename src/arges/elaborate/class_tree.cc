#include "arges/elaborate/class_tree.h"

#include <algorithm>
#include <filesystem>

#include "arges/base/error.h"
#include "arges/elaborate/predefined.h"
#include "arges/parse/parser.h"
#include "arges/parse/print.h"

namespace arges::lang {

namespace fs = std::filesystem;
using diag::Code;
using diag::Diagnostic;
using diag::Span;

std::string ClassNode::path() const {
  if (is_root()) return {};
  const std::string above = parent_->path();
  return above.empty() ? name_ : above + "." + name_;
}

ClassTree::ClassTree(LibraryPath path, diag::Diagnostics& diagnostics)
    : path_(std::move(path)), diagnostics_(diagnostics) {
  root_ = &new_node({}, nullptr);
  root_->indexed_ = true;
  predefined_ = &new_node({}, nullptr);
  predefined_->indexed_ = true;
  const SyntaxTree& tree =
      parse_file(std::make_unique<const SourceFile>("predefined", std::string(kPredefinedClasses)));
  for (const StoredClass& c : tree.root->classes) {
    attach(tree, *c.class_def, *predefined_)->predefined_ = true;
  }
}

ClassTree::~ClassTree() = default;

ClassNode& ClassTree::new_node(std::string name, ClassNode* parent) {
  ClassNode& node = nodes_.emplace_back();
  node.name_ = std::move(name);
  node.parent_ = parent;
  return node;
}

namespace {

std::string normal_path(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

}  // namespace

void ClassTree::set_text_of(const std::string& path, std::string text) {
  texts_[normal_path(path)] = std::move(text);
}

std::unique_ptr<const SourceFile> ClassTree::open(const std::string& path) const {
  if (!texts_.empty()) {
    const auto it = texts_.find(normal_path(path));
    if (it != texts_.end()) return std::make_unique<const SourceFile>(path, it->second);
  }
  return SourceFile::load(path);
}

const SyntaxTree& ClassTree::parse_file(std::unique_ptr<const SourceFile> file) {
  files_.push_back(std::move(file));
  return trees_.emplace_back(parse(*files_.back(), diagnostics_));
}

// Adds a class that stands in a file of its own below `parent`.
ClassNode& ClassTree::redeclared(const ClassDef& def, ClassNode& at) {
  ClassNode*& node = redeclared_[&def];
  if (node == nullptr) {
    node = &new_node(std::string(def.name.text), &at);
    node->def_ = &def;
    node->tree_ = at.tree_;
  }
  return *node;
}

ClassNode* ClassTree::attach(const SyntaxTree& tree, const ClassDef& def, ClassNode& parent) {
  ClassNode& node = new_node(std::string(def.name.text), &parent);
  node.def_ = &def;
  node.tree_ = &tree;
  Member member;
  member.node = &node;
  index(parent);
  return declare(parent, node.name_, member, {tree.file, def.name.range()}) ? &node : nullptr;
}

// The class that a file's within clause names.
ClassNode& ClassTree::within(const SyntaxTree& tree) {
  const StoredDefinition& stored = *tree.root;
  if (stored.within.parts.empty()) return *root_;
  const std::string path = print(stored.within);
  if (ClassNode* node = find_class(path)) return *node;
  diagnostics_.report(Diagnostic(Code::kWrongWithin,
                                 "there is no package `" + path + "` to put this file into",
                                 {tree.file, stored.within.range})
                          .suggest("load the package, or remove the `within` clause"));
  return *root_;
}

std::vector<ClassNode*> ClassTree::add_file(const std::string& path) {
  const bool folder = fs::is_directory(path) || fs::path(path).filename() == "package.mo";
  const std::string file = fs::is_directory(path) ? (fs::path(path) / "package.mo").string() : path;
  if (file != path && !fs::exists(file)) {
    throw IoError("'" + path +
                  "' is a folder without package.mo, and so no package: give a .mo file, or the "
                  "folder of a package");
  }
  const SyntaxTree& tree = parse_file(open(file));
  std::vector<ClassNode*> added;
  ClassNode& parent = within(tree);
  for (const StoredClass& c : tree.root->classes) {
    ClassNode* node = attach(tree, *c.class_def, parent);
    if (node == nullptr) continue;
    node->disk_path_ = file;
    node->is_folder_ = folder;
    if (parent.is_root()) read_uses(tree, *c.class_def);
    added.push_back(node);
  }
  return added;
}

std::vector<ClassNode*> ClassTree::add_text(std::string name, std::string text) {
  const SyntaxTree& tree =
      parse_file(std::make_unique<const SourceFile>(std::move(name), std::move(text)));
  std::vector<ClassNode*> added;
  ClassNode& parent = within(tree);
  for (const StoredClass& c : tree.root->classes) {
    ClassNode* node = attach(tree, *c.class_def, parent);
    if (node == nullptr) continue;
    if (parent.is_root()) read_uses(tree, *c.class_def);
    added.push_back(node);
  }
  return added;
}

// annotation(uses(Modelica(version = "4.1.0")))
void ClassTree::read_uses(const SyntaxTree& tree, const ClassDef& def) {
  if (def.description.annotation == nullptr) return;
  diag::Diagnostics ignored;  // whoever reads the whole annotation reports
  const Modification* all = parse_annotation(tree, *def.description.annotation, ignored);
  const auto inside = [](const Modification* m) {
    return m == nullptr ? std::span<const Argument>{} : m->arguments;
  };
  const auto is = [](const Argument& a, std::string_view name) {
    return a.name.parts.size() == 1 && a.name.parts[0].text == name;
  };
  for (const Argument& uses : inside(all)) {
    if (!is(uses, "uses")) continue;
    for (const Argument& library : inside(uses.modification)) {
      for (const Argument& version : inside(library.modification)) {
        if (!is(version, "version") || version.modification == nullptr) continue;
        const Expr* value = version.modification->value;
        if (value == nullptr || value->kind != ExprKind::kString) continue;
        wanted_versions_.emplace(print(library.name), decode_string(as<LiteralExpr>(*value).text));
      }
    }
  }
}

void ClassTree::load(ClassNode& node) {
  if (node.state_ != ClassNode::State::kOnDisk) return;
  node.state_ = ClassNode::State::kFailed;
  std::unique_ptr<const SourceFile> file;
  try {
    file = open(node.disk_path_);
  } catch (const IoError& e) {
    diagnostics_.report(Diagnostic(Code::kUnreadableFile, e.what(), {}));
    return;
  }
  const SyntaxTree& tree = parse_file(std::move(file));
  node.tree_ = &tree;
  for (const StoredClass& c : tree.root->classes) {
    if (c.class_def->name.text == node.name_) {
      node.def_ = c.class_def;
      node.state_ = ClassNode::State::kLoaded;
    }
  }
  check_place(node, tree);
}

// A file of a library holds one class, of the name of the file, and says in which package it lies.
void ClassTree::check_place(ClassNode& node, const SyntaxTree& tree) {
  const StoredDefinition& stored = *tree.root;
  const auto at = [&](TextRange range) { return Span{tree.file, range}; };
  if (node.def_ == nullptr) {
    const bool empty = stored.classes.empty();
    if (empty && diagnostics_.has_errors()) return;  // it did not parse
    diagnostics_.report(
        Diagnostic(Code::kWrongFileName, "this file should define the class `" + node.name_ + "`",
                   at(empty ? TextRange{} : stored.classes[0].class_def->name.range()))
            .suggest("the name of the class and of its file or folder must be the same"));
    return;
  }
  if (stored.classes.size() > 1) {
    diagnostics_.report(Diagnostic(Code::kSeveralClassesInFile,
                                   "a file of a library holds one class",
                                   at(stored.classes[1].class_def->name.range()))
                            .suggest("move this class to a file of its own"));
  }
  const std::string expected = node.parent_->path();
  const std::string found = print(stored.within);
  if (found == expected) return;
  diagnostics_.report(
      Diagnostic(Code::kWrongWithin,
                 stored.has_within
                     ? "this file lies in `" + expected + "`, and not in `" + found + "`"
                     : "this file lies in `" + expected + "` and must say so",
                 at(stored.has_within ? stored.within.range
                                      : TextRange{stored.range.begin, stored.range.begin}))
          .suggest("begin the file with `within " + expected + ";`"));
}

const ClassDef* ClassTree::definition(ClassNode& node) {
  load(node);
  return node.def_;
}

const SourceFile* ClassTree::file(ClassNode& node) {
  load(node);
  return node.tree_ == nullptr ? nullptr : node.tree_->file;
}

const SyntaxTree* ClassTree::syntax(ClassNode& node) {
  load(node);
  return node.tree_;
}

bool ClassTree::load_library(std::string_view name) {
  const auto wanted = wanted_versions_.find(std::string(name));
  const std::string path =
      path_.find(name, wanted == wanted_versions_.end() ? "" : std::string_view(wanted->second));
  if (path.empty()) return false;
  ClassNode& node = new_node(std::string(name), root_);
  node.disk_path_ = path;
  node.is_folder_ = fs::path(path).filename() == "package.mo";
  node.state_ = ClassNode::State::kOnDisk;
  Member member;
  member.node = &node;
  return declare(*root_, node.name_, member, {});
}

const Member* ClassTree::member(ClassNode& node, std::string_view name) {
  index(node);
  auto it = node.members_.find(name);
  if (it == node.members_.end() && &node == root_ && load_library(name)) {
    it = node.members_.find(name);
  }
  return it == node.members_.end() ? nullptr : &it->second;
}

const std::vector<std::string_view>& ClassTree::member_names(ClassNode& node) {
  index(node);
  return node.order_;
}

ClassNode* ClassTree::find_class(std::string_view path) {
  ClassNode* node = root_;
  while (!path.empty()) {
    // A dot inside quotes belongs to the name.
    std::size_t end = path[0] == '\'' ? path.find('\'', 1) : 0;
    if (end != std::string_view::npos) end = path.find('.', end);
    const std::string_view part = path.substr(0, end);
    path = end == std::string_view::npos ? "" : path.substr(end + 1);
    const Member* m = member(*node, part);
    if (m == nullptr || m->kind != MemberKind::kClass) return nullptr;
    node = m->node;
  }
  return node;
}

const SourceFile* ClassTree::find_file(std::string_view path) const {
  for (const auto& file : files_) {
    if (file->path() == path) return file.get();
  }
  return nullptr;
}

}  // namespace arges::lang
