// Where names may lead (specification, chapters 5.3 and 13.2).

#include <algorithm>

#include "arges/flatten/instances.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

// A package, or a class with nothing but classes and constants.
bool Instances::package_like(Instance& instance) {
  expand(instance);
  const auto [it, fresh] = package_like_.try_emplace(&instance, true);
  if (!fresh) return it->second;
  bool like = true;
  const ClassKind what = kind(instance);
  if (what != ClassKind::kPackage && what != ClassKind::kOperator) {
    for (const auto& [name, slot] : instance.table) {
      if (slot->kind != MemberKind::kComponent) continue;
      like = like && slot->element->components->prefix.variability == Variability::kConstant;
    }
  }
  package_like_[&instance] = like;
  return like;
}

// A short class of a partial class is partial, too.
bool Instances::is_partial(Instance& instance) {
  expand(instance);
  for (const Part& part : instance.parts) {
    const ClassDef* def = tree_.definition(*part.node);
    if (def == nullptr) return false;
    if (def->partial) return true;
    if (def->form != ClassForm::kShort) return false;
  }
  return false;
}

// The step from a class to an element of it, in A.B.
void Instances::check_step(Instance& owner, const Slot& slot, diag::Span where) {
  if (slot.is_protected) {
    fail(Code::kProtectedAccess,
         in_quotes(slot.name) + " is protected in " + in_quotes(owner.cls.node->path()), where);
  }
  if (slot.kind == MemberKind::kLiteral) return;
  if (owner.world == World::kModel && owner.slot != nullptr) return;  // a component
  const ClassDef* def = slot.kind == MemberKind::kClass && slot.node != nullptr
                            ? tree_.definition(*slot.node)
                            : nullptr;
  const bool encapsulated = def != nullptr && def->encapsulated;
  // Packages of a partial package hold what is made to be inherited from.
  const bool is_package = def != nullptr && def->kind == ClassKind::kPackage;
  if (is_partial(owner) && !encapsulated && !is_package) {
    fail(Code::kNoPackage,
         in_quotes(owner.cls.node->path()) + " is partial: its element " + in_quotes(slot.name) +
             " cannot be used from outside",
         where);
  }
  if (!encapsulated && !package_like(owner)) {
    throw Failure{
        Diagnostic(Code::kNoPackage,
                   in_quotes(owner.cls.node->path()) + " is no package: its element " +
                       in_quotes(slot.name) + " cannot be used from outside",
                   where)
            .note("a class can be used like a package when all its components are constants")};
  }
}

// What an import clause names is a package, or lies in one.
void Instances::check_import(const Resolved& found, diag::Span where) {
  if (found.kind != Resolved::Kind::kSlot) return;
  if (found.slot->is_protected) {
    fail(Code::kProtectedAccess,
         in_quotes(found.slot->name) + " is protected in " +
             in_quotes(found.owner->cls.node->path()),
         where);
  }
  if (package_like(*found.owner)) return;
  if (found.slot->kind == MemberKind::kClass &&
      kind(class_instance(found)) == ClassKind::kPackage) {
    return;
  }
  fail(Code::kBadImport,
       in_quotes(found.slot->name) + " is neither a package nor an element of a package", where);
}

// Each name is imported by one clause.
void Instances::check_imports(const std::vector<const Import*>& imports, ClassNode& text) {
  std::unordered_map<std::string_view, const Import*> names;
  for (const Import* import : imports) {
    const auto add = [&](std::string_view name, TextRange range) {
      const auto [it, fresh] = names.try_emplace(name, import);
      if (fresh) return;
      Diagnostic d(Code::kBadImport, in_quotes(name) + " is imported twice",
                   {tree_.file(text), range});
      d.label({tree_.file(text), it->second->range}, "here for the first time");
      throw Failure{std::move(d)};
    };
    if (import->kind == ImportKind::kQualified) {
      add(import->name.parts.back().text, import->range);
    } else if (import->kind == ImportKind::kRenamed) {
      add(import->alias.text, import->range);
    } else if (import->kind == ImportKind::kList) {
      for (const Identifier& i : import->list) add(i.text, i.range());
    }
  }
}

}  // namespace arges::lang
