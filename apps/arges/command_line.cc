// The grammar of the command line.

#include <algorithm>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/base/version.h"
#include "arges/experiment/ranks.h"
#include "arges/experiment/specification.h"
#include "cli_option.h"
#include "commands.h"
#include "console.h"
#include "experiment_file.h"

namespace arges::app {

namespace {

void add_run(CLI::App& program, RunCommand& run) {
  CLI::App* command = program.add_subcommand("run", "simulate a model once");
  RunRequest& request = run.request;
  add(*command, "MODEL", request.model, "",
      "name of a model ('arges list'), a Modelica file, or a class on the MODELICAPATH")
      ->required();
  add(*command, "--class", run.class_name, "NAME",
      "which class of a Modelica file (default: its namesake, or the last)");
  add(*command, "-p,--param", run.assignments, "NAME=VALUE",
      "a parameter or start value (repeatable)")
      ->allow_extra_args(false);
  add(*command, "--allow-external", run.libraries, "LIB.so",
      "a shared library whose functions the model may call (repeatable)")
      ->allow_extra_args(false);
  add(*command, "--start", request.start_time, "T", "start time");
  add(*command, "--stop", request.stop_time, "T", "stop time");
  add(*command, "--solver", request.solver, "NAME",
      "integration method ('arges solvers'), or auto");
  add(*command, "--rtol", request.rtol, "R", "relative tolerance");
  add(*command, "--atol", request.atol, "A",
      "absolute tolerance, times each variable's nominal value");
  add(*command, "--step", request.step, "H",
      "step of fixed-step methods; first step of the others");
  add(*command, "--max-step", request.max_step, "H", "largest step");
  add(*command, "--interval", request.interval, "DT",
      "distance of output rows (default: 500 intervals; 0: every step)");
  add(*command, "--out", request.outputs, "FILE", "result file: .csv, .mat or .h5 (repeatable)")
      ->allow_extra_args(false);
  add(*command, "--record", request.record, "NAME",
      "only these variables to files and pictures; * and ? stand for letters (repeatable)")
      ->allow_extra_args(false);
  add(*command, "--plot", run.plot, "FILE", "picture of the result: .svg, .png or .pdf");
  add(*command, "--events", request.events, "FILE|-",
      "event log: a file (.csv, .jsonl, else text) or - for stdout");
  add(*command, "--max-steps", request.max_steps, "N",
      "end the run after so many steps (default 1e7)")
      ->transform(CLI::Validator(whole_number, ""));
  add(*command, "--max-events", request.max_events, "N",
      "end the run after so many events (default 1e6)")
      ->transform(CLI::Validator(whole_number, ""));
  add(*command, "--time-limit", request.time_limit, "SECONDS",
      "end the run after so many seconds of wall-clock time");
  add(*command, "--on-zeno", run.on_zeno, "stop|stick|go", "when events accumulate (default: stop)")
      ->check(CLI::IsMember({"stop", "stick", "go"}).description(""));
  add(*command, "--linear-solver", run.linear_solver, "NAME",
      "of implicit methods: auto (default), dense, banded or klu")
      ->check(CLI::IsMember({"auto", "dense", "banded", "klu"}).description(""));
  add(*command, "--tier", run.tier, "vm|jit|auto",
      "of models as text: the register machine, native code, or (default) native code when the run "
      "is long; the results are the same")
      ->check(CLI::IsMember({"vm", "jit", "auto"}).description(""));
  add(*command, "--constraints", run.constraints, "select|project",
      "of models as text with a higher index: compute some states from the constraints (default), "
      "or integrate all and project (default of the methods rt-*)")
      ->check(CLI::IsMember({"select", "project"}).description(""));
  add(*command, "--newton", request.newton_steps, "K",
      "of the methods rt-*: Newton steps in each step");
  add(*command, "--projection", request.projection_steps, "J",
      "of the methods rt-*: projection steps in each step");
  add(*command, "--jacobian-every", request.jacobian_every, "N",
      "of the methods rt-*: a new Jacobian in each N-th step");
  add(*command, "--jacobian-background", request.jacobian_background, "[N]",
      "of the methods rt-*: Jacobians from a second thread, when ready or always N steps later")
      ->expected(0, 1)
      ->default_str("0");
  add(*command, "--newton-tolerance", request.newton_tolerance, "R",
      "of the methods rt-*: no further Newton steps when no residual is larger");
  command->add_flag("--constant-history", request.constant_history,
                    "of the methods rt-*: all values before the start are as at the start");
  add(*command, "--fast", request.fast, "NAME",
      "of multirate methods: a state with short steps (repeatable)")
      ->allow_extra_args(false);
  add(*command, "--frame-ratio", request.frame_ratio, "R",
      "of multirate methods: short steps in each --step (default 10)");
  add(*command, "--real-time", request.real_time, "[PACE]",
      "keep pace with the wall clock: PACE units of model time for each second")
      ->expected(0, 1)
      ->default_str("1");
  command->add_flag("--activity", request.activity,
                    "measure how far each state moves, and how many quanta lie on its way");
  command->add_flag("--json", run.json, "print one JSON object");
  command->footer(
      "examples:\n"
      "  arges run C5 --rtol 1e-10 --events -\n"
      "  arges run C1 -p lf=100 --solver cvode-bdf --out c1.csv\n"
      "  arges run C7 --plot c7.svg --json\n"
      "  arges run C1 --record f --record 'der(*)' --out c1.h5");
}

void add_lists(CLI::App& program, ListCommand& list, ListCommand& solvers,
               ResultsCommand& results) {
  CLI::App* models = program.add_subcommand("list", "the built-in models");
  models->add_flag("--json", list.json, "as a JSON array");
  models->footer("example:\n  arges list");
  CLI::App* methods = program.add_subcommand("solvers", "the integration methods");
  methods->add_flag("--json", solvers.json, "as a JSON array");
  methods->footer("example:\n  arges solvers --json");
  CLI::App* files = program.add_subcommand("results", "what is in a result file");
  add(*files, "FILE", results.file, "", ".csv, .mat or .h5")->required();
  files->add_flag("--json", results.json, "as a JSON object");
  files->footer("example:\n  arges results c1.csv");
}

void add_plot(CLI::App& program, PlotCommand& plot) {
  CLI::App* command = program.add_subcommand("plot", "draw results");
  PlotRequest& request = plot.request;
  add(*command, "FILE", plot.files, "", "result files; several are several runs in one figure")
      ->required();
  add(*command, "-y,--variables", plot.y, "A,B",
      "names of what to draw (repeatable; default: the states)")
      ->allow_extra_args(false);
  add(*command, "-x", request.x, "NAME", "over which variable (default: time)");
  add(*command, "--log", plot.log, "x|y|xy", "logarithmic axes")
      ->check(CLI::IsMember({"x", "y", "xy"}).description(""));
  command->add_flag("--panels", request.panels, "one panel for each variable");
  command->add_flag("--equal", request.equal_aspect, "one unit is as long on x as on y");
  add(*command, "--title", request.title, "TEXT", "title of the figure");
  add(*command, "--xlim", plot.x_limits, "A:B", "range of the x axis");
  add(*command, "--ylim", plot.y_limits, "A:B", "range of the y axes");
  add(*command, "--size", plot.size, "WxH", "width and height in mm (default: 160x100)");
  command->add_flag("--no-events", plot.no_events, "without the marks of events");
  add(*command, "-o,--out", plot.out, "FILE",
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
  add(*command, "ID", benchmark.ids, "", "which ones (default: all)");
  add(*command, "--report", benchmark.report, "DIR", "folder for a report with all figures");
  command->add_flag("--json", benchmark.json, "print the rows as a JSON array");
  command->add_flag("--list", benchmark.list, "only list the benchmarks");
  command->add_flag("--tables", benchmark.tables,
                    "print the tables of the report instead of the rows");
  command->footer(
      "examples:\n"
      "  arges benchmark C5\n"
      "  arges benchmark --report report      then open report/index.html");
}

void add_source(CLI::App& command, ModelSource& source) {
  add(command, "MODEL", source.what, "", "a Modelica file, or a class on the MODELICAPATH")
      ->required();
  add(command, "--class", source.class_name, "NAME",
      "which class of the file (default: its namesake, or the last)");
}

void add_analysis(CLI::App& program, CheckCommand& check, FlattenCommand& flatten) {
  CLI::App* look = program.add_subcommand("check", "analyse Modelica text without simulating it");
  add_source(*look, check.source);
  look->add_flag("--json", check.json, "print one JSON object");
  look->footer("example:\n  arges check tank.mo --class Tank");
  CLI::App* flat = program.add_subcommand("flatten", "show a model after flattening");
  add_source(*flat, flatten.source);
  add(*flat, "--emit", flatten.emit, "STAGE",
      "which stage: tokens, ast, text, classes, flat (default), equations or causal");
  flat->footer("example:\n  arges flatten tank.mo");
}

void add_text(CLI::App& program, FormatCommand& format, std::string& code) {
  CLI::App* tidy = program.add_subcommand("format", "set Modelica text in the house format");
  add(*tidy, "FILE", format.files, "", "Modelica files")->required();
  tidy->add_flag("-i,--in-place", format.in_place, "rewrite the files instead of printing them");
  tidy->add_flag("--check", format.check,
                 "change nothing; exit code 1 when a file is not in the format");
  tidy->footer("example:\n  arges format -i tank.mo");
  CLI::App* meaning = program.add_subcommand("explain", "what a diagnostic code means");
  add(*meaning, "CODE", code, "", "as in error[E0104]")->required();
  meaning->footer("example:\n  arges explain E0104");
  CLI::App* server = program.add_subcommand("lsp", "serve an editor (Language Server Protocol)");
  server->footer("An editor starts it and speaks to it on standard input and output.");
}

// What was given behind options.
std::vector<std::string> option_values(const CLI::App& command) {
  std::vector<std::string> values;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) continue;
    values.insert(values.end(), option->results().begin(), option->results().end());
  }
  return values;
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
      for (const std::string& name : option->get_lnames()) options.push_back(name);
    }
    for (int i = 2; i < argc; ++i) {
      const std::string word = argv[i];
      const std::string name = word.substr(0, word.find('='));
      if (!name.starts_with("--") || name == "--") continue;
      // The dashes are alike in all names, and say nothing about which is near.
      const std::string bare = name.substr(2);
      if (std::find(options.begin(), options.end(), bare) != options.end()) continue;
      std::vector<std::string> near = nearest_names(bare, options);
      for (std::string& each : near) each.insert(0, "--");
      return fmt::format("unknown option '{}'{}{}", name, did_you_mean(name, near), help);
    }
  }
  // "Could not convert: --stop = two"
  const std::string text = error.what();
  const std::size_t name = text.find(": "), value = text.find(" = ");
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr && name < value &&
      value != std::string::npos)
    return fmt::format("{}: '{}' is not a number{}", text.substr(name + 2, value - name - 2),
                       text.substr(value + 3), help);
  return text + help;
}

