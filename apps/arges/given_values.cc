#include "given_values.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/parse_number.h"
#include "arges/experiment/specification.h"
#include "arges/flatten/load.h"
#include "arges/hybrid/simulator.h"
#include "commands.h"
#include "console.h"

namespace arges::app {

namespace {

struct Assignment {
  std::string name, value;
  std::optional<double> number;  // of true and false, too
};

Assignment split_assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UserError(complaint(
        fmt::format("NAME=VALUE is needed, as in {}=1", equals == 0 || text.empty() ? "x" : text),
        text, 0));
  }
  Assignment split{text.substr(0, equals), text.substr(equals + 1), {}};
  split.number = split.value == "true" ? 1 : split.value == "false" ? 0 : parse_number(split.value);
  return split;
}

void refuse_second(const std::string& name, const std::vector<std::string>& others,
                   const std::string& text) {
  if (std::ranges::find(others, name) == others.end()) return;
  throw UserError(complaint(fmt::format("'{}' has a value already; give it one", name), text, 0));
}

// A value of it is part of the equations.
bool is_structural(const HybridSystem& model, const std::string& name) {
  const auto& parameters = model.schema().parameters;
  const auto found = std::ranges::find(parameters, name, &VariableInfo::name);
  return found != parameters.end() && !found->settable;
}

// What the text says for a value: 0 and 1 are taken for a Boolean wherever numbers are.
std::string value_in_text(const HybridSystem* model, const Assignment& each) {
  if (model == nullptr || !each.number || (*each.number != 0 && *each.number != 1))
    return each.value;
  const auto& parameters = model->schema().parameters;
  const auto found = std::ranges::find(parameters, each.name, &VariableInfo::name);
  if (found == parameters.end() || found->type != ValueType::kBoolean) return each.value;
  return *each.number == 1 ? "true" : "false";
}

// The report on a text that was made of assignments, in their words.
std::string told_of_given(std::string report, const std::vector<Assignment>& all,
                          const std::vector<std::string>& modifications,
                          const HybridSystem* without) {
  const std::string made = "`'-p'`";
  const std::string words = modifications.size() == 1 ? fmt::format("`-p {}`", modifications[0])
                                                      : std::string("`-p NAME=VALUE`");
  for (std::size_t at = report.find(made); at != std::string::npos; at = report.find(made))
    report.replace(at, made.size(), words);
  for (const Assignment& each : all) {
    if (report.find(fmt::format("`{}` is not declared", each.value)) == std::string::npos) continue;
    // An element of an enumeration is a number, too. Strings are hidden in the schema.
    const auto is_number = [&](const VariableInfo& v) { return v.name == each.name && !v.hidden; };
    const bool has_number =
        without != nullptr && std::ranges::any_of(without->schema().parameters, is_number);
    report += has_number ? fmt::format(
                               "help: an element of an enumeration has its type before it, as in "
                               "-p {}=TYPE.{}\n",
                               each.name, each.value)
                         : fmt::format("help: a String has quotes, as in -p '{}=\"{}\"'\n",
                                       each.name, each.value);
  }
  return report;
}

// Of parameters that were given by modifications, whole arrays and records, too.
void check_limits(const HybridSystem& model, const std::vector<Assignment>& all,
                  const std::vector<std::string>& assignments) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const VariableInfo& parameter : model.schema().parameters) {
      if (parameter.settable && parameter.name == all[i].name) continue;  // set_value() does
      const std::string_view rest =
          std::string_view(parameter.name)
              .substr(std::min(all[i].name.size(), parameter.name.size()));
      if (!parameter.name.starts_with(all[i].name) ||
          !(rest.empty() || rest[0] == '[' || rest[0] == '.'))
        continue;
      try {
        check_value(parameter, parameter.start);
      } catch (const UserError& error) {
        throw UserError(complaint(error.what(), assignments[i], 0));
      }
    }
  }
}

}  // namespace

std::unique_ptr<HybridSystem> read_model(const ModelRegistry& models, const ModelSource& source,
                                         std::string* note) {
  const NothingToKeep reading;
  return open_model(models, source, note);
}

std::pair<std::string, double> parse_assignment(const std::string& text) {
  const Assignment split = split_assignment(text);
  if (!split.number || !std::isfinite(*split.number))
    throw UserError(complaint(
        fmt::format("'{}' is {}", split.value, split.number ? "not finite" : "not a number"), text,
        text.size() - split.value.size()));
  return {split.name, *split.number};
}

