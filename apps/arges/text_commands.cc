// Commands on model text.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "arges/base/atomic_file.h"
#include "arges/diag/text_client.h"
#include "arges/lex/lexer.h"
#include "arges/parse/format.h"
#include "arges/parse/parser.h"
#include "commands.h"
#include "console.h"

namespace arges::app {

int format(const FormatCommand& command) {
  int worst = 0;
  for (const std::string& path : command.files) {
    const auto file = diag::SourceFile::load(path);
    diag::Diagnostics diagnostics;
    lang::parse(*file, diagnostics);
    if (diagnostics.has_errors()) {
      to_stderr(diag::to_text(diagnostics, {.colour = colours(), .more = true}));
      worst = 3;
      continue;
    }
    diag::Diagnostics again;  // the same text, so nothing new
    const std::string tidy = lang::format(lang::lex(*file, again));
    const bool changed = tidy != file->text();
    if (command.check) {
      if (changed) {
        to_stderr(fmt::format("{}: not in the house format ('arges format -i {}' mends it)\n", path,
                              path));
        worst = std::max(worst, 1);
      }
    } else if (!command.in_place) {
      fmt::print("{}", tidy);
    } else if (changed) {
      AtomicFile out(path);
      out.write(tidy);
      out.commit();
    }
  }
  return worst;
}

namespace {

// What was differentiated, and which of the states are computed from constraints.
void print_index_reduction(const ModelCheck& check) {
  constexpr std::size_t kShown = 10;
  const auto& all = check.differentiated_equations;
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i)
    fmt::print("    {}, {} {}\n", all[i].equation, all[i].times,
               all[i].times == 1 ? "time" : "times");
  if (all.size() > kShown) fmt::print("    and {} more (--json shows all)\n", all.size() - kShown);
  for (const auto& [candidates, computed] : check.dynamic_states) {
    fmt::print("  chosen during the run: {} of the {} states {}\n",
               static_cast<int>(candidates.size()) - computed, candidates.size(),
               fmt::join(candidates, ", "));
  }
}

}  // namespace

int check(CheckCommand command) {
  command.source.colour = colours();
  const NothingToKeep reading;
  const ModelCheck check = check_model(command.source);
  if (command.json) {
    auto differentiated = nlohmann::ordered_json::array();
    for (const auto& [equation, times] : check.differentiated_equations)
      differentiated.push_back({{"equation", equation}, {"times", times}});
    auto dynamic = nlohmann::ordered_json::array();
    for (const auto& [candidates, computed] : check.dynamic_states)
      dynamic.push_back({{"candidates", candidates}, {"computed", computed}});
    nlohmann::ordered_json json = {
        {"model", check.name},
        {"equations", check.equations},
        {"unknowns", check.unknowns},
        {"aliases", check.aliases},
        {"states", check.states},
        {"differentiated", check.differentiated},
        {"differentiated_equations", std::move(differentiated)},
        {"dynamic_states", std::move(dynamic)},
        {"blocks", check.blocks},
        {"loops", check.loops},
        {"largest_loop", check.largest_loop},
        {"tears", check.tears},
        {"largest_torn_loop", check.largest_tears},
        {"warnings", check.warnings},
        {"diagnostics", nlohmann::ordered_json::parse(check.report_json)}};
    for (const ModeCheck& mode : check.modes) {
      json["modes"].push_back({{"name", mode.name},
                               {"equations", mode.equations},
                               {"unknowns", mode.unknowns},
                               {"states", mode.states},
                               {"differentiated", mode.differentiated},
                               {"index", mode.index}});
    }
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  for (const std::string& warning : check.warnings) print_note(warning);
  if (!check.modes.empty()) {
    fmt::print("{}: {} modes\n", check.name, check.modes.size());
    for (const ModeCheck& mode : check.modes) {
      fmt::print("  mode {}: {} equations, {} unknowns, index {}\n", mode.name, mode.equations,
                 mode.unknowns, mode.index);
      if (mode.states.empty()) {
        fmt::print("    no states\n");
      } else {
        fmt::print("    states ({}): {}\n", mode.states.size(), fmt::join(mode.states, ", "));
      }
      if (mode.differentiated > 0)
        fmt::print("    equations differentiated to reduce the index: {}\n", mode.differentiated);
    }
    to_stderr(check.report);
    return 0;
  }
  fmt::print("{}: {} equations, {} unknowns, {} aliases removed\n", check.name, check.equations,
             check.unknowns, check.aliases);
  fmt::print("  states ({}): {}\n", check.states.size(), fmt::join(check.states, ", "));
  if (check.differentiated > 0)
    fmt::print("  equations differentiated to reduce the index: {}\n", check.differentiated);
  print_index_reduction(check);
  fmt::print("  {} {}, {} algebraic {}", check.blocks, check.blocks == 1 ? "block" : "blocks",
             check.loops, check.loops == 1 ? "loop" : "loops");
  if (check.loops > 0) {
    fmt::print(" (the largest {} equations, {} after tearing)", check.largest_loop,
               check.largest_tears);
  }
  fmt::print("\n");
  to_stderr(check.report);
  return 0;
}

int flatten(FlattenCommand command) {
  command.source.colour = colours();
  const NothingToKeep reading;
  fmt::print("{}", emit_model(command.source, command.emit));
  return 0;
}

int explain(const std::string& code) {
  fmt::print("{}", diag::explain(code));
  return 0;
}

}  // namespace arges::app
