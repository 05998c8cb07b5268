#include "arges/lsp/check.h"

#include <algorithm>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/causalize/passes.h"
#include "arges/driver/structure_report.h"
#include "arges/elaborate/corpus.h"
#include "arges/flatten/load.h"
#include "arges/flatten/missing_values.h"
#include "arges/flatten/unit_check.h"
#include "arges/lsp/symbol.h"

namespace arges::lsp {

using namespace lang;

namespace {

// Enough to mend; a large package is not looked at to its end after so many.
constexpr std::size_t kMaxErrors = 50;

bool runs_alone(Symbols& symbols, ClassTree& tree, ClassNode& node) {
  for (const Symbol& s : symbols.elements(node)) {
    if (s.kind != SymbolKind::kComponent || s.member->is_protected) continue;
    if (s.member->element->components->prefix.causality == ::arges::lang::Causality::kInput)
      return false;
    ClassNode* type = symbols.type_of(s);
    const ClassDef* def = type == nullptr ? nullptr : tree.definition(*type);
    if (def != nullptr && is_connector(def->kind)) {
      return false;
    }
  }
  return true;
}

void check_model(Project& project, ClassNode& node, bool alone) {
  ClassTree& tree = project.tree();
  FlatModel flat = flatten_class(tree, node);
  if (tree.diagnostics().has_errors()) return;
  check_units(flat, tree);
  if (!alone) return;
  check_missing_values(flat, tree);
  if (!flat.machines.empty()) return;
  const std::string name = flat.name;
  const std::vector<std::string> open = open_connectors(flat);
  try {
    for (const ModelWarning& told : causalize(std::move(flat)).findings) report(told, name, tree);
  } catch (const ModelError& error) {
    report(error, name, tree, open);
  } catch (const UserError& error) {
    const ClassDef* def = tree.definition(node);
    tree.diagnostics().report(
        diag::Diagnostic(diag::Code::kNoModel, error.what(), {&project.file(), def->name.range()}));
  }
}

bool same(const diag::Diagnostic& a, const diag::Diagnostic& b) {
  return a.code == b.code && a.primary.span.range == b.primary.span.range && a.message == b.message;
}

// Moves what was reported to `out`. It belongs to the class `node` of the document, or to none.
void take(Project& project, ClassNode* node, std::vector<diag::Diagnostic>& out) {
  for (diag::Diagnostic d : project.diagnostics().list()) {
    const diag::SourceFile* file = d.primary.span.file;
    if (file == nullptr || file->path() != project.file().path()) {
      // A warning about another text is not the business of this one.
      if (d.severity() != diag::Severity::kError) continue;
      const ClassDef* def = node == nullptr ? nullptr : project.tree().definition(*node);
      if (file != nullptr) d.label(d.primary.span, "here");
      d.primary.span = {&project.file(), def == nullptr ? diag::TextRange{} : def->name.range()};
    }
    if (std::none_of(out.begin(), out.end(), [&](const auto& o) { return same(o, d); }))
      out.push_back(std::move(d));
  }
  project.diagnostics().clear();
}

std::size_t errors(const std::vector<diag::Diagnostic>& list) {
  return static_cast<std::size_t>(std::count_if(list.begin(), list.end(), [](const auto& d) {
    return d.severity() == diag::Severity::kError;
  }));
}

}  // namespace

std::vector<diag::Diagnostic> check(Project& project) {
  std::vector<diag::Diagnostic> found;
  take(project, nullptr, found);
  ClassTree& tree = project.tree();
  const std::vector<ClassNode*> classes = project.classes();
  if (errors(found) == 0) {
    for (ClassNode* node : classes) {
      lookup_class(tree, *node);
      take(project, node, found);
    }
  }
  if (errors(found) > 0) return found;
  Symbols symbols(tree);
  for (ClassNode* node : classes) {
    const ClassDef* def = tree.definition(*node);
    if (def == nullptr || def->partial || errors(found) >= kMaxErrors ||
        (def->kind != ClassKind::kModel && def->kind != ClassKind::kBlock &&
         def->kind != ClassKind::kClass)) {
      continue;
    }
    check_model(project, *node, runs_alone(symbols, tree, *node));
    take(project, node, found);
  }
  return found;
}

}  // namespace arges::lsp
