#pragma once
// What the files with the grammar of the command line share. CLI11 is slow to compile: nobody else
// includes this.

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <CLI/CLI.hpp>

namespace arges::app {

struct SubjectOptions;
struct TrimCommand;
struct LinearizeCommand;
struct BodeCommand;
struct SweepCommand;
struct MonteCarloCommand;
struct OptimizeCommand;
struct SolveBvpCommand;
struct FitCommand;
struct CompareCommand;
struct VariantsCommand;
struct ExperimentFile;

// Counts may be written as 1e8. For CLI::Validator: the message when it is none.
std::string whole_number(std::string& text);

// Likewise: the message when it is empty.
std::string not_empty(std::string& text);

// An option whose value stands as `placeholder` in the help. An argument has its name: "".
template <typename T>
CLI::Option* add(CLI::App& command, const char* names, T& value, const char* placeholder,
                 const char* description) {
  CLI::Option* option = command.add_option(names, value, description)->type_name(placeholder);
  // The library would take a list of one empty text for no list.
  if constexpr (std::is_same_v<T, std::vector<std::string>>)
    option->check(CLI::Validator(not_empty, ""));
  return option;
}

// Whole numbers from 1 to 10^9.
CLI::Option* add_count(CLI::App& command, const char* names, std::int64_t& value,
                       const char* description);
void add_threads(CLI::App& command, int& threads);
// Whole numbers from 0 on.
void add_seed(CLI::App& command, std::uint64_t& seed, const char* description);
// Of runs: the times behind the start, tolerances, rows.
void add_run_limits(CLI::App& command, SubjectOptions& subject);
// Of these, those of a run that has its end from elsewhere.
void add_way_limits(CLI::App& command, SubjectOptions& subject);

void add_points(CLI::App& program, TrimCommand& trim, LinearizeCommand& linearize,
                BodeCommand& bode);
void add_studies(CLI::App& program, SweepCommand& sweep, MonteCarloCommand& montecarlo);
void add_searches(CLI::App& program, OptimizeCommand& optimize, SolveBvpCommand& bvp);
void add_fit(CLI::App& program, FitCommand& fit);
void add_compare(CLI::App& program, CompareCommand& compare);
void add_variants(CLI::App& program, VariantsCommand& variants);

void add_experiment(CLI::App& program, std::string& file, bool& json);
// The command line that an experiment file stands for; its entries learn the names of their
// options. Throws UserError with the place of an option that its command does not have, and when
// the command needs a model.
std::vector<std::string> arguments_of(const CLI::App& program, ExperimentFile& file);

}  // namespace arges::app
