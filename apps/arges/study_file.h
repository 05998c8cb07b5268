#pragma once
// The file of a study: one row a run.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arges/experiment/ensemble.h"
#include "arges/experiment/journal.h"

namespace arges::app {

// It appears when it is finished.
class StudyFile {
 public:
  virtual ~StudyFile() = default;
  virtual void row(const StudyRow& row) = 0;
  virtual void finish() = 0;
};

struct StudyTitle {
  std::string model, kind;                           // "sweep", "montecarlo"
  std::vector<std::string> parameters, observables;  // those that are noted
  std::optional<std::uint64_t> seed;
  std::string description{};  // of everything that rows depend on

  // The model has a parameter of this name: the seed of a run is its own then.
  bool varies_seed() const;
};

// A column has one meaning. What is varied and has the name of a column that all studies have (run,
// status, message) stands as varied(NAME); the seed of a model is that of its run.
std::string title_of_varied(const std::string& name);
// The value at the end has the name of such a column, or of what is varied: final(NAME).
std::string title_of_observed(const std::string& text, const std::vector<std::string>& varied);

// .csv: run, parameters, observables, how the run ended, in words, the seed when there is one, and
// why the run failed; the manifest is in NAME.csv.manifest.json. .h5: a result whose time is the
// number of the run; `status` is the position in run_status.h. The manifest says which study it is,
// how many runs failed, and why the first of them did. Throws UserError for other endings, IoError
// when it cannot be written.
std::unique_ptr<StudyFile> open_study_file(const std::string& path, const StudyTitle& title);

// A study that is complete has no journal any more, but its file: the journal learns from it the
// rows of runs that got to their end (the others are done again, with their messages). They get so
// many observables `more`, without values, as the file does not have; without it none is learnt.
// Nothing happens when there is no such file, or it does not say which study it is. Returns the
// number of runs that the file has: whoever replaces it has to keep them. Throws UserError when it
// is of another study, and the journal, which is removed then, knows nothing.
std::int64_t know_rows_of_file(Journal& journal, const std::string& path, const StudyTitle& title,
                               std::optional<std::size_t> more);

// Runs that failed in one way, and why the first of them did.
struct Failures {
  std::int64_t runs = 0, first = 0;
  std::string message{};

  void add(const StudyRow& row);
  // "; run 3: the reason", or nothing.
  std::string explanation() const;
};

std::string in_one_line(std::string text);

}  // namespace arges::app
