// Names in the instance tree.

#include <algorithm>

#include "arges/diag/suggest.h"
#include "arges/elaborate/predefined.h"
#include "arges/flatten/instances.h"
#include "arges/parse/parser.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

diag::Span Instances::span(Scope scope, TextRange range) {
  if (scope.instance == nullptr || scope.instance->parts.empty()) return {};
  return {tree_.file(node(scope)), range};
}

Slot* Instances::find(Instance& instance, std::string_view name) {
  expand(instance);
  const auto it = instance.table.find(name);
  return it == instance.table.end() ? nullptr : it->second;
}

// Text of a class sees what it declares and inherits, not what those add that inherit from it.
bool Instances::visible(const Instance& instance, const Slot& slot, int part) const {
  const auto seen_from = [&](int p) {
    for (; p >= 0; p = instance.parts[static_cast<std::size_t>(p)].derived) {
      if (p == part) return true;
    }
    return false;
  };
  return seen_from(slot.visible) ||
         std::any_of(slot.also_visible.begin(), slot.also_visible.end(), seen_from);
}

Resolved Instances::resolve(std::string_view name, Scope scope) {
  bool encapsulated = false;
  bool enclosing = false;
  Resolved r;
  while (scope.instance != nullptr) {
    Instance& at = *scope.instance;
    expand(at);
    if (at.parts.empty()) break;
    const auto it = at.table.find(name);
    if (it != at.table.end() && visible(at, *it->second, scope.part)) {
      r.kind = Resolved::Kind::kSlot;
      r.owner = &at;
      r.slot = it->second;
      if (enclosing && r.slot->kind == MemberKind::kComponent) r.enclosing = true;
      return r;
    }
    ClassNode& text = node(scope);
    r = find_import(name, text);
    if (r.kind != Resolved::Kind::kNothing) return r;
    const ClassDef* def = tree_.definition(text);
    if (def != nullptr && def->encapsulated) {
      encapsulated = true;
      break;
    }
    scope = at.parts[static_cast<std::size_t>(scope.part)].enclosing;
    enclosing = true;
  }
  if (const Member* m = tree_.member(tree_.predefined(), name)) {
    r.kind = Resolved::Kind::kClass;
    r.node = m->node;
    return r;
  }
  if (name == "time") {
    r.kind = Resolved::Kind::kTime;
    return r;
  }
  if (is_predefined_function(name)) {
    r.kind = Resolved::Kind::kBuiltin;
    return r;
  }
  if (!encapsulated || name == "Modelica") {
    if (const Member* m = tree_.member(tree_.root(), name)) {
      r.kind = Resolved::Kind::kClass;
      r.node = m->node;
    }
  }
  return r;
}

Resolved Instances::from_root(std::span<const Identifier> parts, ClassNode& from, TextRange range) {
  Resolved r;
  if (parts.empty()) return r;
  const Member* m = tree_.member(tree_.root(), parts[0].text);
  if (m == nullptr) {
    fail(Code::kUnknownName, "there is no class " + in_quotes(parts[0].text),
         {tree_.file(from), range});
  }
  r.kind = Resolved::Kind::kClass;
  r.node = m->node;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    Instance& owner = class_instance(r);
    Slot* slot = find(owner, parts[i].text);
    if (slot == nullptr) {
      no_element(owner, parts[i].text,
                 in_quotes(owner.cls.node->path()) + " has no element " + in_quotes(parts[i].text),
                 {tree_.file(from), parts[i].range()});
    }
    if (i + 1 < parts.size()) check_step(owner, *slot, {tree_.file(from), parts[i].range()});
    r = {Resolved::Kind::kSlot, &owner, slot, nullptr};
  }
  return r;
}

