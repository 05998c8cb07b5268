#include "arges/flatten/load.h"

#include <filesystem>
#include <set>

#include "arges/flatten/flattener.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

FlatModel flatten_class(ClassTree& tree, ClassNode& node) {
  FlatModel model;
  Instances instances(tree);
  Evaluator evaluator(instances, model);
  Flattener(instances, evaluator, tree.diagnostics()).flatten(node);
  return model;
}

FlatModel load_model(ClassTree& tree, const std::string& what, const std::string& name) {
  ClassNode* node = nullptr;
  if (std::filesystem::exists(what)) {
    const std::vector<ClassNode*> added = tree.add_file(what);
    if (!added.empty()) node = added.back();
    if (!name.empty()) {
      ClassNode* found = node == nullptr ? nullptr : tree.find_class(node->path() + "." + name);
      node = found != nullptr ? found : tree.find_class(name);
    }
  } else {
    node = tree.find_class(name.empty() ? what : name);
  }
  if (tree.diagnostics().has_errors()) return {};
  if (node == nullptr) {
    tree.diagnostics().report(
        Diagnostic(Code::kNoModel, "there is no class `" + (name.empty() ? what : name) + "`", {})
            .suggest("give a file, or the full name of a class of a library on MODELICAPATH"));
    return {};
  }
  return flatten_class(tree, *node);
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
        v.variability == FlatVariability::kParameter || v.causality == ::arges::Causality::kInput) {
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
