#pragma once
// The subcommands of the program. Each returns the exit code (docs/guide/exit-codes.md); exceptions
// are turned into messages and codes by main().

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "arges/driver/benchmark.h"
#include "arges/driver/model_registry.h"
#include "arges/driver/model_text.h"
#include "arges/driver/plot_results.h"
#include "arges/driver/run_model.h"

namespace arges::app {

struct RunCommand {
  RunRequest request;
  std::string class_name;                // of a Modelica file
  std::vector<std::string> assignments;  // NAME=VALUE
  std::vector<std::string> libraries;    // whose functions the model may call
  std::string on_zeno = "stop", linear_solver = "auto", tier = "auto", constraints = "auto";
  std::optional<std::string> plot;
  bool json = false;
};
int run(const ModelRegistry& models, RunCommand command);
// "stop", "stick", "go".
ZenoPolicy zeno_policy(const std::string& name);

struct ListCommand {
  bool json = false;
};
int list(const ModelRegistry& models, const ListCommand& command);
int solvers(const ListCommand& command);

struct ResultsCommand {
  std::string file;
  bool json = false;
};
int results(const ResultsCommand& command);

struct PlotCommand {
  std::vector<std::string> files;
  std::vector<std::string> y;                     // each may be a list: a,b
  std::optional<std::string> log;                 // x, y or xy
  std::optional<std::string> x_limits, y_limits;  // A:B
  std::optional<std::string> size;                // WxH
  bool no_events = false;
  std::optional<std::string> out;
  PlotRequest request;  // the rest
};
int plot(PlotCommand command);

struct BenchmarkCommand {
  std::vector<std::string> ids;  // empty: all
  std::optional<std::string> report;
  bool json = false;
  bool list = false;
  bool tables = false;
};
int benchmark(const std::vector<Benchmark>& gallery, const BenchmarkCommand& command);

struct CheckCommand {
  ModelSource source;
  bool json = false;
};
int check(CheckCommand command);

struct FlattenCommand {
  ModelSource source;
  std::string emit = "flat";
};
int flatten(FlattenCommand command);

// Modelica text in the house format: printed, written in place, or only looked at.
struct FormatCommand {
  std::vector<std::string> files;
  bool in_place = false;
  bool check = false;
};
int format(const FormatCommand& command);

// A model with the values that the user gave, for what is done with it besides a run.
struct SubjectOptions {
  std::string model, class_name;
  std::vector<std::string> assignments;  // NAME=VALUE
  std::vector<std::string> libraries;
  std::optional<double> start_time, stop_time, rtol, atol, step, interval;
  std::optional<std::int64_t> max_steps, max_events;
  std::optional<std::string> solver;
  std::string on_zeno = "stop";
  DelayUse delays = DelayUse::kKept;
};

struct TrimCommand {
  SubjectOptions subject;
  int starts = 1;
  std::uint64_t seed = 1;
  std::optional<std::string> plot;
  bool json = false;
};
int trim(const ModelRegistry& models, const TrimCommand& command);

struct LinearizeCommand {
  SubjectOptions subject;
  std::string at;                            // times with commas, or trim; empty: the start
  std::vector<std::string> inputs, outputs;  // each may be a list: a,b
  std::optional<int> pade;                   // the order in which delays are approximated
  std::optional<std::string> plot;
  bool json = false;
};
int linearize(const ModelRegistry& models, const LinearizeCommand& command);

struct BodeCommand {
  LinearizeCommand linearize;
  std::optional<std::string> range;  // A:B, angular frequencies
};
int bode(const ModelRegistry& models, const BodeCommand& command);

// Many runs of a model.
struct StudyOptions {
  SubjectOptions subject;
  std::vector<std::string> observe;  // each may be a list: max(x),x@2
  int threads = 0;                   // 0: all cores
  std::optional<std::string> out, plot;
  bool resume = false;
  bool json = false;
};

struct SweepCommand {
  StudyOptions study;
  std::vector<std::string> axes;
  std::optional<std::string> log;  // of the plot: x, y, xy or none
};
int sweep(const ModelRegistry& models, const SweepCommand& command);

struct MonteCarloCommand {
  StudyOptions study;
  std::int64_t count = 1000;
  std::uint64_t seed = 1;
  std::vector<std::string> distributions;
  std::vector<std::string> bands;  // variables, each may be a list
  std::optional<std::string> until;
};
int montecarlo(const ModelRegistry& models, const MonteCarloCommand& command);

// A search among runs of a model.
struct SearchOptions {
  SubjectOptions subject;
  std::vector<std::string> vary;         // NAME=LOW:HIGH
  std::optional<std::string> stop_when;  // a condition that ends each run
  std::int64_t max_evaluations = 1000;
  int threads = 0;  // 0: all cores
  std::optional<std::string> plot;
  bool json = false;
};

struct OptimizeCommand {
  SearchOptions search;
  std::optional<std::string> minimize, maximize;
  std::vector<std::string> constraints;
  std::string method = "auto";
  std::optional<double> tolerance;
  std::uint64_t seed = 1;
};
int optimize(const ModelRegistry& models, const OptimizeCommand& command);

struct SolveBvpCommand {
  SearchOptions search;
  std::vector<std::string> conditions;
};
int solve_bvp(const ModelRegistry& models, const SolveBvpCommand& command);

struct FitCommand {
  SearchOptions search;                 // MODEL may be empty: --arx needs none
  std::string data;                     // a result file
  std::vector<std::string> match;       // VARIABLE or VARIABLE=COLUMN; each may be a list
  std::vector<std::string> deviations;  // VARIABLE=S
  std::optional<std::string> arx;       // NA,NB,NK
  std::string input, output;            // of --arx
};
int fit(const ModelRegistry& models, const FitCommand& command);

// Solvers beside each other.
struct CompareCommand {
  SubjectOptions subject;
  std::vector<std::string> solvers;  // each may be a list
  std::string rtols = "1e-4,1e-6,1e-8";
  std::string reference;
  std::optional<std::string> plot;
  bool json = false;
};
int compare(const ModelRegistry& models, const CompareCommand& command);

// A system entity structure: its variants listed, one of them shown, all run, or the best searched.
struct VariantsCommand {
  SubjectOptions subject;  // its model: the file with the structure
  std::vector<std::string> select, observe, vary, constraints;
  std::optional<std::string> minimize, maximize, plot, out;
  std::string method = "auto";
  std::int64_t max_evaluations = 1000;
  std::uint64_t seed = 1;
  int threads = 0;
  bool resume = false;
  bool enumerate = false, emit = false, json = false;
};
int variants(const ModelRegistry& models, const VariantsCommand& command);

// Serves an editor on standard input and output until it says `exit` or goes.
int language_server();

// What a diagnostic code means, and how to mend it.
int explain(const std::string& code);

// Fills in the command from the arguments and runs it. Throws UserError for wrong usage.
int run_command_line(const ModelRegistry& models, const std::vector<Benchmark>& gallery, int argc,
                     char** argv);

// "a, k[1,2]" -> "a", "k[1,2]": commas in brackets and in quotes do not separate, blanks around a
// name are not part of it. Throws UserError for an empty name.
std::vector<std::string> split_names(const std::string& text);

// Names of runs for a legend: the files without folder and ending, or with as many folders as are
// needed to tell them apart.
std::vector<std::string> run_names(const std::vector<std::string>& files);

// "0:2.5" -> (0, 2.5), "160x100" -> (160, 100). Throws UserError, naming the option.
std::pair<double, double> parse_range(const std::string& option, const std::string& text);
std::pair<double, double> parse_size(const std::string& option, const std::string& text);

// open_model(), which a signal ends at once.
std::unique_ptr<HybridSystem> read_model(const ModelRegistry& models, const ModelSource& source,
                                         std::string* note = nullptr);

// Numbers, integers and Booleans as such; null for what JSON has no number for.
nlohmann::ordered_json json_value(const NamedValue& value);

// "x=3" -> ("x", 3). Numbers, and true/false. Throws UserError with the place.
std::pair<std::string, double> parse_assignment(const std::string& text);
// All of a command line; a name stands there once.
std::vector<std::pair<std::string, double>> parse_assignments(
    const std::vector<std::string>& texts);
// Calls `set` with each; what it throws gets the place in the texts that they were parsed from.
void set_all(const std::vector<std::pair<std::string, double>>& values,
             const std::vector<std::string>& texts,
             const std::function<void(const std::string& name, double value)>& set);

}  // namespace arges::app
