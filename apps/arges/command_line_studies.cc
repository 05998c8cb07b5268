// The grammar of experiments: what is done with a model besides a run.

#include "cli_option.h"
#include "commands.h"

namespace arges::app {

namespace {

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
  add_way_limits(command, linearize.subject);
  add(command, "--at", linearize.at, "T|trim",
      "at which time (default: the start; several with commas), or at the steady state");
  add(command, "--inputs", linearize.inputs, "A,B", "which inputs (default: all)")
      ->allow_extra_args(false);
  add(command, "--outputs", linearize.outputs, "A,B",
      "which outputs: any variable, or der(x) (default: those of the model)")
      ->allow_extra_args(false);
  command.add_flag("--json", linearize.json, "print JSON");
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

}  // namespace

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
  add(*linear, "--pade", linearize.pade, "N",
      "replace each delay() by its Padé approximation of this order, 1 to 10")
      ->check(CLI::Range(1, 10).description(""));
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

}  // namespace arges::app
