#include "arges/flatten/unit_check.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "arges/expr/print.h"
#include "arges/flat/print.h"
#include "arges/flat/units.h"
#include "arges/flatten/text_span.h"

namespace arges::lang {

using diag::Code;
using diag::Diagnostic;

namespace {

using Known = std::optional<Unit>;

// Numbers such as 2, 0.5 or 1/3 count things; 9.81 and 10000 may have a unit that the text does not
// tell.
bool is_plain_number(double x) {
  if (std::abs(x) > 16) return false;
  for (const double n : {1.0, 3.0, 8.0}) {
    if (x * n == std::round(x * n)) return true;
  }
  return false;
}

class UnitChecker {
 public:
  UnitChecker(const FlatModel& model, ClassTree& tree) : model_(model), tree_(tree) {
    units_.reserve(model.variables.size());
    std::unordered_map<std::string, Known> parsed;
    for (const FlatVariable& v : model.variables) {
      if (v.unit.empty() || v.type != ScalarType::kReal) {
        units_.emplace_back();
        continue;
      }
      const auto [it, fresh] = parsed.try_emplace(v.unit);
      if (fresh) it->second = parse_unit(v.unit);
      units_.push_back(it->second);
    }
  }

  void run() {
    for (std::size_t i = 0; i < model_.variables.size(); ++i) {
      const FlatVariable& v = model_.variables[i];
      if (!units_[i]) continue;
      origin_ = &v.origin;
      // The text of a value may stand elsewhere: only variables can be trusted.
      const auto value = [&](ExprId e, const char* what) {
        if (!e.valid() || model_.pool[e].op != Op::kVar) return;
        plain_ = false;
        skip_name_ = true;
        agree(units_[i], unit(e), what + quote(v.name));
      };
      value(v.binding, "the value of ");
      skip_name_ = false;
    }
    for (const auto* list : {&model_.equations, &model_.initial_equations}) {
      for (const FlatEquation& e : *list) {
        origin_ = &e.origin;
        plain_ = model_.pool[e.lhs].op == Op::kVar && model_.pool[e.rhs].op == Op::kVar;
        if (model_.pool.is_constant(e.lhs) && model_.pool[e.rhs].op == Op::kIf) {
          cases(e.rhs);  // residuals, each of an equation of its own
          continue;
        }
        const Known left = unit(e.lhs);
        const Known right = unit(e.rhs);
        agree(left, right, "this equation");
      }
    }
    for (const FlatAssert& a : model_.asserts) {
      origin_ = &a.origin;
      plain_ = false;
      unit(a.condition);
    }
    for (const WhenClause& w : model_.whens) {
      for (const WhenBranch& b : w.branches) {
        for (const WhenAction& a : b.actions) {
          if (!a.target.valid() || !a.value.valid()) continue;
          origin_ = &a.origin;
          plain_ = false;
          agree(units_[static_cast<std::size_t>(a.target.index)], unit(a.value), "this equation");
        }
      }
    }
  }

 private:
  void cases(ExprId e) {
    for (; model_.pool[e].op == Op::kIf; e = model_.pool.arg(e, 2)) {
      unit(model_.pool.arg(e, 0));
      cases(model_.pool.arg(e, 1));
    }
    unit(e);
  }

  static std::string quote(const std::string& name) { return "`" + name + "`"; }

  void agree(const Known& a, const Known& b, const std::string& what) {
    if (!a || !b || compatible(*a, *b)) return;
    const diag::Span where = text_span(*origin_, model_.pool, tree_);
    if (where.file == nullptr) return;
    std::string_view text = where.file->text(where.range);
    if (skip_name_) {  // of a declaration, what stands behind the name
      const std::size_t equals = text.find('=');
      if (equals == std::string_view::npos) return;
      text.remove_prefix(equals);
    }
    if (!plain_ && !only_variables(text)) return;
    if (!told_.insert({where.file->path(), origin_->line, origin_->column}).second) return;
    Diagnostic d(
        Code::kUnitMismatch,
        "the units of " + what + " do not fit: `" + to_string(*a) + "` and `" + to_string(*b) + "`",
        where);
    const std::string& component = model_.pool.text(origin_->component);
    if (!component.empty()) d.note("in the component " + quote(component));
    tree_.diagnostics().report(std::move(d));
  }

  static std::string without_subscripts(std::string_view name) {
    std::string out;
    int depth = 0;
    for (const char c : name) {
      if (c == '[') ++depth;
      if (depth == 0) out += c;
      if (c == ']') --depth;
    }
    return out;
  }

