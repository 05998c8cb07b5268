// Classes with modifications to parts and elements.

#include "arges/flatten/instances.h"

#include "arges/flatten/deselections.h"

#include <algorithm>
#include <utility>

#include "arges/diag/suggest.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

Instance& Instances::make(ClassRef ref, World world, Instance* parent, std::string_view name) {
  if (instances_.size() >= limits_.instances) {
    const ClassDef* def = ref.node == nullptr ? nullptr : tree_.definition(*ref.node);
    fail(Code::kTooLarge,
         "the model has more than " + std::to_string(limits_.instances) +
             " components and calls before the run",
         def == nullptr ? diag::Span{} : diag::Span{tree_.file(*ref.node), def->name.range()},
         "the last is one of these");
  }
  Instance& made = instances_.emplace_back();
  made.world = world;
  made.parent = parent;
  made.name = name;
  // The scope around a class that was named from nowhere in particular.
  if (ref.enclosing.instance == nullptr && ref.node != nullptr && ref.node->parent() != nullptr &&
      !ref.node->parent()->is_root()) {
    ref.enclosing = {&of_class(*ref.node->parent()), 0};
  }
  made.cls = std::move(ref);
  made.depth = parent == nullptr ? 0 : parent->depth + 1;
  return made;
}

const Path* Instances::path_index(const Path* outer, std::vector<int> index) {
  return &paths_.emplace_back(Path{outer, {}, std::move(index), false});
}

const Path* Instances::path_field(const Path* outer, std::string_view field) {
  return &paths_.emplace_back(Path{outer, field, {}, false});
}

void Instances::expand(Instance& instance) {
  if (instance.expanded) return;
  instance.expanded = true;
  add_part(instance, instance.cls, -1, false);
  check_modifiers(instance);
  check_one_body(instance);
}

