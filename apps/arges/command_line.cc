// The grammar of the command line. CLI11 is slow to compile: it stays in this file.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/base/parse_number.h"
#include "arges/base/version.h"
#include "commands.h"

namespace arges::app {

namespace {

// Counts may be written as 1e8.
std::string whole_number(std::string& text) {
  const auto value = parse_number(text);
  if (!value || !(std::abs(*value) <= 9e18) || *value != std::floor(*value))
    return fmt::format("'{}' is not a whole number", text);
  text = fmt::format("{}", static_cast<std::int64_t>(*value));
  return {};
}

void add_run(CLI::App& program, RunCommand& run) {
  CLI::App* command = program.add_subcommand("run", "simulate a model once");
  RunRequest& request = run.request;
  command
      ->add_option(
          "MODEL", request.model,
          "name of a model ('arges list'), a Modelica file, or a class on the MODELICAPATH")
      ->required();
  command->add_option("--class", run.class_name,
                      "which class of a Modelica file (default: the last)");
  command
      ->add_option("-p,--param", run.assignments,
                   "NAME=VALUE: a parameter or start value (repeatable)")
      ->allow_extra_args(false);
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
  command->add_option("--out", request.outputs, "result file: .csv, .mat or .h5 (repeatable)")
      ->allow_extra_args(false);
  command->add_option("--plot", run.plot, "picture of the result: .svg, .png or .pdf");
  command->add_option("--events", request.events,
                      "event log: a file (.csv, .jsonl, else text) or - for stdout");
  command
      ->add_option("--max-steps", request.max_steps,
                   "end the run after so many steps (default 1e7)")
      ->transform(CLI::Validator(whole_number, ""));
  command
      ->add_option("--max-events", request.max_events,
                   "end the run after so many events (default 1e6)")
      ->transform(CLI::Validator(whole_number, ""));
  command->add_option("--time-limit", request.time_limit,
                      "end the run after so many seconds of wall-clock time");
  command->add_option("--on-zeno", run.on_zeno, "when events accumulate: stop, stick or go")
      ->check(CLI::IsMember({"stop", "stick", "go"}).description(""))
      ->default_str("stop");
  command
      ->add_option("--linear-solver", run.linear_solver,
                   "of implicit methods: auto, dense, banded or klu")
      ->check(CLI::IsMember({"auto", "dense", "banded", "klu"}).description(""))
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

void add_plot(CLI::App& program, PlotCommand& plot) {
  CLI::App* command = program.add_subcommand("plot", "draw results");
  PlotRequest& request = plot.request;
  command->add_option("FILE", plot.files, "result files; several are several runs in one figure")
      ->required();
  command
      ->add_option("-y,--variables", plot.y,
                   "what to draw: a name or a list a,b (repeatable; default: the states)")
      ->allow_extra_args(false);
  command->add_option("-x", request.x, "over which variable (default: time)");
  command->add_option("--log", plot.log, "logarithmic axes: x, y or xy")
      ->check(CLI::IsMember({"x", "y", "xy"}).description(""));
  command->add_flag("--panels", request.panels, "one panel for each variable");
  command->add_flag("--equal", request.equal_aspect, "one unit is as long on x as on y");
  command->add_option("--title", request.title, "title of the figure");
  command->add_option("--xlim", plot.x_limits, "A:B, the range of the x axis");
  command->add_option("--ylim", plot.y_limits, "A:B, the range of the y axes");
  command->add_option("--size", plot.size, "WxH, width and height in mm (default: 160x100)");
  command->add_flag("--no-events", plot.no_events, "without the marks of events");
  command->add_option("-o,--out", plot.out,
                      "the picture: .svg, .png or .pdf (default: the first FILE as .svg)");
  command->footer(
      "examples:\n"
      "  arges plot c1.csv                            the states over time, to c1.svg\n"
      "  arges plot c1.csv -y f,m,r --log xy -o c1.pdf\n"
      "  arges plot c7.csv -x phi -y omega            a phase plot\n"
      "  arges plot loose.csv tight.csv -y y1         two runs");
}

void add_benchmark(CLI::App& program, BenchmarkCommand& benchmark) {
  CLI::App* command = program.add_subcommand(
      "benchmark", "solve the ARGESIM benchmarks: computed beside published values");
  command->add_option("ID", benchmark.ids, "which ones (default: all)");
  command->add_option("--report", benchmark.report, "folder for a report with all figures");
  command->add_flag("--json", benchmark.json, "print the rows as a JSON array");
  command->add_flag("--list", benchmark.list, "only list the benchmarks");
  command->footer(
      "examples:\n"
      "  arges benchmark C5\n"
      "  arges benchmark --report report      then open report/index.html");
}

void add_source(CLI::App& command, ModelSource& source) {
  command.add_option("MODEL", source.what, "a Modelica file, or a class on the MODELICAPATH")
      ->required();
  command.add_option("--class", source.class_name, "which class of the file (default: the last)");
}

void add_analysis(CLI::App& program, CheckCommand& check, FlattenCommand& flatten) {
  CLI::App* look = program.add_subcommand("check", "analyse Modelica text without simulating it");
  add_source(*look, check.source);
  look->add_flag("--json", check.json, "print one JSON object");
  look->footer("example:\n  arges check tank.mo --class Tank");
  CLI::App* flat = program.add_subcommand("flatten", "show a model after flattening");
  add_source(*flat, flatten.source);
  flat->add_option("--emit", flatten.emit, "which stage: flat or causal")->default_str("flat");
  flat->footer("example:\n  arges flatten tank.mo");
}

void add_text(CLI::App& program, FormatCommand& format, std::string& code) {
  CLI::App* tidy = program.add_subcommand("format", "set Modelica text in the house format");
  tidy->add_option("FILE", format.files, "Modelica files")->required();
  tidy->add_flag("-i,--in-place", format.in_place, "rewrite the files instead of printing them");
  tidy->add_flag("--check", format.check,
                 "change nothing; exit code 1 when a file is not in the format");
  tidy->footer("example:\n  arges format -i tank.mo");
  CLI::App* meaning = program.add_subcommand("explain", "what a diagnostic code means");
  meaning->add_option("CODE", code, "as in error[E0104]")->required();
  meaning->footer("example:\n  arges explain E0104");
}

// What was typed wrong, with the near names.
std::string usage_message(const CLI::App& program, int argc, char** argv,
                          const CLI::ParseError& error) {
  const auto commands = program.get_subcommands();
  if (commands.empty()) {
    std::vector<std::string> names;
    for (const CLI::App* each : program.get_subcommands({})) names.push_back(each->get_name());
    if (argv[1][0] == '-')
      return fmt::format("unknown option '{}' ('arges --help' explains the usage)", argv[1]);
    return fmt::format("there is no command '{}'{} ('arges --help' explains all)", argv[1],
                       did_you_mean(argv[1], names));
  }
  const CLI::App& command = *commands.front();
  const std::string help =
      fmt::format(" ('arges {} --help' explains the usage)", command.get_name());
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    std::vector<std::string> options;
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
      for (const std::string& name : option->get_snames()) options.push_back("-" + name);
    }
    for (int i = 2; i < argc; ++i) {
      const std::string word = argv[i];
      const std::string name = word.substr(0, word.find('='));
      if (name.starts_with("--") &&
          std::find(options.begin(), options.end(), name) == options.end()) {
        return fmt::format("unknown option '{}'{}{}", name, did_you_mean(name, options), help);
      }
    }
  }
  return error.what() + help;
}

}  // namespace

