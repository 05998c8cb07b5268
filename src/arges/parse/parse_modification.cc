// Modifications: (a = 1, redeclare model M = N, each final b(c = 2)) = value.

#include "arges/parse/parser_impl.h"

namespace arges::lang {

using K = TokenKind;

const Modification* Parser::modification() {
  if (!is(K::kLeftParen) && !is(K::kEqual) && !is(K::kAssign)) return nullptr;
  const std::uint32_t from = begin();
  Modification* m = arena_.make<Modification>();
  const Nested nested(*this);
  if (!nested) return m;
  if (is(K::kLeftParen)) arguments(*m, false);
  if (is(K::kAssign)) {
    mild_error(here(Code::kAssignInModification, "a value is given with `=`, not with `:=`")
                   .fix(span(at_->range()), "="));
  }
  if (is(K::kEqual) || is(K::kAssign)) {
    take();
    if (accept(K::kBreak)) {
      m->is_break = true;
    } else {
      m->value = expression();
    }
  }
  m->range = since(from);
  return m;
}

const Modification* Parser::class_modification(bool inheritance) {
  const std::uint32_t from = begin();
  Modification* m = arena_.make<Modification>();
  const Nested nested(*this);
  if (!nested) return m;
  arguments(*m, inheritance);
  m->range = since(from);
  return m;
}

void Parser::arguments(Modification& m, bool inheritance) {
  const Token& open = take();
  m.has_arguments = true;
  List<Argument> list(*this);
  if (!is(K::kRightParen)) {
    do {
      list.add(argument(inheritance));
    } while (!recovering_ && accept(K::kComma));
  }
  expect_close(K::kRightParen, open);
  m.arguments = list.done();
}

Argument Parser::argument(bool inheritance) {
  const std::uint32_t from = begin();
  Argument a{};
  if (is(K::kBreak) && inheritance) {
    break_argument(a);
    a.range = since(from);
    return a;
  }
  a.redeclare = accept(K::kRedeclare);
  a.each = accept(K::kEach);
  a.final = accept(K::kFinal);
  if (is(K::kEach) || is(K::kRedeclare)) {
    mild_error(here(Code::kPrefixOrder, "the prefixes stand in the order `redeclare each final`"));
    while (is(K::kEach) || is(K::kRedeclare) || is(K::kFinal)) take();
  }
  a.replaceable = accept(K::kReplaceable);
  if (a.redeclare || a.replaceable) {
    redeclared(a);
  } else {
    a.kind = ArgumentKind::kModify;
    if (begins_class() && !recovering_) {
      error(here(Code::kRedeclareMissing, "a class in a modification needs `redeclare`")
                .suggest("write `redeclare " + std::string(text(at_->range())) + " ...`"));
    }
    a.name = name(false);
    if (is(K::kLeftBracket) && !recovering_) {
      error(here(Code::kSubscriptInModification, "a modification cannot have subscripts")
                .suggest("give all elements at once: `x = {1, 2, 3}` or `each x = 1`"));
    }
    a.modification = modification();
    a.description.strings = description_string();
    if (base_modelica_) a.description.annotation = optional_annotation();
  }
  a.range = since(from);
  return a;
}

// Modelica 3.7: break x, break connect(a, b).
void Parser::break_argument(Argument& a) {
  take();
  if (!is(K::kConnect)) {
    a.kind = ArgumentKind::kBreakElement;
    a.name = name(false);
    return;
  }
  a.kind = ArgumentKind::kBreakConnection;
  Equation e{};
  connect_equation(e);
  a.connection[0] = e.left;
  a.connection[1] = e.right;
}

void Parser::redeclared(Argument& a) {
  if (begins_class()) {
    a.kind = ArgumentKind::kClass;
    a.class_def = class_definition(true);
  } else {
    a.kind = ArgumentKind::kComponent;
    a.component = component_clause(true);
  }
  if (is(K::kConstrainedby)) {
    if (!a.replaceable) {
      mild_error(
          here(Code::kConstraintWithoutReplaceable, "`constrainedby` needs a replaceable element")
              .suggest("write `redeclare replaceable ...`"));
    }
    a.constraint = constraint();
  }
}

}  // namespace arges::lang
