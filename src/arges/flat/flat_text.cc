#include "arges/flat/flat_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace arges {

std::string quoted_name(const std::string& name) {
  std::string out = "'";
  for (const char c : name) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string quoted_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

namespace {

// Arguments are scalars; those of an array input are put into braces.
std::pair<std::string, std::string> brackets(const FlatFunction& f, std::size_t i) {
  std::size_t first = 0;
  for (std::int32_t k = 0; k < f.inputs; ++k) {
    const FlatLocal& l = f.locals[static_cast<std::size_t>(k)];
    const auto n = static_cast<std::size_t>(l.size());
    if (i >= first + n) {
      first += n;
      continue;
    }
    std::pair<std::string, std::string> out;
    if (!l.sizes.empty()) return out;
    std::size_t stride = 1;
    for (std::size_t d = l.dims.size(); d-- > 0;) {
      stride *= static_cast<std::size_t>(l.dims[d]);
      if ((i - first) % stride == 0) out.first += "{";
      if ((i - first) % stride == stride - 1) out.second += "}";
    }
    // Inputs without elements before this one cannot be seen in a list of scalars.
    return out;
  }
  return {};
}

std::string comment(const std::string& description) {
  return description.empty() ? "" : " " + quoted_text(description);
}
const char* level(AssertionLevel l) {
  return l == AssertionLevel::kWarning ? ", AssertionLevel.warning" : "";
}

std::string array_of(const FlatLocal& l, const std::vector<std::string>& values) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::string before;
    std::string after;
    std::size_t stride = 1;
    for (std::size_t d = l.dims.size(); d-- > 0;) {
      stride *= static_cast<std::size_t>(l.dims[d]);
      if (i % stride == 0) before += "{";
      if (i % stride == stride - 1) after += "}";
    }
    if (i > 0) out += ", ";
    out += before;
    out += values[i];
    out += after;
  }
  return out;
}

bool scalar_output(const FlatFunction& f) {
  return f.locals[static_cast<std::size_t>(f.inputs)].dims.empty();
}

}  // namespace

FlatText::FlatText(const FlatModel& model, FlatStyle style)
    : model_(model), style_(std::move(style)) {
  // One function of the text may be several here, for several sizes.
  std::set<std::string> taken;
  for (const FlatFunction& f : model.functions) {
    std::string name = f.name;
    for (int k = 2; !taken.insert(name).second; ++k) name = fmt::format("{}#{}", f.name, k);
    unique_.push_back(std::move(name));
  }
  names_.variable = [this](VarId v) {
    const std::string of_machine = style_.complete ? machine_variable(v) : std::string();
    return of_machine.empty() ? style_.name(model_[v].name) : of_machine;
  };
  names_.function = [this](FunctionId f) { return function_name(f.index); };
  names_.local = [this](LocalId v) { return local(v); };
  if (!style_.complete) return;
  names_.result = [this](FunctionId f, std::int32_t result) {
    if (at(f).output_scalars() == 1 && at(f).outputs == 1 && scalar_output(at(f))) {
      return function_name(f.index);
    }
    if (results_.insert({f.index, result}).second) pending_.emplace_back(f, result);
    return result_name(f, result);
  };
  names_.brackets = [this](FunctionId f, std::size_t i) { return brackets(at(f), i); };
}

std::string FlatText::run() {
  if (!style_.complete) enumerations();
  for (std::size_t i = 0; i < model_.functions.size(); ++i) {
    function(model_.functions[i], function_name(static_cast<std::int32_t>(i)));
  }
  model();
  // Functions for single results, which may use others.
  while (!pending_.empty()) {
    const auto [f, result] = pending_.back();
    pending_.pop_back();
    single_result(f, result);
  }
  const bool has_machines = style_.complete && !model_.machines.empty();
  return (has_machines ? state_class() : "") + functions_ + out_;
}

std::string FlatText::result_name(FunctionId f, std::int32_t result) const {
  const std::string& name = unique_[static_cast<std::size_t>(f.index)];
  return style_.name(fmt::format("{}.{}", name, result + 1));
}

std::string FlatText::local(LocalId v) const {
  if (function_ == nullptr) return fmt::format("$local{}", v.index);
  const std::string& name = function_->locals[static_cast<std::size_t>(v.index)].name;
  return style_.complete ? style_.name(name) : name;
}

