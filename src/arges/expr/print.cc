#include "arges/expr/print.h"

#include <cmath>
#include <deque>

#include <fmt/format.h>

namespace arges {

namespace {

// Precedence in the grammar of Modelica: higher binds tighter.
enum Level {
  kAny,
  kIfLevel,
  kOrLevel,
  kAndLevel,
  kNotLevel,
  kRelation,
  kSum,
  kProduct,
  kPower,
  kPrimary
};

Level level_of(const ExprPool& pool, ExprId e) {
  switch (pool[e].op) {
    case Op::kIf:
      return kIfLevel;
    case Op::kOr:
      return kOrLevel;
    case Op::kAnd:
      return kAndLevel;
    case Op::kNot:
      return kNotLevel;
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
    case Op::kEqual:
    case Op::kNotEqual:
      return kRelation;
    case Op::kAdd:
    case Op::kSub:
    case Op::kNeg:
      return kSum;
    case Op::kMul:
    case Op::kDiv:
      return kProduct;
    case Op::kPow:
      return kPower;
    case Op::kReal:
    case Op::kInteger:
      return std::signbit(pool[e].value) ? kSum : kPrimary;
    default:
      return kPrimary;
  }
}

class Printer {
 public:
  Printer(const ExprPool& pool, const ExprNames& names) : pool_(pool), names_(names) {}

  std::string run(ExprId root) {
    push(root, kAny);
    while (!stack_.empty()) {
      const Item item = stack_.back();
      stack_.pop_back();
      if (out_.size() > names_.enough) return std::move(out_) + "...";
      if (item.text != nullptr) {
        out_ += item.text;
      } else {
        visit(item.e, item.least);
      }
    }
    return std::move(out_);
  }

 private:
  struct Item {
    const char* text;  // or null: an expression of at least this level
    ExprId e;
    Level least;
  };

  void push(ExprId e, Level least) { stack_.push_back({nullptr, e, least}); }
  void push(const char* text) { stack_.push_back({text, {}, kAny}); }

