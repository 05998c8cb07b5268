// Elements of a class: imports, extends, local classes, components.

#include "arges/parse/parser_impl.h"

namespace arges::lang {

using K = TokenKind;

// An annotation of the class. It is the last thing in it.
bool Parser::class_annotation(ClassDef& c) {
  if (!is(K::kAnnotation)) return false;
  const TextRange head = at_->range();
  const Annotation* a = annotation_clause();
  if (recovering_) {
    synchronise();
  } else {
    semicolon("annotation");
  }
  if (c.description.annotation != nullptr) {
    mild_error(Diagnostic(Code::kMisplacedAnnotation, "a class has only one annotation", span(head))
                   .label(span(c.description.annotation->range), "the first one"));
  } else {
    c.description.annotation = a;
  }
  if (!is(K::kEnd) && !is(K::kEndOfFile) && !is(K::kAnnotation)) {
    mild_error(Diagnostic(Code::kMisplacedAnnotation,
                          "the annotation of a class must be the last thing in it", span(head)));
  }
  return true;
}

std::span<const Element> Parser::elements(ClassDef& c) {
  List<Element> list(*this);
  for (;;) {
    if (is(K::kEnd) || is(K::kEndOfFile) || begins_section()) break;
    if (class_annotation(c)) continue;
    const Token* before = at_;
    Element e{};
    const bool known = element(e);
    if (known) list.add(e);
    if (recovering_) {
      synchronise();
    } else {
      semicolon(e.kind == ElementKind::kClass     ? "class"
                : e.kind == ElementKind::kImport  ? "import"
                : e.kind == ElementKind::kExtends ? "extends clause"
                                                  : "declaration");
    }
    if (at_ == before) take();
  }
  return list.done();
}

bool Parser::element(Element& e) {
  const std::uint32_t from = begin();
  if (is(K::kImport)) {
    e.kind = ElementKind::kImport;
    e.import = import_clause();
    e.range = since(from);
    return true;
  }
  if (is(K::kExtends)) {
    e.kind = ElementKind::kExtends;
    e.extends = extends_clause();
    e.range = since(from);
    return true;
  }
  if (base_modelica_ && is(K::kParameter) && peek() == K::kEquation) {
    e.kind = ElementKind::kParameterEquation;
    e.equation = parameter_equation();
    e.range = since(from);
    return true;
  }
  e.redeclare = accept(K::kRedeclare);
  e.final = accept(K::kFinal);
  e.inner = accept(K::kInner);
  e.outer = accept(K::kOuter);
  e.replaceable = accept(K::kReplaceable);
  if (is(K::kRedeclare) || is(K::kFinal) || is(K::kInner) || is(K::kOuter) || is(K::kReplaceable)) {
    mild_error(here(Code::kPrefixOrder,
                    "the prefixes stand in the order `redeclare final inner outer replaceable`"));
    while (is(K::kRedeclare) || is(K::kFinal) || is(K::kInner) || is(K::kOuter) ||
           is(K::kReplaceable)) {
      take();
    }
  }
  if (begins_class()) {
    e.kind = ElementKind::kClass;
    e.class_def = class_definition();
  } else {
    e.kind = ElementKind::kComponents;
    const bool prefixed = at_ > first_ && begin() != from;
    switch (kind()) {
      case K::kIf:
      case K::kFor:
      case K::kWhen:
      case K::kWhile:
      case K::kConnect:
      case K::kDer:
      case K::kLeftParen:
        if (prefixed) break;
        mild_error(
            here(Code::kEquationAmongDeclarations, "an equation cannot stand among declarations")
                .suggest("begin a section with `equation` or `algorithm` before it"));
        equation();  // read and dropped
        return false;
      case K::kSemicolon:
        if (prefixed) break;
        mild_error(here(Code::kStrayToken, "a `;` too many"));
        return false;
      default:
        break;
    }
    e.components = component_clause();
  }
  if (is(K::kConstrainedby)) {
    if (!e.replaceable) {
      mild_error(
          here(Code::kConstraintWithoutReplaceable, "`constrainedby` needs a replaceable element")
              .suggest("write `replaceable ...`"));
    }
    e.constraint = constraint();
  }
  e.range = since(from);
  return true;
}

const Import* Parser::import_clause() {
  const std::uint32_t from = begin();
  take();
  Import* i = arena_.make<Import>();
  if (is(K::kIdentifier) && peek() == K::kEqual) {
    i->kind = ImportKind::kRenamed;
    i->alias = identifier("a name");
    take();
    i->name = name(false);
  } else {
    if (is(K::kDot)) {
      mild_error(here(Code::kUnexpectedToken, "the name in an import is always global")
                     .suggest("leave out the `.`"));
      take();
    }
    i->name = name(false);
    if (accept(K::kDotStar)) {
      i->kind = ImportKind::kUnqualified;
    } else if (is(K::kDot)) {
      take();
      if (accept(K::kStar)) {
        i->kind = ImportKind::kUnqualified;
      } else {
        i->kind = ImportKind::kList;
        const Token& open = take();
        List<Identifier> list(*this);
        do {
          list.add(identifier("a name"));
        } while (accept(K::kComma));
        expect_close(K::kRightBrace, open);
        i->list = list.done();
      }
    } else {
      i->kind = ImportKind::kQualified;
    }
  }
  i->description = description();
  i->range = since(from);
  return i;
}

const Extends* Parser::extends_clause() {
  const std::uint32_t from = begin();
  take();
  Extends* e = arena_.make<Extends>();
  e->type = name(true);
  if (is(K::kLeftParen)) e->modification = class_modification(true);
  e->annotation = optional_annotation();
  e->range = since(from);
  return e;
}

const Constraint* Parser::constraint() {
  const std::uint32_t from = begin();
  take();
  Constraint* c = arena_.make<Constraint>();
  c->type = name(true);
  if (is(K::kLeftParen)) c->modification = class_modification();
  c->description = description();
  c->range = since(from);
  return c;
}

// [flow | stream] [discrete | parameter | constant] [input | output]
TypePrefix Parser::type_prefix() {
  TypePrefix p;
  int last = 0;
  for (;;) {
    int place = 0;
    TypePrefix next = p;
    switch (kind()) {
      case K::kFlow:
        place = 1;
        next.connecting = Connecting::kFlow;
        break;
      case K::kStream:
        place = 1;
        next.connecting = Connecting::kStream;
        break;
      case K::kDiscrete:
        place = 2;
        next.variability = Variability::kDiscrete;
        break;
      case K::kParameter:
        place = 2;
        next.variability = Variability::kParameter;
        break;
      case K::kConstant:
        place = 2;
        next.variability = Variability::kConstant;
        break;
      case K::kInput:
        place = 3;
        next.causality = Causality::kInput;
        break;
      case K::kOutput:
        place = 3;
        next.causality = Causality::kOutput;
        break;
      default:
        return p;
    }
    if (place <= last) {
      mild_error(here(Code::kPrefixOrder, place == last ? "`" + std::string(text(at_->range())) +
                                                              "` excludes the prefix before it"
                                                        : "`" + std::string(text(at_->range())) +
                                                              "` must stand further left")
                     .note("the order is `flow` or `stream`, then `discrete`, `parameter` or "
                           "`constant`, then `input` or `output`"));
    }
    last = place;
    p = next;
    take();
  }
}

const ComponentClause* Parser::component_clause(bool single) {
  const std::uint32_t from = begin();
  ComponentClause* c = arena_.make<ComponentClause>();
  c->prefix = type_prefix();
  if (!is(K::kIdentifier) && !is(K::kDot) && !recovering_) {
    error(here(Code::kExpectedDeclaration, "expected a declaration, found " + found()));
    return c;
  }
  c->type = name(true);
  if (is(K::kLeftBracket)) c->subscripts = subscripts();
  if (!recovering_ && !is(K::kIdentifier)) {
    if (is(K::kEqual) || is(K::kLeftParen) || is(K::kAssign)) {
      error(Diagnostic(Code::kEquationAmongDeclarations,
                       "an equation cannot stand among declarations", span({from, previous_end()}))
                .suggest("begin a section with `equation` or `algorithm` before it, or give the "
                         "declaration its type"));
      return c;
    }
  }
  List<Component> list(*this);
  do {
    list.add(component(!single));
  } while (!single && !recovering_ && accept(K::kComma));
  c->components = list.done();
  c->range = since(from);
  return c;
}

Component Parser::component(bool conditional) {
  const std::uint32_t from = begin();
  Component c{};
  c.name = identifier("the name of a component");
  if (is(K::kLeftBracket)) c.subscripts = subscripts();
  c.modification = modification();
  if (conditional && accept(K::kIf)) c.condition = expression();
  c.description = description();
  c.range = since(from);
  return c;
}

// Base Modelica: parameter equation guess(x) = e.
const Equation* Parser::parameter_equation() {
  const std::uint32_t from = begin();
  take();
  take();
  Equation* e = arena_.make<Equation>();
  e->kind = EquationKind::kEqual;
  e->left = simple_expression();
  expect(K::kEqual, Code::kUnexpectedToken, "in this parameter equation");
  e->right = expression();
  e->description = description();
  e->range = since(from);
  return e;
}

}  // namespace arges::lang
