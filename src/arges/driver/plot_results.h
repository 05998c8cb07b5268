#pragma once
// Figures from results: what `arges run --plot` and `arges plot` draw.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arges/plot/figure.h"
#include "arges/results/trajectory.h"

namespace arges {

struct NamedRun {
  std::string name;  // for the legend: the file
  Trajectory trajectory;
};

struct PlotRequest {
  std::vector<std::string>
      y;                   // variables; empty: the states (or all, when no state is known as such)
  std::string x = "time";  // another variable makes a phase plot
  bool log_x = false, log_y = false;
  bool panels = false;  // one panel for each variable
  bool equal_aspect = false;
  bool event_marks = true;  // over time, for a single run with few events
  std::string title;
  std::optional<std::pair<double, double>> x_limits, y_limits;
  std::optional<std::pair<double, double>> size_mm;
};

// Several runs: the same variables of each, in one figure. Discrete variables are drawn as steps.
// Throws UserError with the near names when a variable is in none of the runs.
plot::Figure plot_results(const std::vector<NamedRun>& runs, const PlotRequest& request);

// The states of one run over time; variables of one unit and like magnitude share a panel.
plot::Figure plot_run(const Trajectory& trajectory);

}  // namespace arges
