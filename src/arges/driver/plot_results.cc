#include "arges/driver/plot_results.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"
#include "arges/driver/smooth_curve.h"

namespace arges {

namespace {

constexpr std::size_t kMaxPanels = 6;
constexpr std::size_t kMaxEventMarks = 40;

const Column* find_column(const Trajectory& trajectory, const std::string& name) {
  const auto c = trajectory.find_column(name);
  return c ? &trajectory.layout.columns[*c] : nullptr;
}

// States are known by their derivatives.
std::vector<std::string> default_variables(const Trajectory& trajectory) {
  std::vector<std::string> states, all;
  for (const Column& column : trajectory.layout.columns) {
    if (column.name.starts_with("der(")) continue;
    all.push_back(column.name);
    if (find_column(trajectory, "der(" + column.name + ")") != nullptr)
      states.push_back(column.name);
  }
  return states.empty() ? all : states;
}

double magnitude(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

void check_known(const std::vector<NamedRun>& runs, const std::string& name) {
  std::vector<std::string> names;
  for (const NamedRun& run : runs) {
    for (std::string& known : run.trajectory.names()) {
      if (known == name) return;
      names.push_back(std::move(known));
    }
  }
  throw UserError(fmt::format("no result has a variable '{}'{}", name, did_you_mean(name, names)));
}

bool has(const Trajectory& trajectory, const std::string& name) {
  return name == "time" || trajectory.find_column(name) || trajectory.find_parameter(name);
}

SampledVariable sampled(const Trajectory& trajectory, const std::string& name, bool logarithmic) {
  SampledVariable variable{trajectory.values_of(name), {}, logarithmic};
  if (name == "time") variable.rates.assign(trajectory.rows(), 1.0);
  const std::string rate = "der(" + name + ")";
  if (trajectory.find_column(rate)) variable.rates = trajectory.values_of(rate);
  return variable;
}

plot::Series series_of(const NamedRun& run, const PlotRequest& request, const std::string& y,
                       std::string legend) {
  const std::string& x = request.x;
  const Column* column = find_column(run.trajectory, y);
  const bool steps =
      x == "time" && column != nullptr && column->variability == Variability::kDiscrete;
  if (steps)
    return plot::steps(run.trajectory.times, run.trajectory.values_of(y), std::move(legend));
  DrawnCurve curve = smooth_curve(run.trajectory.times, sampled(run.trajectory, x, request.log_x),
                                  sampled(run.trajectory, y, request.log_y));
  return plot::line(std::move(curve.x), std::move(curve.y), std::move(legend));
}

plot::Axis axis_of(const std::vector<NamedRun>& runs, const std::string& name, bool logarithmic) {
  plot::Axis axis;
  axis.label = name == "time" ? "t" : name;
  if (name == "time") axis.unit = "s";
  for (const NamedRun& run : runs) {
    if (const Column* column = find_column(run.trajectory, name)) axis.unit = column->unit;
  }
  axis.scale = logarithmic ? plot::Scale::kLog : plot::Scale::kLinear;
  return axis;
}

// Which variables go into which panel.
std::vector<std::vector<std::string>> arrange(const std::vector<NamedRun>& runs,
                                              const PlotRequest& request,
                                              const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> panels;
  if (!request.panels && (!request.y.empty() || request.x != "time")) return {names};
  for (const std::string& name : names) {
    const auto fits = [&](const std::vector<std::string>& panel) {
      if (request.panels) return false;
      const NamedRun& run = runs.front();
      const Column *a = find_column(run.trajectory, panel.front()),
                   *b = find_column(run.trajectory, name);
      if (a == nullptr || b == nullptr || a->unit != b->unit || a->variability != b->variability)
        return false;
      const double p = magnitude(run.trajectory.values_of(panel.front()));
      const double q = magnitude(run.trajectory.values_of(name));
      return p <= 10 * q && q <= 10 * p;
    };
    const auto home = std::find_if(panels.begin(), panels.end(), fits);
    if (home != panels.end()) {
      home->push_back(name);
    } else if (panels.size() < kMaxPanels) {
      panels.push_back({name});
    }
  }
  return panels;
}

}  // namespace

plot::Figure plot_results(const std::vector<NamedRun>& runs, const PlotRequest& request) {
  if (runs.empty()) throw ApiError("plot_results needs a run");
  const auto names = request.y.empty() ? default_variables(runs.front().trajectory) : request.y;
  for (const std::string& name : names) check_known(runs, name);
  check_known(runs, request.x);

  plot::Figure figure;
  figure.title = request.title;
  const auto panels = arrange(runs, request, names);
  const bool one_legend = std::ranges::all_of(panels, [&](const auto& members) {
    return members.size() == 1 && std::ranges::all_of(runs, [&](const NamedRun& run) {
             return has(run.trajectory, members.front()) && has(run.trajectory, request.x);
           });
  });
  for (const auto& members : panels) {
    plot::Panel panel;
    panel.x = axis_of(runs, request.x, request.log_x);
    panel.y = axis_of(runs, members.front(), request.log_y);
    if (members.size() > 1) panel.y.label.clear();
    for (const std::string& name : members) {
      for (const NamedRun& run : runs) {
        if (!has(run.trajectory, name) || !has(run.trajectory, request.x)) continue;
        std::string legend = members.size() > 1 ? name : "";
        if (runs.size() > 1)
          legend = members.size() > 1 ? fmt::format("{} ({})", name, run.name) : run.name;
        if (one_legend && !figure.panels.empty()) legend.clear();
        panel.add(series_of(run, request, name, legend));
      }
    }
    if (request.x_limits) std::tie(panel.x.lower, panel.x.upper) = *request.x_limits;
    if (request.y_limits) std::tie(panel.y.lower, panel.y.upper) = *request.y_limits;
    panel.equal_aspect = request.equal_aspect;
    const auto& events = runs.front().trajectory.events;
    if (request.event_marks && runs.size() == 1 && request.x == "time" &&
        events.size() <= kMaxEventMarks) {
      std::set<double> times;
      for (const EventRecord& event : events) times.insert(event.time);
      for (const double t : times) panel.events.push_back({t, ""});
    }
    figure.panels.push_back(std::move(panel));
  }
  figure.height_mm =
      panels.size() <= 1 ? 100 : std::min(60.0 + 40.0 * static_cast<double>(panels.size()), 230.0);
  if (request.size_mm) std::tie(figure.width_mm, figure.height_mm) = *request.size_mm;
  return figure;
}

plot::Figure plot_run(const Trajectory& trajectory) {
  PlotRequest request;
  if (const std::string* model = trajectory.manifest.find("model")) request.title = *model;
  return plot_results({{"", trajectory}}, request);
}

}  // namespace arges