int run_command_line(const ModelRegistry& models, const std::vector<Benchmark>& gallery, int argc,
                     char** argv) {
  CLI::App program{"Arges simulates continuous, discrete-event and hybrid models.", "arges"};
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
  PlotCommand plot_options;
  BenchmarkCommand benchmark_options;
  CheckCommand check_options;
  FlattenCommand flatten_options;
  FormatCommand format_options;
  std::string code;
  add_run(program, run_options);
  add_lists(program, list_options, solver_options, result_options);
  add_plot(program, plot_options);
  add_benchmark(program, benchmark_options);
  add_analysis(program, check_options, flatten_options);
  add_text(program, format_options, code);

  if (argc < 2) {
    fmt::print(stderr, "{}", program.help());
    return 2;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    return program.exit(request);
  } catch (const CLI::ParseError& error) {
    throw UserError(usage_message(program, argc, argv, error));
  }
  if (program.got_subcommand("run")) return run(models, run_options);
  if (program.got_subcommand("list")) return list(models, list_options);
  if (program.got_subcommand("solvers")) return solvers(solver_options);
  if (program.got_subcommand("results")) return results(result_options);
  if (program.got_subcommand("plot")) return plot(plot_options);
  if (program.got_subcommand("check")) return check(check_options);
  if (program.got_subcommand("flatten")) return flatten(flatten_options);
  if (program.got_subcommand("format")) return format(format_options);
  if (program.got_subcommand("explain")) return explain(code);
  return benchmark(gallery, benchmark_options);
}

}  // namespace arges::app
