// if, when, for, while: the same in equations and algorithms.

#include <type_traits>

#include "arges/parse/parser_impl.h"

namespace arges::lang {

using K = TokenKind;

std::span<const Equation* const> Parser::body_of(const Equation* /*which list*/) {
  return equations();
}
std::span<const Statement* const> Parser::body_of(const Statement* /*which list*/) {
  return statements();
}

template <class Item>
void Parser::branches(Item& item, K first, K next) {
  const Opening opening{first, {}, at_->range()};
  open_.push_back(opening);
  List<Branch<Item>> all(*this);
  do {
    const std::string_view word = text(take().range());
    const Expr* condition = expression();
    expect_header_end(K::kThen, Code::kMissingThen, word);
    all.add({condition, body_of(&item)});
  } while (is(next));
  if (first == K::kIf && accept(K::kElse)) all.add({nullptr, body_of(&item)});
  item.branches = all.done();
  open_.pop_back();
  expect_end(opening);
}

template <class Item>
void Parser::if_block(Item& item) {
  item.kind = decltype(item.kind)::kIf;
  branches(item, K::kIf, K::kElseif);
}

template <class Item>
void Parser::when_block(Item& item) {
  item.kind = decltype(item.kind)::kWhen;
  branches(item, K::kWhen, K::kElsewhen);
}

template <class Item>
void Parser::for_block(Item& item) {
  item.kind = decltype(item.kind)::kFor;
  const Opening opening{K::kFor, {}, at_->range()};
  open_.push_back(opening);
  take();
  item.indices = for_indices();
  expect_header_end(K::kLoop, Code::kMissingLoop, "for");
  List<Branch<Item>> branches(*this);
  branches.add({nullptr, body_of(&item)});
  item.branches = branches.done();
  open_.pop_back();
  expect_end(opening);
}

void Parser::while_block(Statement& s) {
  s.kind = StatementKind::kWhile;
  const Opening opening{K::kWhile, {}, at_->range()};
  open_.push_back(opening);
  take();
  const Expr* condition = expression();
  expect_header_end(K::kLoop, Code::kMissingLoop, "while");
  List<Branch<Statement>> branches(*this);
  branches.add({condition, statements()});
  s.branches = branches.done();
  open_.pop_back();
  expect_end(opening);
}

template void Parser::if_block(Equation&);
template void Parser::if_block(Statement&);
template void Parser::when_block(Equation&);
template void Parser::when_block(Statement&);
template void Parser::for_block(Equation&);
template void Parser::for_block(Statement&);

}  // namespace arges::lang
