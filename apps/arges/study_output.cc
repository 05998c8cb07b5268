#include "study_output.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arges/plot/figure.h"
#include "arges/plot/render.h"
#include "console.h"

namespace arges::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kPrintedRows = 40;
constexpr double kQuantiles[] = {0.05, 0.25, 0.5, 0.75, 0.95};

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json summary_of(const Summary& summary) {
  const random::Tally& tally = summary.tally();
  const random::ConfidenceInterval ci = tally.interval();
  Json quantiles = Json::object();
  for (const double p : kQuantiles) quantiles[fmt::format("{}", p)] = number(summary.quantile(p));
  return {{"count", tally.count()},
          {"mean", number(tally.mean())},
          {"deviation", number(tally.deviation())},
          {"ci95", {number(ci.low()), number(ci.high())}},
          {"min", number(tally.min())},
          {"max", number(tally.max())},
          {"quantiles", quantiles}};
}

std::vector<double> quantiles_at(const Band& band, std::size_t time) {
  return band.quantiles(time, {std::begin(kQuantiles), std::end(kQuantiles)});
}

Json bands_of(const StudyTable& table) {
  Json bands = Json::object();
  for (const Band& band : table.bands) {
    Json mean = Json::array();
    Json quantiles = Json::object();
    for (const double p : kQuantiles) quantiles[fmt::format("{}", p)] = Json::array();
    for (std::size_t k = 0; k < band.times().size(); ++k) {
      mean.push_back(number(band.mean(k)));
      const std::vector<double> values = quantiles_at(band, k);
      for (std::size_t q = 0; q < values.size(); ++q)
        quantiles[fmt::format("{}", kQuantiles[q])].push_back(number(values[q]));
    }
    bands[band.variable()] = {{"time", band.times()}, {"mean", mean}, {"quantiles", quantiles}};
  }
  return bands;
}

}  // namespace

void StudyTable::add(const StudyRow& row) {
  ++count;
  if (row.index == without_gap) ++without_gap;
  if (keeps_rows || rows.size() < kPrintedRows) rows.push_back(row);
  if (json) json->row(title, row);
  if (file) file->row(row);
  summaries.resize(title.observables.size());
  // What a run has come to before it failed is no sample of what it would have come to.
  if (row.status != RunReason::kFinished && row.status != RunReason::kStopped) {
    failures[row.status].add(row);
    return;
  }
  for (std::size_t i = 0; i < summaries.size(); ++i) summaries[i].add(row.observables[i]);
  std::size_t at = summaries.size();
  for (Band& band : bands) {
    if (row.index >= without_gap) break;
    if (row.index < in_bands && !had_failed.contains(row.index)) break;
    band.add(std::span(row.observables).subspan(at, band.times().size()));
    at += band.times().size();
  }
  without_value.resize(summaries.size());
  for (std::size_t i = 0; i < summaries.size(); ++i)
    without_value[i] += std::isfinite(row.observables[i]) ? 0 : 1;
}

void JsonRows::begin(const StudyTitle& title) {
  begun_ = true;
  const auto list = [](const std::vector<std::string>& names) { return Json(names).dump(); };
  fmt::print("{{\n  \"parameters\": {},\n  \"observables\": {},\n  \"rows\": [",
             list(title.parameters), list(title.observables));
}

void JsonRows::row(const StudyTitle& title, const StudyRow& row) {
  if (!begun_) begin(title);
  Json object = Json::object();
  for (std::size_t i = 0; i < row.parameters.size(); ++i)
    object[title.parameters[i]] =
        title.words_of(i) ? Json(title.word(i, row.parameters[i])) : number(row.parameters[i]);
  for (std::size_t i = 0; i < title.observables.size(); ++i)
    object[title.observables[i]] = number(row.observables[i]);
  object["status"] = to_string(row.status);
  if (!row.message.empty()) object["message"] = row.message;
  if (const std::string column = title.seed_column(); !column.empty()) {
    object[column] = *title.seed;
  } else if (!title.varies_seed()) {
    object["seed"] = nullptr;
  }
  fmt::print("{}\n    {}", any_ ? "," : "", object.dump());
  any_ = true;
}

void JsonRows::finish(const StudyTable& table) {
  if (!begun_) begin(table.title);
  Json summary = Json::object();
  for (std::size_t i = 0; i < table.summaries.size(); ++i)
    summary[table.title.observables[i]] = summary_of(table.summaries[i]);
  fmt::print("\n  ],\n  \"summary\": {}", summary.dump());
  if (!table.bands.empty()) fmt::print(",\n  \"bands\": {}", bands_of(table).dump());
  fmt::print("\n}}\n");
  begun_ = false;
}

bool JsonRows::close_with_error() {
  if (!begun_) return false;
  constexpr std::string_view kEnd = "\n  ],\n  \"status\": \"error\"\n}\n";
  std::fwrite(kEnd.data(), 1, kEnd.size(), stdout);
  begun_ = false;
  return true;
}

void print_rows(const StudyTable& table) {
  for (const auto* names : {&table.title.parameters, &table.title.observables}) {
    for (const std::string& name : *names) fmt::print("{:>16} ", name);
  }
  fmt::print("status\n");
  const std::size_t shown = std::min(table.rows.size(), kPrintedRows);
  for (std::size_t k = 0; k < shown; ++k) {
    const StudyRow& row = table.rows[k];
    for (std::size_t i = 0; i < row.parameters.size(); ++i) {
      const std::string word = table.title.word(i, row.parameters[i]);
      fmt::print("{:>16} ", word.empty() ? fmt::format("{:.9g}", row.parameters[i]) : word);
    }
    for (std::size_t i = 0; i < table.title.observables.size(); ++i) {
      const double value = row.observables[i];
      fmt::print("{:>16} ", std::isnan(value) ? "-" : fmt::format("{:.9g}", value));
    }
    fmt::print("{}{}{}\n", to_string(row.status), row.message.empty() ? "" : ": ",
               in_one_line(row.message));
  }
  if (static_cast<std::int64_t>(shown) < table.count)
    fmt::print("... {} more (--out FILE.csv or --json for all)\n",
               table.count - static_cast<std::int64_t>(shown));
}

