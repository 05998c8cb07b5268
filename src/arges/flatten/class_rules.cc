// What each kind of class may hold and inherit (specification, chapters 4.6 and 7.1.3).

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "arges/flatten/instances.h"
#include "arges/parse/print.h"

namespace arges::lang {

using diag::Code;

namespace {

bool is_function_kind(ClassKind kind) {
  return kind == ClassKind::kFunction || kind == ClassKind::kOperatorFunction;
}

bool may_inherit(ClassKind derived, ClassKind base) {
  if (derived == ClassKind::kClass && is_function_kind(base)) return false;
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
  return kind == ClassKind::kRecord || kind == ClassKind::kOperatorRecord || is_connector(kind);
}

// Statements that assign one of the names, which are inputs.
const Statement* assigns(StatementList list, const std::vector<std::string_view>& names) {
  const auto is_input = [&](const Expr* e) {
    return e != nullptr && e->kind == ExprKind::kReference && !as<ReferenceExpr>(*e).global &&
           std::find(names.begin(), names.end(), as<ReferenceExpr>(*e).parts[0].name.text) !=
               names.end();
  };
  for (const Statement* s : list) {
    if (s->kind == StatementKind::kAssign && s->left != nullptr) {
      if (is_input(s->left)) return s;
      if (s->left->kind == ExprKind::kTuple) {
        const auto& targets = as<TupleExpr>(*s->left).elements;
        if (std::any_of(targets.begin(), targets.end(), is_input)) return s;
      }
    }
    for (const Branch<Statement>& b : s->branches) {
      if (const Statement* found = assigns(b.body, names)) return found;
    }
  }
  return nullptr;
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
  if (kind == ClassKind::kOperatorRecord && derived.form == ClassForm::kLong) {
    fail(Code::kWrongBase,
         "an operator record is inherited by short classes only: " + in_quotes(base.path()), where);
  }
  if (derived.kind == ClassKind::kPackage && kind == ClassKind::kPackage) {
    for (const Section& section : def->sections) {
      for (const Element& element : section.elements) {
        if (element.kind == ElementKind::kClass &&
            element.class_def->kind == ClassKind::kOperatorRecord) {
          fail(Code::kWrongBase,
               "the package " + in_quotes(base.path()) + " has an operator record, " +
                   in_quotes(element.class_def->name.text) + ", and cannot be inherited",
               where);
        }
      }
    }
  }
  if (!may_inherit(derived.kind, kind)) {
    fail(Code::kWrongBase,
         a(derived.kind) + " cannot inherit from " + a(kind) + ", " + in_quotes(base.path()),
         where);
  }
}

void Instances::check_class(const ClassDef& def, ClassNode& node) {
  const auto where = [&](TextRange range) { return diag::Span{tree_.file(node), range}; };
  static constexpr std::string_view kReserved[] = {"Real", "Integer", "Boolean", "String"};
  const auto check_name = [&](const Identifier& name) {
    if (std::find(std::begin(kReserved), std::end(kReserved), name.text) != std::end(kReserved)) {
      fail(Code::kClassRestriction,
           in_quotes(name.text) + " is a predefined type, no name to declare", where(name.range()));
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
  if (is_function_kind(def.kind)) {
    int algorithms = 0;
    std::vector<std::string_view> inputs;
    for (const Section& section : def.sections) {
      for (const Element& element : section.elements) {
        if (element.kind != ElementKind::kComponents ||
            element.components->prefix.causality != Causality::kInput) {
          continue;
        }
        for (const Component& c : element.components->components) inputs.push_back(c.name.text);
      }
    }
    for (const Section& section : def.sections) {
      if (section.kind != SectionKind::kAlgorithm) continue;
      if (++algorithms > 1) {
        fail(Code::kClassRestriction, "a function has one algorithm", where(section.range));
      }
      if (const Statement* s = assigns(section.statements, inputs)) {
        fail(Code::kBadTarget, "an input of a function cannot be assigned", where(s->range));
      }
    }
  }
  if (def.kind == ClassKind::kOperator) {
    for (const Section& section : def.sections) {
      for (const Element& element : section.elements) {
        if (element.kind == ElementKind::kClass && !is_function_kind(element.class_def->kind)) {
          fail(Code::kClassRestriction, "an operator holds functions only", where(element.range));
        }
      }
    }
  }
  if (def.external != nullptr) {
    const std::string_view language = def.external->language;
    if (!is_function_kind(def.kind)) {
      fail(Code::kClassRestriction, a(def.kind) + " cannot have an external clause",
           where(def.external->range));
    }
    if (!language.empty() && language != "\"C\"" && language != "\"FORTRAN 77\"" &&
        language != "\"builtin\"") {
      fail(Code::kNotSupported,
           "external functions in " + std::string(language) + " are not supported",
           where(def.external->range));
    }
  }
  check_modifications(def, node);
  std::unordered_set<std::string_view> literals;
  for (std::size_t i = 0; i < def.literals.size(); ++i) {
    static constexpr std::string_view kAttributes[] = {"quantity", "min", "max", "start", "fixed"};
    const Identifier& name = def.literals[i].name;
    const bool taken = !literals.insert(name.text).second;
    const bool attribute = std::find(std::begin(kAttributes), std::end(kAttributes), name.text) !=
                           std::end(kAttributes);
    if (taken || attribute) {
      fail(Code::kClassRestriction,
           in_quotes(name.text) + (taken ? " is a literal twice" : " is an attribute, no literal"),
           where(name.range()));
    }
  }
}

// No list of modifications names an element twice.
void Instances::check_modifications(const ClassDef& def, ClassNode& node) {
  const auto check = [&](const auto& self, const Modification* m) -> void {
    if (m == nullptr) return;
    std::unordered_map<std::string, const Argument*> seen;
    for (const Argument& argument : m->arguments) {
      self(self, argument.modification);
      if (argument.kind != ArgumentKind::kModify) continue;
      const auto [first, is_new] = seen.emplace(print(argument.name), &argument);
      if (is_new) continue;
      const SourceFile* file = tree_.file(node);
      diag::Diagnostic d(Code::kModifiedTwice, in_quotes(first->first) + " is modified twice",
                         {file, argument.range});
      d.label({file, first->second->range}, "here for the first time");
      throw Failure{std::move(d)};
    }
  };
  check(check, def.modification);
  for (const Section& section : def.sections) {
    for (const Element& element : section.elements) {
      if (element.kind == ElementKind::kExtends) check(check, element.extends->modification);
      if (element.kind != ElementKind::kComponents) continue;
      for (const Component& c : element.components->components) check(check, c.modification);
    }
  }
}

}  // namespace arges::lang
