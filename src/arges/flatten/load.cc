#include "arges/flatten/load.h"

#include <filesystem>
#include <set>

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

// A file of Base Modelica holds a package with functions and one model, which is meant.
ClassNode* model_of_package(ClassTree& tree, ClassNode& node) {
  const SyntaxTree* syntax = tree.syntax(node);
  const ClassDef* def = tree.definition(node);
  if (syntax == nullptr || !syntax->root->is_base_modelica || def == nullptr ||
      def->kind != ClassKind::kPackage) {
    return &node;
  }
  for (const std::string_view name : tree.member_names(node)) {
    const Member* m = tree.member(node, name);
    if (m->kind != MemberKind::kClass) continue;
    const ClassDef* inner = tree.definition(*m->node);
    if (inner != nullptr && inner->kind == ClassKind::kModel) return m->node;
  }
  return &node;
}

// Of the classes that the file has added.
ClassNode* choose(ClassTree& tree, const std::vector<ClassNode*>& added, const std::string& file,
                  const std::string& name) {
  ClassNode* main = added.empty() ? nullptr : added.back();
  const std::string stem = std::filesystem::path(file).stem().string();
  for (ClassNode* each : added) {
    if (each->name() == stem) main = each;
  }
  if (main != nullptr) main = model_of_package(tree, *main);
  if (name.empty()) return main;
  ClassNode* found = main == nullptr ? nullptr : tree.find_class(main->path() + "." + name);
  return found != nullptr ? found : tree.find_class(name);
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

}  // namespace

FlatModel load_model(ClassTree& tree, const std::string& what, const std::string& name) {
  ClassNode* node = std::filesystem::exists(what) ? choose(tree, tree.add_file(what), what, name)
                                                  : tree.find_class(name.empty() ? what : name);
  return flatten_chosen(tree, node, name.empty() ? what : name);
}

FlatModel load_model_text(ClassTree& tree, const std::string& file, const std::string& text,
                          const std::string& name) {
  ClassNode* node = choose(tree, tree.add_text(file, text), file, name);
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
