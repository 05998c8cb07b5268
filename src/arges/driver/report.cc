#include "arges/driver/report.h"

#include <algorithm>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "arges/base/atomic_file.h"
#include "arges/base/error.h"
#include "arges/base/escape_markup.h"
#include "arges/base/parse_number.h"
#include "arges/base/version.h"
#include "arges/driver/markdown.h"
#include "arges/driver/report_style.h"
#include "arges/plot/render.h"

namespace arges {

namespace {

using FigureFiles = std::vector<std::pair<std::string, std::string>>;

std::string page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}"
      "<footer>Made by arges {}.</footer>\n</body>\n</html>\n",
      escape_markup(title), kReportStyle, body, kVersion);
}

// A name that is safe as a file, in an address and as an anchor.
std::string safe_name(std::string_view name) {
  std::string safe;
  for (const char c : name) {
    const bool keep = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-' || (c == '.' && !safe.empty());
    safe += keep ? c : '-';
  }
  return safe.empty() ? "unnamed" : safe;
}

std::string lesson_file(const SolvedBenchmark& benchmark) {
  return "lesson-" + safe_name(benchmark.id) + ".html";
}

std::string plural(std::size_t n, const char* word) {
  return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

const char* verdict(bool ok) {
  return ok ? "<span class=\"good\">ok</span>" : "<span class=\"bad\">not ok</span>";
}

std::size_t assumed_rows(const SolvedBenchmark& benchmark) {
  const auto rows = benchmark.report.rows();
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(),
      [](const BenchmarkRow& row) { return row.source == ReferenceSource::kAssumed; }));
}

std::string summary(const std::vector<SolvedBenchmark>& benchmarks) {
  std::size_t rows = 0, ok = 0, failed = 0;
  std::string out =
      "<div class=\"wide\"><table>\n<thead><tr><th>benchmark</th><th>title</th>"
      "<th class=\"number\">tasks</th><th class=\"number\">values</th>"
      "<th class=\"number\">within tolerance</th><th class=\"number\">assumed</th><th></th></tr>"
      "</thead>\n<tbody>\n";
  for (const SolvedBenchmark& each : benchmarks) {
    const std::size_t here = each.report.rows().size();
    rows += here;
    ok += each.rows_ok();
    failed += each.failure.empty() ? 0 : 1;
    out += fmt::format(
        "<tr><td><a href=\"#{}\">{}</a></td><td>{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>"
        "<td>{}</td></tr>\n",
        safe_name(each.id), escape_markup(each.id), escape_markup(each.title),
        each.report.tasks().size(), here, each.rows_ok(), assumed_rows(each),
        each.failure.empty() ? verdict(each.ok()) : "<span class=\"bad\">failed</span>");
  }
  out += "</tbody>\n</table></div>\n";
  std::string line =
      fmt::format("{} of {} are within their tolerance", ok, plural(rows, "computed value"));
  if (failed > 0) line += fmt::format("; {} did not run to the end", plural(failed, "benchmark"));
  return fmt::format("<p class=\"verdict {}\">{}.</p>\n",
                     ok == rows && failed == 0 ? "good" : "bad", line) +
         out;
}

std::string comparison(const std::vector<BenchmarkRow>& rows) {
  std::string out =
      "<div class=\"wide\"><table>\n<thead><tr><th>quantity</th><th class=\"number\">computed</th>"
      "<th class=\"number\">beside it</th><th>source</th><th class=\"number\">difference</th>"
      "<th class=\"number\">tolerance</th><th></th></tr></thead>\n<tbody>\n";
  for (const BenchmarkRow& row : rows) {
    const bool assumed = row.source == ReferenceSource::kAssumed;
    out += fmt::format(
        "<tr{}><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td>"
        "<td class=\"number\">{:.2g}</td><td class=\"number\">{:.2g}</td><td>{}</td></tr>\n",
        assumed ? " class=\"assumed\"" : "", escape_markup(row.quantity),
        format_value(row.computed, row.tolerance), format_value(row.published, row.tolerance),
        assumed ? "<span class=\"assumed-word\">assumed, not published</span>"
                : to_string(row.source),
        row.computed - row.published, row.tolerance, verdict(row.ok));
  }
  return out + "</tbody>\n</table></div>\n";
}

// A column is set as numbers when all its cells below the header are.
bool is_number_column(const std::vector<std::vector<std::string>>& rows, std::size_t column) {
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (column >= rows[r].size()) continue;
    const std::string& cell = rows[r][column];
    if (!cell.empty() && cell != "-" && !parse_number(cell)) return false;
  }
  return true;
}