  // Pushes in reverse order: the stack prints the last one first.
  void visit(ExprId e, Level least) {
    if (names_.stands_for && pool_[e].op == Op::kVar) {
      if (const ExprId meant = names_.stands_for(pool_.var(e)); meant.valid())
        return visit(meant, least);
    }
    const Level level = level_of(pool_, e);
    if (level < least) {
      out_ += "(";
      push(")");
      least = kAny;
    }
    const ExprNode& node = pool_[e];
    const auto args = pool_.args(e);
    switch (node.op) {
      case Op::kReal:
        out_ += real_literal(node.value);
        return;
      case Op::kInteger:
        out_ += fmt::format("{:.0f}", node.value);
        return;
      case Op::kBoolean:
        out_ += node.value != 0 ? "true" : "false";
        return;
      case Op::kString:
        out_ += quoted(pool_.text(StringId{node.index}));
        return;
      case Op::kVar:
        out_ += names_.variable(VarId{node.index});
        return;
      case Op::kLocal:
        out_ += names_.local(LocalId{node.index});
        return;
      case Op::kTime:
        out_ += "time";
        return;
      case Op::kDer:
      case Op::kPre:
      case Op::kEdge:
      case Op::kChange:
        out_ += fmt::format("{}({})", to_string(node.op), names_.variable(VarId{node.index}));
        return;
      case Op::kInitial:
      case Op::kTerminal:
        out_ += fmt::format("{}()", to_string(node.op));
        return;
      case Op::kNeg:
        out_ += "-";
        return push(args[0], kProduct);
      case Op::kNot:
        out_ += "not ";
        return push(args[0], kRelation);
      case Op::kIf:
        push(args[2], kIfLevel);
        push(" else ");
        push(args[1], kOrLevel);
        push(" then ");
        push(args[0], kOrLevel);
        out_ += "if ";
        return;
      case Op::kAdd:
        return infix(args, kSum, " + ", kProduct);
      case Op::kSub:
        return infix(args, kSum, " - ", kProduct);
      case Op::kMul:
        return infix(args, kProduct, "*", kPower);
      case Op::kDiv:
        return infix(args, kProduct, "/", kPower);
      case Op::kPow:
        return infix(args, kPrimary, "^", kPrimary);
      case Op::kLess:
        return infix(args, kSum, " < ", kSum);
      case Op::kLessEqual:
        return infix(args, kSum, " <= ", kSum);
      case Op::kGreater:
        return infix(args, kSum, " > ", kSum);
      case Op::kGreaterEqual:
        return infix(args, kSum, " >= ", kSum);
      case Op::kEqual:
        return infix(args, kSum, " == ", kSum);
      case Op::kNotEqual:
        return infix(args, kSum, " <> ", kSum);
      case Op::kAnd:
        return infix(args, kAndLevel, " and ", kNotLevel);
      case Op::kOr:
        return infix(args, kOrLevel, " or ", kAndLevel);
      case Op::kResult:
        if (names_.result) {
          const ExprId call = args[0];
          const FunctionId f{pool_[call].index};
          out_ += names_.result(f, node.index);
          return arguments(f, pool_.args(call));
        }
        if (node.index > 0) {
          suffixes_.push_back(fmt::format(".{}", node.index + 1));
          push(suffixes_.back().c_str());
        }
        return push(args[0], kPrimary);
      case Op::kCall:
        out_ += names_.function(FunctionId{node.index});
        return list("(", args, ")");
      case Op::kElement:
        out_ += names_.local(LocalId{node.index});
        return list("[", args, "]");
      case Op::kIndex:
        push("]");
        push(args[0], kAny);
        push("})[");
        return list("({", args.subspan(1), "");
      case Op::kToInteger:
        // Enumerations are written as Integers.
        if (names_.result && pool_[args[0]].type == ScalarType::kEnumeration) {
          return push(args[0], kPrimary);
        }
        out_ += to_string(node.op);
        return list("(", args, ")");
      case Op::kToString:
        if (names_.result && args.size() == 4) {
          // The digits are for Reals only.
          const bool real = pool_[args[0]].type == ScalarType::kReal;
          push(")");
          push(args[3], kAny);
          push(", leftJustified = ");
          push(args[2], kAny);
          push(", minimumLength = ");
          if (real) {
            push(args[1], kAny);
            push(", significantDigits = ");
          }
          push(args[0], kAny);
          out_ += "String(";
          return;
        }
        if (names_.result && args.size() == 2) {
          push(")");
          push(args[1], kAny);
          push(", format = ");
          push(args[0], kAny);
          out_ += "String(";
          return;
        }
        out_ += to_string(node.op);
        return list("(", args, ")");
      default:
        out_ += to_string(node.op);
        return list("(", args, ")");
    }
  }

  void infix(std::span<const ExprId> args, Level left, const char* symbol, Level right) {
    push(args[1], right);
    push(symbol);
    push(args[0], left);
  }

  void list(const char* open, std::span<const ExprId> args, const char* close) {
    push(close);
    for (std::size_t i = args.size(); i-- > 0;) {
      push(args[i], kAny);
      if (i > 0) push(", ");
    }
    out_ += open;
  }

  void arguments(FunctionId f, std::span<const ExprId> args) {
    push(")");
    for (std::size_t i = args.size(); i-- > 0;) {
      const auto [before, after] = names_.brackets(f, i);
      if (!after.empty()) push(suffixes_.emplace_back(after).c_str());
      push(args[i], kAny);
      if (!before.empty()) push(suffixes_.emplace_back(before).c_str());
      if (i > 0) push(", ");
    }
    out_ += "(";
  }

  static std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      if (c == '\n') {
        out += "\\n";
      } else {
        out += c;
      }
    }
    return out + "\"";
  }

  const ExprPool& pool_;
  const ExprNames& names_;
  std::string out_;
  std::vector<Item> stack_;
  std::deque<std::string> suffixes_;
};

}  // namespace

std::string real_literal(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string to_text(const ExprPool& pool, ExprId root, const ExprNames& names) {
  return Printer(pool, names).run(root);
}

}  // namespace arges