void Instances::add_part(Instance& instance, const ClassRef& ref, int derived, bool is_protected,
                         std::span<const Argument> deselected) {
  if (instance.parts.size() > 1000) {
    const ClassDef* def = tree_.definition(*ref.node);
    fail(Code::kCyclicInheritance,
         in_quotes(instance.cls.node->path()) + " inherits from more than 1000 classes, " +
             in_quotes(ref.node->path()) + " among them",
         {tree_.file(*ref.node), def == nullptr ? TextRange{} : def->name.range()});
  }
  for (int p = derived; p >= 0; p = instance.parts[static_cast<std::size_t>(p)].derived) {
    if (instance.parts[static_cast<std::size_t>(p)].node == ref.node &&
        !ref.node->is_predefined()) {
      const ClassDef* own = tree_.definition(*ref.node);
      if (own != nullptr && own->form == ClassForm::kExtends) break;
      fail(Code::kCyclicInheritance, in_quotes(ref.node->path()) + " inherits from itself",
           {tree_.file(*ref.node), own == nullptr ? TextRange{} : own->name.range()});
    }
  }
  const int index = static_cast<int>(instance.parts.size());
  instance.parts.push_back({ref.node, ref.enclosing, ref.environment, derived, deselected});
  const ClassDef* def = tree_.definition(*ref.node);
  if (def == nullptr) {
    fail(Code::kUnknownName, "the class " + in_quotes(ref.node->path()) + " cannot be read", {});
  }
  if (ref.node->is_predefined()) {
    const std::string_view n = ref.node->name();
    instance.basic = n == "Clock"            ? Basic::kClock
                     : n == "ExternalObject" ? Basic::kExternalObject
                                             : Basic::kScalar;
    instance.type = n == "Integer" || n == "ExternalObject" ? ScalarType::kInteger
                    : n == "Boolean" || n == "Clock"        ? ScalarType::kBoolean
                    : n == "String"                         ? ScalarType::kString
                                                            : ScalarType::kReal;
  }
  if (!ref.node->is_predefined() && checked_.insert(ref.node).second) {
    check_class(*def, *ref.node);
  }
  if (def->form == ClassForm::kEnumeration) {
    instance.basic = Basic::kScalar;
    instance.type = ScalarType::kEnumeration;
    instance.enumeration = ref.node;
    int ordinal = 0;
    for (const EnumLiteral& literal : def->literals) {
      Slot slot;
      slot.name = literal.name.text;
      slot.kind = MemberKind::kLiteral;
      slot.node = ref.node;
      slot.part = slot.visible = index;
      slot.literal = ++ordinal;
      add_slot(instance, slot);
    }
    return;
  }
  // function g = der(f, x) has the inputs and outputs of f; a call differentiates (functions.cc).
  if (def->form == ClassForm::kShort || def->form == ClassForm::kDerivative) {
    const Scope outside =
        ref.enclosing.instance != nullptr ? ref.enclosing : Scope{&instance, index};
    ClassRef base = find_class(def->base, outside);
    check_base(*def, *base.node, {tree_.file(*ref.node), def->base.range});
    const Path* path = element_of_type(instance);
    if (!def->subscripts.empty()) {
      instance.cls.dims.push_back({def->subscripts, outside});
    }
    for (const TypeDims& d : base.dims) instance.cls.dims.push_back(d);
    base.environment.insert(base.environment.begin(), ref.constraining.begin(),
                            ref.constraining.end());
    if (def->causality != Causality::kNone && instance.cls.causality == Causality::kNone) {
      instance.cls.causality = def->causality;
    }
    add_base(instance, index, std::move(base), def->modification, outside, true, is_protected,
             path);
    return;
  }
  if (def->form == ClassForm::kExtends) {
    // model extends M: the M that was there before.
    Instance* around = ref.enclosing.instance;
    const Slot* found = nullptr;
    if (around != nullptr) {
      for (const Slot& s : around->slots) {
        if (s.node == ref.node) found = &s;
      }
    }
    if (found == nullptr || found->replaced == nullptr) {
      fail(Code::kNothingToExtend,
           "no inherited class " + in_quotes(ref.node->name()) + " to extend",
           {tree_.file(*ref.node), def->name.range()});
    }
    ClassRef base;
    base.node = found->replaced->node;
    base.enclosing = {around, found->replaced->part};
    base.environment = ref.constraining;
    add_base(instance, index, std::move(base), def->modification, {&instance, index}, false,
             is_protected);
  }
  add_elements(instance, index, *def, is_protected);
}

// Of an element of an array: which one it is in the dimensions that come with its type, but for
// those of the short classes that have been expanded already. model V = A[2](p = {1, 2})
const Path* Instances::element_of_type(const Instance& item) {
  if (item.index.empty() || item.parent == nullptr) return nullptr;
  const auto rank = [](const std::vector<TypeDims>& dims) {
    std::size_t n = 0;
    for (const TypeDims& d : dims) n += d.subscripts.size();
    return n;
  };
  const std::size_t all = rank(item.parent->cls.dims);
  const std::size_t outer = rank(item.cls.dims);
  if (outer >= all || all - outer > item.index.size()) return nullptr;
  Path path;
  path.index.assign(item.index.end() - static_cast<std::ptrdiff_t>(all - outer), item.index.end());
  path.spreads = true;
  return &paths_.emplace_back(std::move(path));
}

void Instances::add_base(Instance& instance, int part, ClassRef base,
                         const Modification* modification, Scope scope, bool in_type,
                         bool is_protected, const Path* path) {
  Environment environment = instance.parts[static_cast<std::size_t>(part)].environment;
  if (modification != nullptr) {
    Layer layer;
    layer.arguments = modification->arguments;
    layer.scope = scope;
    layer.in_type = in_type;
    layer.path = path;
    environment.push_back(layer);
  }
  for (Layer& l : base.environment) {
    l.in_type = true;
    environment.push_back(l);
  }
  base.environment = std::move(environment);
  if (base.enclosing.instance == nullptr && base.node->parent() != nullptr &&
      !base.node->parent()->is_root()) {
    base.enclosing = {&of_class(*base.node->parent()), 0};
  }
  add_part(instance, base, part, is_protected, deselections(modification));
}

