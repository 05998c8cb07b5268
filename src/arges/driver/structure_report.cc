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

bool same_place(const Origin& a, const Origin& b) {
  return a.line > 0 && a.file == b.file && a.line == b.line && a.column == b.column &&
         a.end_line == b.end_line && a.end_column == b.end_column;
}

// "`a`, `b` and `c`"
std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 4;
  const std::size_t shown = std::min(names.size(), kShown);
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == names.size();
    out += (i == 0 ? "`" : last ? " and `" : ", `") + names[i] + "`";
  }
  return shown < names.size() ? out + " and others" : out;
}

void report_with(const ModelWarning& told, const std::string& model, lang::ClassTree& tree,
                 const std::vector<std::string>& open) {
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
  if (!open.empty()) {
    d.note("nothing outside is connected to " + list_of(open) +
           (open.size() == 1 ? ": its flow is" : ": their flows are") + " 0 by that");
  }
  tree.diagnostics().report(std::move(d));
}

}  // namespace

std::vector<std::string> open_connectors(const FlatModel& flat) {
  std::vector<std::string> found;
  for (const FlatEquation& e : flat.equations) {
    if (flat.pool[e.lhs].op != Op::kVar || !flat.pool.is_value(e.rhs, 0)) continue;
    const FlatVariable& v = flat[flat.pool.var(e.lhs)];
    if (!same_place(e.origin, v.origin)) continue;  // the declaration: no equation of the text
    const std::size_t dot = v.name.find('.');
    if (dot == std::string::npos || v.name.find('.', dot + 1) != std::string::npos) continue;
    const std::string connector = v.name.substr(0, dot);
    if (std::find(found.begin(), found.end(), connector) == found.end()) found.push_back(connector);
  }
  return found;
}

void report(const ModelWarning& told, const std::string& model, lang::ClassTree& tree) {
  report_with(told, model, tree, {});
}

void report(const ModelError& error, const std::string& model, lang::ClassTree& tree,
            const std::vector<std::string>& open) {
  const bool of_counts = error.code == diag::Code::kTooManyEquations ||
                         error.code == diag::Code::kTooFewEquations ||
                         error.code == diag::Code::kSingularEquations;
  report_with({error.code, error.what(), error.places}, model, tree,
              of_counts ? open : std::vector<std::string>());
}

}  // namespace arges
