#include "arges/driver/model_text.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/is_there.h"
#include "arges/base/nearest.h"
#include "arges/causalize/passes.h"
#include "arges/compile/compiled_system.h"
#include "arges/compile/idle_branches.h"
#include "arges/compile/switching_system.h"
#include "arges/diag/json_client.h"
#include "arges/driver/structure_report.h"
#include "arges/flat/base_modelica.h"
#include "arges/flat/print.h"
#include "arges/flatten/load.h"
#include "arges/flatten/missing_values.h"
#include "arges/flatten/mode_report.h"
#include "arges/flatten/unit_check.h"
#include "arges/lex/lexer.h"
#include "arges/parse/dump.h"
#include "arges/parse/parser.h"
#include "arges/parse/print.h"

namespace arges {

namespace {

[[noreturn]] void refuse(const diag::Diagnostics& diagnostics, bool colour) {
  ModelTextError error(diag::to_text(diagnostics, {.colour = colour, .more = true}),
                       diag::to_json(diagnostics));
  for (const diag::Diagnostic& each : diagnostics.list()) {
    error.no_such_class = error.no_such_class || each.code == diag::Code::kNoModel;
    if (each.severity() != diag::Severity::kError) continue;
    const auto add = [&](const diag::Label& label) {
      if (label.span.file != nullptr)
        error.places.push_back({label.span.file->path(), label.span.range.begin});
    };
    add(each.primary);
    for (const diag::Label& label : each.secondary) add(label);
  }
  throw ModelTextError(std::move(error));
}

FlatModel load(const ModelSource& source, lang::ClassTree& tree) {
  if (source.what.ends_with(".mo") && !is_there(source.what)) {
    throw IoError(fmt::format("there is no file '{}'", source.what));
  }
  FlatModel flat = lang::load_model(tree, source.what, source.class_name, source.modifications);
  if (tree.diagnostics().has_errors()) refuse(tree.diagnostics(), source.colour);
  return flat;
}

CausalModel analyse(FlatModel flat, lang::ClassTree& tree, bool colour) {
  const std::string name = flat.name;
  const std::vector<std::string> open = open_connectors(flat);
  try {
    CausalModel model = causalize_taken_branches(std::move(flat));
    for (const ModelWarning& told : model.findings) report(told, name, tree);
    return model;
  } catch (const ModelError& error) {
    report(error, name, tree, open);
    refuse(tree.diagnostics(), colour);
  } catch (const UserError& error) {
    throw ModelTextError(fmt::format("error: model {}: {}\n", name, error.what()), "[]");
  }
}

std::string no_native_code(const std::string& problem) {
  return fmt::format("no native code ({}): the equations run on the register machine", problem);
}

[[noreturn]] void refuse_mode(const std::string& model, const ModeError& error) {
  diag::Diagnostics diagnostics;
  diagnostics.report(lang::mode_report(model, error));
  refuse(diagnostics, false);
}

// With state machines: what is wrong is known by mode, and has a code.
std::unique_ptr<SwitchingSystem> make_modes(
    const FlatModel& flat,
    const std::shared_ptr<const external::SharedLibraries>& libraries = nullptr) {
  try {
    return std::make_unique<SwitchingSystem>(flat, libraries);
  } catch (const ModeError& error) {
    refuse_mode(flat.name, error);
  }
}

}  // namespace

bool is_model_file(const std::string& what) { return what.ends_with(".mo") || is_there(what); }

bool is_model_text(const ModelRegistry& models, const ModelSource& source) {
  const auto is_it = [&](const ModelEntry& entry) { return entry.name == source.what; };
  if (source.class_name.empty() && std::ranges::any_of(models.entries(), is_it)) return false;
  // A dotted name is a class of a library; anything else without a file is a mistyped built-in
  // model.
  return is_model_file(source.what) || source.what.find('.') != std::string::npos;
}

std::unique_ptr<HybridSystem> open_model(const ModelRegistry& models, const ModelSource& source,
                                         std::string* note) {
  if (!is_model_text(models, source)) {
    auto model = models.make(source.what);
    if (!source.class_name.empty()) {
      throw UserError(
          fmt::format("'{}' is a model in C++, without classes to choose from", source.what),
          {"class"});
    }
    return model;
  }
  std::shared_ptr<const external::SharedLibraries> libraries;
  if (!source.libraries.empty())
    libraries = std::make_shared<const external::SharedLibraries>(source.libraries);
  diag::Diagnostics diagnostics;
  lang::ClassTree tree(lang::LibraryPath::from_environment(), diagnostics);
  FlatModel flat = load(source, tree);
  replace_delays(flat, source.delays);
  const auto tell = [&](const std::string& what) {
    if (note == nullptr || what.empty()) return;
    *note += (note->empty() ? "" : "; ") + what;
  };
  tell(lang::missing_values(flat, source.given));
  if (!flat.machines.empty()) {
    auto modes = make_modes(flat, libraries);
    modes->set_tier(source.tier);
    modes->set_constraints(source.constraints);
    const std::string problem = source.tier == Tier::kJit ? modes->native_problem() : "";
    if (!problem.empty()) tell(no_native_code(problem));
    return modes;
  }
  auto system = std::make_unique<CompiledSystem>(analyse(std::move(flat), tree, source.colour),
                                                 std::move(libraries));
  for (const ModelWarning& told : system->model().findings)
    tell(fmt::format("{} ({})", told.text, diag::info(told.code).id));
  system->set_tier(source.tier);
  system->set_constraints(source.constraints);
  if (note != nullptr && source.tier == Tier::kJit && system->native()->image() == nullptr) {
    tell(no_native_code(system->native()->problem()));
  }
  return system;
}

std::vector<std::string> missing_classes(const std::vector<std::string>& names,
                                         const std::vector<std::string>& files) {
  diag::Diagnostics diagnostics;
  lang::ClassTree tree(lang::LibraryPath::from_environment(), diagnostics);
  for (const std::string& file : files) tree.add_file(file);
  if (diagnostics.has_errors()) return {};  // whoever needs a class will say so
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    if (tree.find_class(name) == nullptr) missing.push_back(name);
  }
  return missing;
}