Resolved Instances::find_import(std::string_view name, ClassNode& text) {
  auto [it, fresh] = imports_.try_emplace(&text);
  if (fresh) {
    if (const ClassDef* def = tree_.definition(text)) {
      for (const Section& section : def->sections) {
        for (const Element& element : section.elements) {
          if (element.kind == ElementKind::kImport && !element.import->name.parts.empty()) {
            imports_[&text].push_back(element.import);
          }
        }
      }
    }
    it = imports_.find(&text);
    check_imports(it->second, text);
  }
  const std::vector<const Import*> imports = it->second;
  const auto imported = [&](const Import& import) {
    const Resolved found = from_root(import.name.parts, text, import.range);
    check_import(found, {tree_.file(text), import.range});
    return found;
  };
  for (const Import* import : imports) {
    switch (import->kind) {
      case ImportKind::kQualified:
        if (import->name.parts.back().text == name) return imported(*import);
        break;
      case ImportKind::kRenamed:
        if (import->alias.text == name) return imported(*import);
        break;
      case ImportKind::kList:
        for (const Identifier& i : import->list) {
          if (i.text != name) continue;
          const Resolved package = from_root(import->name.parts, text, import->range);
          Instance& owner = class_instance(package);
          if (Slot* slot = find(owner, name)) return {Resolved::Kind::kSlot, &owner, slot, nullptr};
        }
        break;
      case ImportKind::kUnqualified:
        break;
    }
  }
  Resolved unqualified;
  for (const Import* import : imports) {
    if (import->kind != ImportKind::kUnqualified) continue;
    Instance& owner = class_instance(from_root(import->name.parts, text, import->range));
    Slot* slot = find(owner, name);
    if (slot == nullptr || slot->is_protected) continue;
    const diag::Span where{tree_.file(text), import->range};
    if (const ClassKind what = kind(owner);
        what == ClassKind::kModel || what == ClassKind::kBlock) {
      fail(Code::kBadImport, in_quotes(owner.cls.node->path()) + " is no package", where);
    }
    if (unqualified.kind != Resolved::Kind::kNothing && unqualified.slot != slot) {
      fail(Code::kAmbiguousImport,
           in_quotes(name) + " is in " + in_quotes(unqualified.owner->cls.node->path()) +
               " and in " + in_quotes(owner.cls.node->path()) + ", both imported",
           where);
    }
    unqualified = {Resolved::Kind::kSlot, &owner, slot, nullptr};
  }
  if (unqualified.kind != Resolved::Kind::kNothing) return unqualified;
  return {};
}

namespace {

// What names of other languages, and of the standard library, are here; empty: nothing.
std::string_view modelica_name(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"pi", "Modelica.Constants.pi"},
      {"PI", "Modelica.Constants.pi"},
      {"float", "Real"},
      {"double", "Real"},
      {"real", "Real"},
      {"int", "Integer"},
      {"bool", "Boolean"},
      {"boolean", "Boolean"},
      {"string", "String"},
      {"ln", "log"},
      {"fabs", "abs"},
      {"sgn", "sign"},
      {"pow", "a ^ b"},
      {"arcsin", "asin"},
      {"arccos", "acos"},
      {"arctan", "atan"},
  };
  for (const auto& [other, here] : kNames) {
    if (other == name) return here;
  }
  return {};
}

}  // namespace

void Instances::not_found(std::string_view name, Scope scope, TextRange range) {
  Diagnostic d(
      Code::kUnknownName,
      in_quotes(name) + " is not declared in " + in_quotes(node(scope).path()) + " or around it",
      span(scope, range));
  if (const std::string_view here = modelica_name(name); !here.empty()) {
    throw Failure{std::move(d).suggest("in Modelica that is " + in_quotes(here))};
  }
  std::vector<std::string> around;
  for (ClassNode* at = node(scope).parent(); at != nullptr; at = at->parent()) {
    for (const std::string_view n : tree_.member_names(*at)) around.emplace_back(n);
  }
  suggest_names(d, name, element_names(*scope.instance), around,
                "in " + in_quotes(node(scope).path()));
  throw Failure{std::move(d)};
}

