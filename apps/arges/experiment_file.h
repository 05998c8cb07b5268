#pragma once
// Experiment files: a command with its options, as TOML.

#include <string>
#include <vector>

#include "arges/experiment/placed_text.h"

namespace arges::app {

// One option: --key with each of the values; a flag has none.
struct ExperimentEntry {
  PlacedText key;
  std::vector<PlacedText> values;
  bool is_off = false;  // a flag that is false: as if it were not there
};

struct ExperimentFile {
  PlacedFile file;
  PlacedText command, model;
  std::vector<ExperimentEntry> entries;  // in the order of the file

  // The message of a command, with the place of the value that it quotes, if it quotes one. A file
  // may have been quoted with its folder.
  std::string explain(const std::string& message) const;
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
