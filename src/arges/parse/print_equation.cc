// Equations and statements as text.

#include "arges/parse/printer.h"

namespace arges::lang {

void Printer::items(EquationList l) {
  ++indent_;
  for (const Equation* e : l) {
    line();
    equation(*e);
    put(";");
  }
  --indent_;
}

void Printer::items(StatementList l) {
  ++indent_;
  for (const Statement* s : l) {
    line();
    statement(*s);
    put(";");
  }
  --indent_;
}

// if ... elseif ... else ... end if, when ... elsewhen ... end when
template <class Item>
void Printer::block(const Item& item, std::string_view word, std::string_view next) {
  for (std::size_t i = 0; i < item.branches.size(); ++i) {
    if (i > 0) line();
    if (item.branches[i].condition == nullptr) {
      put("else");
    } else {
      put(i == 0 ? word : next).put(" ");
      expr(item.branches[i].condition);
      put(" then");
    }
    items(item.branches[i].body);
  }
  line();
  put("end ").put(word);
}

template <class Item>
void Printer::for_block(const Item& item) {
  put("for ");
  indices(item.indices);
  put(" loop");
  items(item.branches[0].body);
  line();
  put("end for");
}

void Printer::equation(const Equation& e) {
  switch (e.kind) {
    case EquationKind::kMissing:
      put("/* missing */");
      break;
    case EquationKind::kEqual:
      expr(e.left);
      put(" = ");
      expr(e.right);
      break;
    case EquationKind::kCall:
      expr(e.left);
      break;
    case EquationKind::kConnect:
      put("connect(");
      expr(e.left);
      put(", ");
      expr(e.right);
      put(")");
      break;
    case EquationKind::kIf:
      block(e, "if", "elseif");
      break;
    case EquationKind::kWhen:
      block(e, "when", "elsewhen");
      break;
    case EquationKind::kFor:
      for_block(e);
      break;
  }
  description(e.description);
}

void Printer::statement(const Statement& s) {
  switch (s.kind) {
    case StatementKind::kMissing:
      put("/* missing */");
      break;
    case StatementKind::kAssign:
      expr(s.left);
      put(" := ");
      expr(s.right);
      break;
    case StatementKind::kCall:
      expr(s.left);
      break;
    case StatementKind::kBreak:
      put("break");
      break;
    case StatementKind::kReturn:
      put("return");
      break;
    case StatementKind::kIf:
      block(s, "if", "elseif");
      break;
    case StatementKind::kWhen:
      block(s, "when", "elsewhen");
      break;
    case StatementKind::kFor:
      for_block(s);
      break;
    case StatementKind::kWhile:
      put("while ");
      expr(s.branches[0].condition);
      put(" loop");
      items(s.branches[0].body);
      line();
      put("end while");
      break;
  }
  description(s.description);
}

}  // namespace arges::lang