std::vector<std::string> Instances::element_names(const Instance& instance) {
  std::vector<std::string> names;
  for (const auto& [name, slot] : instance.table) names.emplace_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

void Instances::no_element(const Instance& owner, std::string_view name, std::string text,
                           diag::Span where, Code code) {
  Diagnostic d(code, std::move(text), where);
  suggest_names(d, name, element_names(owner), {}, "in " + in_quotes(owner.cls.node->path()));
  throw Failure{std::move(d)};
}

ClassRef Instances::class_of(const Resolved& r) {
  if (r.kind == Resolved::Kind::kSlot) return class_ref(*r.owner, *r.slot);
  ClassRef ref;
  ref.node = r.node;
  return ref;
}

Instance& Instances::class_instance(const Resolved& r) {
  if (r.kind != Resolved::Kind::kSlot) return of_class(*r.node);
  if (r.slot->kind == MemberKind::kComponent) {
    // A class that is looked up in a component: A a; a.B.
    Instance* c = component(*r.owner, *r.slot);
    if (c != nullptr) return *c;
  }
  if (r.slot->class_instance == nullptr) {
    Instance& made = make(class_ref(*r.owner, *r.slot), World::kPackage, nullptr, r.slot->name);
    r.slot->class_instance = &made;
  }
  return *r.slot->class_instance;
}

Instance& Instances::of_class(ClassNode& node) {
  const auto it = classes_.find(&node);
  if (it != classes_.end()) return *it->second;
  if (node.parent() == nullptr || node.parent()->is_root()) {
    ClassRef ref;
    ref.node = &node;
    Instance& made = make(std::move(ref), World::kPackage, nullptr, node.name());
    classes_[&node] = &made;
    return made;
  }
  Instance& parent = of_class(*node.parent());
  Slot* slot = find(parent, node.name());
  if (slot == nullptr || slot->kind != MemberKind::kClass) {
    fail(Code::kUnknownElement,
         in_quotes(node.parent()->path()) + " has no class " + in_quotes(node.name()), {});
  }
  Instance& made = class_instance({Resolved::Kind::kSlot, &parent, slot, nullptr});
  classes_[&node] = &made;
  return made;
}

ClassRef Instances::find_class(const Name& name, Scope scope) {
  Resolved r;
  if (name.parts.empty()) fail(Code::kUnknownName, "a class name is missing", {});
  if (name.global) {
    if (const Member* m = tree_.member(tree_.root(), name.parts[0].text)) {
      r.kind = Resolved::Kind::kClass;
      r.node = m->node;
    }
  } else {
    r = resolve(name.parts[0].text, scope);
  }
  if (r.kind == Resolved::Kind::kNothing) {
    not_found(name.parts[0].text, scope, name.parts[0].range());
  }
  for (std::size_t i = 1; i < name.parts.size(); ++i) {
    if (r.kind != Resolved::Kind::kClass && r.kind != Resolved::Kind::kSlot) break;
    Instance& owner = class_instance(r);
    Slot* slot = find(owner, name.parts[i].text);
    if (slot == nullptr) {
      no_element(
          owner, name.parts[i].text,
          in_quotes(owner.cls.node->path()) + " has no element " + in_quotes(name.parts[i].text),
          span(scope, name.parts[i].range()));
    }
    if (r.kind == Resolved::Kind::kSlot && r.slot->kind == MemberKind::kComponent) {
      fail(Code::kNoPackage,
           "a class is not taken from a component: " + in_quotes(print(name)) +
               " goes through the component " + in_quotes(r.slot->name),
           span(scope, name.range));
    }
    check_step(owner, *slot, span(scope, name.parts[i].range()));
    r = {Resolved::Kind::kSlot, &owner, slot, nullptr};
  }
  const bool is_class = r.kind == Resolved::Kind::kClass ||
                        (r.kind == Resolved::Kind::kSlot && r.slot->kind == MemberKind::kClass);
  if (!is_class) {
    fail(Code::kNoType, in_quotes(print(name)) + " is no class", span(scope, name.range),
         "a class must stand here");
  }
  return class_of(r);
}

// A class element as it is after redeclaration.
// The class that an outer class stands for: the inner one of the nearest component around.
ClassRef Instances::inner_class(Instance& owner, Slot& slot) {
  for (Instance* at = owner.parent; at != nullptr; at = at->parent) {
    if (at->is_array() || at->parts.empty()) continue;
    const auto it = at->table.find(slot.name);
    if (it == at->table.end() || it->second->element == nullptr) continue;
    if (it->second->kind == MemberKind::kClass && it->second->element->inner)
      return class_ref(*at, *it->second);
  }
  fail(Code::kNoInner,
       "no inner class " + in_quotes(slot.name) + " around " + in_quotes(full_name(owner)),
       span({&owner, slot.part}, slot.element->range), "declared outer here");
}

// The modifications of constraining clauses, or else of the first declaration, are those of each
// class that is put in its place.
void Instances::add_constraints(Instance& owner, const Slot& slot, bool is_replaced,
                                Environment& environment) {
  const auto add = [&](const Modification* m, int part) {
    if (m == nullptr) return;
    Layer layer;
    layer.arguments = m->arguments;
    layer.scope = {&owner, part};
    environment.push_back(layer);
  };
  const ClassDef* own = slot.node == nullptr ? nullptr : tree_.definition(*slot.node);
  const bool extends = !is_replaced && own != nullptr && own->form == ClassForm::kExtends;
  for (const Slot* s = &slot; s != nullptr && s->element != nullptr; s = s->replaced) {
    const Element& declared = *s->element;
    if (declared.constraint != nullptr) {
      add(declared.constraint->modification, s->part);
    } else if (s->replaced == nullptr && (is_replaced || s != &slot) && !extends &&
               declared.class_def != nullptr && declared.class_def->form == ClassForm::kShort) {
      add(declared.class_def->modification, s->part);
    }
  }
}

ClassRef Instances::class_ref(Instance& owner, Slot& slot) {
  if (slot.ref) return *slot.ref;
  if (slot.element != nullptr && slot.element->outer && !slot.element->inner &&
      owner.parent != nullptr && owner.world == World::kModel) {
    slot.ref = inner_class(owner, slot);
    return *slot.ref;
  }
  if (slot.state == Slot::State::kBusy) {
    fail(Code::kCyclicInheritance, in_quotes(slot.name) + " is redeclared by itself",
         span({&owner, slot.part}, slot.element == nullptr ? TextRange{} : slot.element->range));
  }
  slot.state = Slot::State::kBusy;
  ClassRef ref;
  const Scope here{&owner, slot.part};
  const Part& part = owner.parts[static_cast<std::size_t>(slot.part)];
  Redeclarations redeclarations;
  Environment environment;
  try {
    collect(owner, part.environment, slot.name, environment, &redeclarations);
    const Argument* redeclaration = redeclarations.empty() ? nullptr : redeclarations[0].first;
    std::erase_if(environment, [](const Layer& l) { return l.value != nullptr; });
    const ClassForm form = redeclaration == nullptr || redeclaration->class_def == nullptr
                               ? ClassForm::kLong
                               : redeclaration->class_def->form;
    const bool is_enumeration = form == ClassForm::kEnumeration;
    if (form == ClassForm::kShort || is_enumeration) {
      const ClassDef& def = *redeclaration->class_def;
      const Scope scope = redeclarations[0].second;
      check_redeclare(owner, slot, *redeclaration, scope);
      if (is_enumeration) {
        ref.node = &tree_.redeclared(def, node(scope));
        ref.enclosing = scope;
      } else {
        ref = find_class(def.base, scope);
      }
      check_constraint(owner, slot, ref, redeclarations, span(scope, redeclaration->range));
      Environment own = std::move(ref.environment);
      ref.environment = std::move(environment);
      add_constraints(owner, slot, true, ref.environment);
      ref.environment.insert(ref.environment.end(), own.begin(), own.end());
      if (!def.subscripts.empty()) ref.dims.insert(ref.dims.begin(), {def.subscripts, scope});
      if (def.causality != Causality::kNone) ref.causality = def.causality;
    } else {
      if (redeclaration != nullptr && redeclaration->class_def != nullptr) {
        throw Failure{diag::Diagnostic(Code::kNotSupported,
                                       "a redeclaration of " + in_quotes(slot.name) +
                                           " by a class of this form is not supported yet",
                                       span(redeclarations[0].second, redeclaration->range))
                          .suggest("declare the class by itself, and redeclare with its name")};
      }
      ref.node = slot.node;
      ref.enclosing = here;
      ref.environment = std::move(environment);
      if (slot.element != nullptr && slot.element->constraint != nullptr) {
        check_constraint(owner, slot, ref, {}, span(here, slot.element->range));
      }
      const ClassDef* def = tree_.definition(*slot.node);
      const bool is_long = def == nullptr || def->form == ClassForm::kLong;
      add_constraints(owner, slot, false, is_long ? ref.environment : ref.constraining);
    }
  } catch (...) {
    slot.state = Slot::State::kNew;
    throw;
  }
  slot.state = Slot::State::kReady;
  slot.ref = ref;
  return ref;
}

ClassKind Instances::kind(Instance& instance) {
  expand(instance);
  ClassKind found = ClassKind::kClass;
  for (const Part& part : instance.parts) {
    const ClassDef* def = tree_.definition(*part.node);
    if (def == nullptr) break;
    if (def->kind != ClassKind::kClass && def->kind != ClassKind::kType) return def->kind;
    found = def->kind;
  }
  return found;
}

std::string Instances::full_name(const Instance& instance) {
  std::string name;
  if (instance.parent != nullptr && !instance.parent->name.empty()) {
    name = full_name(*instance.parent);
    if (instance.index.empty()) name += ".";
  }
  if (instance.index.empty()) return name + std::string(instance.name);
  name += "[";
  for (std::size_t i = 0; i < instance.index.size(); ++i) {
    name += (i > 0 ? "," : "") + std::to_string(instance.index[i]);
  }
  return name + "]";
}

const Modification* Instances::annotation(const Annotation& a, ClassNode& text) {
  if (a.parsed != nullptr) return a.parsed;
  const auto it = annotations_.find(&a);
  if (it != annotations_.end()) return it->second;
  diag::Diagnostics ignored;  // the formatter and the editor care for annotations
  const SyntaxTree* syntax = tree_.syntax(text);
  const Modification* m = syntax == nullptr ? nullptr : parse_annotation(*syntax, a, ignored);
  annotations_[&a] = m;
  return m;
}

bool Instances::annotated(const Annotation* a, Scope scope, std::string_view name) {
  if (a == nullptr) return false;
  const SourceFile* file = tree_.file(node(scope));
  // Most annotations are graphics; a look at the text saves reading them.
  if (file == nullptr || file->text(a->range).find(name) == std::string_view::npos) return false;
  const Modification* m = annotation(*a, node(scope));
  if (m == nullptr) return false;
  for (const Argument& argument : m->arguments) {
    if (argument.name.parts.size() == 1 && argument.name.parts[0].text == name &&
        argument.modification != nullptr && argument.modification->value != nullptr) {
      return argument.modification->value->kind == ExprKind::kTrue;
    }
  }
  return false;
}

}  // namespace arges::lang