// The message, with the option that it is about, as far as the user has given it.
std::string with_option(const CLI::App& command, const UserError& error) {
  std::string message = error.what();
  for (const std::string& name : error.options()) {
    const CLI::Option* option = command.get_option_no_throw("--" + name);
    if (option == nullptr || option->count() == 0) continue;
    const std::string value = fmt::format("{}", fmt::join(option->results(), " "));
    // The option, or a place in the file that it names, is there already.
    if (message.find("--" + name) != std::string::npos || message.starts_with(value + ":"))
      return message;
    const bool is_quoted = message.find("'" + value + "'") != std::string::npos;
    return option->count() > 1 || is_quoted ? fmt::format("--{}: {}", name, message)
                                            : fmt::format("--{} {}: {}", name, value, message);
  }
  // What is about the model is about none of the options.
  return error.options().empty() ? with_whole_text(message, option_values(command)) : message;
}

// `from_file`: whoever calls shows where the words stand.
int run_words(const ModelRegistry& models, const std::vector<Benchmark>& gallery, int argc,
              char** argv, bool from_file);

int run_experiment(const ModelRegistry& models, const std::vector<Benchmark>& gallery,
                   const CLI::App& program, const std::string& path, bool json) {
  ExperimentFile file = read_experiment(path);
  std::vector<std::string> arguments = arguments_of(program, file);
  const bool has_json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
  if (json && !has_json) arguments.emplace_back("--json");
  std::vector<char*> pointers;
  for (std::string& each : arguments) pointers.push_back(each.data());
  try {
    return run_words(models, gallery, static_cast<int>(pointers.size()), pointers.data(), true);
  } catch (const UserError& error) {
    throw UserError(file.explain(error));
  } catch (const IoError& error) {
    throw IoError(file.explain(error));
  } catch (const ModelTextError& error) {
    if (!error.no_such_class) throw;
    throw ModelTextError(file.explain_no_class(error.what()), error.json);
  }
}