void print_summary(const StudyTable& table) {
  fmt::print("{:<20} {:>8} {:>14} {:>11} {:>14} {:>14} {:>14} {:>14}\n", "observable", "runs",
             "mean", "+- 95 %", "deviation", "5 %", "median", "95 %");
  for (std::size_t i = 0; i < table.title.observables.size(); ++i) {
    const Summary& each = table.summaries[i];
    const auto number = [](double value, int digits) {
      return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : std::string("-");
    };
    fmt::print("{:<20} {:>8} {:>14} {:>11} {:>14} {:>14} {:>14} {:>14}\n",
               table.title.observables[i], each.tally().count(), number(each.tally().mean(), 8),
               number(each.tally().interval().half_width, 3), number(each.tally().deviation(), 6),
               number(each.quantile(0.05), 8), number(each.quantile(0.5), 8),
               number(each.quantile(0.95), 8));
  }
}

namespace {

// Positive, from the smallest to the largest a factor of 100.
bool span_decades(const std::vector<StudyRow>& rows, std::size_t observable) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const StudyRow& row : rows) {
    const double value = row.observables[observable];
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  return least > 0 && most >= 100 * least;
}

}  // namespace

void draw_sweep(const std::string& path, const StudyTable& table,
                const std::vector<SweepAxis>& axes, const std::optional<std::string>& log) {
  const auto axis = [](const std::string& name, bool logarithmic) {
    return logarithmic ? plot::log_axis(name) : plot::Axis{name};
  };
  const bool log_x =
      log ? log->find('x') != std::string::npos : axes[0].logarithmic && axes[0].values.front() > 0;
  std::vector<plot::Axis> ys;
  for (std::size_t k = 0; k < table.title.observables.size(); ++k) {
    const bool log_y =
        log ? log->find('y') != std::string::npos : log_x && span_decades(table.rows, k);
    ys.push_back(axis(table.title.observables[k], log_y));
  }
  plot::Figure figure = plot::make_stack(table.title.model, axis(axes[0].name, log_x), ys);
  std::size_t inner = 1;
  for (std::size_t a = 1; a < axes.size(); ++a) inner *= axes[a].values.size();
  std::vector<std::vector<const StudyRow*>> lines(inner);
  for (const StudyRow& row : table.rows)
    lines[static_cast<std::size_t>(row.index) % inner].push_back(&row);
  for (std::size_t k = 0; k < table.title.observables.size(); ++k) {
    for (std::size_t j = 0; j < inner; ++j) {
      if (lines[j].empty()) continue;  // interrupted before
      std::vector<double> x, y;
      std::string label;
      for (const StudyRow* row : lines[j]) {
        x.push_back(row->parameters[0]);
        y.push_back(row->observables[k]);
      }
      const std::vector<double> at = sweep_values(axes, static_cast<std::int64_t>(j));
      for (std::size_t a = 1; a < axes.size(); ++a)
        label += fmt::format(
            "{}{} = {}", a > 1 ? ", " : "", axes[a].name,
            axes[a].words.empty() ? fmt::format("{:g}", at[a]) : table.title.word(a, at[a]));
      figure.panels[k].add(plot::line_points(std::move(x), std::move(y), label));
    }
    if (inner > 8) figure.panels[k].palette = plot::Palette::kSequential;
  }
  figure.height_mm = std::max(100.0, 60.0 * static_cast<double>(table.title.observables.size()));
  for (const std::string& warning : plot::render(figure, path)) print_note(warning);
}

void draw_distributions(const std::string& path, const StudyTable& table) {
  plot::Figure figure;
  figure.title = table.title.model;
  figure.share_x = false;
  for (const Band& band : table.bands) {
    plot::Panel& panel = figure.panels.emplace_back();
    panel.x = {"time", "s"};
    panel.y.label = band.variable();
    std::vector<double> mean;
    std::vector<std::vector<double>> curves(std::size(kQuantiles));
    for (std::size_t k = 0; k < band.times().size(); ++k) {
      mean.push_back(band.mean(k));
      const std::vector<double> values = quantiles_at(band, k);
      for (std::size_t q = 0; q < curves.size(); ++q) curves[q].push_back(values[q]);
    }
    panel.add(plot::band(band.times(), curves[0], curves[4], "5 to 95 %"));
    panel.add(plot::band(band.times(), curves[1], curves[3], "25 to 75 %"));
    panel.add(plot::line(band.times(), std::move(mean), "mean"));
  }
  for (std::size_t k = 0; k < table.summaries.size() && table.bands.empty(); ++k) {
    plot::Panel& panel = figure.panels.emplace_back();
    panel.x.label = table.title.observables[k];
    panel.y.label = "runs";
    panel.add(plot::histogram(table.summaries[k].spread()));
  }
  figure.height_mm = std::max(100.0, 60.0 * static_cast<double>(figure.panels.size()));
  for (const std::string& warning : plot::render(figure, path)) print_note(warning);
}

}  // namespace arges::app
