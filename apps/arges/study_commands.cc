// sweep and montecarlo: many runs of a model.

#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arges/base/atomic_file.h"
#include "arges/base/error.h"
#include "arges/experiment/ensemble.h"
#include "arges/experiment/study.h"
#include "arges/plot/figure.h"
#include "arges/plot/render.h"
#include "commands.h"
#include "console.h"
#include "subject.h"

namespace arges::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kPrintedRows = 40;
constexpr double kQuantiles[] = {0.05, 0.25, 0.5, 0.75, 0.95};

// The rows of a study with what they come to.
struct StudyTable {
  std::vector<std::string> parameters, observables;
  std::vector<StudyRow> rows;
  std::vector<Summary> summaries;  // of the observables
  std::map<RunReason, std::int64_t> failures;

  void add(const StudyRow& row) {
    rows.push_back(row);
    for (std::size_t i = 0; i < row.observables.size(); ++i) summaries[i].add(row.observables[i]);
    if (row.status != RunReason::kFinished && row.status != RunReason::kStopped)
      ++failures[row.status];
  }
};

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

void print_json(const StudyTable& table, const Json& seed) {
  Json rows = Json::array();
  for (const StudyRow& row : table.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < row.parameters.size(); ++i)
      object[table.parameters[i]] = number(row.parameters[i]);
    for (std::size_t i = 0; i < row.observables.size(); ++i)
      object[table.observables[i]] = number(row.observables[i]);
    object["status"] = to_string(row.status);
    object["seed"] = seed;
    rows.push_back(std::move(object));
  }
  Json summary = Json::object();
  for (std::size_t i = 0; i < table.observables.size(); ++i)
    summary[table.observables[i]] = summary_of(table.summaries[i]);
  fmt::print("{}\n", Json{{"parameters", table.parameters},
                          {"observables", table.observables},
                          {"rows", rows},
                          {"summary", summary}}
                         .dump(2));
}

void write_csv(const StudyTable& table, const std::string& path) {
  AtomicFile file(path);
  const auto quoted = [](const std::string& name) {
    return name.find_first_of(",\"") == std::string::npos ? name : '"' + name + '"';
  };
  std::string line = "run";
  for (const std::string& name : table.parameters) line += "," + quoted(name);
  for (const std::string& name : table.observables) line += "," + quoted(name);
  file.write(line + ",status\n");
  for (const StudyRow& row : table.rows) {
    line = fmt::format("{}", row.index);
    for (const double value : row.parameters) line += fmt::format(",{:.17g}", value);
    for (const double value : row.observables)
      line += std::isfinite(value) ? fmt::format(",{:.17g}", value) : std::string(",");
    file.write(line + fmt::format(",{}\n", to_string(row.status)));
  }
  file.commit();
}

void print_rows(const StudyTable& table) {
  for (const auto* names : {&table.parameters, &table.observables}) {
    for (const std::string& name : *names) fmt::print("{:>16} ", name);
  }
  fmt::print("status\n");
  const std::size_t shown = std::min(table.rows.size(), kPrintedRows);
  for (std::size_t k = 0; k < shown; ++k) {
    const StudyRow& row = table.rows[k];
    for (const auto* values : {&row.parameters, &row.observables}) {
      for (const double value : *values) fmt::print("{:>16.9g} ", value);
    }
    fmt::print("{}\n", to_string(row.status));
  }
  if (shown < table.rows.size())
    fmt::print("... {} more (--out FILE.csv or --json for all)\n", table.rows.size() - shown);
}

void print_summary(const StudyTable& table) {
  fmt::print("{:<20} {:>8} {:>14} {:>11} {:>14} {:>14} {:>14} {:>14}\n", "observable", "runs",
             "mean", "+- 95 %", "deviation", "5 %", "median", "95 %");
  for (std::size_t i = 0; i < table.observables.size(); ++i) {
    const Summary& each = table.summaries[i];
    fmt::print("{:<20} {:>8} {:>14.8g} {:>11.3g} {:>14.6g} {:>14.8g} {:>14.8g} {:>14.8g}\n",
               table.observables[i], each.tally().count(), each.tally().mean(),
               each.tally().interval().half_width, each.tally().deviation(), each.quantile(0.05),
               each.quantile(0.5), each.quantile(0.95));
  }
}

// The model and all that its runs share; throws before anything is run.
struct Study {
  Subject subject;
  StudyPlan plan;

  Study(const ModelRegistry& models, const StudyOptions& wish)
      : subject(models, wish.subject),
        plan{*subject.model, subject.start(), subject.run_options(), {}, {}, {}} {
    for (const std::string& list : wish.observe) {
      for (const std::string& text : split_names(list))
        plan.observables.push_back(parse_observable(text));
    }
    if (plan.observables.empty()) {
      for (const VariableInfo& state : plan.model.schema().modes[plan.start.mode.index].states)
        plan.observables.push_back(parse_observable(state.name));
    }
  }

  StudyTable run(std::int64_t count, const StudyOptions& wish,
                 const std::function<bool(const StudyTable&)>& enough) {
    StudyTable table;
    table.parameters = plan.names;
    for (const Observable& each : plan.observables) table.observables.push_back(each.text);
    table.summaries.resize(plan.observables.size());
    ProgressBar bar(wish.subject.model);
    EnsembleOptions options;
    options.threads = wish.threads;
    options.cancel = &interrupted();
    options.progress = [&](double part) { bar.update(part); };
    run_ensemble(count, study_workers(plan), options, [&](const StudyRow& row) {
      // A run that was cut off by Ctrl-C is none.
      if (row.status == RunReason::kCancelled || enough(table)) return false;
      table.add(row);
      return true;
    });
    return table;
  }
};

