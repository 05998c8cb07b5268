#include "arges/flatten/load.h"

#include <filesystem>
#include <set>

#include "arges/base/is_there.h"
#include "arges/flatten/flattener.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

FlatModel flatten_class(ClassTree& tree, ClassNode& node) {
  return flatten_class(tree, node, Limits());
}

FlatModel flatten_class(ClassTree& tree, ClassNode& node, const Limits& limits) {
  FlatModel model;
  Instances instances(tree, limits);
  Evaluator evaluator(instances, model);
  Flattener(instances, evaluator, tree.diagnostics()).flatten(node);
  return model;
}

namespace {

bool can_run(const ClassDef& def) {
  return !def.partial && (def.kind == ClassKind::kModel || def.kind == ClassKind::kBlock ||
                          def.kind == ClassKind::kClass);
}

// The last model of the text of a class: the class itself, or inside a package that is all in one
// file (also that of Base Modelica). Null: there is none.
ClassNode* last_model(ClassTree& tree, ClassNode& node) {
  const ClassDef* def = tree.definition(node);
  if (def == nullptr) return nullptr;
  if (can_run(*def)) return &node;
  if (def->kind != ClassKind::kPackage) return nullptr;
  const std::vector<std::string_view> names = tree.member_names(node);
  for (std::size_t i = names.size(); i-- > 0;) {
    const Member* m = tree.member(node, names[i]);
    if (m->kind != MemberKind::kClass || tree.syntax(*m->node) != tree.syntax(node)) continue;
    if (ClassNode* found = last_model(tree, *m->node)) return found;
  }
  return nullptr;
}

// Of the classes that the file has added.
ClassNode* choose(ClassTree& tree, const std::vector<ClassNode*>& added, const std::string& name) {
  if (name.empty()) {
    for (std::size_t i = added.size(); i-- > 0;) {
      if (ClassNode* found = last_model(tree, *added[i])) return found;
    }
    return added.empty() ? nullptr : added.back();
  }
  for (std::size_t i = added.size(); i-- > 0;) {
    if (ClassNode* found = tree.find_class(added[i]->path() + "." + name)) return found;
  }
  return tree.find_class(name);
}

FlatModel flatten_chosen(ClassTree& tree, ClassNode* node, const std::string& what) {
  if (tree.diagnostics().has_errors()) return {};
  if (node == nullptr) {
    tree.diagnostics().report(
        Diagnostic(Code::kNoModel, "there is no class `" + what + "`", {})
            .suggest("give a file, or the full name of a class of a library on MODELICAPATH"));
    return {};
  }
  return flatten_class(tree, *node);
}

// In Base Modelica `motor.n` is one name, and stands in quotes; users leave them out.
std::string as_declared(ClassTree& tree, ClassNode& node, const std::string& modification) {
  const std::size_t end = modification.find(" = ");
  if (end == std::string::npos) return modification;
  const std::string quoted = "'" + modification.substr(0, end) + "'";
  return tree.member(node, quoted) == nullptr ? modification : quoted + modification.substr(end);
}

// p[2] = 5 and tanks[1].p = 5, which the language has no modification for.
bool is_element(const std::string& modification) {
  const std::size_t end = modification.find(" = ");
  return end != std::string::npos && modification.find('[') < end && modification[0] != '\'';
}

// A class that extends `node` with the modifications; those of elements stand as the equations of
// another one, which is only read.
ClassNode* modified(ClassTree& tree, ClassNode& node, std::span<const std::string> modifications,
                    std::map<std::string, GivenElement>& elements) {
  std::string text = "model '-p' extends ." + node.path() + "(", of_elements;
  std::vector<std::string> names;
  for (const std::string& each : modifications) {
    const std::string declared = as_declared(tree, node, each);
    if (!is_element(declared)) {
      text += (text.back() == '(' ? "\n" : ",\n") + declared;
      continue;
    }
    of_elements += declared + ";\n";
    names.push_back(declared.substr(0, declared.find(" = ")));
    std::erase(names.back(), ' ');
  }
  if (!names.empty()) text = "model '-p[]' equation\n" + of_elements + "end '-p[]';\n" + text;
  text += "\n); end '-p';\n";
  const std::vector<ClassNode*> added = tree.add_text(kModificationFile, std::move(text));
  if (added.empty() || tree.diagnostics().has_errors()) return nullptr;
  if (names.empty()) return added.back();
  std::size_t at = 0;
  for (const Section& section : tree.definition(*added.front())->sections) {
    for (const Equation* e : section.equations) {
      if (at < names.size() && e->kind == EquationKind::kEqual)
        elements[names[at++]] = {e->right, e->range};
    }
  }
  return added.back();
}

}  // namespace

FlatModel load_model(ClassTree& tree, const std::string& what, const std::string& name,
                     std::span<const std::string> modifications) {
  ClassNode* node = is_there(what) ? choose(tree, tree.add_file(what), name)
                                   : tree.find_class(name.empty() ? what : name);
  if (node == nullptr || modifications.empty() || tree.diagnostics().has_errors())
    return flatten_chosen(tree, node, name.empty() ? what : name);
  std::map<std::string, GivenElement> elements;
  ClassNode* changed = modified(tree, *node, modifications, elements);
  if (changed == nullptr || tree.diagnostics().has_errors()) return {};
  FlatModel model;
  Instances instances(tree, Limits());
  Evaluator evaluator(instances, model);
  evaluator.given_elements = std::move(elements);
  Flattener(instances, evaluator, tree.diagnostics()).flatten(*changed, node);
  return model;
}

FlatModel load_model_text(ClassTree& tree, const std::string& file, const std::string& text,
                          const std::string& name) {
  ClassNode* node = choose(tree, tree.add_text(file, text), name);
  return flatten_chosen(tree, node, name.empty() ? file : name);
}

namespace {

using FlatStatement = ::arges::Statement;

void targets(const std::vector<FlatStatement>& body, std::set<std::int32_t>& out) {
  for (const FlatStatement& s : body) {
    if (s.kind == FlatStatement::Kind::kAssign && s.target.valid()) out.insert(s.target.index);
    for (const auto& b : s.branches) targets(b.body, out);
  }
}

}  // namespace

Balance balance(const FlatModel& model) {
  Balance b;
  using FlatVariability = decltype(FlatVariable::variability);
  for (const FlatVariable& v : model.variables) {
    if (v.variability == FlatVariability::kConstant ||
        v.variability == FlatVariability::kParameter || v.causality == ::arges::Causality::kInput ||
        v.absent) {
      continue;
    }
    ++b.unknowns;
  }
  b.equations = model.equations.size();
  std::set<std::int32_t> assigned;
  for (const WhenClause& w : model.whens) {
    for (const WhenBranch& branch : w.branches) {
      for (const WhenAction& a : branch.actions) {
        if (a.kind == WhenAction::Kind::kAssign) assigned.insert(a.target.index);
      }
    }
  }
  b.equations += assigned.size();
  for (const FlatAlgorithm& a : model.algorithms) {
    std::set<std::int32_t> out;
    targets(a.body, out);
    b.equations += out.size();
  }
  return b;
}

}  // namespace arges::lang
