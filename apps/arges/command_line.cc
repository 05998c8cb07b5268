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
      "  arges run C7 --plot c7.svg --json");
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

void add_subject(CLI::App& command, SubjectOptions& subject) {
  add(command, "MODEL", subject.model, "",
      "name of a model ('arges list'), a Modelica file, or a class on the MODELICAPATH")
      ->required();
  add(command, "--class", subject.class_name, "NAME", "which class of a Modelica file");
  add(command, "-p,--param", subject.assignments, "NAME=VALUE",
      "a parameter, input or start value (repeatable)")
      ->allow_extra_args(false);
  add(command, "--allow-external", subject.libraries, "LIB.so",
      "a shared library whose functions the model may call (repeatable)")
      ->allow_extra_args(false);
  add(command, "--start", subject.start_time, "T", "start time");
  add(command, "--solver", subject.solver, "NAME",
      "integration method, where the model has to run");
  add(command, "--rtol", subject.rtol, "R", "relative tolerance of runs");
  add(command, "--step", subject.step, "H", "step of fixed-step methods");
}

void add_linearize_options(CLI::App& command, LinearizeCommand& linearize) {
  add_subject(command, linearize.subject);
  add(command, "--at", linearize.at, "T|trim",
      "at which time (default: the start; several with commas), or at the steady state");
  add(command, "--inputs", linearize.inputs, "A,B", "which inputs (default: all)")
      ->allow_extra_args(false);
  add(command, "--outputs", linearize.outputs, "A,B",
      "which outputs: any variable, or der(x) (default: those of the model)")
      ->allow_extra_args(false);
  command.add_flag("--json", linearize.json, "print JSON");
}

void add_points(CLI::App& program, TrimCommand& trim, LinearizeCommand& linearize,
                BodeCommand& bode) {
  CLI::App* rest = program.add_subcommand("trim", "find steady states");
  add_subject(*rest, trim.subject);
  add(*rest, "--starts", trim.starts, "N", "search from N points: the start, and random ones")
      ->check(CLI::Range(1, 1'000'000).description(""));
  add_seed(*rest, trim.seed, "of the random points (default 1)");
  add(*rest, "--plot", trim.plot, "FILE", "the eigenvalues: .svg, .png or .pdf");
  rest->add_flag("--json", trim.json, "print one JSON object");
  rest->footer("examples:\n  arges trim C1\n  arges trim bistable.mo --starts 50 --json");

  CLI::App* linear = program.add_subcommand("linearize", "A, B, C, D and eigenvalues at a point");
  add_linearize_options(*linear, linearize);
  add(*linear, "--plot", linearize.plot, "FILE", "the eigenvalues: .svg, .png or .pdf");
  linear->footer(
      "examples:\n"
      "  arges linearize C1 --at 10\n"
      "  arges linearize servo.mo --at trim --inputs u --outputs y,v --json");

  CLI::App* frequency = program.add_subcommand("bode", "frequency response, poles and zeros");
  add_linearize_options(*frequency, bode.linearize);
  add(*frequency, "--range", bode.range, "A:B", "angular frequencies (default: around the poles)");
  add(*frequency, "--plot", bode.linearize.plot, "FILE", "the diagram: .svg, .png or .pdf");
  frequency->footer("example:\n  arges bode filter.mo --inputs u --outputs y --plot bode.svg");
}

// For commands whose results are those of whole runs.
void add_runs(CLI::App& command, SubjectOptions& subject) {
  add_subject(command, subject);
  add_run_limits(command, subject);
}

void add_study(CLI::App& command, StudyOptions& study) {
  add_runs(command, study.subject);
  add(command, "--observe", study.observe, "A,B",
      "what to note of each run: x, x@2, max(x), min(x), mean(x), rms(x), integral(x), time, "
      "events, "
      "steps (default: the states at the end)")
      ->allow_extra_args(false);
  add_threads(command, study.threads);
  add(command, "--out", study.out, "FILE", "all rows: .csv or .h5");
  command.add_flag("--resume", study.resume,
                   "go on with the study of --out that was interrupted or killed");
  add(command, "--plot", study.plot, "FILE", "picture: .svg, .png or .pdf");
  command.add_flag("--json", study.json, "print one JSON object");
}