std::unique_ptr<HybridSystem> model_from_text(const std::string& name, const std::string& text,
                                              const std::string& class_name,
                                              const std::vector<std::string>& files) {
  diag::Diagnostics diagnostics;
  lang::ClassTree tree(lang::LibraryPath::from_environment(), diagnostics);
  for (const std::string& file : files) tree.add_file(file);
  FlatModel flat = lang::load_model_text(tree, name, text, class_name);
  if (diagnostics.has_errors()) refuse(diagnostics, false);
  if (!flat.machines.empty()) return make_modes(flat);
  return std::make_unique<CompiledSystem>(analyse(std::move(flat), tree, false));
}

namespace {

// Stages that need no more than the file.
std::string emit_text(const ModelSource& source, const std::string& stage) {
  if (!is_there(source.what)) {
    throw UserError(
        fmt::format("the stage '{}' is that of a file, not of '{}'", stage, source.what));
  }
  const auto file = diag::SourceFile::load(source.what);
  diag::Diagnostics diagnostics;
  if (stage == "tokens") {
    std::string out;
    const lang::TokenList list = lang::lex(*file, diagnostics);
    for (const lang::Token& t : list.tokens) {
      const diag::LineColumn at = file->line_column(t.range().begin);
      out += fmt::format("{}:{} {}\n", at.line, at.column, file->text(t.range()));
    }
    if (diagnostics.has_errors()) refuse(diagnostics, source.colour);
    return out;
  }
  const lang::SyntaxTree tree = lang::parse(*file, diagnostics, {.annotations = true});
  if (diagnostics.has_errors()) refuse(diagnostics, source.colour);
  return stage == "ast" ? lang::dump(tree) : lang::print(tree);
}

void list_classes(lang::ClassTree& tree, lang::ClassNode& node, const std::string& indent,
                  std::string& out) {
  const lang::ClassDef* def = tree.definition(node);
  if (def == nullptr) return;
  out += fmt::format("{}{} {}\n", indent, spelling(def->kind), node.name());
  for (const std::string_view name : tree.member_names(node)) {
    const lang::Member* m = tree.member(node, name);
    if (m->kind == lang::MemberKind::kClass) {
      list_classes(tree, *m->node, indent + "  ", out);
    } else {
      out += fmt::format("{}  {}{}\n", indent, name, m->is_protected ? " (protected)" : "");
    }
  }
}

std::string emit_classes(const ModelSource& source) {
  diag::Diagnostics diagnostics;
  lang::ClassTree tree(lang::LibraryPath::from_environment(), diagnostics);
  std::string out;
  if (is_there(source.what)) {
    for (lang::ClassNode* node : tree.add_file(source.what)) list_classes(tree, *node, "", out);
  } else if (lang::ClassNode* node = tree.find_class(source.what)) {
    list_classes(tree, *node, "", out);
  } else {
    throw UserError(fmt::format("there is no file and no class '{}'", source.what), {"model"});
  }
  if (diagnostics.has_errors()) refuse(diagnostics, source.colour);
  return out;
}

}  // namespace