std::string table(const BenchmarkReport::Table& content) {
  std::string out = fmt::format("<div class=\"wide\"><table>\n<caption>{}</caption>\n",
                                escape_markup(content.caption));
  for (std::size_t r = 0; r < content.rows.size(); ++r) {
    const char* tag = r == 0 ? "th" : "td";
    out += r == 0 ? "<thead><tr>" : "<tr>";
    for (std::size_t c = 0; c < content.rows[r].size(); ++c) {
      const char* kind = is_number_column(content.rows, c) ? " class=\"number\"" : "";
      out += fmt::format("<{0}{1}>{2}</{0}>", tag, kind, escape_markup(content.rows[r][c]));
    }
    out += r == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n";
  }
  if (!content.rows.empty()) out += "</tbody>\n";
  return out + "</table></div>\n";
}

class PageWriter {
 public:
  explicit PageWriter(FigureFiles* files) : files_(files) {}

  std::string benchmark(const SolvedBenchmark& solved) {
    std::string out = fmt::format("<section id=\"{}\">\n<h2>{} {}</h2>\n", safe_name(solved.id),
                                  escape_markup(solved.id), escape_markup(solved.title));
    if (!solved.lesson.empty()) {
      out += fmt::format(
          "<p><a href=\"{}\">The lesson</a>: background, definition, model and discussion.</p>\n",
          lesson_file(solved));
    }
    for (const BenchmarkReport::Task& each : solved.report.tasks()) out += task(each);
    if (!solved.failure.empty()) {
      out += fmt::format(
          "<p class=\"failure\"><span class=\"bad\">Not run to the end:</span> {}</p>\n",
          escape_markup(solved.failure));
    }
    return out + "</section>\n";
  }

 private:
  std::string task(const BenchmarkReport::Task& content) {
    std::string out;
    if (!content.id.empty() || !content.title.empty()) {
      out += fmt::format(
          "<h3>{}{}{}</h3>\n", content.id.empty() ? "" : "Task " + escape_markup(content.id),
          content.id.empty() || content.title.empty() ? "" : ": ", escape_markup(content.title));
    }
    for (const std::string& paragraph : content.paragraphs)
      out += "<p>" + escape_markup(paragraph) + "</p>\n";
    if (!content.rows.empty()) out += comparison(content.rows);
    for (const BenchmarkReport::Table& each : content.tables) out += table(each);
    for (const BenchmarkFigure& each : content.figures) out += figure(each);
    return out;
  }

  std::string figure(const BenchmarkFigure& content) {
    const std::string wanted = safe_name(content.file);
    std::string name = wanted;
    for (int n = 2; !names_.insert(name).second; ++n) name = fmt::format("{}-{}", wanted, n);
    const std::string svg = plot::render_svg(content.figure);
    if (files_ != nullptr) files_->emplace_back(name + ".svg", svg);
    // Within a page there is neither an XML declaration nor a doctype.
    const std::size_t begin = std::min(svg.find("<svg"), svg.size());
    return fmt::format(
        "<figure>\n{}\n<figcaption>{} <a href=\"{}.svg\">SVG</a></figcaption>\n</figure>\n",
        std::string_view(svg).substr(begin), escape_markup(content.caption), name);
  }

  FigureFiles* files_;
  std::set<std::string> names_;
};

std::string lesson_page(const SolvedBenchmark& benchmark) {
  return page(benchmark.id + " " + benchmark.title,
              fmt::format("<p><a href=\"index.html#{}\">Results of {}</a></p>\n",
                          safe_name(benchmark.id), escape_markup(benchmark.id)) +
                  markdown_to_html(benchmark.lesson));
}

void write_file(const std::filesystem::path& path, const std::string& content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

}  // namespace

void prepare_report_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder)) {
    throw IoError(fmt::format("cannot make the folder '{}' for the report: {}; choose another one",
                              folder.string(),
                              error ? error.message() : "there is a file of this name"));
  }
  AtomicFile probe(folder / "index.html");  // removed again, since it is not committed
}

std::string report_page(const std::vector<SolvedBenchmark>& benchmarks, FigureFiles* figure_files) {
  std::string body =
      "<h1>ARGESIM benchmarks</h1>\n"
      "<p class=\"soft\">Each computed value stands beside a <b>published</b> one (printed in the "
      "definition or in a published solution) or a <b>reference</b> (computed to more digits, by "
      "another method). Where a definition has a gap and a value was chosen, the row is marked "
      "<span class=\"assumed-word\">assumed, not published</span>.</p>\n";
  body += summary(benchmarks);
  PageWriter writer(figure_files);
  for (const SolvedBenchmark& each : benchmarks) body += writer.benchmark(each);
  return page("ARGESIM benchmarks", body);
}

std::filesystem::path write_report(const std::vector<SolvedBenchmark>& benchmarks,
                                   const std::filesystem::path& folder) {
  prepare_report_folder(folder);
  FigureFiles figures;
  const std::string index = report_page(benchmarks, &figures);
  for (const auto& [name, svg] : figures) write_file(folder / name, svg);
  for (const SolvedBenchmark& each : benchmarks) {
    if (!each.lesson.empty()) write_file(folder / lesson_file(each), lesson_page(each));
  }
  std::filesystem::path path = folder / "index.html";
  write_file(path, index);
  return path;
}

}  // namespace arges