int run_words(const ModelRegistry& models, const std::vector<Benchmark>& gallery, int argc,
              char** argv, bool from_file) {
  CLI::App program{"Arges simulates continuous, discrete-event and hybrid models.", "arges"};
  program.set_version_flag("--version,-V", fmt::format("arges {}", kVersion));
  program.require_subcommand(1);
  program.get_formatter()->label("REQUIRED", "");  // the usage line shows that
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
  TrimCommand trim_options;
  LinearizeCommand linearize_options;
  BodeCommand bode_options;
  SweepCommand sweep_options;
  MonteCarloCommand montecarlo_options;
  OptimizeCommand optimize_options;
  SolveBvpCommand bvp_options;
  FitCommand fit_options;
  CompareCommand compare_options;
  VariantsCommand variants_options;
  std::string code, experiment;
  bool experiment_json = false;
  add_run(program, run_options);
  add_lists(program, list_options, solver_options, result_options);
  add_plot(program, plot_options);
  add_benchmark(program, benchmark_options);
  add_analysis(program, check_options, flatten_options);
  add_points(program, trim_options, linearize_options, bode_options);
  add_studies(program, sweep_options, montecarlo_options);
  add_searches(program, optimize_options, bvp_options);
  add_fit(program, fit_options);
  add_compare(program, compare_options);
  add_variants(program, variants_options);
  add_text(program, format_options, code);
  add_experiment(program, experiment, experiment_json);

  if (argc < 2) {
    to_stderr(program.help());
    throw UserError("a command is missing");
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    return program.exit(request);
  } catch (const CLI::ParseError& error) {
    throw UserError(usage_message(program, argc, argv, error));
  }
  const auto command = [&] {
    // What has no work for several ranks is done by the first one, and printed once.
    if (rank_by_environment().rank > 0) {
      for (const char* alone : {"trim", "linearize", "bode", "compare"}) {
        if (program.got_subcommand(alone)) return 0;
      }
    }
    if (program.got_subcommand("run")) return run(models, run_options);
    if (program.got_subcommand("list")) return list(models, list_options);
    if (program.got_subcommand("solvers")) return solvers(solver_options);
    if (program.got_subcommand("results")) return results(result_options);
    if (program.got_subcommand("plot")) return plot(plot_options);
    if (program.got_subcommand("trim")) return trim(models, trim_options);
    if (program.got_subcommand("linearize")) return linearize(models, linearize_options);
    if (program.got_subcommand("bode")) return bode(models, bode_options);
    if (program.got_subcommand("sweep")) return sweep(models, sweep_options);
    if (program.got_subcommand("montecarlo")) return montecarlo(models, montecarlo_options);
    if (program.got_subcommand("optimize")) return optimize(models, optimize_options);
    if (program.got_subcommand("solve-bvp")) return solve_bvp(models, bvp_options);
    if (program.got_subcommand("fit")) return fit(models, fit_options);
    if (program.got_subcommand("compare")) return compare(models, compare_options);
    if (program.got_subcommand("variants")) return variants(models, variants_options);
    if (program.got_subcommand("experiment"))
      return run_experiment(models, gallery, program, experiment, experiment_json);
    if (program.got_subcommand("check")) return check(check_options);
    if (program.got_subcommand("flatten")) return flatten(flatten_options);
    if (program.got_subcommand("format")) return format(format_options);
    if (program.got_subcommand("explain")) return explain(code);
    if (program.got_subcommand("lsp")) return language_server();
    return benchmark(gallery, benchmark_options);
  };
  if (from_file) return command();
  try {
    return command();
  } catch (const UserError& error) {
    throw UserError(with_option(*program.get_subcommands().front(), error));
  }
}

}  // namespace

int run_command_line(const ModelRegistry& models, const std::vector<Benchmark>& gallery, int argc,
                     char** argv) {
  return run_words(models, gallery, argc, argv, false);
}

}  // namespace arges::app