std::vector<std::pair<std::string, double>> parse_assignments(
    const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, double>> values;
  for (const std::string& text : texts) {
    auto value = parse_assignment(text);
    if (std::ranges::find(values, value.first, &decltype(value)::first) != values.end())
      throw UserError(
          complaint(fmt::format("'{}' has a value already; give it one", value.first), text, 0));
    values.push_back(std::move(value));
  }
  return values;
}

void set_all(const std::vector<std::pair<std::string, double>>& values,
             const std::vector<std::string>& texts,
             const std::function<void(const std::string& name, double value)>& set) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    try {
      set(values[i].first, values[i].second);
    } catch (const UserError& error) {
      throw UserError(complaint(error.what(), texts[i], 0));
    }
  }
}

void refuse_truth(const std::vector<std::string>& assignments,
                  const std::vector<const std::vector<VariableInfo>*>& variables) {
  for (const std::string& text : assignments) {
    const Assignment split = split_assignment(text);
    if (split.value != "true" && split.value != "false") continue;
    for (const auto* list : variables) {
      const auto found = std::ranges::find(*list, split.name, &VariableInfo::name);
      if (found == list->end() || found->type == ValueType::kBoolean) continue;
      throw UserError(complaint(
          fmt::format("'{}' is {}: give a number, not {}", split.name,
                      found->type == ValueType::kInteger ? "an Integer" : "a Real", split.value),
          text, text.size() - split.value.size()));
    }
  }
}

GivenModel open_given(const ModelRegistry& models, ModelSource source,
                      const std::vector<std::string>& assignments, std::string* note) {
  const bool is_text = is_model_text(models, source);
  std::vector<std::string> names;
  std::vector<Assignment> all;
  for (const std::string& text : assignments) {
    all.push_back(split_assignment(text));
    refuse_second(all.back().name, names, text);
    names.push_back(all.back().name);
    if (!is_text || all.back().value.empty()) parse_assignment(text);  // throws unless it is one
  }
  GivenModel given;
  std::vector<std::string> texts;  // of given.values
  const auto open_with = [&](const std::function<bool(const Assignment&)>& is_modification) {
    given.values.clear();
    texts.clear();
    source.modifications.clear();
    source.given.clear();
    if (note != nullptr) note->clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (is_text && is_modification(all[i])) {
        source.modifications.push_back(
            fmt::format("{} = {}", all[i].name, value_in_text(given.model.get(), all[i])));
      } else if (all[i].number) {
        given.values.push_back(parse_assignment(assignments[i]));
        texts.push_back(assignments[i]);
        source.given.push_back(all[i].name);
      }
    }
    given.model = read_model(models, source, note);
  };
  const auto is_no_number = [](const Assignment& each) { return !each.number; };
  try {
    std::vector<std::string> structural;
    try {
      open_with([](const Assignment&) { return false; });
      for (const std::string& name : names) {
        if (is_structural(*given.model, name)) structural.push_back(name);
      }
    } catch (const ModelTextError&) {
      if (all.empty()) throw;
      structural = names;  // it may lack just what is given
    }
    const auto is_modification = [&](const Assignment& each) {
      return is_no_number(each) || std::ranges::find(structural, each.name) != structural.end();
    };
    if (std::ranges::any_of(all, is_modification)) open_with(is_modification);
  } catch (const ModelTextError& error) {
    // It is not the text of the model that is wrong.
    const auto is_given = [](const auto& place) { return place.file == lang::kModificationFile; };
    if (!error.places.empty() && std::ranges::all_of(error.places, is_given))
      throw UserError(
          fmt::format("what -p gives does not fit the model\n{}",
                      told_of_given(error.what(), all, source.modifications, given.model.get())));
    throw;
  }
  check_limits(*given.model, all, assignments);
  Context probe = make_context(*given.model);
  set_all(given.values, texts, [&](const std::string& name, double value) {
    set_value(*given.model, probe, name, value);
  });
  const Schema& schema = given.model->schema();
  std::vector<const std::vector<VariableInfo>*> variables = {&schema.parameters, &schema.inputs,
                                                             &schema.discretes};
  for (const ModeInfo& mode : schema.modes) variables.push_back(&mode.states);
  refuse_truth(texts, variables);
  given.modifications = std::move(source.modifications);
  return given;
}

}  // namespace arges::app
