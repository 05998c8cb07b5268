#include "arges/flat/print.h"

#include <cctype>

#include <fmt/format.h>

namespace arges {

std::string base_modelica_name(const std::string& name) {
  bool plain = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0]));
  for (const char c : name)
    plain = plain && (std::isalnum(static_cast<unsigned char>(c)) || c == '_');
  return plain ? name : "'" + name + "'";
}

ExprNames names_of(const FlatModel& model, const FlatFunction* function) {
  ExprNames names;
  names.variable = [&model](VarId v) { return model[v].name; };
  names.function = [&model](FunctionId f) {
    return model.functions[static_cast<std::size_t>(f.index)].name;
  };
  names.local = [function](LocalId v) {
    return function != nullptr ? function->locals[static_cast<std::size_t>(v.index)].name
                               : fmt::format("$local{}", v.index);
  };
  return names;
}

namespace {

class FlatPrinter {
 public:
  explicit FlatPrinter(const FlatModel& model) : model_(model), names_(names_of(model)) {
    names_.variable = [&model](VarId v) { return base_modelica_name(model[v].name); };
    names_.function = [&model](FunctionId f) {
      return base_modelica_name(model.functions[static_cast<std::size_t>(f.index)].name);
    };
  }

  std::string run() {
    for (const Enumeration& e : model_.enumerations) {
      out_ += fmt::format("type {} = enumeration({});\n", base_modelica_name(e.name),
                          fmt::join(e.literals, ", "));
    }
    for (const FlatFunction& f : model_.functions) function(f);
    out_ +=
        fmt::format("model {}{}\n", base_modelica_name(model_.name), comment(model_.description));
    for (const FlatVariable& v : model_.variables) variable(v);
    equations("initial equation", model_.initial_equations);
    algorithms("initial algorithm", model_.initial_algorithms);
    equations("equation", model_.equations);
    for (const FlatAssert& a : model_.asserts) {
      out_ +=
          fmt::format("  assert({}, {}{});\n", text(a.condition), text(a.message), level(a.level));
    }
    for (const WhenClause& w : model_.whens) when(w);
    algorithms("algorithm", model_.algorithms);
    out_ += fmt::format("end {};\n", base_modelica_name(model_.name));
    return std::move(out_);
  }

 private:
  std::string text(ExprId e) const { return to_text(model_.pool, e, names_); }
  static std::string comment(const std::string& description) {
    return description.empty() ? "" : fmt::format(" \"{}\"", description);
  }
  static const char* level(AssertionLevel l) {
    return l == AssertionLevel::kWarning ? ", AssertionLevel.warning" : "";
  }

  void variable(const FlatVariable& v) {
    out_ += "  ";
    if (v.causality == Causality::kInput) out_ += "input ";
    if (v.causality == Causality::kOutput) out_ += "output ";
    if (v.variability == FlatVariability::kConstant ||
        v.variability == FlatVariability::kParameter ||
        (v.variability == FlatVariability::kDiscrete && v.type == ScalarType::kReal)) {
      out_ += fmt::format("{} ", to_string(v.variability));
    }
    const bool is_enumeration = v.type == ScalarType::kEnumeration && v.enumeration >= 0;
    out_ +=
        is_enumeration
            ? base_modelica_name(model_.enumerations[static_cast<std::size_t>(v.enumeration)].name)
            : std::string(to_string(v.type));
    out_ += " " + base_modelica_name(v.name);
    std::vector<std::string> modifiers;
    const auto add = [&](const char* name, ExprId e) {
      if (e.valid()) modifiers.push_back(fmt::format("{} = {}", name, text(e)));
    };
    if (!v.unit.empty()) modifiers.push_back(fmt::format("unit = \"{}\"", v.unit));
    add("start", v.start);
    if (v.fixed) modifiers.push_back(fmt::format("fixed = {}", *v.fixed));
    add("min", v.min);
    add("max", v.max);
    add("nominal", v.nominal);
    if (v.state_select != StateSelect::kDefault)
      modifiers.push_back(fmt::format("stateSelect = {}", to_string(v.state_select)));
    if (!modifiers.empty()) out_ += fmt::format("({})", fmt::join(modifiers, ", "));
    if (v.binding.valid()) out_ += " = " + text(v.binding);
    out_ += comment(v.description) + ";\n";
  }

  void equations(const char* title, const std::vector<FlatEquation>& list) {
    if (list.empty()) return;
    out_ += fmt::format("{}\n", title);
    for (const FlatEquation& e : list)
      out_ += fmt::format("  {} = {};\n", text(e.lhs), text(e.rhs));
  }

  std::string condition(const std::vector<ExprId>& conditions) const {
    if (conditions.size() == 1) return text(conditions[0]);
    std::vector<std::string> parts;
    for (const ExprId c : conditions) parts.push_back(text(c));
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }

