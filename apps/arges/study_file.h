#pragma once
// The file of a study: one row a run.

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "arges/experiment/band.h"
#include "arges/experiment/ensemble.h"
#include "arges/experiment/journal.h"

namespace arges::app {

// It appears when it is finished.
class StudyFile {
 public:
  virtual ~StudyFile() = default;
  virtual void row(const StudyRow& row) = 0;
  // With what the bands know of so many `runs`.
  virtual void finish(const std::vector<Band>& bands = {}, std::int64_t runs = 0) = 0;
};

struct StudyTitle {
  std::string model, kind;                           // "sweep", "montecarlo"
  std::vector<std::string> parameters, observables;  // those that are noted
  std::optional<std::uint64_t> seed;
  std::string description{};  // of everything that rows depend on
  // Of each parameter, where not empty: its values are positions in these.
  std::vector<std::vector<std::string>> words{};

  // The words of a parameter; null when its values are numbers.
  const std::vector<std::string>* words_of(std::size_t parameter) const {
    return parameter < words.size() && !words[parameter].empty() ? &words[parameter] : nullptr;
  }
  // A value as it is read: "" unless it is a word.
  std::string word(std::size_t parameter, double value) const;

  // The model has a parameter of this name: the seed of a run is its own then, and that from which
  // it was drawn is the study_seed.
  bool varies_seed() const;
  // The column of `seed`; "" when there is none.
  std::string seed_column() const;
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
//
// Bands are attached to an .h5: "f mean", "f 5 %", ... (a '/' in the name of a formula is '∕'
// there), their times, and their state, from which they go on. Beside a .csv with bands stands a
// result file NAME.csv.bands.h5, whose rows they are.
std::unique_ptr<StudyFile> open_study_file(const std::string& path, const StudyTitle& title);

// What a file has of a study.
struct KnownRuns {
  std::int64_t runs = 0;            // whoever replaces the file has to keep them
  std::int64_t in_bands = 0;        // the bands have taken the runs before this one,
  std::set<std::int64_t> failed{};  // but for those that failed
};

// A study that is complete has no journal any more, but its file: the journal learns from it the
// rows of runs that got to their end (the others are done again, with their messages), and the
// bands get their state. With bands no row is learnt that they have not taken: the file does not
// have its values over time. Nothing happens when there is no such file, or it does not say which
// study it is. Throws UserError when it is of another study, and the journal, which is removed
// then, knows nothing.
KnownRuns know_rows_of_file(Journal& journal, const std::string& path, const StudyTitle& title,
                            std::vector<Band>& bands);

// Runs that failed in one way, and why the first of them did.
struct Failures {
  std::int64_t runs = 0, first = 0;
  std::string message{};

  void add(const StudyRow& row);
  // "; run 3: the reason", or nothing.
  std::string explanation() const;
};

std::string in_one_line(std::string text);

// What writing and reading have in common.
bool is_csv(const std::string& path);
std::string hash_of(const StudyTitle& title);
std::string csv_header(const StudyTitle& title);
std::string bands_path(const std::string& csv_path);
constexpr const char* kBandState = "state of the bands";
// A run that got to its end has a message when its variant of the model lacks an observable. In .h5
// these are the numbers of the rows' messages, which the manifest has under these keys.
constexpr const char* kMessageNumbers = "messages";
std::string message_key(double number);

}  // namespace arges::app