void Instances::add_elements(Instance& instance, int part, const ClassDef& def, bool is_protected) {
  ClassNode& text = *instance.parts[static_cast<std::size_t>(part)].node;
  // First what the class declares itself: names in extends clauses may use it.
  const auto add_own = [&](Slot slot) {
    slot.part = slot.visible = part;
    add_slot(instance, std::move(slot));
  };
  for (const Section& section : def.sections) {
    const bool hidden = is_protected || section.kind == SectionKind::kProtected;
    for (const Element& element : section.elements) {
      Slot slot;
      slot.element = &element;
      slot.is_protected = hidden;
      if (element.kind == ElementKind::kClass) {
        slot.name = element.class_def->name.text;
        slot.kind = MemberKind::kClass;
        const Member* m = tree_.member(text, slot.name);
        if (slot.name.empty() || m == nullptr || m->node == nullptr) continue;
        slot.node = m->node;
        add_own(slot);
      } else if (element.kind == ElementKind::kComponents) {
        for (const Component& component : element.components->components) {
          slot.name = component.name.text;
          slot.component = &component;
          if (!slot.name.empty()) add_own(slot);
        }
      }
    }
  }
  for (const std::string_view name : tree_.member_names(text)) {
    const Member* m = tree_.member(text, name);
    if (m->kind != MemberKind::kClass || m->element != nullptr) continue;
    Slot slot;  // a class in a file of its own
    slot.name = m->node->name();
    slot.kind = MemberKind::kClass;
    slot.node = m->node;
    add_own(slot);
  }
  for (const Section& section : def.sections) {
    const bool hidden = is_protected || section.kind == SectionKind::kProtected;
    for (const Element& element : section.elements) {
      if (element.kind == ElementKind::kExtends) {
        const Extends& clause = *element.extends;
        check_extends(clause.type, {&instance, part});
        ClassRef base = find_class(clause.type, {&instance, part});
        check_base(def, *base.node, {tree_.file(text), clause.type.range});
        const std::size_t dims = instance.cls.dims.size();
        const Causality causality = instance.cls.causality;
        const std::size_t first = instance.parts.size();
        add_base(instance, part, std::move(base), clause.modification, {&instance, part}, false,
                 hidden);
        check_deselections(instance, first, {&instance, part});
        if (instance.cls.dims.size() != dims || instance.cls.causality != causality) {
          check_lonely(def, clause, {tree_.file(text), clause.type.range});
        }
      } else if (element.kind == ElementKind::kComponents) {
        for (const Component& component : element.components->components) {
          const auto it = instance.table.find(component.name.text);
          if (it == instance.table.end() || it->second->component != &component) continue;
          if (!std::exchange(it->second->has_place, true)) instance.order.push_back(it->second);
        }
      }
    }
  }
}

// A name that is there already is inherited twice, or redeclared: the class nearest to the instance
// counts.
void Instances::add_slot(Instance& instance, Slot slot) {
  if (is_deselected(instance, slot)) return;
  const auto it = instance.table.find(slot.name);
  if (it == instance.table.end()) {
    instance.slots.push_back(std::move(slot));
    instance.table.emplace(instance.slots.back().name, &instance.slots.back());
    return;
  }
  Slot& there = *it->second;
  if (there.visible < slot.visible) {
    bool inherits = false;  // `there` is declared in a class that inherits this one
    for (int p = slot.part; p >= 0; p = instance.parts[static_cast<std::size_t>(p)].derived) {
      inherits = inherits || p == there.part;
    }
    const bool redeclared = there.element != nullptr && there.element->redeclare;
    check_duplicate(instance, there, slot, inherits);
    if (inherits && (redeclared || there.kind == MemberKind::kClass)) {
      // A class that extends a redeclared one extends what that one extends.
      there.visible = slot.visible;
      Slot* last = &there;
      while (last->replaced != nullptr) last = last->replaced;
      instance.slots.push_back(std::move(slot));
      last->replaced = &instance.slots.back();
    } else {
      there.also_visible.push_back(slot.visible);  // the same element, on another way
    }
  }
}

