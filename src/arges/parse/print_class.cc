// Classes, elements, modifications as text.

#include "arges/parse/printer.h"

namespace arges::lang {

void Printer::line() {
  out_ += '\n';
  out_.append(static_cast<std::size_t>(2 * indent_), ' ');
}

void Printer::strings(std::span<const std::string_view> l) {
  for (std::size_t i = 0; i < l.size(); ++i) put(i == 0 ? " " : " + ").put(l[i]);
}

void Printer::annotation(const Annotation* a) {
  if (a == nullptr || !options_.annotations) return;
  put(" annotation");
  if (a->parsed != nullptr) {
    modification(a->parsed, false);
  } else {
    put(file_->text({a->open, a->range.end}));
  }
}

void Printer::description(const Description& d) {
  strings(d.strings);
  annotation(d.annotation);
}

void Printer::prefix(const TypePrefix& p) {
  static constexpr std::string_view kConnecting[] = {"", "flow ", "stream "};
  static constexpr std::string_view kVariability[] = {"", "discrete ", "parameter ", "constant "};
  static constexpr std::string_view kCausality[] = {"", "input ", "output "};
  put(kConnecting[static_cast<std::size_t>(p.connecting)]);
  put(kVariability[static_cast<std::size_t>(p.variability)]);
  put(kCausality[static_cast<std::size_t>(p.causality)]);
}

void Printer::modification(const Modification* m, bool spaced) {
  if (m == nullptr) return;
  if (m->has_arguments) {
    put("(");
    for (std::size_t i = 0; i < m->arguments.size(); ++i) {
      if (i > 0) put(", ");
      argument(m->arguments[i]);
    }
    put(")");
  }
  const std::string_view sign = spaced ? " = " : "=";
  if (m->is_break) put(sign).put("break");
  if (m->value != nullptr) {
    put(sign);
    expr(m->value);
  }
}

void Printer::argument(const Argument& a) {
  put(a.redeclare ? "redeclare " : "").put(a.each ? "each " : "").put(a.final ? "final " : "");
  put(a.replaceable ? "replaceable " : "");
  switch (a.kind) {
    case ArgumentKind::kModify:
      name(a.name);
      modification(a.modification, false);
      description(a.description);
      break;
    case ArgumentKind::kClass:
      class_def(*a.class_def);
      break;
    case ArgumentKind::kComponent:
      components(*a.component);
      break;
    case ArgumentKind::kBreakElement:
      put("break ");
      name(a.name);
      break;
    case ArgumentKind::kBreakConnection:
      put("break connect(");
      expr(a.connection[0]);
      put(", ");
      expr(a.connection[1]);
      put(")");
      break;
  }
  constraint(a.constraint);
}

void Printer::constraint(const Constraint* c) {
  if (c == nullptr) return;
  put(" constrainedby ");
  name(c->type);
  modification(c->modification, false);
  description(c->description);
}

void Printer::component(const Component& c) {
  put(c.name.text);
  subscripts(c.subscripts);
  modification(c.modification, true);
  if (c.condition != nullptr) {
    put(" if ");
    expr(c.condition);
  }
  description(c.description);
}

void Printer::components(const ComponentClause& c) {
  prefix(c.prefix);
  name(c.type);
  subscripts(c.subscripts);
  for (std::size_t i = 0; i < c.components.size(); ++i) {
    put(i == 0 ? " " : ", ");
    component(c.components[i]);
  }
}

void Printer::import(const Import& i) {
  put("import ");
  if (i.kind == ImportKind::kRenamed) put(i.alias.text).put(" = ");
  name(i.name);
  if (i.kind == ImportKind::kUnqualified) put(".*");
  if (i.kind == ImportKind::kList) {
    put(".{");
    for (std::size_t k = 0; k < i.list.size(); ++k) put(k > 0 ? ", " : "").put(i.list[k].text);
    put("}");
  }
  description(i.description);
}

void Printer::element(const Element& e) {
  put(e.redeclare ? "redeclare " : "").put(e.final ? "final " : "").put(e.inner ? "inner " : "");
  put(e.outer ? "outer " : "").put(e.replaceable ? "replaceable " : "");
  switch (e.kind) {
    case ElementKind::kImport:
      import(*e.import);
      break;
    case ElementKind::kExtends:
      put("extends ");
      name(e.extends->type);
      modification(e.extends->modification, false);
      annotation(e.extends->annotation);
      break;
    case ElementKind::kClass:
      class_def(*e.class_def);
      break;
    case ElementKind::kComponents:
      components(*e.components);
      break;
    case ElementKind::kParameterEquation:
      put("parameter equation ");
      equation(*e.equation);
      break;
  }
  constraint(e.constraint);
}

void Printer::external(const External& e) {
  put("external");
  if (!e.language.empty()) put(" ").put(e.language);
  if (!e.function.text.empty()) {
    put(" ");
    if (e.result != nullptr) {
      expr(e.result);
      put(" = ");
    }
    put(e.function.text).put("(");
    list(e.arguments);
    put(")");
  }
  annotation(e.annotation);
  put(";");
}

void Printer::sections(const ClassDef& c) {
  static constexpr std::string_view kWords[] = {
      "", "public", "protected", "equation", "initial equation", "algorithm", "initial algorithm"};
  for (const Section& s : c.sections) {
    if (s.kind != SectionKind::kFirst) {
      line();
      put(kWords[static_cast<std::size_t>(s.kind)]);
    }
    ++indent_;
    for (const Element& e : s.elements) {
      line();
      element(e);
      put(";");
    }
    --indent_;
    items(s.equations);
    items(s.statements);
  }
}

void Printer::class_def(const ClassDef& c) {
  put(c.encapsulated ? "encapsulated " : "").put(c.partial ? "partial " : "");
  put(c.purity == Purity::kPure ? "pure " : c.purity == Purity::kImpure ? "impure " : "");
  put(c.constant_function ? "constant " : "");
  put(spelling(c.kind)).put(c.form == ClassForm::kExtends ? " extends " : " ").put(c.name.text);
  switch (c.form) {
    case ClassForm::kLong:
    case ClassForm::kExtends:
      modification(c.modification, false);
      strings(c.description.strings);
      sections(c);
      ++indent_;
      if (c.external != nullptr) {
        line();
        external(*c.external);
      }
      if (c.description.annotation != nullptr && options_.annotations) {
        line();
        out_.pop_back();  // annotation() begins with a space
        annotation(c.description.annotation);
        put(";");
      }
      --indent_;
      line();
      put("end ").put(c.name.text);
      return;
    case ClassForm::kShort:
      put(" = ");
      put(c.causality == Causality::kInput    ? "input "
          : c.causality == Causality::kOutput ? "output "
                                              : "");
      name(c.base);
      subscripts(c.subscripts);
      modification(c.modification, false);
      break;
    case ClassForm::kEnumeration:
      put(" = enumeration(").put(c.any_enumeration ? ":" : "");
      for (std::size_t i = 0; i < c.literals.size(); ++i) {
        put(i > 0 ? ", " : "").put(c.literals[i].name.text);
        description(c.literals[i].description);
      }
      put(")");
      break;
    case ClassForm::kDerivative:
      put(" = der(");
      name(c.base);
      for (const Identifier& v : c.variables) put(", ").put(v.text);
      put(")");
      break;
  }
  description(c.description);
}

void Printer::stored(const StoredDefinition& d) {
  if (d.is_base_modelica) {
    const std::string_view text = file_->text();
    put(text.substr(0, text.find('\n'))).put("\n");
  }
  if (d.has_within) {
    put(d.within.parts.empty() ? "within" : "within ");
    name(d.within);
    put(";\n");
  }
  for (const StoredClass& c : d.classes) {
    put(c.final ? "final " : "");
    class_def(*c.class_def);
    put(";\n");
  }
}

std::string print(const SyntaxTree& tree, const PrintOptions& options) {
  std::string out;
  Printer(out, tree.file, options).stored(*tree.root);
  return out;
}

std::string print(const ClassDef& c, const SourceFile& file, const PrintOptions& options) {
  std::string out;
  Printer(out, &file, options).class_def(c);
  return out;
}

}  // namespace arges::lang
