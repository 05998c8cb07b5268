// Expressions as text.

#include "arges/parse/printer.h"

namespace arges::lang {

void Printer::name(const Name& n) {
  if (n.global) put(".");
  for (std::size_t i = 0; i < n.parts.size(); ++i) put(i > 0 ? "." : "").put(n.parts[i].text);
}

void Printer::list(ExprList l) {
  for (std::size_t i = 0; i < l.size(); ++i) {
    if (i > 0) put(", ");
    expr(l[i]);
  }
}

void Printer::subscripts(ExprList l) {
  if (l.empty()) return;
  put("[");
  list(l);
  put("]");
}

void Printer::named(std::span<const NamedArgument> l, bool first) {
  for (const NamedArgument& a : l) {
    put(first ? "" : ", ").put(a.name.text).put(" = ");
    expr(a.value);
    first = false;
  }
}

void Printer::indices(std::span<const ForIndex> l) {
  for (std::size_t i = 0; i < l.size(); ++i) {
    put(i > 0 ? ", " : "").put(l[i].name.text);
    if (l[i].range == nullptr) continue;
    put(" in ");
    expr(l[i].range);
  }
}

void Printer::if_expr(const IfExpr& e) {
  for (std::size_t i = 0; i < e.branches.size(); ++i) {
    put(i == 0 ? "if " : " elseif ");
    expr(e.branches[i].condition);
    put(" then ");
    expr(e.branches[i].value);
  }
  put(" else ");
  expr(e.otherwise);
}

void Printer::reference(const ReferenceExpr& e) {
  if (e.global) put(".");
  for (std::size_t i = 0; i < e.parts.size(); ++i) {
    put(i > 0 ? "." : "").put(e.parts[i].name.text);
    subscripts(e.parts[i].subscripts);
  }
}

void Printer::call(const CallExpr& e) {
  reference(*e.callee);
  put("(");
  list(e.positional);
  if (!e.iterators.empty()) {
    put(" for ");
    indices(e.iterators);
  }
  named(e.named, e.positional.empty());
  put(")");
}

void Printer::matrix(const MatrixExpr& e) {
  put("[");
  for (std::size_t i = 0; i < e.rows.size(); ++i) {
    if (i > 0) put("; ");
    list(e.rows[i]);
  }
  put("]");
}

void Printer::tuple(const TupleExpr& e) {
  put("(");
  for (std::size_t i = 0; i < e.elements.size(); ++i) {
    if (i > 0) put(", ");
    if (e.elements[i] != nullptr) expr(e.elements[i]);
  }
  put(")");
}

void Printer::expr(const Expr* e) {
  switch (e->kind) {
    case ExprKind::kMissing:
      put("/* missing */");
      break;
    case ExprKind::kInteger:
    case ExprKind::kReal:
    case ExprKind::kString:
      put(as<LiteralExpr>(*e).text);
      break;
    case ExprKind::kTrue:
      put("true");
      break;
    case ExprKind::kFalse:
      put("false");
      break;
    case ExprKind::kColon:
      put(":");
      break;
    case ExprKind::kEnd:
      put("end");
      break;
    case ExprKind::kReference:
      reference(as<ReferenceExpr>(*e));
      break;
    case ExprKind::kCall:
      call(as<CallExpr>(*e));
      break;
    case ExprKind::kUnary: {
      const auto& u = as<UnaryExpr>(*e);
      put(spelling(u.op)).put(u.op == UnaryOp::kNot ? " " : "");
      expr(u.operand);
      break;
    }
    case ExprKind::kChain: {
      const auto& c = as<ChainExpr>(*e);
      expr(c.operands[0]);
      for (std::size_t i = 0; i < c.operators.size(); ++i) {
        const BinaryOp op = c.operators[i];
        // The spaces keep a number before .* from swallowing the dot.
        const bool tight =
            op == BinaryOp::kMultiply || op == BinaryOp::kDivide || op == BinaryOp::kPower;
        put(tight ? "" : " ").put(spelling(op)).put(tight ? "" : " ");
        expr(c.operands[i + 1]);
      }
      break;
    }
    case ExprKind::kIf:
      if_expr(as<IfExpr>(*e));
      break;
    case ExprKind::kRange: {
      const auto& r = as<RangeExpr>(*e);
      expr(r.start);
      put(":");
      if (r.step != nullptr) {
        expr(r.step);
        put(":");
      }
      expr(r.stop);
      break;
    }
    case ExprKind::kArray: {
      const auto& a = as<ArrayExpr>(*e);
      put("{");
      list(a.elements);
      if (!a.iterators.empty()) {
        put(" for ");
        indices(a.iterators);
      }
      put("}");
      break;
    }
    case ExprKind::kMatrix:
      matrix(as<MatrixExpr>(*e));
      break;
    case ExprKind::kTuple:
      tuple(as<TupleExpr>(*e));
      break;
    case ExprKind::kSuffix: {
      const auto& s = as<SuffixExpr>(*e);
      expr(s.base);
      subscripts(s.subscripts);
      if (s.subscripts.empty()) put(".").put(s.member.text);
      break;
    }
    case ExprKind::kPartial: {
      const auto& p = as<PartialExpr>(*e);
      put("function ");
      name(p.function);
      put("(");
      named(p.named, true);
      put(")");
      break;
    }
  }
}

std::string print(const Expr& e) {
  std::string out;
  const PrintOptions options;
  Printer(out, nullptr, options).expr(&e);
  return out;
}

std::string print(const Name& n) {
  std::string out;
  const PrintOptions options;
  Printer(out, nullptr, options).name(n);
  return out;
}

}  // namespace arges::lang
