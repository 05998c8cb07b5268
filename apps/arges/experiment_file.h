#pragma once
// Experiment files: a command with its options, as TOML.

#include <string>
#include <vector>

namespace arges::app {

// A value with its place in the file, counted from 1.
struct PlacedText {
  std::string text;
  int line = 0, column = 0;
};

// One option: --key with each of the values; a flag has none.
struct ExperimentEntry {
  PlacedText key;
  std::vector<PlacedText> values;
};

struct ExperimentFile {
  std::string path;
  PlacedText command, model;
  std::vector<ExperimentEntry> entries;  // in the order of the file

  // "FILE:LINE:COLUMN: message", with the line and a mark below the place.
  std::string at(const PlacedText& place, const std::string& message) const;
  // The message of a command, with the place of the value that it quotes, if it quotes one.
  std::string explain(const std::string& message) const;

  std::vector<std::string> lines{};  // of the file
};

// Reads
//   command = "sweep"
//   model = "tank.mo"                  # as seen from the file, or a name
//   observe = ["max(h)", "h@2"]        # options, by their long names; lists repeat them
//   json = true                        # flags
//   [param]                            # NAME=VALUE options may be tables
//   k = 2
// Throws UserError with the place, IoError.
ExperimentFile read_experiment(const std::string& path);

}  // namespace arges::app
