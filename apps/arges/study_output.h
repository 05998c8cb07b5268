#pragma once
// What becomes of the rows of a study besides its file: summaries, tables, JSON, pictures.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
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

// The rows, as far as they are needed later (those that are printed, all for a picture), and what
// they come to. Observables beyond those of the title are the bands' values, time after time; a row
// that the bands have taken in an earlier study need not have them.
struct StudyTable {
  StudyTitle title;
  bool keeps_rows = true;
  std::vector<StudyRow> rows{};
  std::int64_t count = 0;
  std::int64_t without_gap = 0;      // how many of them are there from run 0 on
  std::vector<Summary> summaries{};  // of the observables
  // They take the rows without a gap: a study that goes on adds the others in their order.
  std::vector<Band> bands{};
  // The runs before this one were in the bands at the start, but for those that had failed: they
  // come late when they get to their end now.
  std::int64_t in_bands = 0;
  std::set<std::int64_t> had_failed{};
  std::map<RunReason, Failures> failures{};
  std::vector<std::int64_t> without_value{};  // of each observable: runs that ended well
  std::unique_ptr<StudyFile> file{};
  std::unique_ptr<JsonRows> json{};

  void add(const StudyRow& row);
  void finish_file() { file->finish(bands, std::max(without_gap, in_bands)); }
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