std::string FlatText::type_name(ScalarType type, std::int32_t enumeration) const {
  if (type != ScalarType::kEnumeration) return std::string(to_string(type));
  if (style_.complete) return "Integer";
  return enumeration < 0
             ? std::string(to_string(type))
             : style_.name(model_.enumerations[static_cast<std::size_t>(enumeration)].name);
}

void FlatText::enumerations() {
  for (const Enumeration& e : model_.enumerations) {
    functions_ += fmt::format("type {} = enumeration({});\n", style_.name(e.name),
                              fmt::join(e.literals, ", "));
  }
}

void FlatText::model() {
  function_ = nullptr;
  const std::string name = style_.name(model_.name);
  out_ += fmt::format("model {}{}\n", name, comment(model_.description));
  const bool has_machines = style_.complete && !model_.machines.empty();
  for (const FlatVariable& v : model_.variables) {
    if (!v.absent && !(has_machines && belongs_to_machine(v))) variable(v);
  }
  if (has_machines) machine_states();
  equations("initial equation", model_.initial_equations);
  algorithms("initial algorithm", model_.initial_algorithms);
  equations("equation", model_.equations);
  if (model_.equations.empty() &&
      (!model_.asserts.empty() || !model_.whens.empty() || has_machines)) {
    out_ += "equation\n";
  }
  for (const FlatAssert& a : model_.asserts) {
    if (a.terminates) {
      out_ += fmt::format("  if not ({}) then\n    terminate({});\n  end if{};\n",
                          text(a.condition), text(a.message), owner_mark(a.origin));
      continue;
    }
    out_ += fmt::format("  assert({}, {}{}){};\n", text(a.condition), text(a.message),
                        level(a.level), owner_mark(a.origin));
  }
  for (const WhenClause& w : model_.whens) when(w);
  if (has_machines) machines();
  algorithms("algorithm", model_.algorithms);
  if (style_.complete) experiment();
  out_ += fmt::format("end {};\n", name);
}

void FlatText::experiment() {
  std::vector<std::string> parts;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) parts.push_back(fmt::format("{} = {}", name, real_literal(*value)));
  };
  add("StartTime", model_.experiment.start_time);
  add("StopTime", model_.experiment.stop_time);
  add("Tolerance", model_.experiment.tolerance);
  add("Interval", model_.experiment.interval);
  if (parts.empty()) return;
  out_ += fmt::format("  annotation(experiment({}));\n", fmt::join(parts, ", "));
}

void FlatText::variable(const FlatVariable& v) {
  out_ += "  ";
  // Its value is part of the equations that follow: another one would not fit them.
  const bool evaluated = style_.complete && v.variability == FlatVariability::kParameter &&
                         (v.evaluate || v.structural);
  if (evaluated) out_ += "final ";
  if (v.causality == Causality::kInput) out_ += "input ";
  if (v.causality == Causality::kOutput) out_ += "output ";
  if (v.variability == FlatVariability::kConstant || v.variability == FlatVariability::kParameter ||
      (v.variability == FlatVariability::kDiscrete && v.type == ScalarType::kReal)) {
    out_ += fmt::format("{} ", to_string(v.variability));
  }
  out_ += fmt::format("{} {}", type_name(v.type, v.enumeration), style_.name(v.name));
  std::vector<std::string> modifiers;
  const auto add = [&](const char* name, ExprId e) {
    if (e.valid()) modifiers.push_back(fmt::format("{} = {}", name, text(e)));
  };
  if (!v.unit.empty()) modifiers.push_back("unit = " + quoted_text(v.unit));
  if (style_.complete && !v.display_unit.empty())
    modifiers.push_back("displayUnit = " + quoted_text(v.display_unit));
  add("start", v.start);
  if (v.fixed) modifiers.push_back(fmt::format("fixed = {}", *v.fixed));
  add("min", v.min);
  add("max", v.max);
  add("nominal", v.nominal);
  if (v.state_select != StateSelect::kDefault) {
    modifiers.push_back(fmt::format("stateSelect = {}", to_string(v.state_select)));
  }
  if (!modifiers.empty()) out_ += fmt::format("({})", fmt::join(modifiers, ", "));
  if (v.binding.valid()) out_ += " = " + text(v.binding);
  out_ += comment(v.description);
  std::vector<std::string> annotations;
  const bool is_protected = v.hidden && !v.hide_result && !v.name.starts_with('$');
  if (style_.complete && v.hidden)
    annotations.emplace_back(is_protected ? "__Arges_protected = true" : "HideResult = true");
  if (evaluated) annotations.emplace_back("Evaluate = true");
  if (!annotations.empty()) out_ += fmt::format(" annotation({})", fmt::join(annotations, ", "));
  out_ += ";\n";
}

