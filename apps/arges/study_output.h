#pragma once
// What becomes of the rows of a study besides its file: summaries, tables, JSON, pictures.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "arges/experiment/study.h"
#include "study_file.h"

namespace arges::app {

struct StudyTable;

// The rows as one JSON object on the standard output, each as soon as it is there: they are not
// kept.
class JsonRows {
 public:
  void row(const StudyTitle& title, const StudyRow& row);
  // The summaries and the bands.
  void finish(const StudyTable& table);
  // Something failed: an object that was begun ends with the status "error". False when there is
  // none.
  bool close_with_error();

 private:
  void begin(const StudyTitle& title);

  bool begun_ = false, any_ = false;
};

// One variable over time, over all runs.
struct Band {
  std::string variable;
  std::vector<double> times;
  std::vector<random::Tally> tallies;     // one a time
  std::vector<QuantileSketch> quantiles;  // likewise
};

// The rows, as far as they are needed later (those that are printed, all for a picture), and what
// they come to. Observables beyond those of the
// title are the bands' values, time after time.
struct StudyTable {
  StudyTitle title;
  bool keeps_rows = true;
  std::vector<StudyRow> rows{};
  std::int64_t count = 0;
  std::vector<Summary> summaries{};  // of the observables
  std::vector<Band> bands{};
  std::map<RunReason, Failures> failures{};
  std::vector<std::int64_t> without_value{};  // of each observable: runs that ended well
  std::unique_ptr<StudyFile> file{};
  std::unique_ptr<JsonRows> json{};

  void add(const StudyRow& row);
};

void print_rows(const StudyTable& table);
void print_summary(const StudyTable& table);

// One line for each observable (and each value of a second axis) over the first axis, as far as
// there are rows. `log` names the logarithmic axes (x, y, xy, none); without it x is logarithmic
// where the range is, and y with it where positive values span two decades.
void draw_sweep(const std::string& path, const StudyTable& table,
                const std::vector<SweepAxis>& axes, const std::optional<std::string>& log);
// Bands over time when there are some, else histograms of the observables.
void draw_distributions(const std::string& path, const StudyTable& table);

}  // namespace arges::app
