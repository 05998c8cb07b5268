#include "arges/driver/structure_report.h"

#include <algorithm>

namespace arges {

namespace {

diag::Span span_of(const TextPlace& place, const lang::ClassTree& tree) {
  const diag::SourceFile* file = place.line > 0 ? tree.find_file(place.file) : nullptr;
  if (file == nullptr) return {};
  const auto offset = [&](std::int32_t line, std::int32_t column) {
    return file->line_begin(static_cast<std::uint32_t>(line)) + static_cast<std::uint32_t>(column) -
           1;
  };
  return {file, {offset(place.line, place.column), offset(place.end_line, place.end_column)}};
}

}  // namespace

void report(const ModelWarning& told, const std::string& model, lang::ClassTree& tree) {
  constexpr std::size_t kShown = 5;
  std::vector<diag::Label> labels;
  for (const TextPlace& place : told.places) {
    const diag::Span span = span_of(place, tree);
    const bool known = std::any_of(labels.begin(), labels.end(), [&](const diag::Label& l) {
      return l.span.file == span.file && l.span.range.begin == span.range.begin;
    });
    if (span.file != nullptr && !known && labels.size() < kShown)
      labels.push_back({span, place.text});
  }
  diag::Diagnostic d(told.code, told.text, labels.empty() ? diag::Span{} : labels[0].span,
                     labels.empty() ? "" : labels[0].text);
  for (std::size_t k = 1; k < labels.size(); ++k) d.label(labels[k].span, labels[k].text);
  d.note("in the model `" + model + "`");
  tree.diagnostics().report(std::move(d));
}

void report(const ModelError& error, const std::string& model, lang::ClassTree& tree) {
  report(ModelWarning{error.code, error.what(), error.places}, model, tree);
}

}  // namespace arges