// Every modification must hit an element.
void Instances::check_modifiers(Instance& instance) {
  static constexpr std::string_view kAttributes[] = {
      "quantity", "unit",    "displayUnit", "min",       "max",          "start",
      "fixed",    "nominal", "stateSelect", "unbounded", "absoluteValue"};
  // `inherited`: by what the class itself consists of; it may modify what is protected.
  const auto check = [&](std::string_view name, TextRange range, Scope scope,
                         const ClassNode* inherited) {
    const ClassNode& owner = inherited != nullptr ? *inherited : *instance.cls.node;
    if (instance.basic != Basic::kNone) {
      if (std::find(std::begin(kAttributes), std::end(kAttributes), name) !=
          std::end(kAttributes)) {
        return;
      }
    } else if (const auto it = instance.table.find(name); it != instance.table.end()) {
      if (it->second->is_protected && instance.parent != nullptr && inherited == nullptr) {
        fail(Code::kProtectedAccess,
             in_quotes(name) + " is protected in " + in_quotes(owner.path()) +
                 " and cannot be modified from outside",
             span(scope, range));
      }
      return;
    }
    const std::string text =
        in_quotes(owner.path()) + " has no element " + in_quotes(name) + " to modify";
    if (instance.basic == Basic::kNone)
      no_element(instance, name, text, span(scope, range), Code::kUnknownModifier);
    Diagnostic d(Code::kUnknownModifier, text, span(scope, range));
    suggest_names(d, name, {std::begin(kAttributes), std::end(kAttributes)}, {}, "there");
    throw Failure{std::move(d)};
  };
  std::optional<Failure> wrong;  // the first, with all others
  const auto check_all = [&](std::span<const Layer> layers, const ClassNode* inherited) {
    for (const Layer& layer : layers) {
      const auto check_name = [&](const Identifier& id) {
        try {
          check(id.text, id.range(), layer.scope, inherited);
        } catch (Failure& f) {
          if (wrong) {
            wrong->more.push_back(std::move(f.diagnostic));
          } else {
            wrong = std::move(f);
          }
        }
      };
      if (layer.dotted != nullptr) check_name(layer.dotted->name.parts[layer.offset]);
      for (const Argument& a : layer.arguments) {
        if (a.kind == ArgumentKind::kModify && !a.name.parts.empty()) {
          check_name(a.name.parts[0]);
        } else if (a.kind == ArgumentKind::kComponent && a.component != nullptr) {
          check_name(a.component->components[0].name);
        } else if (a.kind == ArgumentKind::kClass && a.class_def != nullptr) {
          check_name(a.class_def->name);
        }
      }
    }
  };
  check_all(instance.cls.environment, nullptr);
  // A base class has the modifications of the class that extends it, and then its own.
  for (const Part& part : instance.parts) {
    if (part.derived < 0) continue;
    const Environment& around = instance.parts[static_cast<std::size_t>(part.derived)].environment;
    check_all(std::span(part.environment).subspan(around.size()), part.node);
  }
  if (!wrong) return;
  add_modified_finals(instance, *wrong);
  throw Failure(std::move(*wrong));
}

// What is wrong besides, and would be found when the components are made.
void Instances::add_modified_finals(const Instance& instance, Failure& wrong) {
  for (const Layer& layer : instance.cls.environment) {
    for (const Argument& a : layer.arguments) {
      if (a.kind != ArgumentKind::kModify || a.name.parts.size() != 1 ||
          a.modification == nullptr || a.modification->value == nullptr)
        continue;
      const auto it = instance.table.find(a.name.parts[0].text);
      if (it == instance.table.end() || it->second->element == nullptr ||
          !it->second->element->final)
        continue;
      wrong.more.emplace_back(
          Code::kFinalModified,
          in_quotes(full_name(instance) + "." + std::string(a.name.parts[0].text)) +
              " is final and cannot be modified",
          span(layer.scope, a.modification->value->range));
    }
  }
}

}  // namespace arges::lang
