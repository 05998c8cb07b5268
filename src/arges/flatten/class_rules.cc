// What each kind of class may hold and inherit (specification, chapters 4.6 and 7.1.3).

#include <algorithm>

#include "arges/flatten/instances.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;

namespace {

bool may_inherit(ClassKind derived, ClassKind base) {
  if (derived == base || base == ClassKind::kClass || derived == ClassKind::kClass) return true;
  switch (derived) {
    case ClassKind::kModel:
      return base == ClassKind::kBlock || base == ClassKind::kRecord;
    case ClassKind::kBlock:
      return base == ClassKind::kRecord;
    case ClassKind::kConnector:
      return base == ClassKind::kRecord || base == ClassKind::kOperatorRecord ||
             base == ClassKind::kType;
    case ClassKind::kOperatorRecord:
      return base == ClassKind::kRecord;
    case ClassKind::kOperatorFunction:
    case ClassKind::kFunction:
      return base == ClassKind::kFunction || base == ClassKind::kOperatorFunction;
    case ClassKind::kType:
      return base == ClassKind::kConnector || base == ClassKind::kRecord ||
             base == ClassKind::kOperatorRecord || base == ClassKind::kExpandableConnector;
    case ClassKind::kOperator:
      return base == ClassKind::kPackage;
    default:
      return false;
  }
}

bool is_data(ClassKind kind) {
  return kind == ClassKind::kRecord || kind == ClassKind::kOperatorRecord ||
         kind == ClassKind::kConnector || kind == ClassKind::kExpandableConnector;
}

bool is_function_kind(ClassKind kind) {
  return kind == ClassKind::kFunction || kind == ClassKind::kOperatorFunction;
}

std::string a(ClassKind kind) {
  const std::string name(spelling(kind));
  return (kind == ClassKind::kOperator || kind == ClassKind::kOperatorRecord ||
                  kind == ClassKind::kOperatorFunction || kind == ClassKind::kExpandableConnector
              ? "an "
              : "a ") +
         name;
}

}  // namespace

void Instances::check_base(const ClassDef& derived, ClassNode& base, diag::Span where) {
  const ClassDef* def = tree_.definition(base);
  if (def == nullptr) return;
  ClassKind kind = def->kind;
  if (base.is_predefined() && def->form == ClassForm::kLong) kind = ClassKind::kType;
  // A class that inherits from ExternalObject is a class of its own.
  if (base.name() == "ExternalObject" && base.is_predefined()) return;
  // Short definitions say what their class is; the others inherit it.
  if (derived.form == ClassForm::kShort && derived.kind == ClassKind::kType) return;
  if (!may_inherit(derived.kind, kind)) {
    fail(Code::kWrongBase,
         a(derived.kind) + " cannot inherit from " + a(kind) + ", " + quoted(base.path()), where);
  }
}

void Instances::check_class(const ClassDef& def, ClassNode& node) {
  const auto where = [&](TextRange range) { return diag::Span{tree_.file(node), range}; };
  static constexpr std::string_view kReserved[] = {"Real", "Integer", "Boolean", "String"};
  const auto check_name = [&](const Identifier& name) {
    if (std::find(std::begin(kReserved), std::end(kReserved), name.text) != std::end(kReserved)) {
      fail(Code::kClassRestriction, quoted(name.text) + " is a predefined type, no name to declare",
           where(name.range()));
    }
  };
  check_name(def.name);
  for (const Section& section : def.sections) {
    for (const Element& element : section.elements) {
      if (element.kind == ElementKind::kClass) check_name(element.class_def->name);
      if (element.kind != ElementKind::kComponents) continue;
      for (const Component& c : element.components->components) check_name(c.name);
    }
  }
  for (const Section& section : def.sections) {
    const bool text = !section.equations.empty() || !section.statements.empty();
    const bool is_function = is_function_kind(def.kind);
    if (text && (is_data(def.kind) || def.kind == ClassKind::kPackage ||
                 def.kind == ClassKind::kType || def.kind == ClassKind::kOperator ||
                 (is_function && section.kind != SectionKind::kAlgorithm))) {
      const bool statements =
          section.kind == SectionKind::kAlgorithm || section.kind == SectionKind::kInitialAlgorithm;
      fail(Code::kClassRestriction,
           a(def.kind) + " cannot have " + (statements ? "this algorithm" : "equations"),
           where(section.equations.empty() ? section.statements[0]->range
                                           : section.equations[0]->range));
    }
    for (const Element& element : section.elements) {
      if (element.kind != ElementKind::kComponents) continue;
      const TypePrefix& prefix = element.components->prefix;
      const bool is_protected = section.kind == SectionKind::kProtected;
      std::string problem;
      if (is_data(def.kind)) {
        const bool record =
            def.kind == ClassKind::kRecord || def.kind == ClassKind::kOperatorRecord;
        if (is_protected) problem = "protected components";
        if (element.inner || element.outer) problem = "inner or outer components";
        if (record &&
            (prefix.causality != Causality::kNone || prefix.connecting != Connecting::kNone)) {
          problem = "components with `input`, `output`, `flow` or `stream`";
        }
      } else if (is_function_kind(def.kind)) {
        if (element.inner || element.outer) problem = "inner or outer components";
        if (!is_protected && prefix.causality == Causality::kNone &&
            prefix.variability != Variability::kConstant &&
            prefix.variability != Variability::kParameter) {
          problem = "public components that are neither input nor output";
        }
      } else if (def.kind == ClassKind::kPackage) {
        if (prefix.variability != Variability::kConstant) problem = "components but constants";
      } else if (def.kind == ClassKind::kOperator) {
        problem = "components";
      }
      if (!problem.empty()) {
        fail(Code::kClassRestriction, a(def.kind) + " cannot have " + problem,
             where(element.range));
      }
    }
  }
  for (std::size_t i = 0; i < def.literals.size(); ++i) {
    static constexpr std::string_view kAttributes[] = {"quantity", "min", "max", "start", "fixed"};
    const Identifier& name = def.literals[i].name;
    const bool taken =
        std::any_of(def.literals.begin(), def.literals.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const EnumLiteral& l) { return l.name.text == name.text; });
    const bool attribute = std::find(std::begin(kAttributes), std::end(kAttributes), name.text) !=
                           std::end(kAttributes);
    if (taken || attribute) {
      fail(Code::kClassRestriction,
           quoted(name.text) + (taken ? " is a literal twice" : " is an attribute, no literal"),
           where(name.range()));
    }
  }
}

}  // namespace arges::lang