  void when(const WhenClause& clause) {
    const char* word = "when";
    for (const WhenBranch& branch : clause.branches) {
      out_ += fmt::format("  {} {} then\n", word, condition(branch.conditions));
      word = "elsewhen";
      for (const WhenAction& a : branch.actions) {
        switch (a.kind) {
          case WhenAction::Kind::kAssign:
            out_ += fmt::format("    {} = {};\n", names_.variable(a.target), text(a.value));
            break;
          case WhenAction::Kind::kReinit:
            out_ += fmt::format("    reinit({}, {});\n", names_.variable(a.target), text(a.value));
            break;
          case WhenAction::Kind::kAssert:
            out_ += fmt::format("    assert({}, {}{});\n", text(a.value), text(a.message),
                                level(a.level));
            break;
          case WhenAction::Kind::kTerminate:
            out_ += fmt::format("    terminate({});\n", text(a.message));
            break;
        }
      }
    }
    out_ += "  end when;\n";
  }

  void algorithms(const char* title, const std::vector<FlatAlgorithm>& list) {
    for (const FlatAlgorithm& a : list) {
      out_ += fmt::format("{}\n", title);
      statements(a.body, "  ");
    }
  }

  void function(const FlatFunction& f) {
    names_.local = names_of(model_, &f).local;
    out_ += fmt::format("function {}\n", base_modelica_name(f.name));
    for (std::size_t i = 0; i < f.locals.size(); ++i) {
      const FlatLocal& v = f.locals[i];
      const char* kind = i < static_cast<std::size_t>(f.inputs)               ? "input "
                         : i < static_cast<std::size_t>(f.inputs + f.outputs) ? "output "
                                                                              : "protected ";
      out_ += fmt::format("  {}{} {}", kind, to_string(v.type), v.name);
      if (!v.dims.empty()) out_ += fmt::format("[{}]", fmt::join(v.dims, ", "));
      if (v.initial.valid()) out_ += " := " + text(v.initial);
      out_ += ";\n";
    }
    if (f.external.empty()) {
      out_ += "algorithm\n";
      statements(f.body, "  ");
    } else {
      out_ += fmt::format("external \"C\" {};\n", f.external);
    }
    out_ += fmt::format("end {};\n", base_modelica_name(f.name));
  }

  std::string target(const Statement& s) const {
    std::string name = s.local.valid() ? names_.local(s.local) : names_.variable(s.target);
    if (s.subscripts.empty()) return name;
    std::vector<std::string> parts;
    for (const ExprId e : s.subscripts) parts.push_back(text(e));
    return fmt::format("{}[{}]", name, fmt::join(parts, ", "));
  }

  void statements(const std::vector<Statement>& body, const std::string& indent) {
    for (const Statement& s : body) statement(s, indent);
  }

  void branches(const Statement& s, const char* word, const std::string& indent) {
    std::string lead = word;
    for (const Statement::Branch& b : s.branches) {
      out_ += b.conditions.empty()
                  ? indent + "else\n"
                  : fmt::format("{}{} {} then\n", indent, lead, condition(b.conditions));
      lead = "else" + std::string(word);
      statements(b.body, indent + "  ");
    }
    out_ += fmt::format("{}end {};\n", indent, word);
  }

  void statement(const Statement& s, const std::string& indent) {
    switch (s.kind) {
      case Statement::Kind::kAssign:
        out_ += fmt::format("{}{} := {};\n", indent, target(s), text(s.value));
        break;
      case Statement::Kind::kIf:
        branches(s, "if", indent);
        break;
      case Statement::Kind::kWhen:
        branches(s, "when", indent);
        break;
      case Statement::Kind::kFor:
        out_ += fmt::format("{}for {} in {}:{}{} loop\n", indent, names_.local(s.local),
                            text(s.first), s.step.valid() ? text(s.step) + ":" : "", text(s.last));
        statements(s.branches[0].body, indent + "  ");
        out_ += indent + "end for;\n";
        break;
      case Statement::Kind::kWhile:
        out_ += fmt::format("{}while {} loop\n", indent, text(s.value));
        statements(s.branches[0].body, indent + "  ");
        out_ += indent + "end while;\n";
        break;
      case Statement::Kind::kBreak:
        out_ += indent + "break;\n";
        break;
      case Statement::Kind::kReturn:
        out_ += indent + "return;\n";
        break;
      case Statement::Kind::kReinit:
        out_ += fmt::format("{}reinit({}, {});\n", indent, target(s), text(s.value));
        break;
      case Statement::Kind::kAssert:
        out_ += fmt::format("{}assert({}, {}{});\n", indent, text(s.value), text(s.message),
                            level(s.level));
        break;
      case Statement::Kind::kTerminate:
        out_ += fmt::format("{}terminate({});\n", indent, text(s.message));
        break;
    }
  }

  const FlatModel& model_;
  ExprNames names_;
  std::string out_;
};

}  // namespace

std::string to_text(const FlatModel& model) { return FlatPrinter(model).run(); }

}  // namespace arges
