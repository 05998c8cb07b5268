// toml++ is slow to compile: it stays in this file.

#include "experiment_file.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

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
        const auto* text = value.as_string();
        if (text == nullptr || text->get().empty())
          refuse(placed("", value.source()),
                 fmt::format("'{}' takes a name, in quotes", name.text));
        (name.text == "command" ? file_.command : file_.model) =
            placed(text->get(), value.source());
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

  // Of a table NAME = VALUE; a name with dots is a table in a table.
  void take_table(const toml::table& table, const std::string& prefix,
                  std::vector<ExperimentValue>& values) const {
    for (auto&& [key, each] : table) {
      const PlacedText name = placed(prefix + std::string(key.str()), key.source());
      if (const auto* inner = each.as_table()) {
        take_table(*inner, name.text + ".", values);
      } else {
        values.push_back({text_of(name, each), name});
      }
    }
  }

  ExperimentEntry entry(const PlacedText& key, const toml::node& value) const {
    ExperimentEntry result{key, {}};
    if (const auto* flag = value.as_boolean()) {
      result.is_off = !flag->get();
    } else if (const auto* list = value.as_array()) {
      for (const toml::node& each : *list) result.values.push_back({text_of(key, each)});
      if (list->empty()) refuse(placed("", value.source()), "the list is empty");
    } else if (const auto* table = value.as_table()) {
      take_table(*table, "", result.values);
      if (result.values.empty()) refuse(key, "the table is empty");
      // The table is sorted by name; the order of the file is that of the axes.
      std::ranges::sort(result.values, {}, [](const ExperimentValue& each) {
        return std::pair(each.value.line, each.value.column);
      });
    } else {
      result.values.push_back({text_of(key, value)});
    }
    return result;
  }

  ExperimentFile file_;
  std::string text_;
};

// Whether a message names an option: as --name, or -n, not as a part of a longer word.
bool names_option(const std::string& message, const std::string& name) {
  const std::string option = (name.size() == 1 ? "-" : "--") + name;
  const auto in_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
  };
  for (std::size_t at = 0; (at = message.find(option, at)) != std::string::npos; ++at) {
    const std::size_t end = at + option.size();
    if ((at == 0 || !in_word(message[at - 1])) && (end == message.size() || !in_word(message[end])))
      return true;
  }
  return false;
}

}  // namespace

const ExperimentEntry* ExperimentFile::find(const std::string& option) const {
  for (const ExperimentEntry& each : entries) {
    if (!each.is_off &&
        (each.key.text == option || std::ranges::find(each.names, option) != each.names.end()))
      return &each;
  }
  return nullptr;
}

PlacedText ExperimentFile::place_in(const ExperimentValue& value, std::size_t offset) const {
  if (!value.name.text.empty() && offset <= value.name.text.size()) return value.name;
  const std::size_t inside = offset - (value.name.text.empty() ? 0 : value.name.text.size() + 1);
  PlacedText place = value.value;
  const auto line = static_cast<std::size_t>(place.line);
  if (line < 1 || line > file.lines.size()) return place;
  // Behind the quote that opens the text, as far as it stands there as it is.
  const auto from = static_cast<std::size_t>(std::max(place.column, 1) - 1);
  const std::size_t begin = file.lines[line - 1].find(place.text, from);
  if (begin != std::string::npos) place.column = static_cast<int>(begin + inside) + 1;
  return place;
}

PlacedText ExperimentFile::place_of(const ExperimentEntry& entry) const {
  return entry.values.empty() ? entry.key : place_in(entry.values.front(), 0);
}

std::string ExperimentFile::at_quoted_text(const std::string& message) const {
  const std::optional<Complaint> quoted = read_complaint(message);
  if (!quoted) return "";
  for (const ExperimentEntry& entry : entries) {
    std::vector<std::string> texts;
    for (const ExperimentValue& value : entry.values) texts.push_back(value.text());
    // The list with commas that they may have become.
    const bool is_list =
        texts.size() > 1 && quoted->text == fmt::format("{}", fmt::join(texts, ","));
    std::size_t begin = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (texts[i] == quoted->text)
        return file.at(place_in(entry.values[i], quoted->place), quoted->what);
      const std::size_t end = begin + texts[i].size();
      if (is_list && quoted->place <= end)
        return file.at(place_in(entry.values[i], quoted->place - begin), quoted->what);
      begin = end + 1;
    }
  }
  // A piece of a value.
  for (const ExperimentEntry& entry : entries) {
    for (const ExperimentValue& value : entry.values) {
      const std::size_t at = find_piece(value.text(), quoted->text);
      if (at != std::string::npos)
        return file.at(place_in(value, at + quoted->place), quoted->what);
    }
  }
  return "";
}

std::string ExperimentFile::at_option(const UserError& error) const {
  for (const std::string& option : error.options()) {
    if (option == "model" && !model.text.empty()) return file.at(model, error.what());
    if (const ExperimentEntry* entry = find(option)) return file.at(place_of(*entry), error.what());
  }
  return "";
}

std::string ExperimentFile::at_named_option(const std::string& message) const {
  for (const ExperimentEntry& entry : entries) {
    const bool is_named =
        names_option(message, entry.key.text) ||
        std::ranges::any_of(entry.names, [&](auto& name) { return names_option(message, name); });
    if (is_named && !entry.is_off) return file.at(place_of(entry), message);
  }
  return "";
}

// A file may have been quoted with its folder.
std::string ExperimentFile::at_quoted_word(const std::string& message, bool pieces) const {
  for (const std::string& word : quoted_words(message)) {
    const auto names = [&](const std::string& text) {
      return !text.empty() && (word == text || word.ends_with("/" + text));
    };
    if (names(model.text)) return file.at(model, message);
    for (const ExperimentEntry& entry : entries) {
      for (const ExperimentValue& value : entry.values) {
        const std::size_t at = names(value.text()) ? 0
                               : pieces            ? find_piece(value.text(), word)
                                                   : std::string::npos;
        if (at != std::string::npos) return file.at(place_in(value, at), message);
      }
    }
  }
  return "";
}

std::string ExperimentFile::explain(const UserError& error) const {
  const std::string message = error.what();
  if (std::string text = at_quoted_text(message); !text.empty()) return text;
  if (std::string text = at_option(error); !text.empty()) return text;
  if (std::string text = at_quoted_word(message, false); !text.empty()) return text;
  if (std::string text = at_named_option(message); !text.empty()) return text;
  if (std::string text = at_quoted_word(message, true); !text.empty()) return text;
  return file.at(command, message);
}

std::string ExperimentFile::explain(const IoError& error) const {
  const std::string text = at_quoted_word(error.what(), true);
  return text.empty() ? fmt::format("{}: {}", file.path, error.what()) : text;
}

std::string ExperimentFile::explain_no_class(const std::string& report) const {
  const ExperimentEntry* entry = find("class");
  const std::size_t end = std::min(report.find('\n'), report.size());
  return file.at(entry != nullptr ? place_of(*entry) : model, report.substr(0, end)) +
         report.substr(end);
}

ExperimentFile read_experiment(const std::string& path) { return Reader(path).read(); }

}  // namespace arges::app