void add_studies(CLI::App& program, SweepCommand& sweep, MonteCarloCommand& montecarlo) {
  CLI::App* grid = program.add_subcommand("sweep", "runs over ranges of values");
  add_study(*grid, sweep.study);
  add(*grid, "-s,--sweep", sweep.axes, "NAME=RANGE",
      "lin:FROM:TO:COUNT, log:FROM:TO:COUNT or list:A,B,... (repeatable: all combinations)")
      ->required()
      ->allow_extra_args(false);
  add(*grid, "--log", sweep.log, "AXES",
      "logarithmic axes of --plot: x, y, xy or none (default: x of a log range, and y when the "
      "values are positive and span two decades, too)")
      ->check(CLI::IsMember({"x", "y", "xy", "none"}).description(""));
  grid->footer(
      "examples:\n"
      "  arges sweep C1 -s lf=log:100:10000:9 --observe 'max(f),f@10'\n"
      "  arges sweep C1 -s lf=log:100:10000:9 -s kr=list:0.5,1,2 --plot sweep.svg");

  CLI::App* chance = program.add_subcommand("montecarlo", "runs with random values");
  add_study(*chance, montecarlo.study);
  add(*chance, "-d,--distribution", montecarlo.distributions, "NAME=DISTRIBUTION",
      "uniform(a,b), normal(mean,deviation), ... (repeatable)")
      ->required()
      ->allow_extra_args(false);
  add_count(*chance, "-n", montecarlo.count, "number of runs (default 1000)");
  add_seed(*chance, montecarlo.seed, "of the random numbers (default 1)");
  add(*chance, "--until", montecarlo.until, "RULE",
      "end when the mean is known well enough: 'ci(mean(x@2))<1e-3'");
  add(*chance, "--bands", montecarlo.bands, "A,B",
      "variables over time: mean and quantiles of all runs, in JSON and --plot")
      ->allow_extra_args(false);
  chance->footer(
      "example:\n"
      "  arges montecarlo C7 -n 1000 -d 'phi=normal(0.1,0.01)' --observe 'max(phi)' --plot "
      "phi.svg");
}

void add_search(CLI::App& command, SearchOptions& search) {
  add_runs(command, search.subject);
  add(command, "--vary", search.vary, "NAME=RANGE",
      "LOW:HIGH, log:LOW:HIGH or int:LOW:HIGH, with @GUESS behind it if you have one (repeatable)")
      ->required()
      ->allow_extra_args(false);
  add(command, "--stop-when", search.stop_when, "CONDITION",
      "end each run when this becomes true, as in 'v <= 0'");
  add_count(command, "--max-evaluations", search.max_evaluations,
            "end the search after so many runs (default 1000)");
  add_threads(command, search.threads);
  command.add_flag("--json", search.json, "print one JSON object");
}