void FlatText::equations(const char* title, const std::vector<FlatEquation>& list) {
  if (list.empty()) return;
  out_ += fmt::format("{}\n", title);
  for (const FlatEquation& e : list) {
    out_ += fmt::format("  {} = {}{};\n", side(e.lhs), text(e.rhs), owner_mark(e.origin));
  }
}

// An equation begins with a simple expression.
std::string FlatText::side(ExprId e) const {
  const std::string t = text(e);
  return model_.pool[e].op == Op::kIf ? "(" + t + ")" : t;
}

std::string FlatText::condition(const std::vector<ExprId>& conditions) const {
  if (conditions.size() == 1) return text(conditions[0]);
  std::vector<std::string> parts;
  for (const ExprId c : conditions) parts.push_back(text(c));
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

void FlatText::when(const WhenClause& clause) {
  const char* word = "when";
  for (const WhenBranch& branch : clause.branches) {
    out_ += fmt::format("  {} {} then\n", word, condition(branch.conditions));
    word = "elsewhen";
    for (const WhenAction& a : branch.actions) {
      const auto target = [&] { return names_.variable(a.target); };
      switch (a.kind) {
        case WhenAction::Kind::kAssign:
          out_ += fmt::format("    {} = {};\n", target(), text(a.value));
          break;
        case WhenAction::Kind::kReinit:
          out_ += fmt::format("    reinit({}, {});\n", target(), text(a.value));
          break;
        case WhenAction::Kind::kAssert:
          out_ += fmt::format("    assert({}, {}{});\n", text(a.value), text(a.message),
                              level(a.level));
          break;
        case WhenAction::Kind::kTerminate:
          if (a.value.valid()) {
            out_ += fmt::format("    if {} then\n      terminate({});\n    end if;\n",
                                text(a.value), text(a.message));
          } else {
            out_ += fmt::format("    terminate({});\n", text(a.message));
          }
          break;
      }
    }
  }
  out_ += fmt::format("  end when{};\n", owner_mark(clause.origin));
}

void FlatText::algorithms(const char* title, const std::vector<FlatAlgorithm>& list) {
  for (const FlatAlgorithm& a : list) {
    out_ += fmt::format("{}\n", title);
    statements(a.body, "  ");
    const std::string mark = owner_mark(a.origin);
    if (!mark.empty()) out_.insert(out_.rfind(';'), mark);  // of the last statement
  }
}

std::string FlatText::declaration(const FlatLocal& l, const char* kind) const {
  std::string out = fmt::format("  {}{} {}", kind, type_name(l.type, -1),
                                style_.complete ? style_.name(l.name) : l.name);
  if (l.sizes.empty()) {
    if (!l.dims.empty()) out += fmt::format("[{}]", fmt::join(l.dims, ", "));
    return out;
  }
  std::vector<std::string> sizes;
  for (const ExprId e : l.sizes) sizes.push_back(*kind == 'i' ? ":" : text(e));
  return out + fmt::format("[{}]", fmt::join(sizes, ", "));
}

void FlatText::function(const FlatFunction& f, const std::string& name) {
  function_ = &f;
  std::string before = std::move(out_);
  out_ = fmt::format("{}function {}\n", f.impure ? "impure " : "", name);
  bool hidden = false;
  for (std::size_t i = 0; i < f.locals.size(); ++i) {
    const FlatLocal& l = f.locals[i];
    const bool input = i < static_cast<std::size_t>(f.inputs);
    const bool output = !input && i < static_cast<std::size_t>(f.inputs + f.outputs);
    if (!input && !output && !hidden) {
      out_ += "protected\n";
      hidden = true;
    }
    out_ += declaration(l, input ? "input " : output ? "output " : "");
    if (l.initial.valid()) out_ += " = " + text(l.initial);
    if (!l.initial_elements.empty()) {
      std::vector<std::string> values;
      for (const ExprId e : l.initial_elements) {
        values.push_back(e.valid() ? text(e) : l.type == ScalarType::kBoolean ? "false" : "0");
      }
      out_ += " = " + array_of(l, values);
    }
    out_ += ";\n";
  }
  if (f.external.empty()) {
    out_ += "algorithm\n";
    statements(f.body, "  ");
  } else {
    std::vector<std::string> arguments;
    for (const ExternalArgument& a : f.external_arguments) {
      arguments.push_back(a.local.valid() ? local(a.local) : text(a.value));
    }
    out_ += fmt::format("external \"C\" {}{}({});\n",
                        f.external_result.valid() ? local(f.external_result) + " = " : "",
                        f.external, fmt::join(arguments, ", "));
  }
  std::vector<std::string> annotations;
  if (f.derivative.valid())
    annotations.push_back("derivative = " + function_name(f.derivative.index));
  for (const FlatDerivative& d : f.declared) {
    std::vector<std::string> options;
    if (d.order != 1) options.push_back(fmt::format("order = {}", d.order));
    const auto in = [](const std::vector<std::int32_t>& list, std::int32_t i) {
      return std::find(list.begin(), list.end(), i) != list.end();
    };
    for (std::int32_t i = 0; i < f.inputs; ++i) {
      if (in(d.ignored, i)) {
        options.push_back(fmt::format("noDerivative = {}", local(LocalId{i})));
      } else if (f.locals[static_cast<std::size_t>(i)].type == ScalarType::kReal &&
                 !in(d.with, i) && !in(d.rates, i)) {
        options.push_back(fmt::format("zeroDerivative = {}", local(LocalId{i})));
      }
    }
    annotations.push_back(options.empty()
                              ? "derivative = " + function_name(d.function.index)
                              : fmt::format("derivative({}) = {}", fmt::join(options, ", "),
                                            function_name(d.function.index)));
  }
  for (const FlatInverse& inverse : f.inverses)
    annotations.push_back(
        fmt::format("inverse({} = {})", local(inverse.input), text(inverse.value)));
  if (!annotations.empty())
    out_ += fmt::format("  annotation({});\n", fmt::join(annotations, ", "));
  out_ += fmt::format("end {};\n", name);
  functions_ += out_;
  out_ = std::move(before);
}

// function f.2: the inputs of f, the second scalar among the results of f.
void FlatText::single_result(FunctionId id, std::int32_t result) {
  const FlatFunction& f = at(id);
  std::string text_of =
      fmt::format("{}function {}\n", f.impure ? "impure " : "", result_name(id, result));
  std::vector<std::string> arguments;
  std::vector<std::string> targets;
  std::string locals;
  std::string chosen;
  ScalarType type = ScalarType::kReal;
  std::int32_t first = 0;
  for (std::int32_t i = 0; i < f.inputs + f.outputs; ++i) {
    const FlatLocal& l = f.locals[static_cast<std::size_t>(i)];
    if (i < f.inputs) {
      text_of += declaration(l, "input ") + ";\n";
      arguments.push_back(style_.name(l.name));
      continue;
    }
    locals += declaration(l, "") + ";\n";
    targets.push_back(style_.name(l.name));
    if (result >= first && result < first + l.size()) {
      type = l.type;
      chosen = style_.name(l.name);
      std::vector<std::int32_t> subscripts;
      std::int32_t offset = result - first;
      for (std::size_t d = l.dims.size(); d-- > 0;) {
        subscripts.insert(subscripts.begin(), offset % l.dims[d] + 1);
        offset /= l.dims[d];
      }
      if (!subscripts.empty()) chosen += fmt::format("[{}]", fmt::join(subscripts, ", "));
    }
    first += l.size();
  }
  text_of += fmt::format("  output {} '$result';\nprotected\n{}algorithm\n  ({}) := {}({});\n",
                         type_name(type, -1), locals, fmt::join(targets, ", "),
                         function_name(id.index), fmt::join(arguments, ", "));
  text_of += fmt::format("  '$result' := {};\nend {};\n", chosen, result_name(id, result));
  functions_ += text_of;
}

std::string FlatText::target(const Statement& s) const {
  std::string name = s.local.valid() ? local(s.local) : names_.variable(s.target);
  if (s.subscripts.empty()) return name;
  std::vector<std::string> parts;
  for (const ExprId e : s.subscripts) parts.push_back(text(e));
  return fmt::format("{}[{}]", name, fmt::join(parts, ", "));
}

void FlatText::statements(const std::vector<Statement>& body, const std::string& indent) {
  for (const Statement& s : body) statement(s, indent);
}

void FlatText::branches(const Statement& s, const char* word, const std::string& indent) {
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

void FlatText::statement(const Statement& s, const std::string& indent) {
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
      out_ += fmt::format("{}for {} in {}:{}{} loop\n", indent, local(s.local), text(s.first),
                          s.step.valid() ? text(s.step) + ":" : "", text(s.last));
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

}  // namespace arges