namespace {

// Each mode of a model with machines on its own.
void for_each_mode(const FlatModel& flat,
                   const std::function<void(const std::string& name, FlatModel mode)>& action) {
  try {
    const ModeSplitter splitter(flat);
    for (const Configuration& mode : splitter.modes()) {
      ModeModel made = splitter.make(mode);
      action(mode.name, std::move(made.flat));
    }
  } catch (const ModeError& error) {
    refuse_mode(flat.name, error);
  }
}

std::string emit_flat(const ModelSource& source, const std::string& stage) {
  diag::Diagnostics diagnostics;
  lang::ClassTree tree(lang::LibraryPath::from_environment(), diagnostics);
  FlatModel flat = load(source, tree);
  const auto print = [&](FlatModel model) {
    return stage == "equations" ? to_text(model)
                                : to_text(analyse(std::move(model), tree, source.colour));
  };
  if (stage == "flat") return to_base_modelica(flat);
  if (flat.machines.empty()) return print(std::move(flat));
  std::string out;
  for_each_mode(flat, [&](const std::string& name, FlatModel mode) {
    out += fmt::format("// mode {}\n{}", name, print(std::move(mode)));
  });
  return out;
}

ModeCheck check_mode(const std::string& name, const lang::Balance& counts,
                     const CausalModel& model) {
  ModeCheck check;
  check.name = name;
  check.equations = static_cast<int>(counts.equations);
  check.unknowns = static_cast<int>(counts.unknowns);
  check.differentiated = model.statistics.differentiated;
  check.index = model.statistics.loops > 0 ? 1 : 0;
  for (const CausalEquation& e : model.equations) {
    if (e.differentiated > 0) check.index = std::max(check.index, e.differentiated + 1);
  }
  for (const StateLink& link : model.states) check.states.push_back(model.flat[link.state].name);
  return check;
}

// Transitions, what they hand over and what a `when` waits for are no equations of the text.
constexpr std::string_view kMadeForMachines[] = {"$fires", "$value", "$when", "$never", "$other"};
lang::Balance balance_of_mode(const FlatModel& mode) {
  lang::Balance counts = lang::balance(mode);
  for (const FlatVariable& v : mode.variables) {
    const bool added =
        v.name.starts_with("activeState(") ||
        std::any_of(std::begin(kMadeForMachines), std::end(kMadeForMachines),
                    [&](std::string_view made) { return v.name.find(made) != std::string::npos; });
    if (!added || v.absent) continue;
    --counts.equations;
    --counts.unknowns;
  }
  return counts;
}

}  // namespace

std::string emit_model(const ModelSource& source, const std::string& stage) {
  if (stage == "tokens" || stage == "ast" || stage == "text") return emit_text(source, stage);
  if (stage == "classes") return emit_classes(source);
  if (stage == "flat" || stage == "equations" || stage == "causal") return emit_flat(source, stage);
  throw UserError(fmt::format(
      "there is no stage '{}'{}", stage,
      did_you_mean(stage, {"tokens", "ast", "text", "classes", "flat", "equations", "causal"})));
}

ModelCheck check_model(const ModelSource& source) {
  diag::Diagnostics diagnostics;
  lang::ClassTree tree(lang::LibraryPath::from_environment(), diagnostics);
  FlatModel flat = load(source, tree);
  lang::check_units(flat, tree);
  lang::check_missing_values(flat, tree);
  ModelCheck check;
  if (!flat.machines.empty()) {
    make_modes(flat);  // also what entering a mode needs
    std::optional<FlatModel> first;
    for_each_mode(flat, [&](const std::string& name, FlatModel mode) {
      const lang::Balance counts = balance_of_mode(mode);
      if (!first) first = mode;
      check.modes.push_back(
          check_mode(name, counts, analyse(std::move(mode), tree, source.colour)));
    });
    flat = std::move(*first);
  }
  const lang::Balance counts = check.modes.empty() ? lang::balance(flat) : balance_of_mode(flat);
  const CausalModel model = analyse(std::move(flat), tree, source.colour);
  const CausalStatistics& s = model.statistics;
  check.name = model.flat.name;
  check.equations = static_cast<int>(counts.equations);
  check.unknowns = static_cast<int>(counts.unknowns);
  check.aliases = s.aliases;
  check.blocks = s.blocks;
  check.loops = s.loops;
  check.largest_loop = s.largest_loop;
  check.tears = s.tears;
  check.largest_tears = s.largest_tears;
  check.differentiated = s.differentiated;
  for (const StateLink& link : model.states) {
    check.states.push_back(model.flat.variables[static_cast<std::size_t>(link.state.index)].name);
  }
  for (const CausalEquation& e : model.differentiated)
    check.differentiated_equations.push_back({model.describe(e), e.differentiated});
  for (const ConstraintSet& set : model.constraint_sets) {
    ModelCheck::DynamicSet dynamic{{}, static_cast<int>(set.rows.size())};
    for (const std::int32_t j : set.candidates)
      dynamic.candidates.push_back(check.states[static_cast<std::size_t>(j)]);
    check.dynamic_states.push_back(std::move(dynamic));
  }
  check.warnings = model.warnings;
  check.report = diag::to_text(diagnostics, {.colour = source.colour, .more = true});
  check.report_json = diag::to_json(diagnostics);
  return check;
}

}  // namespace arges
