// toml++ is slow to compile: it stays in this file.

#include "experiment_file.h"

#include <algorithm>

#include <fmt/format.h>
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "arges/base/error.h"
#include "arges/experiment/specification.h"

namespace arges::app {

namespace {

PlacedText placed(std::string text, const toml::source_region& where) {
  return {std::move(text), static_cast<int>(where.begin.line),
          static_cast<int>(where.begin.column)};
}

class Reader {
 public:
  explicit Reader(const std::string& path) {
    text_ = read_whole_file(path, "the experiment");
    file_.file = PlacedFile::of_text(path, text_);
  }

  ExperimentFile read() {
    toml::table table;
    try {
      table = toml::parse(text_, file_.file.path);
    } catch (const toml::parse_error& error) {
      refuse(placed("", error.source()), std::string(error.description()));
    }
    for (auto&& [key, value] : table) {
      const PlacedText name = placed(std::string(key.str()), key.source());
      if (name.text == "command" || name.text == "model") {
        (name.text == "command" ? file_.command : file_.model) = text_of(name, value);
      } else {
        file_.entries.push_back(entry(name, value));
      }
    }
    std::ranges::sort(file_.entries, {}, [](const ExperimentEntry& each) {
      return std::pair(each.key.line, each.key.column);
    });
    const PlacedText top{"", 1, 1};
    if (file_.command.text.empty())
      refuse(top, "the command is missing, as in command = \"sweep\"");
    if (file_.command.text == "experiment")
      refuse(file_.command, "an experiment does not run experiments");
    return std::move(file_);
  }

 private:
  [[noreturn]] void refuse(const PlacedText& place, const std::string& what) const {
    throw UserError(file_.file.at(place, what));
  }

  // A string, number or Boolean, as it would stand on the command line.
  PlacedText text_of(const PlacedText& key, const toml::node& value) const {
    std::string text;
    if (const auto* string = value.as_string()) {
      text = string->get();
    } else if (const auto* whole = value.as_integer()) {
      text = fmt::format("{}", whole->get());
    } else if (const auto* number = value.as_floating_point()) {
      text = fmt::format("{}", number->get());
    } else if (const auto* boolean = value.as_boolean()) {
      text = boolean->get() ? "true" : "false";
    } else {
      refuse(placed("", value.source()),
             fmt::format("'{}' takes a text, a number, true or false here", key.text));
    }
    return placed(std::move(text), value.source());
  }

  ExperimentEntry entry(const PlacedText& key, const toml::node& value) const {
    ExperimentEntry result{key, {}, false};
    if (const auto* flag = value.as_boolean()) {
      result.is_off = !flag->get();
    } else if (const auto* list = value.as_array()) {
      for (const toml::node& each : *list) result.values.push_back(text_of(key, each));
      if (list->empty()) refuse(placed("", value.source()), "the list is empty");
    } else if (const auto* table = value.as_table()) {
      for (auto&& [name, each] : *table) {
        PlacedText text = text_of(key, each);
        text.text = std::string(name.str()) + "=" + text.text;
        result.values.push_back(std::move(text));
      }
      // The table is sorted by name; the order of the file is that of the axes.
      std::ranges::sort(result.values, {},
                        [](const PlacedText& text) { return std::pair(text.line, text.column); });
    } else {
      result.values.push_back(text_of(key, value));
    }
    return result;
  }

  ExperimentFile file_;
  std::string text_;
};

}  // namespace

std::string ExperimentFile::explain(const std::string& message) const {
  const std::optional<Complaint> quoted = read_complaint(message);
  for (const ExperimentEntry& entry : entries) {
    std::size_t begin = 0;  // of the value, in the list with commas that it may have become
    std::vector<std::string> texts;
    for (const PlacedText& value : entry.values) texts.push_back(value.text);
    const bool is_list =
        quoted && texts.size() > 1 && quoted->text == fmt::format("{}", fmt::join(texts, ","));
    for (const PlacedText& value : entry.values) {
      if (quoted && value.text == quoted->text) return file.explain(value, message);
      const std::size_t end = begin + value.text.size();
      if (is_list && quoted->place <= end)
        return file.explain(value, complaint(quoted->what, value.text, quoted->place - begin));
      begin = end + 1;
    }
  }
  // What the grammar of the command line refuses begins with the name of the option.
  for (const ExperimentEntry& entry : entries) {
    const std::string option = (entry.key.text.size() == 1 ? "-" : "--") + entry.key.text;
    if (!entry.values.empty() &&
        (message.starts_with(option + ":") || message.starts_with(option + " ") ||
         message.find(option + " = ") != std::string::npos))
      return file.at(entry.values.front(), message);
  }
  if (!quoted) {
    for (const std::string& word : quoted_words(message)) {
      const auto names = [&](const PlacedText& text) {
        return !text.text.empty() && (word == text.text || word.ends_with("/" + text.text));
      };
      if (names(model)) return file.at(model, message);
      for (const ExperimentEntry& entry : entries) {
        for (const PlacedText& value : entry.values) {
          const std::size_t at = names(value) ? 0 : find_piece(value.text, word);
          if (at != std::string::npos)
            return file.explain(value, complaint(message, value.text, at));
        }
      }
    }
  }
  return fmt::format("{}: {}", file.path, message);
}

ExperimentFile read_experiment(const std::string& path) { return Reader(path).read(); }

}  // namespace arges::app
