// What a class declares: from its text, and from its folder.

#include <algorithm>
#include <filesystem>

#include "arges/elaborate/class_tree.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;
using diag::Span;

// False and reported: the name is taken.
bool ClassTree::declare(ClassNode& node, std::string_view name, const Member& member, Span where) {
  const auto [it, fresh] = node.members_.emplace(name, member);
  if (fresh) {
    node.order_.push_back(name);
    return true;
  }
  Diagnostic d(Code::kDuplicateElement, "`" + std::string(name) + "` is declared twice", where);
  const Member& first = it->second;
  if (first.component != nullptr) {
    d.label({file(node), first.component->name.range()}, "the first time here");
  } else if (first.node != nullptr && first.node->def_ != nullptr) {
    d.label({first.node->tree_->file, first.node->def_->name.range()}, "the first time here");
  }
  diagnostics_.report(std::move(d));
  return false;
}

void ClassTree::index(ClassNode& node) {
  if (node.indexed_) return;
  node.indexed_ = true;
  if (definition(node) != nullptr) index_definition(node);
  if (node.is_folder_) index_folder(node);
}

void ClassTree::index_definition(ClassNode& node) {
  const ClassDef& def = *node.def_;
  const SourceFile* const source = node.tree_->file;
  for (const EnumLiteral& literal : def.literals) {
    Member m;
    m.kind = MemberKind::kLiteral;
    m.literal = &literal;
    declare(node, literal.name.text, m, {source, literal.name.range()});
  }
  for (const Section& section : def.sections) {
    for (const Element& element : section.elements) {
      Member m;
      m.element = &element;
      m.is_protected = section.kind == SectionKind::kProtected;
      if (element.kind == ElementKind::kClass) {
        const ClassDef& inner = *element.class_def;
        if (inner.name.text.empty()) continue;  // reported by the parser
        ClassNode& child = new_node(std::string(inner.name.text), &node);
        child.def_ = &inner;
        child.tree_ = node.tree_;
        child.predefined_ = node.predefined_;
        m.node = &child;
        declare(node, child.name_, m, {source, inner.name.range()});
      } else if (element.kind == ElementKind::kComponents) {
        m.kind = MemberKind::kComponent;
        for (const Component& component : element.components->components) {
          if (component.name.text.empty()) continue;
          m.component = &component;
          declare(node, component.name.text, m, {source, component.name.range()});
        }
      }
    }
  }
}

void ClassTree::index_folder(ClassNode& node) {
  const std::string folder = std::filesystem::path(node.disk_path_).parent_path().string();
  for (const FolderEntry& entry : list_package(folder)) {
    ClassNode& child = new_node(entry.name, &node);
    child.disk_path_ = entry.path;
    child.is_folder_ = entry.is_folder;
    child.state_ = ClassNode::State::kOnDisk;
    Member m;
    m.node = &child;
    const auto existing = node.members_.find(entry.name);
    if (existing == node.members_.end()) {
      declare(node, child.name_, m, {});
      continue;
    }
    diagnostics_.report(
        Diagnostic(Code::kStoredTwice,
                   "`" + child.path() + "` is stored twice, once in `" +
                       std::filesystem::path(entry.path).lexically_relative(folder).string() + "`",
                   {node.tree_ == nullptr ? nullptr : node.tree_->file, {}})
            .suggest("remove one of them"));
  }
  apply_package_order(node, folder);
}

// The order of package.order; the others follow as they are.
void ClassTree::apply_package_order(ClassNode& node, const std::string& folder) {
  const std::vector<std::string> wanted = read_package_order(folder);
  if (wanted.empty()) return;
  std::vector<std::string_view> order;
  for (const std::string& name : wanted) {
    const auto it = node.members_.find(name);
    if (it == node.members_.end()) {
      diagnostics_.report(Diagnostic(
          Code::kPackageOrder,
          "package.order of `" + node.path() + "` names `" + name + "`, which is not there", {}));
      continue;
    }
    if (std::find(order.begin(), order.end(), it->first) == order.end()) order.push_back(it->first);
  }
  for (const std::string_view name : node.order_) {
    if (std::find(order.begin(), order.end(), name) != order.end()) continue;
    order.push_back(name);
    const Member& m = node.members_.at(name);
    if (m.kind == MemberKind::kClass && m.element == nullptr) {
      diagnostics_.report(Diagnostic(
          Code::kPackageOrder,
          "package.order of `" + node.path() + "` lacks `" + std::string(name) + "`", {}));
    }
  }
  node.order_ = std::move(order);
}

}  // namespace arges::lang
