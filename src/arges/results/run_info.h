#pragma once
// Everything of a run but its rows, as one JSON document: the sidecar of a CSV file, and the matrix
// `arges_manifest` of a MAT file (docs/guide/result-files.md).

#include <string>
#include <string_view>
#include <vector>

#include "arges/results/sink.h"

namespace arges {

// {"format": "arges-result", "version": 1,
//  "columns": [{"name", "unit", "description", "type", "variability"}, ...],
//  "parameters": [{"name", "value", "unit", "description", "type"}, ...],
//  "events": [{"time", "iteration", "kind", "component", "time_event",
//              "changes": [{"name", "before", "after"}, ...]}, ...],
//  "manifest": {...}}
// Plain ASCII, one column, parameter or event a line. Numbers have the digits that give the same
// double again; those that JSON lacks are the strings "NaN", "Infinity" and "-Infinity".
struct RunInfo {
  ResultLayout layout;
  std::vector<EventRecord> events;
  Manifest manifest;
};

// The document in pieces, so that events need not be kept: begin, event..., end, concatenated.
class RunInfoWriter {
 public:
  std::string begin(const ResultLayout& layout);
  std::string event(const EventRecord& record);
  std::string end(const Manifest& manifest);

 private:
  bool first_event_ = true;
};

// Throws IoError, naming `where`, when the text is not such a document.
RunInfo parse_run_info(std::string_view text, const std::string& where);

// One event as a JSON object on one line, as above.
std::string to_json(const EventRecord& record);

// "Real", "Integer", "Boolean"; "parameter", "discrete", "continuous". The inverse functions give
// false for anything else.
std::string_view to_string(ValueType type);
std::string_view to_string(Variability variability);
bool parse(std::string_view text, ValueType& type);
bool parse(std::string_view text, Variability& variability);

}  // namespace arges
