// What is shown about a declaration.

#include <fmt/format.h>

#include "arges/lex/lexer.h"
#include "arges/lsp/symbol.h"
#include "arges/parse/print.h"

namespace arges::lsp {

using namespace lang;

namespace {

std::string description_text(const Description& description) {
  std::string text;
  for (const std::string_view part : description.strings) text += decode_string(part);
  return text;
}

const Expr* attribute_in(const Modification* modification, std::string_view name) {
  if (modification == nullptr) return nullptr;
  for (const Argument& a : modification->arguments) {
    if (a.kind == ArgumentKind::kModify && a.name.parts.size() == 1 &&
        a.name.parts[0].text == name && a.modification != nullptr) {
      return a.modification->value;
    }
  }
  return nullptr;
}

std::string subscript_text(ExprList subscripts) {
  std::string text;
  for (const Expr* e : subscripts) text += (text.empty() ? "" : ", ") + print(*e);
  return text.empty() ? text : "[" + text + "]";
}

// Prefixes, type and name, as written.
std::string component_text(const Symbol& symbol, const SourceFile& file) {
  const ComponentClause& clause = *symbol.member->element->components;
  return fmt::format("{}{} {}{}", file.text({clause.range.begin, clause.type.range.end}),
                     subscript_text(clause.subscripts), symbol.name,
                     subscript_text(symbol.member->component->subscripts));
}

std::string_view attribute_meaning(std::string_view name) {
  if (name == "start") return "the initial value, or the first guess of it";
  if (name == "fixed") return "whether the start value holds (true) or is a guess";
  if (name == "unit") return "the unit of the value";
  if (name == "displayUnit") return "the unit that results are shown in";
  if (name == "min") return "the least value";
  if (name == "max") return "the largest value";
  if (name == "nominal") return "the order of magnitude, for scaling";
  if (name == "quantity") return "the physical quantity";
  if (name == "stateSelect") return "how much the variable is wanted as a state";
  return "whether large values count in the error of a step";
}

}  // namespace

std::string Symbols::attribute(const Symbol& symbol, std::string_view name) {
  const Expr* value = nullptr;
  if (symbol.kind == SymbolKind::kComponent)
    value = attribute_in(symbol.member->component->modification, name);
  ClassNode* type = type_of(symbol);
  constexpr int kMaxTypes = 100;  // more are a circle
  for (int i = 0; value == nullptr && type != nullptr && i < kMaxTypes; ++i) {
    const ClassDef* def = tree_.definition(*type);
    if (def == nullptr) break;
    value = attribute_in(def->modification, name);
    const auto& bases = lookup_.bases(*type);
    if (value == nullptr && bases.size() == 1 && bases[0].second != nullptr)
      value = attribute_in(bases[0].second->modification, name);
    type = bases.size() == 1 ? bases[0].first : nullptr;
  }
  if (value == nullptr) return {};
  return value->kind == ExprKind::kString ? decode_string(as<LiteralExpr>(*value).text)
                                          : print(*value);
}

std::string Symbols::summary(const Symbol& symbol) {
  switch (symbol.kind) {
    case SymbolKind::kComponent:
      return component_text(symbol, *tree_.file(*symbol.owner));
    case SymbolKind::kClass: {
      // A class that stands in its own file is not read for a line in a list.
      if (symbol.member == nullptr || symbol.member->element == nullptr) return {};
      const ClassDef* def = tree_.definition(*symbol.node);
      return def == nullptr ? "" : fmt::format("{} {}", spelling(def->kind), symbol.name);
    }
    case SymbolKind::kLiteral:
      return symbol.owner->path() + "." + symbol.name;
    case SymbolKind::kIndex:
      return "index of a loop";
    case SymbolKind::kFunction:
      return "predefined";
    case SymbolKind::kAttribute:
      return std::string(attribute_meaning(symbol.name));
    case SymbolKind::kTime:
      return "Real time";
  }
  return {};
}

std::string Symbols::describe(const Symbol& symbol) {
  std::string code, text;
  const auto add = [&](const std::string& paragraph) {
    if (!paragraph.empty()) text += "\n\n" + paragraph;
  };
  switch (symbol.kind) {
    case SymbolKind::kComponent: {
      const Component& component = *symbol.member->component;
      code = component_text(symbol, *tree_.file(*symbol.owner));
      if (component.modification != nullptr && component.modification->value != nullptr)
        code += " = " + print(*component.modification->value);
      add(description_text(component.description));
      if (const std::string unit = attribute(symbol, "unit"); !unit.empty()) {
        const std::string shown = attribute(symbol, "displayUnit");
        add(fmt::format(
            "unit `{}`{}", unit,
            shown.empty() || shown == unit ? "" : fmt::format(", shown in `{}`", shown)));
      }
      if (ClassNode* type = type_of(symbol); type != nullptr && !type->is_predefined())
        add(fmt::format("of type `{}`", type->path()));
      add(fmt::format("declared in `{}`", symbol.owner->path()));
      break;
    }
    case SymbolKind::kClass: {
      const ClassDef* def = tree_.definition(*symbol.node);
      if (def == nullptr) return {};
      if (symbol.node->is_predefined()) {
        code = symbol.name;
        add("a predefined type");
        break;
      }
      code = fmt::format("{}{} {}", def->partial ? "partial " : "", spelling(def->kind),
                         symbol.node->path());
      if (def->form == ClassForm::kShort) code += " = " + print(def->base);
      add(description_text(def->description));
      if (const std::string unit = attribute(symbol, "unit"); !unit.empty())
        add(fmt::format("unit `{}`", unit));
      break;
    }
    case SymbolKind::kLiteral:
      code = symbol.owner->path() + "." + symbol.name;
      add(description_text(symbol.member->literal->description));
      break;
    case SymbolKind::kIndex:
      code = symbol.name;
      if (symbol.index->range != nullptr) code += " in " + print(*symbol.index->range);
      add("index of a loop");
      break;
    case SymbolKind::kFunction:
      code = symbol.name;
      add("a predefined function or operator");
      break;
    case SymbolKind::kAttribute:
      code = symbol.name;
      add(fmt::format("attribute of `{}`: {}", symbol.owner->path(),
                      attribute_meaning(symbol.name)));
      break;
    case SymbolKind::kTime:
      code = "Real time(unit = \"s\")";
      add("the time of the simulation");
      break;
  }
  return "```modelica\n" + code + "\n```" + text;
}

diag::Span Symbols::declaration(const Symbol& symbol) {
  switch (symbol.kind) {
    case SymbolKind::kClass: {
      const ClassDef* def = tree_.definition(*symbol.node);
      if (def == nullptr || symbol.node->is_predefined()) return {};
      return {tree_.file(*symbol.node), def->name.range()};
    }
    case SymbolKind::kComponent:
      return {tree_.file(*symbol.owner), symbol.member->component->name.range()};
    case SymbolKind::kLiteral:
      if (symbol.owner->is_predefined()) return {};
      return {tree_.file(*symbol.owner), symbol.member->literal->name.range()};
    case SymbolKind::kIndex:
      return {tree_.file(*symbol.owner), symbol.index->name.range()};
    case SymbolKind::kFunction:
    case SymbolKind::kAttribute:
    case SymbolKind::kTime:
      return {};
  }
  return {};
}

}  // namespace arges::lsp
