// The grammar of `arges experiment`, and the command line that an experiment file stands for.

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "cli_option.h"
#include "experiment_file.h"

namespace arges::app {

void add_experiment(CLI::App& program, std::string& file, bool& json) {
  CLI::App* command = program.add_subcommand("experiment", "do what an experiment file says");
  add(*command, "FILE", file, "", "TOML: a command, a model, options")->required();
  command->add_flag("--json", json, "print JSON, whatever the file says");
  command->footer("example:\n  arges experiment sweep.toml");
}

std::vector<std::string> arguments_of(const CLI::App& program, ExperimentFile& file) {
  std::vector<std::string> commands;
  const CLI::App* command = nullptr;
  for (const CLI::App* each : program.get_subcommands({})) {
    commands.push_back(each->get_name());
    if (each->get_name() == file.command.text) command = each;
  }
  if (command == nullptr) {
    throw UserError(
        file.file.at(file.command, fmt::format("there is no command '{}'{}", file.command.text,
                                               did_you_mean(file.command.text, commands))));
  }
  std::vector<std::string> arguments{"arges", command->get_name()};
  const auto beside_the_file = [&](const std::string& name) {
    const auto path = std::filesystem::path(file.file.path).parent_path() / name;
    return std::filesystem::exists(path) ? path.string() : name;
  };
  const CLI::Option* positional = nullptr;
  for (const CLI::Option* option : command->get_options()) {
    if (option->get_positional()) positional = option;
  }
  if (!file.model.text.empty() && positional == nullptr)
    throw UserError(
        file.file.at(file.model, fmt::format("{} takes no model", command->get_name())));
  if (file.model.text.empty() && positional != nullptr && positional->get_required())
    throw UserError(file.file.at(
        file.command, fmt::format("{} needs a {}, as in model = \"{}\"", command->get_name(),
                                  positional->get_name(),
                                  positional->get_name() == "MODEL" ? "tank.mo" : "file")));
  if (!file.model.text.empty()) arguments.push_back(beside_the_file(file.model.text));
  std::vector<std::string> known;
  for (const CLI::Option* option : command->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back(name);
    for (const std::string& name : option->get_snames()) known.push_back(name);
  }
  for (ExperimentEntry& entry : file.entries) {
    const std::string& key = entry.key.text;
    if (std::find(known.begin(), known.end(), key) == known.end() || key == "help") {
      throw UserError(
          file.file.at(entry.key, fmt::format("{} has no option '{}'{}", command->get_name(), key,
                                              did_you_mean(key, known))));
    }
    const std::string option = (key.size() == 1 ? "-" : "--") + key;
    const CLI::Option* meant = command->get_option(option);
    for (const auto* names : {&meant->get_lnames(), &meant->get_snames()})
      entry.names.insert(entry.names.end(), names->begin(), names->end());
    const bool takes_flag = meant->get_items_expected_max() == 0;
    if (takes_flag && !entry.values.empty())
      throw UserError(file.file.at(entry.values.front().value,
                                   fmt::format("'{}' takes true or false, without quotes", key)));
    if (!takes_flag && entry.values.empty())
      throw UserError(file.file.at(entry.key, fmt::format("'{}' takes a value, not {}", key,
                                                          entry.is_off ? "false" : "true")));
    if (entry.is_off) continue;
    // An option that is given once takes its list with commas: at = [0, 10] is --at 0,10.
    if (entry.values.size() > 1 && meant->get_expected_max() == 1) {
      std::vector<std::string> texts;
      for (const ExperimentValue& value : entry.values) texts.push_back(value.text());
      arguments.push_back(fmt::format("{}={}", option, fmt::join(texts, ",")));
      continue;
    }
    if (entry.values.empty()) arguments.push_back(option);
    for (const ExperimentValue& value : entry.values) {
      const std::string text = key == "data" ? beside_the_file(value.text()) : value.text();
      // A value may begin with a minus; behind = there is something.
      if (key.size() > 1 && !text.empty()) {
        arguments.push_back(fmt::format("{}={}", option, text));
      } else {
        arguments.insert(arguments.end(), {option, text});
      }
    }
  }
  return arguments;
}

}  // namespace arges::app
