// The grammar of the command line. CLI11 is slow to compile: it stays in this file.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "arges/base/version.h"
#include "commands.h"

namespace arges::app {

namespace {

void add_run(CLI::App& program, RunCommand& run) {
  CLI::App* command = program.add_subcommand("run", "simulate a model once");
  RunRequest& request = run.request;
  command->add_option("MODEL", request.model, "name of a model ('arges list')")->required();
  command->add_option("-p,--param", run.assignments,
                      "NAME=VALUE: a parameter or start value (repeatable)");
  command->add_option("--start", request.start_time, "start time");
  command->add_option("--stop", request.stop_time, "stop time");
  command->add_option("--solver", request.solver, "integration method ('arges solvers'), or auto");
  command->add_option("--rtol", request.rtol, "relative tolerance");
  command->add_option("--atol", request.atol,
                      "absolute tolerance, times each variable's nominal value");
  command->add_option("--step", request.step,
                      "step of fixed-step methods; first step of the others");
  command->add_option("--max-step", request.max_step, "largest step");
  command->add_option("--interval", request.interval,
                      "distance of output rows (default: 500 intervals; 0: every step)");
  command->add_option("--out", request.outputs, "result file: .csv, .mat or .h5 (repeatable)");
  command->add_option("--plot", run.plot, "picture of the result: .svg, .png or .pdf");
  command->add_option("--events", request.events,
                      "event log: a file (.csv, .jsonl, else text) or - for stdout");
  command->add_option("--max-steps", request.max_steps,
                      "end the run after so many steps (default 1e7)");
  command->add_option("--max-events", request.max_events,
                      "end the run after so many events (default 1e6)");
  command->add_option("--time-limit", request.time_limit,
                      "end the run after so many seconds of wall-clock time");
  const std::map<std::string, ZenoPolicy> policies{
      {"stop", ZenoPolicy::kStop}, {"stick", ZenoPolicy::kStick}, {"go", ZenoPolicy::kGo}};
  command->add_option("--on-zeno", request.on_zeno, "when events accumulate: stop, stick or go")
      ->transform(CLI::CheckedTransformer(policies).description(""))
      ->default_str("stop");
  const std::map<std::string, LinearAlgebra> algebras{{"auto", LinearAlgebra::kAuto},
                                                      {"dense", LinearAlgebra::kDense},
                                                      {"banded", LinearAlgebra::kBanded},
                                                      {"klu", LinearAlgebra::kKlu}};
  command
      ->add_option("--linear-solver", request.linear_algebra,
                   "of implicit methods: auto, dense, banded or klu")
      ->transform(CLI::CheckedTransformer(algebras).description(""))
      ->default_str("auto");
  command->add_flag("--json", run.json, "print one JSON object");
  command->footer(
      "examples:\n"
      "  arges run C5 --rtol 1e-10 --events -\n"
      "  arges run C1 -p lf=100 --solver cvode-bdf --out c1.csv\n"
      "  arges run C7 --plot c7.svg --json");
}

void add_lists(CLI::App& program, ListCommand& list, ListCommand& solvers,
               ResultsCommand& results) {
  CLI::App* models = program.add_subcommand("list", "the built-in models");
  models->add_flag("--json", list.json, "as a JSON array");
  CLI::App* methods = program.add_subcommand("solvers", "the integration methods");
  methods->add_flag("--json", solvers.json, "as a JSON array");
  CLI::App* files = program.add_subcommand("results", "what is in a result file");
  files->add_option("FILE", results.file, ".csv, .mat or .h5")->required();
  files->add_flag("--json", results.json, "as a JSON object");
  files->footer("example:\n  arges results c1.csv");
}

}  // namespace

int run_command_line(const ModelRegistry& models, int argc, char** argv) {
  CLI::App program{"Arges simulates continuous, discrete-event and hybrid models."};
  program.set_version_flag("--version,-V", fmt::format("arges {}", kVersion));
  program.require_subcommand(1);
  program.footer(
      "examples:\n"
      "  arges list\n"
      "  arges run C5 --rtol 1e-10 --plot c5.svg\n"
      "  arges benchmark C5\n"
      "'arges COMMAND --help' explains a command.");

  RunCommand run_options;
  ListCommand list_options, solver_options;
  ResultsCommand result_options;
  add_run(program, run_options);
  add_lists(program, list_options, solver_options, result_options);

  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    return program.exit(request);
  } catch (const CLI::ParseError& error) {
    program.exit(error);  // prints the message to stderr
    return 2;
  }
  if (program.got_subcommand("run")) return run(models, run_options);
  if (program.got_subcommand("list")) return list(models, list_options);
  if (program.got_subcommand("solvers")) return solvers(solver_options);
  return results(result_options);
}

}  // namespace arges::app
