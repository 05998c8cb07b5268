#pragma once
// The subcommands of the program. Each returns the exit code; exceptions are turned into messages
// and codes by main().

#include <optional>
#include <string>
#include <vector>

#include "arges/driver/model_registry.h"
#include "arges/driver/run_model.h"

namespace arges::app {

struct RunCommand {
  RunRequest request;
  std::vector<std::string> assignments;  // NAME=VALUE
  std::optional<std::string> plot;
  bool json = false;
};
int run(const ModelRegistry& models, RunCommand command);

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

// Fills in the command from the arguments and runs it. Exit code 2 for wrong usage.
int run_command_line(const ModelRegistry& models, int argc, char** argv);

// "x=3" -> ("x", 3). Numbers, and true/false. Throws UserError.
std::pair<std::string, double> parse_assignment(const std::string& text);

}  // namespace arges::app
