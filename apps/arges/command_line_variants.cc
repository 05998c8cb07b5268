// The grammar of `arges variants`.

#include <cmath>

#include <fmt/format.h>

#include "arges/base/parse_number.h"
#include "cli_option.h"
#include "commands.h"

namespace arges::app {

std::string whole_number(std::string& text) {
  const auto value = parse_number(text);
  if (!value || std::isnan(*value) || *value != std::floor(*value))
    return fmt::format("'{}' is not a whole number", text);
  if (!(std::abs(*value) <= 9e18)) return fmt::format("'{}' is too large", text);
  text = fmt::format("{}", static_cast<std::int64_t>(*value));
  return {};
}

std::string not_empty(std::string& text) { return text.empty() ? "the value is empty" : ""; }

CLI::Option* add_count(CLI::App& command, const char* names, std::int64_t& value,
                       const char* description) {
  return add(command, names, value, "N", description)
      ->transform(CLI::Validator(whole_number, ""))
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}).description(""));
}

void add_seed(CLI::App& command, std::uint64_t& seed, const char* description) {
  // The library would take -1 for 2^64 - 1.
  const auto refuse_negative = [](const std::string& text) {
    return text.starts_with("-") ? fmt::format("'{}': a seed is a whole number from 0 on", text)
                                 : std::string();
  };
  add(command, "--seed", seed, "S", description)->check(CLI::Validator(refuse_negative, ""));
}

void add_threads(CLI::App& command, int& threads) {
  add(command, "--threads", threads, "N", "how many runs at once (default: one a core)")
      ->check(CLI::Range(1, 4096).description(""));
}

void add_run_limits(CLI::App& command, SubjectOptions& subject) {
  add(command, "--stop", subject.stop_time, "T", "stop time");
  add(command, "--interval", subject.interval, "DT",
      "distance of the points that max, min, mean, rms and integral look at, besides those of the "
      "steps (default: 500 intervals)");
  add_way_limits(command, subject);
}

void add_way_limits(CLI::App& command, SubjectOptions& subject) {
  add(command, "--atol", subject.atol, "A", "absolute tolerance");
  add(command, "--max-steps", subject.max_steps, "N", "end a run after so many steps (default 1e7)")
      ->transform(CLI::Validator(whole_number, ""));
  add(command, "--max-events", subject.max_events, "N",
      "end a run after so many events (default 1e6)")
      ->transform(CLI::Validator(whole_number, ""));
  add(command, "--on-zeno", subject.on_zeno, "stop|stick|go",
      "when events accumulate (default: stop)")
      ->check(CLI::IsMember({"stop", "stick", "go"}).description(""));
}

void add_variants(CLI::App& program, VariantsCommand& variants) {
  CLI::App* command = program.add_subcommand(
      "variants", "the variants of a system entity structure: list, run, search them");
  SubjectOptions& subject = variants.subject;
  add(*command, "FILE", subject.model, "", "TOML: entities, what they consist of, what they may be")
      ->required();
  command->add_flag("--enumerate", variants.enumerate, "list the variants (the default)");
  add(*command, "--select", variants.select, "NAME=OPTION",
      "decide something: only variants with it (repeatable)")
      ->allow_extra_args(false);
  command->add_flag("--emit", variants.emit, "print the model of the variant that is left");
  add(*command, "--observe", variants.observe, "A,B",
      "run all variants, and note this of each (as in 'arges sweep')")
      ->allow_extra_args(false);
  add(*command, "--minimize", variants.minimize, "FORMULA",
      "search the variant and the values with which this is small: 'max(x) + 2*Row.number'");
  add(*command, "--maximize", variants.maximize, "FORMULA", "likewise: large");
  add(*command, "--vary", variants.vary, "NAME=RANGE",
      "what is searched besides decisions and attributes with a range: LOW:HIGH, log:LOW:HIGH or "
      "int:LOW:HIGH (repeatable)")
      ->allow_extra_args(false);
  add(*command, "--subject-to", variants.constraints, "CONDITION",
      "a constraint of the search, as in 'max(v) <= 3' (repeatable)")
      ->allow_extra_args(false);
  add(*command, "--method", variants.method, "NAME",
      "of the search: gaco, sga, ihs, direct, crs, isres, esch (default: auto)");
  add_count(*command, "--max-evaluations", variants.max_evaluations,
            "end the search after so many points (default 1000)");
  add_seed(*command, variants.seed, "of the random numbers of the search (default 1)");
  add(*command, "-p,--param", subject.assignments, "NAME=VALUE",
      "an attribute, or a value of the models (repeatable)")
      ->allow_extra_args(false);
  add(*command, "--start", subject.start_time, "T", "start time");
  add_run_limits(*command, subject);
  add(*command, "--solver", subject.solver, "NAME", "integration method");
  add(*command, "--rtol", subject.rtol, "R", "relative tolerance of runs");
  add(*command, "--step", subject.step, "H", "step of fixed-step methods");
  add_threads(*command, variants.threads);
  add(*command, "--out", variants.out, "FILE",
      "the variants of --observe, one a row: .csv or .h5; decisions as numbers, 1 the first "
      "option");
  command->add_flag("--resume", variants.resume,
                    "go on with the file of --out after an interruption");
  add(*command, "--plot", variants.plot, "FILE",
      "the observables of all variants, or how the search went: .svg, .png or .pdf");
  command->add_flag("--json", variants.json, "print one JSON object");
  command->footer(
      "examples:\n"
      "  arges variants plant.toml\n"
      "  arges variants plant.toml --select kind=Fast --observe 'max(Tank.h)'\n"
      "  arges variants plant.toml --minimize 'max(Tank.h) + 0.1*Pumps.number' --json");
}

}  // namespace arges::app