// One line for each observable (and each value of a second axis) over the first axis.
void draw_sweep(const std::string& path, const Study& study, const StudyTable& table,
                const std::vector<SweepAxis>& axes, bool logarithmic) {
  const std::string& x_name = axes[0].name;
  plot::Figure figure =
      plot::make_stack(study.plan.model.schema().name,
                       logarithmic ? plot::log_axis(x_name) : plot::Axis{x_name}, [&] {
                         std::vector<plot::Axis> ys;
                         for (const std::string& name : table.observables) ys.push_back({name});
                         return ys;
                       }());
  const std::size_t inner = table.rows.size() / axes[0].values.size();
  for (std::size_t k = 0; k < table.observables.size(); ++k) {
    for (std::size_t j = 0; j < inner; ++j) {
      std::vector<double> y;
      std::string label;
      for (std::size_t i = 0; i < axes[0].values.size(); ++i)
        y.push_back(table.rows[i * inner + j].observables[k]);
      for (std::size_t a = 1; a < axes.size(); ++a)
        label += fmt::format("{}{} = {:g}", a > 1 ? ", " : "", axes[a].name,
                             table.rows[j].parameters[a]);
      figure.panels[k].add(plot::line_points(axes[0].values, std::move(y), label));
    }
    if (inner > 8) figure.panels[k].palette = plot::Palette::kSequential;
  }
  figure.height_mm = std::max(100.0, 60.0 * static_cast<double>(table.observables.size()));
  for (const std::string& warning : plot::render(figure, path)) print_note(warning);
}

void draw_histograms(const std::string& path, const Study& study, const StudyTable& table) {
  plot::Figure figure;
  figure.title = study.plan.model.schema().name;
  figure.share_x = false;
  for (std::size_t k = 0; k < table.observables.size(); ++k) {
    plot::Panel& panel = figure.panels.emplace_back();
    panel.x.label = table.observables[k];
    panel.y.label = "runs";
    panel.add(plot::histogram(table.summaries[k].values()));
  }
  figure.height_mm = std::max(100.0, 60.0 * static_cast<double>(table.observables.size()));
  for (const std::string& warning : plot::render(figure, path)) print_note(warning);
}

int finish(const StudyOptions& wish, const StudyTable& table, std::int64_t count) {
  for (const auto& [reason, runs] : table.failures)
    print_note(
        fmt::format("{} of {} runs ended as {}", runs, table.rows.size(), to_string(reason)));
  if (wish.out) write_csv(table, *wish.out);
  if (!interrupted()) return 0;
  print_error(
      fmt::format("interrupted: {} of {} runs are done, and kept", table.rows.size(), count));
  return interruption_exit_code();
}

void check_files(const StudyOptions& wish) {
  if (wish.plot) plot::check_picture_path(*wish.plot);
  if (wish.out && !wish.out->ends_with(".csv"))
    throw UserError(fmt::format("--out {}: the rows of a study go to a file .csv", *wish.out));
}

}  // namespace

int sweep(const ModelRegistry& models, const SweepCommand& command) {
  const StudyOptions& wish = command.study;
  check_files(wish);
  std::vector<SweepAxis> axes;
  for (const std::string& text : command.axes) axes.push_back(parse_axis(text));
  const std::int64_t count = sweep_size(axes);
  Study study(models, wish);
  for (const SweepAxis& axis : axes) study.plan.names.push_back(axis.name);
  study.plan.values = [&](std::int64_t index) { return sweep_values(axes, index); };
  const StudyTable table = study.run(count, wish, [](const StudyTable&) { return false; });
  const bool complete = static_cast<std::int64_t>(table.rows.size()) == count;
  if (wish.plot && complete) {
    draw_sweep(*wish.plot, study, table, axes, command.axes[0].find("=log:") != std::string::npos);
  }
  if (wish.json) {
    print_json(table, nullptr);
  } else {
    print_rows(table);
  }
  return finish(wish, table, count);
}

int montecarlo(const ModelRegistry& models, const MonteCarloCommand& command) {
  const StudyOptions& wish = command.study;
  check_files(wish);
  std::vector<RandomQuantity> quantities;
  for (const std::string& text : command.distributions) quantities.push_back(parse_random(text));
  Study study(models, wish);
  std::optional<StopRule> rule;
  std::size_t watched = 0;
  if (command.until) {
    rule = parse_stop_rule(*command.until);
    std::vector<Observable>& all = study.plan.observables;
    const auto found = std::ranges::find(all, rule->observable, &Observable::text);
    watched = static_cast<std::size_t>(found - all.begin());
    if (found == all.end()) all.push_back(parse_observable(rule->observable));
  }
  for (const RandomQuantity& quantity : quantities) study.plan.names.push_back(quantity.name);
  study.plan.values = [&](std::int64_t index) {
    return random_values(quantities, command.seed, index);
  };
  const StudyTable table = study.run(command.count, wish, [&](const StudyTable& so_far) {
    return rule && rule->satisfied(so_far.summaries[watched]);
  });
  if (wish.plot && !table.rows.empty()) draw_histograms(*wish.plot, study, table);
  if (wish.json) {
    print_json(table, command.seed);
  } else {
    print_summary(table);
  }
  const bool satisfied = rule && rule->satisfied(table.summaries[watched]);
  if (rule && !satisfied && !interrupted()) {
    print_note(fmt::format("{} runs were not enough for {}: give a larger -n", table.rows.size(),
                           *command.until));
  }
  return finish(wish, table, command.count);
}

}  // namespace arges::app
