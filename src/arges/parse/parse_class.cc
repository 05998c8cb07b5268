// Files and classes.

#include "arges/parse/parser_impl.h"

namespace arges::lang {

using K = TokenKind;

std::string_view spelling(ClassKind kind) {
  static constexpr std::string_view kText[] = {"class",
                                               "model",
                                               "record",
                                               "operator record",
                                               "block",
                                               "connector",
                                               "expandable connector",
                                               "type",
                                               "package",
                                               "function",
                                               "operator function",
                                               "operator"};
  return kText[static_cast<std::size_t>(kind)];
}

const StoredDefinition* Parser::stored_definition() {
  StoredDefinition* d = arena_.make<StoredDefinition>();
  d->is_base_modelica = base_modelica_;
  if (is(K::kWithin)) {
    take();
    d->has_within = true;
    if (!is(K::kSemicolon)) d->within = name(false);
    if (recovering_) {
      synchronise();
    } else {
      semicolon("within clause");
    }
  }
  List<StoredClass> classes(*this);
  while (!is(K::kEndOfFile)) {
    const Token* before = at_;
    StoredClass c{nullptr, accept(K::kFinal)};
    if (begins_class()) {
      c.class_def = class_definition();
      classes.add(c);
      if (recovering_) {
        synchronise();
      } else {
        semicolon("class");
      }
      continue;
    }
    if (is(K::kWithin)) {
      error(here(Code::kWithinNotFirst, "`within` must be the first thing in a file"));
    } else if (is(K::kEnd)) {
      error(here(Code::kStrayEnd, "this `end` closes nothing")
                .suggest("one `end` too many, or the class was closed too early"));
    } else if (is(K::kSemicolon)) {
      mild_error(here(Code::kStrayToken, "a `;` too many"));
      take();
      continue;
    } else {
      error(here(Code::kExpectedClass, "expected a class, found " + found())
                .suggest("a file holds classes: `model M ... end M;`"));
    }
    // To the next class, or past the next `;`.
    recovering_ = gave_up_;
    if (at_ == before || is(K::kEnd) || is(K::kWithin)) take();
    while (!is(K::kEndOfFile) && !(begins_class() && on_new_line()) && !accept(K::kSemicolon)) {
      take();
    }
  }
  d->classes = classes.done();
  d->range = {first_->begin, previous_end()};
  return d;
}

bool Parser::begins_class() const {
  switch (kind()) {
    case K::kEncapsulated:
    case K::kPartial:
    case K::kClass:
    case K::kModel:
    case K::kRecord:
    case K::kBlock:
    case K::kConnector:
    case K::kExpandable:
    case K::kType:
    case K::kPackage:
    case K::kPure:
    case K::kImpure:
    case K::kOperator:
    case K::kFunction:
      return true;
    default:
      return false;
  }
}

void Parser::class_prefixes(ClassDef& c) {
  const std::uint32_t from = begin();
  c.encapsulated = accept(K::kEncapsulated);
  c.partial = accept(K::kPartial);
  if (is(K::kEncapsulated)) {
    mild_error(here(Code::kPrefixOrder, "`encapsulated` stands before `partial`"));
    take();
    c.encapsulated = true;
  }
  c.purity = accept(K::kPure)     ? Purity::kPure
             : accept(K::kImpure) ? Purity::kImpure
                                  : Purity::kNone;
  if (c.purity == Purity::kPure && base_modelica_) c.constant_function = accept(K::kConstant);
  const bool op = accept(K::kOperator);
  const bool expandable = !op && accept(K::kExpandable);
  const auto set = [&](ClassKind kind) {
    take();
    c.kind = kind;
  };
  switch (kind()) {
    case K::kFunction:
      set(op ? ClassKind::kOperatorFunction : ClassKind::kFunction);
      break;
    case K::kRecord:
      set(op ? ClassKind::kOperatorRecord : ClassKind::kRecord);
      break;
    case K::kConnector:
      set(expandable ? ClassKind::kExpandableConnector : ClassKind::kConnector);
      break;
    case K::kClass:
      set(ClassKind::kClass);
      break;
    case K::kModel:
      set(ClassKind::kModel);
      break;
    case K::kBlock:
      set(ClassKind::kBlock);
      break;
    case K::kType:
      set(ClassKind::kType);
      break;
    case K::kPackage:
      set(ClassKind::kPackage);
      break;
    default:
      c.kind = ClassKind::kOperator;
      if (!op) {
        error(here(
            Code::kExpectedClassKind,
            "expected `model`, `block`, `function` or another kind of class, found " + found()));
      }
      return;
  }
  const bool fits =
      (!op || c.kind == ClassKind::kOperatorFunction || c.kind == ClassKind::kOperatorRecord) &&
      (!expandable || c.kind == ClassKind::kExpandableConnector) &&
      (c.purity == Purity::kNone || c.kind == ClassKind::kFunction ||
       c.kind == ClassKind::kOperatorFunction);
  if (!fits && !recovering_) {
    const std::string prefix = op                          ? "operator"
                               : expandable                ? "expandable"
                               : c.purity == Purity::kPure ? "pure"
                                                           : "impure";
    mild_error(Diagnostic(Code::kExpectedClassKind,
                          "a " + std::string(spelling(c.kind)) + " cannot be `" + prefix + "`",
                          span(since(from))));
  }
}

const ClassDef* Parser::class_definition(bool short_only) {
  ClassDef* c = arena_.make<ClassDef>();
  const Nested nested(*this);
  if (!nested) return c;
  const std::uint32_t from = begin();
  class_prefixes(*c);
  // Messages name a class by the keyword that ends its prefixes.
  const K keyword = at_ == first_ ? K::kClass : at_[-1].kind;
  if (accept(K::kExtends)) c->form = ClassForm::kExtends;
  c->name = identifier("the name of the class");
  const TextRange head{from, previous_end()};
  if (c->form != ClassForm::kExtends && is(K::kEqual)) {
    take();
    short_class(*c);
  } else {
    if (short_only) {
      mild_error(
          here(Code::kLongClassInModification,
               "only a short class definition can stand in a modification, found " + found())
              .suggest("define the class elsewhere and write `redeclare model M = ThatClass`"));
    }
    const Opening opening{keyword, c->name.text, head};
    if (c->form == ClassForm::kExtends && is(K::kLeftParen)) {
      c->modification = class_modification();
    }
    c->description.strings = description_string();
    composition(*c, opening);
  }
  c->range = since(from);
  return c;
}

void Parser::short_class(ClassDef& c) {
  if (is(K::kEnumeration)) {
    enumeration(c);
  } else if (is(K::kDer)) {
    derivative_class(c);
  } else {
    c.form = ClassForm::kShort;
    c.causality = accept(K::kInput)    ? Causality::kInput
                  : accept(K::kOutput) ? Causality::kOutput
                                       : Causality::kNone;
    c.base = name(true);
    if (is(K::kLeftBracket)) c.subscripts = subscripts();
    if (is(K::kLeftParen)) c.modification = class_modification();
  }
  c.description = description();
}

void Parser::enumeration(ClassDef& c) {
  c.form = ClassForm::kEnumeration;
  take();
  if (!is(K::kLeftParen)) {
    expect(K::kLeftParen, Code::kUnexpectedToken, "after `enumeration`");
    return;
  }
  const Token& open = take();
  if (accept(K::kColon)) {
    c.any_enumeration = true;
  } else if (!is(K::kRightParen)) {
    List<EnumLiteral> list(*this);
    do {
      EnumLiteral literal;
      literal.name = identifier("the name of a literal");
      literal.description = description();
      list.add(literal);
    } while (accept(K::kComma));
    c.literals = list.done();
  }
  expect_close(K::kRightParen, open);
}

void Parser::derivative_class(ClassDef& c) {
  c.form = ClassForm::kDerivative;
  take();
  if (!is(K::kLeftParen)) {
    expect(K::kLeftParen, Code::kUnexpectedToken, "after `der`");
    return;
  }
  const Token& open = take();
  c.base = name(true);
  expect(K::kComma, Code::kUnexpectedToken, "after the name of the function");
  List<Identifier> list(*this);
  do {
    list.add(identifier("the name of an input"));
  } while (accept(K::kComma));
  c.variables = list.done();
  expect_close(K::kRightParen, open);
}

// Sections until `end`; then an external clause and an annotation in their places.
void Parser::composition(ClassDef& c, const Opening& opening) {
  open_.push_back(opening);
  recovering_ = gave_up_ || recovering_;
  if (recovering_) synchronise();
  List<Section> sections(*this);
  if (!begins_section() || is(K::kExternal)) {
    Section first{};
    first.kind = SectionKind::kFirst;
    const std::uint32_t from = begin();
    first.elements = elements(c);
    first.range = since(from);
    if (!first.elements.empty()) sections.add(first);
  }
  for (;;) {
    const Token* before = at_;
    if (is(K::kEnd) || is(K::kEndOfFile)) break;
    if (is(K::kExternal)) {
      external_clause(c);
    } else if (is(K::kAnnotation)) {
      class_annotation(c);
    } else if (!section(sections, c)) {
      error(here(Code::kStrayToken, found() + " cannot stand here"));
      synchronise();
      if (at_ == before) take();
    }
  }
  c.sections = sections.done();
  open_.pop_back();
  expect_class_end(opening);
}

bool Parser::section(List<Section>& sections, ClassDef& c) {
  Section s{};
  const std::uint32_t from = begin();
  const bool initial = is(K::kInitial) && begins_section();
  if (initial) take();
  switch (kind()) {
    case K::kPublic:
    case K::kProtected:
      s.kind = is(K::kPublic) ? SectionKind::kPublic : SectionKind::kProtected;
      take();
      s.elements = elements(c);
      break;
    case K::kEquation:
      s.kind = initial ? SectionKind::kInitialEquation : SectionKind::kEquation;
      take();
      s.equations = equations();
      break;
    case K::kAlgorithm:
      s.kind = initial ? SectionKind::kInitialAlgorithm : SectionKind::kAlgorithm;
      take();
      s.statements = statements();
      break;
    default:
      return false;
  }
  s.range = since(from);
  sections.add(s);
  return true;
}

void Parser::external_clause(ClassDef& c) {
  if (c.external != nullptr) {
    mild_error(here(Code::kMisplacedExternal, "a function has only one `external` clause"));
  }
  const std::uint32_t from = begin();
  take();
  External* e = arena_.make<External>();
  if (is(K::kString)) e->language = text(take().range());
  if (is(K::kIdentifier) || is(K::kDot)) {
    if (peek() != K::kLeftParen) {
      e->result = component_reference();
      expect(K::kEqual, Code::kUnexpectedToken, "after the result of the external call");
    }
    e->function = identifier("the name of the external function");
    if (is(K::kLeftParen)) {
      const Token& open = take();
      e->arguments = expression_list(K::kRightParen);
      expect_close(K::kRightParen, open);
    } else {
      expect(K::kLeftParen, Code::kUnexpectedToken, "after the name of the external function");
    }
  }
  e->annotation = optional_annotation();
  e->range = since(from);
  c.external = e;
  if (recovering_) {
    synchronise();
  } else {
    semicolon("external clause");
  }
}

}  // namespace arges::lang
