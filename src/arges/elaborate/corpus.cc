#include "arges/elaborate/corpus.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "arges/diag/text_client.h"
#include "arges/elaborate/lookup.h"

namespace arges::lang {
namespace {

class Walk {
 public:
  explicit Walk(ClassTree& tree) : tree_(tree), lookup_(tree) {}

  // Classes nest at most as deep as their text and their folders.
  void node(ClassNode& n) {
    itself(n);
    const std::vector<std::string_view> members = tree_.member_names(n);
    for (const std::string_view name : members) {
      const Member* m = tree_.member(n, name);
      if (m->kind == MemberKind::kClass) node(*m->node);
    }
  }

  void itself(ClassNode& n) {
    ++counts.classes;
    lookup_.bases(n);
    if (const ClassDef* def = tree_.definition(n)) definition(n, *def);
  }

  LookupCounts counts;

 private:
  void definition(ClassNode& n, const ClassDef& def) {
    for (const Section& section : def.sections) {
      for (const Element& element : section.elements) {
        if (element.kind == ElementKind::kComponents) find(element.components->type, n);
        if (element.kind == ElementKind::kImport) find(element.import->name, tree_.root());
        if (element.constraint != nullptr) find(element.constraint->type, n);
      }
    }
  }
  void find(const Name& name, ClassNode& scope) {
    ++counts.names;
    lookup_.find(name, scope);
  }

  ClassTree& tree_;
  Lookup lookup_;
};

}  // namespace

LookupCounts lookup_all(ClassTree& tree, ClassNode& node) {
  Walk walk(tree);
  walk.node(node);
  return walk.counts;
}

void lookup_class(ClassTree& tree, ClassNode& node) { Walk(tree).itself(node); }

int lookup_corpus(const std::vector<std::string>& roots, const std::vector<std::string>& names) {
  const auto start = std::chrono::steady_clock::now();
  diag::Diagnostics diagnostics;
  ClassTree tree{LibraryPath(roots), diagnostics};
  LookupCounts total;
  for (const std::string& name : names) {
    ClassNode* node = tree.find_class(name);
    if (node == nullptr) {
      std::fputs(fmt::format("no library '{}'\n", name).c_str(), stdout);
      return 1;
    }
    const LookupCounts counts = lookup_all(tree, *node);
    total.classes += counts.classes;
    total.names += counts.names;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::fputs(to_text(diagnostics, {.limit = 0}).c_str(), stdout);
  std::fputs(fmt::format("{} files, {} classes, {} names of types in {:.2f} s\n",
                         tree.files_read() - 1, total.classes, total.names, seconds)
                 .c_str(),
             stdout);
  return diagnostics.has_errors() ? 1 : 0;
}

}  // namespace arges::lang