  // Does an equation name variables of its component and predefined functions only?
  bool only_variables(std::string_view text) {
    static constexpr std::string_view kWords[] = {
        "if",   "then", "elseif", "else",  "and",     "or",     "not",      "true", "false",
        "time", "der",  "pre",    "abs",   "sqrt",    "min",    "max",      "sin",  "cos",
        "tan",  "exp",  "log",    "log10", "noEvent", "smooth", "homotopy", "sign", "sum"};
    if (text.find_first_of("\"/") != std::string_view::npos &&
        (text.find("//") != std::string_view::npos || text.find("/*") != std::string_view::npos ||
         text.find('"') != std::string_view::npos)) {
      return false;  // strings and comments are not worth reading here
    }
    if (changing_.empty()) {
      for (const FlatVariable& v : model_.variables) {
        if (v.variability != FlatVariability::kConstant && !v.evaluate) {
          changing_.insert(without_subscripts(v.name));
        }
      }
    }
    std::string prefix = without_subscripts(model_.pool.text(origin_->component));
    if (!prefix.empty()) prefix += ".";
    const auto is_letter = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (std::size_t i = 0; i < text.size();) {
      if (std::isdigit(static_cast<unsigned char>(text[i])) != 0) {
        while (i < text.size() && (is_letter(text[i]) || text[i] == '.')) ++i;
        continue;
      }
      if (!is_letter(text[i])) {
        if (text[i] == '\'') return false;
        ++i;
        continue;
      }
      std::string name;
      int depth = 0;
      for (; i < text.size(); ++i) {
        if (text[i] == '[') ++depth;
        const bool inside = depth > 0;
        if (text[i] == ']') --depth;
        if (inside) continue;
        if (!is_letter(text[i]) && text[i] != '.') break;
        name += text[i];
      }
      if (std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords)) continue;
      if (changing_.count(prefix + name) == 0) return false;
    }
    return true;
  }

  // The expression graph is shared, so that each node is visited once.
  Known unit(ExprId root) {
    std::vector<ExprId> stack{root};
    while (!stack.empty()) {
      const ExprId e = stack.back();
      if (memo_.count(e.index) != 0) {
        stack.pop_back();
        continue;
      }
      bool ready = true;
      for (const ExprId a : model_.pool.args(e)) {
        if (memo_.count(a.index) == 0) {
          stack.push_back(a);
          ready = false;
        }
      }
      if (!ready) continue;
      stack.pop_back();
      memo_[e.index] = compute(e);
    }
    return memo_[root.index];
  }

  Known known(ExprId e) { return memo_[e.index]; }

  Known of_variable(std::int32_t index) { return units_[static_cast<std::size_t>(index)]; }

  // The unit of those that are known; they must agree.
  Known common(ExprId a, ExprId b, const std::string& what) {
    const Known x = known(a);
    const Known y = known(b);
    agree(x, y, what);
    if (!x) return y;
    if (!y) return x;
    Known both = x;
    both->any_factor = x->any_factor || y->any_factor;
    return both;
  }

  Known compute(ExprId e) {
    const ExprNode& node = model_.pool[e];
    const auto args = model_.pool.args(e);
    const Unit second = *parse_unit("s");
    switch (node.op) {
      case Op::kVar:
      case Op::kPre:
        return of_variable(node.index);
      case Op::kTime:
        return second;
      case Op::kDer: {
        const Known u = of_variable(node.index);
        return u ? Known(*u / second) : std::nullopt;
      }
      case Op::kNeg:
      case Op::kNoEvent:
      case Op::kAbs:
        return known(args[0]);
      case Op::kAdd:
      case Op::kSub:
        return common(args[0], args[1], "the terms of this sum");
      case Op::kMin:
      case Op::kMax:
        return common(args[0], args[1], "the arguments of `min` or `max`");
      case Op::kIndex:
        return known(args[1]);
      case Op::kIf:
        return common(args[1], args[2], "the cases of this expression");
      case Op::kLess:
      case Op::kLessEqual:
      case Op::kGreater:
      case Op::kGreaterEqual:
        common(args[0], args[1], "the sides of this relation");
        return std::nullopt;
      case Op::kSmooth:
        return known(args[1]);
      case Op::kHomotopy:
        return common(args[0], args[1], "the arguments of `homotopy`");
      case Op::kMul:
      case Op::kDiv:
        return product(node.op, args[0], args[1]);
      case Op::kPow: {
        const Known u = known(args[0]);
        if (!u || !model_.pool.is_constant(args[1])) return std::nullopt;
        return power(*u, model_.pool.value(args[1]));
      }
      case Op::kSqrt: {
        const Known u = known(args[0]);
        return u ? power(*u, 0.5) : std::nullopt;
      }
      default:
        return std::nullopt;
    }
  }

  Known product(Op op, ExprId a, ExprId b) {
    const auto factor = [&](ExprId e) -> Known {
      if (!model_.pool.is_constant(e)) return known(e);
      if (!is_plain_number(model_.pool.value(e))) return std::nullopt;
      Unit number;
      number.any_factor = true;
      return number;
    };
    const Known x = factor(a);
    const Known y = factor(b);
    if (!x || !y) return std::nullopt;
    return op == Op::kMul ? *x * *y : *x / *y;
  }

  const FlatModel& model_;
  ClassTree& tree_;
  std::vector<Known> units_;
  std::unordered_map<std::int32_t, Known> memo_;
  std::set<std::tuple<std::string, std::int32_t, std::int32_t>> told_;
  const Origin* origin_ = nullptr;
  bool skip_name_ = false;
  bool plain_ = false;                        // a variable and another one, without arithmetic
  std::unordered_set<std::string> changing_;  // names without subscripts
};

}  // namespace

void check_units(const FlatModel& model, ClassTree& tree) { UnitChecker(model, tree).run(); }

}  // namespace arges::lang
