#pragma once
// Experiment files: a command with its options, as TOML.

#include <string>
#include <vector>

#include "arges/base/error.h"
#include "arges/experiment/placed_text.h"

namespace arges::app {

// A value as it stands on the command line. In a table that is NAME=VALUE, and the name has a place
// of its own.
struct ExperimentValue {
  PlacedText value;   // of a table: without the name
  PlacedText name{};  // of a table

  std::string text() const { return name.text.empty() ? value.text : name.text + "=" + value.text; }
};

// One option: --key with each of the values; a flag has none.
struct ExperimentEntry {
  PlacedText key;
  std::vector<ExperimentValue> values;
  bool is_off = false;               // a flag that is false: as if it were not there
  std::vector<std::string> names{};  // all that the option has, without dashes
};

// What is wrong with the command that a file stands for is wrong in a place of the file:
//   a message that quotes a value, with a mark below (complaint()): there, in the value
//   one about an option (UserError::options()): its value
//   one that has a value in quotes: there
//   one that names an option, as --option: its value
//   one that has a piece of a value in quotes: there
//   anything else: the command
struct ExperimentFile {
  PlacedFile file;
  PlacedText command, model;
  std::vector<ExperimentEntry> entries;  // in the order of the file

  std::string explain(const UserError& error) const;
  // The place of a file or folder that the message names; else the file alone.
  std::string explain(const IoError& error) const;
  // The report that there is no such class, with the place where it is asked for.
  std::string explain_no_class(const std::string& report) const;

 private:
  const ExperimentEntry* find(const std::string& option) const;
  // The place of a character of a value.
  PlacedText place_in(const ExperimentValue& value, std::size_t offset) const;
  // The first value; the key of a flag.
  PlacedText place_of(const ExperimentEntry& entry) const;
  // With a place, or "".
  std::string at_quoted_text(const std::string& message) const;
  std::string at_option(const UserError& error) const;
  std::string at_named_option(const std::string& message) const;
  std::string at_quoted_word(const std::string& message, bool pieces) const;
};

// Reads
//   command = "sweep"
//   model = "tank.mo"                  # as seen from the file, or a name
//   observe = ["max(h)", "h@2"]        # options, by their long names; lists repeat them
//   json = true                        # flags
//   [param]                            # NAME=VALUE options may be tables
//   k = 2
//   pump.power = 3                     # of a component
// Throws UserError with the place, IoError.
ExperimentFile read_experiment(const std::string& path);

}  // namespace arges::app
