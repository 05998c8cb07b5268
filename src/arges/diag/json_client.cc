#include "arges/diag/json_client.h"

#include <nlohmann/json.hpp>

#include "arges/diag/utf16.h"

namespace arges::diag {
namespace {

using nlohmann::ordered_json;

ordered_json position(const SourceFile& file, std::uint32_t offset) {
  const Utf16Position at = utf16_position(file, offset);
  return {{"line", at.line}, {"character", at.character}};
}

ordered_json range(const Span& span) {
  return {{"start", position(*span.file, span.range.begin)},
          {"end", position(*span.file, span.range.end)}};
}

ordered_json location(const Span& span) {
  return {{"file", span.file->path()}, {"range", range(span)}};
}

ordered_json one(const Diagnostic& d) {
  ordered_json j;
  std::string message = d.message;
  if (d.primary.span.file != nullptr) {
    j["file"] = d.primary.span.file->path();
    j["range"] = range(d.primary.span);
  }
  j["severity"] = d.severity() == Severity::kError ? 1 : 2;
  j["code"] = info(d.code).id;
  j["source"] = "arges";
  j["message"] = message;
  if (!d.primary.text.empty()) j["label"] = d.primary.text;
  ordered_json related = ordered_json::array();
  for (const Label& label : d.secondary) {
    if (label.span.file == nullptr) continue;
    related.push_back({{"location", location(label.span)}, {"message", label.text}});
  }
  j["relatedInformation"] = std::move(related);
  j["notes"] = d.notes;
  j["help"] = d.help;
  ordered_json fixes = ordered_json::array();
  for (const Label& fix : d.fixes) {
    fixes.push_back({{"location", location(fix.span)}, {"newText", fix.text}});
  }
  j["fixes"] = std::move(fixes);
  return j;
}

}  // namespace

std::string to_json(const Diagnostics& all, int indent) {
  ordered_json list = ordered_json::array();
  for (const Diagnostic& d : all.list()) list.push_back(one(d));
  return list.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace arges::diag
