#include "arges/results/run_info.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "arges/base/error.h"
#include "arges/results/manifest.h"

namespace arges {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& value) {
  return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

Json number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

double read_number(const Json& value) {
  if (value.is_number()) return value.get<double>();
  const auto text = value.get<std::string>();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  throw IoError(fmt::format("'{}' is not a number", text));
}

Json column_to_json(const Column& column) {
  return {{"name", column.name},
          {"unit", column.unit},
          {"description", column.description},
          {"type", to_string(column.type)}};
}

Column read_column(const Json& value) {
  Column column;
  column.name = value.at("name").get<std::string>();
  column.unit = value.at("unit").get<std::string>();
  column.description = value.at("description").get<std::string>();
  const auto type = value.at("type").get<std::string>();
  if (!parse(type, column.type)) throw IoError(fmt::format("unknown type '{}'", type));
  return column;
}

Json event_to_json(const EventRecord& record) {
  Json changes = Json::array();
  for (const EventChange& change : record.changes) {
    changes.push_back({{"name", change.name},
                       {"before", number(change.before)},
                       {"after", number(change.after)}});
  }
  return {{"time", number(record.time)},
          {"iteration", record.iteration},
          {"kind", record.kind},
          {"component", record.component},
          {"time_event", record.is_time_event},
          {"changes", std::move(changes)}};
}

EventRecord read_event(const Json& value) {
  EventRecord record;
  record.time = read_number(value.at("time"));
  record.iteration = value.at("iteration").get<int>();
  record.kind = value.at("kind").get<std::string>();
  record.component = value.at("component").get<std::string>();
  record.is_time_event = value.at("time_event").get<bool>();
  for (const Json& change : value.at("changes")) {
    record.changes.push_back({change.at("name").get<std::string>(),
                              read_number(change.at("before")), read_number(change.at("after"))});
  }
  return record;
}

RunInfo read_document(const Json& document, const std::string& where) {
  if (document.at("format") != "arges-result")
    throw IoError("the field 'format' is not 'arges-result'");
  if (document.at("version") != 1) {
    throw IoError(fmt::format("version {} is not known; this program reads version 1",
                              document.at("version").dump()));
  }
  RunInfo info;
  for (const Json& value : document.at("columns")) {
    Column column = read_column(value);
    const auto text = value.at("variability").get<std::string>();
    if (!parse(text, column.variability)) {
      throw IoError(fmt::format("unknown variability '{}'", text));
    }
    info.layout.columns.push_back(std::move(column));
  }
  for (const Json& value : document.at("parameters")) {
    Column column = read_column(value);
    column.variability = Variability::kParameter;
    info.layout.parameters.emplace_back(std::move(column), read_number(value.at("value")));
  }
  for (const Json& value : document.at("events")) info.events.push_back(read_event(value));
  info.manifest = manifest_from_json(document.at("manifest").dump(), where);
  return info;
}

}  // namespace

std::string RunInfoWriter::begin(const ResultLayout& layout) {
  std::string text = "{\"format\": \"arges-result\", \"version\": 1,\n\"columns\": [";
  const char* separator = "\n";
  for (const Column& column : layout.columns) {
    Json value = column_to_json(column);
    value["variability"] = to_string(column.variability);
    text += separator + dump(value);
    separator = ",\n";
  }
  text += "],\n\"parameters\": [";
  separator = "\n";
  for (const auto& [column, parameter] : layout.parameters) {
    Json value = column_to_json(column);
    value["value"] = number(parameter);
    text += separator + dump(value);
    separator = ",\n";
  }
  text += "],\n\"events\": [";
  first_event_ = true;
  return text;
}

std::string RunInfoWriter::event(const EventRecord& record) {
  const char* separator = first_event_ ? "\n" : ",\n";
  first_event_ = false;
  return separator + to_json(record);
}

std::string RunInfoWriter::end(const Manifest& manifest) {
  return "],\n\"manifest\": " + to_json(manifest) + "}\n";
}

RunInfo parse_run_info(std::string_view text, const std::string& where) {
  try {
    return read_document(Json::parse(text), where);
  } catch (const Json::exception& error) {
    throw IoError(fmt::format("{}: not a description of an Arges result: {}", where, error.what()));
  } catch (const IoError& error) {
    throw IoError(fmt::format("{}: not a description of an Arges result: {}", where, error.what()));
  }
}

std::string to_json(const EventRecord& record) { return dump(event_to_json(record)); }

std::string_view to_string(ValueType type) {
  switch (type) {
    case ValueType::kInteger:
      return "Integer";
    case ValueType::kBoolean:
      return "Boolean";
    case ValueType::kReal:
      break;
  }
  return "Real";
}

std::string_view to_string(Variability variability) {
  switch (variability) {
    case Variability::kParameter:
      return "parameter";
    case Variability::kDiscrete:
      return "discrete";
    case Variability::kContinuous:
      break;
  }
  return "continuous";
}

bool parse(std::string_view text, ValueType& type) {
  for (const ValueType known : {ValueType::kReal, ValueType::kInteger, ValueType::kBoolean}) {
    if (text == to_string(known)) {
      type = known;
      return true;
    }
  }
  return false;
}

bool parse(std::string_view text, Variability& variability) {
  for (const Variability known :
       {Variability::kParameter, Variability::kDiscrete, Variability::kContinuous}) {
    if (text == to_string(known)) {
      variability = known;
      return true;
    }
  }
  return false;
}

}  // namespace arges