void add_searches(CLI::App& program, OptimizeCommand& optimize, SolveBvpCommand& bvp) {
  CLI::App* best = program.add_subcommand("optimize", "the values with the best run");
  add_search(*best, optimize.search);
  add(*best, "--minimize", optimize.minimize, "FORMULA",
      "what shall be small: 'max(x) + 2*abs(y@3)', 'integral((x - 1)^2)'");
  add(*best, "--maximize", optimize.maximize, "FORMULA", "what shall be large");
  add(*best, "--subject-to", optimize.constraints, "CONDITION",
      "a constraint, as in 'max(v) <= 3' or 'x@2 = 1' (repeatable)")
      ->allow_extra_args(false);
  add(*best, "--method", optimize.method, "NAME",
      "of NLopt: bobyqa, cobyla, sbplx, neldermead, praxis, slsqp, and, looking everywhere, "
      "direct, "
      "crs, isres, esch; of pagmo: de, sade, cmaes, pso, bee, sga, gaco, ihs (default: auto)");
  add(*best, "--tolerance", optimize.tolerance, "X",
      "of the variables, as a part of their range (default 1e-11)");
  add_seed(*best, optimize.seed, "of the random numbers (default 1)");
  add(*best, "--plot", optimize.search.plot, "FILE", "how the search went: .svg, .png or .pdf");
  best->footer(
      "examples:\n"
      "  arges optimize tank.mo --minimize 'integral((h - 1)^2)' --vary k=log:0.01:100\n"
      "  arges optimize C7 --maximize 'phi@1' --vary omega=-3:3 --subject-to 'max(phi) <= 1' "
      "--json");

  CLI::App* shoot = program.add_subcommand("solve-bvp", "values for which conditions hold");
  add_search(*shoot, bvp.search);
  add(*shoot, "--condition", bvp.conditions, "CONDITION",
      "what shall hold, as in 'x = 1' at the end or 'v@2 = 0' (repeatable: as many as are varied)")
      ->required()
      ->allow_extra_args(false);
  add(*shoot, "--plot", bvp.search.plot, "FILE", "the solution: .svg, .png or .pdf");
  shoot->footer(
      "example:\n"
      "  arges solve-bvp C7 --vary omega=-3:-1 --stop-when 'omega >= 0' --condition 'phi = -pi/2'");
}

void add_fit(CLI::App& program, FitCommand& fit) {
  CLI::App* command = program.add_subcommand("fit", "values with which a model fits recorded data");
  add_search(*command, fit.search);
  command->get_option("MODEL")->required(false);
  command->get_option("--vary")->required(false);
  command->remove_option(command->get_option("--stop-when"));
  add(*command, "--data", fit.data, "FILE", "the recording: a result file, or any .csv with times")
      ->required();
  add(*command, "--match", fit.match, "VARIABLE=COLUMN",
      "which variables were measured, and as which columns (default: all columns, by their names)")
      ->allow_extra_args(false);
  add(*command, "--deviation", fit.deviations, "VARIABLE=S",
      "how uncertain its measurements are (repeatable; default: all series count alike)")
      ->allow_extra_args(false);
  add(*command, "--arx", fit.arx, "NA,NB,NK",
      "no MODEL, but a difference equation of these orders and delay");
  add(*command, "--input", fit.input, "COLUMN", "of --arx");
  add(*command, "--output", fit.output, "COLUMN", "of --arx");
  add(*command, "--plot", fit.search.plot, "FILE", "data and fit: .svg, .png or .pdf");
  command->footer(
      "examples:\n"
      "  arges fit tank.mo --data measured.csv --vary k=log:0.01:100 --vary A=0.5:2\n"
      "  arges fit --data measured.csv --arx 2,2,1 --input u --output y --json");
}

void add_compare(CLI::App& program, CompareCommand& compare) {
  CLI::App* command = program.add_subcommand("compare", "solvers and tolerances beside each other");
  add_runs(*command, compare.subject);
  command->remove_option(command->get_option("--solver"));
  command->remove_option(command->get_option("--rtol"));
  command->remove_option(command->get_option("--interval"));
  add(*command, "--solvers", compare.solvers, "A,B", "which ('arges solvers')")
      ->required()
      ->allow_extra_args(false);
  add(*command, "--rtol", compare.rtols, "A,B", "relative tolerances (default 1e-4,1e-6,1e-8)");
  add(*command, "--reference", compare.reference, "NAME",
      "solver of the reference (default: rodas5p, or one that fits the model)");
  add(*command, "--plot", compare.plot, "FILE", "work-precision diagram: .svg, .png or .pdf");
  command->add_flag("--json", compare.json, "print one JSON object");
  command->footer(
      "example:\n"
      "  arges compare C1 --solvers rodas5p,cvode-bdf,dopri5 --rtol 1e-4,1e-6,1e-8 --plot wp.svg");
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
