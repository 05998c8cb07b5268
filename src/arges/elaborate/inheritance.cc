// Which classes a class inherits from.

#include <algorithm>

#include "arges/elaborate/lookup.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

// While the bases of a class are being found, it has none: the names in its extends clauses are
// sought without them.
const std::vector<std::pair<ClassNode*, const Extends*>>& Lookup::bases(ClassNode& node) {
  if (node.bases_state_ != ClassNode::Bases::kUnknown) return node.bases_;
  const ClassDef* def = tree_.definition(node);
  if (depth_ >= kMaxInheritance && def != nullptr) {
    tree_.diagnostics().report(Diagnostic(Code::kInheritanceTooDeep,
                                          "`" + node.path() + "` ends a chain of more than " +
                                              std::to_string(kMaxInheritance) + " classes",
                                          {tree_.file(node), def->name.range()}));
    node.bases_state_ = ClassNode::Bases::kKnown;
    return node.bases_;
  }
  node.bases_state_ = ClassNode::Bases::kBusy;
  ++depth_;
  if (def != nullptr) {
    if (def->form == ClassForm::kShort) {
      // The right side of a short class is sought where the class stands.
      add_base(node, def->base, *node.parent(), true, nullptr);
    }
    if (def->form == ClassForm::kExtends) add_class_extends_base(node);
    for (const Section& section : def->sections) {
      for (const Element& element : section.elements) {
        if (element.kind != ElementKind::kExtends) continue;
        add_base(node, element.extends->type, node, false, element.extends);
      }
    }
    check_cycle(node);
  }
  --depth_;
  node.bases_state_ = ClassNode::Bases::kKnown;
  return node.bases_;
}

void Lookup::add_base(ClassNode& node, const Name& name, ClassNode& scope, bool inherited,
                      const Extends* clause) {
  std::vector<Part> parts;
  for (const Identifier& i : name.parts) {
    if (i.text.empty()) return;  // reported by the parser
    parts.push_back({i.text, {tree_.file(node), i.range()}});
  }
  const Found f = find_parts(parts, name.global, scope, inherited);
  if (!f) return;
  if (f.kind == FoundKind::kClass && f.used == parts.size()) {
    node.bases_.emplace_back(f.node, clause);
    return;
  }
  tree_.diagnostics().report(Diagnostic(Code::kBaseIsNoClass, "`" + print(name) + "` is no class",
                                        {tree_.file(node), name.range}));
}

// model extends M: the M that the enclosing class inherits.
void Lookup::add_class_extends_base(ClassNode& node) {
  for (const auto& [base, clause] : bases(*node.parent())) {
    const Found f = find_element(node.name(), *base);
    if (f.kind == FoundKind::kClass && f.node != &node) {
      node.bases_.emplace_back(f.node, nullptr);
      return;
    }
  }
  const ClassDef& def = *tree_.definition(node);
  tree_.diagnostics().report(
      Diagnostic(Code::kNothingToExtend,
                 "no inherited class `" + std::string(node.name()) + "` to extend",
                 {tree_.file(node), def.name.range()})
          .suggest("`class extends` redefines a class that the enclosing class inherits"));
}

// Follows the bases that are known so far. The last of a circle to be resolved sees it whole; its
// link is cut, so that everybody else can walk without care.
void Lookup::check_cycle(ClassNode& node) {
  for (std::size_t b = 0; b < node.bases_.size();) {
    std::vector<ClassNode*> queue{node.bases_[b].first};
    bool circle = false;
    for (std::size_t i = 0; i < queue.size() && !circle; ++i) {
      circle = queue[i] == &node;
      for (const auto& [next, clause] : bases(*queue[i])) {
        if (std::find(queue.begin(), queue.end(), next) == queue.end()) queue.push_back(next);
      }
    }
    if (!circle) {
      ++b;
      continue;
    }
    const ClassDef& def = *tree_.definition(node);
    const Extends* clause = node.bases_[b].second;
    tree_.diagnostics().report(
        Diagnostic(Code::kCyclicInheritance,
                   "`" + node.path() + "` inherits from itself" +
                       (queue[0] == &node ? "" : " through `" + queue[0]->path() + "`"),
                   {tree_.file(node), clause == nullptr ? def.base.range : clause->range}));
    node.bases_.erase(node.bases_.begin() + static_cast<std::ptrdiff_t>(b));
  }
}

}  // namespace arges::lang
