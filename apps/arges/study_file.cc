#include "study_file.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "arges/base/atomic_file.h"
#include "arges/base/error.h"
#include "arges/base/hash.h"
#include "arges/base/version.h"
#include "arges/results/csv_sink.h"
#include "arges/results/csv_text.h"
#include "arges/results/hdf5_sink.h"
#include "arges/results/run_info.h"

namespace arges::app {

namespace {

// No times of day are in it: the same study is the same file.
class StudyManifest {
 public:
  explicit StudyManifest(const StudyTitle& title) {
    manifest_.set("arges_version", std::string(kVersion));
    manifest_.set("model", title.model);
    manifest_.set("study", title.kind);
    manifest_.set("study_hash", hash_of(title));
    manifest_.set("seed", title.seed ? fmt::format("{}", *title.seed) : "none");
  }
  void add(const StudyRow& row) {
    ++rows_;
    if (!row.message.empty()) failures_[row.status].add(row);
  }
  const Manifest& finish() {
    manifest_.set("runs", fmt::format("{}", rows_));
    for (const auto& [reason, failure] : failures_)
      manifest_.set(std::string(to_string(reason)),
                    fmt::format("{} of {} runs{}", failure.runs, rows_, failure.explanation()));
    return manifest_;
  }

 private:
  Manifest manifest_;
  std::int64_t rows_ = 0;
  std::map<RunReason, Failures> failures_;
};

// The columns that stand in the rows of all studies, in files or in JSON.
bool is_of_all(const std::string& name) {
  return name == "run" || name == "status" || name == "seed" || name == "study_seed" ||
         name == "message";
}

ResultLayout layout_of(const StudyTitle& title) {
  ResultLayout layout;
  for (std::size_t i = 0; i < title.parameters.size(); ++i) {
    Column column{title.parameters[i], "", "varied"};
    const std::vector<std::string>* words = title.words_of(i);
    for (std::size_t k = 0; words != nullptr && k < words->size(); ++k)
      column.description += fmt::format("{}{} = {}", k == 0 ? ": " : ", ", k, (*words)[k]);
    layout.columns.push_back(std::move(column));
  }
  for (const std::string& name : title.observables)
    layout.columns.push_back({name, "", "observed"});
  layout.columns.push_back({"status", "", "how the run ended", ValueType::kInteger});
  if (const std::string seed = title.seed_column(); !seed.empty())
    layout.columns.push_back({seed, "", "", ValueType::kInteger});
  return layout;
}

// What bands come to at each time, by name.
struct BandCurve {
  std::string name;
  std::vector<double> values;
};
std::vector<BandCurve> curves_of(const Band& band) {
  static constexpr double kShares[] = {0.05, 0.25, 0.5, 0.75, 0.95};
  std::vector<BandCurve> curves = {{band.variable() + " mean", {}}};
  for (const double p : kShares)
    curves.push_back({fmt::format("{} {:g} %", band.variable(), 100 * p), {}});
  for (std::size_t k = 0; k < band.times().size(); ++k) {
    curves[0].values.push_back(band.mean(k));
    const std::vector<double> values = band.quantiles(k, {std::begin(kShares), std::end(kShares)});
    for (std::size_t q = 0; q < values.size(); ++q) curves[q + 1].values.push_back(values[q]);
  }
  return curves;
}

std::string without_slash(std::string text) {
  for (std::size_t at; (at = text.find('/')) != std::string::npos;) text.replace(at, 1, "∕");
  return text;
}

// The bands of a study as a result over time.
void write_bands(const std::string& path, const Manifest& manifest, const std::vector<Band>& bands,
                 std::int64_t runs) {
  ResultLayout layout;
  std::vector<std::vector<double>> values;
  for (const Band& band : bands) {
    for (BandCurve& curve : curves_of(band)) {
      layout.columns.push_back({curve.name, "", ""});
      values.push_back(std::move(curve.values));
    }
  }
  Hdf5Sink sink(path);
  sink.begin(layout);
  for (std::size_t k = 0; k < bands[0].times().size(); ++k) {
    std::vector<double> row;
    for (const std::vector<double>& each : values) row.push_back(each[k]);
    sink.row(bands[0].times()[k], row);
  }
  sink.attach(kBandState, state_of(bands, runs));
  sink.finish(manifest);
}

class CsvStudyFile final : public StudyFile {
 public:
  CsvStudyFile(const std::string& path, const StudyTitle& title)
      : path_(path),
        file_(path),
        title_(title),
        manifest_(title),
        observables_(title.observables.size()) {
    if (!title.seed_column().empty()) seed_ = fmt::format(",{}", *title.seed);
    file_.write(csv_header(title) + "\n");
    if (file_.is_direct()) return;
    sidecar_ = std::make_unique<AtomicFile>(CsvSink::sidecar_path(path));
    sidecar_->write(info_.begin(layout_of(title)));
  }
  void row(const StudyRow& row) override {
    std::string line = fmt::format("{}", row.index);
    for (std::size_t i = 0; i < row.parameters.size(); ++i) {
      const std::string word = title_.word(i, row.parameters[i]);
      line += word.empty() ? cell(row.parameters[i]) : "," + csv_cell(word);
    }
    for (std::size_t i = 0; i < observables_; ++i) line += cell(row.observables[i]);
    file_.write(line + fmt::format(",{}{},{}\n", to_string(row.status), seed_,
                                   csv_cell(in_one_line(row.message))));
    manifest_.add(row);
  }
  void finish(const std::vector<Band>& bands, std::int64_t runs) override {
    if (sidecar_) {
      sidecar_->write(info_.end(manifest_.finish()));
      sidecar_->flush();
      if (!bands.empty()) write_bands(bands_path(path_), manifest_.finish(), bands, runs);
    }
    file_.commit();
    if (sidecar_) sidecar_->commit();
  }

 private:
  static std::string cell(double value) {
    return std::isnan(value) ? std::string(",") : fmt::format(",{:.17g}", value);
  }

  std::string path_;
  AtomicFile file_;
  std::unique_ptr<AtomicFile> sidecar_;
  StudyTitle title_;
  RunInfoWriter info_;
  StudyManifest manifest_;
  std::size_t observables_;
  std::string seed_;
};

// A result file: the number of the run is its time.
class ResultStudyFile final : public StudyFile {
 public:
  ResultStudyFile(const std::string& path, const StudyTitle& title)
      : sink_(path), manifest_(title), observables_(title.observables.size()) {
    if (!title.seed_column().empty()) seed_ = title.seed;
    sink_.begin(layout_of(title));
  }
  void row(const StudyRow& row) override {
    values_ = row.parameters;
    values_.insert(values_.end(), row.observables.begin(),
                   row.observables.begin() + static_cast<std::ptrdiff_t>(observables_));
    values_.push_back(static_cast<double>(row.status));
    if (seed_) values_.push_back(static_cast<double>(*seed_));
    sink_.row(static_cast<double>(row.index), values_);
    manifest_.add(row);
    message_numbers_.push_back(number_of(row));
  }
  void finish(const std::vector<Band>& bands, std::int64_t runs) override {
    for (const Band& band : bands) {
      for (const BandCurve& curve : curves_of(band))
        sink_.attach(without_slash(curve.name), curve.values);
    }
    if (!bands.empty()) {
      sink_.attach("times of the bands", bands[0].times());
      sink_.attach(kBandState, state_of(bands, runs));
    }
    Manifest manifest = manifest_.finish();
    if (!messages_.empty()) {
      sink_.attach(kMessageNumbers, message_numbers_);
      for (const auto& [text, number] : messages_) manifest.set(message_key(number), text);
    }
    sink_.finish(manifest);
  }

 private:
  // From 1 on; 0 for none. Runs that failed are done again when the study goes on: theirs, of which
  // there may be as many as runs, are not kept.
  double number_of(const StudyRow& row) {
    const bool is_kept = row.status == RunReason::kFinished || row.status == RunReason::kStopped;
    if (row.message.empty() || !is_kept) return 0;
    const auto next = static_cast<double>(messages_.size() + 1);
    return messages_.try_emplace(in_one_line(row.message), next).first->second;
  }

  std::map<std::string, double> messages_;
  std::vector<double> message_numbers_;  // of each row
  Hdf5Sink sink_;
  StudyManifest manifest_;
  std::size_t observables_;
  std::optional<std::uint64_t> seed_;  // of the column
  std::vector<double> values_;
};

}  // namespace

bool is_csv(const std::string& path) { return path.ends_with(".csv"); }

std::string hash_of(const StudyTitle& title) {
  return fmt::format("{:016x}", fnv1a(title.description));
}

std::string csv_header(const StudyTitle& title) {
  std::string line = "run";
  for (const Column& column : layout_of(title).columns) line += "," + csv_cell(column.name);
  return line + ",message";
}

std::string message_key(double number) { return fmt::format("message_{}", number); }

std::string bands_path(const std::string& csv_path) { return csv_path + ".bands.h5"; }

std::string title_of_varied(const std::string& name) {
  return is_of_all(name) && name != "seed" ? fmt::format("varied({})", name) : name;
}

std::string title_of_observed(const std::string& text, const std::vector<std::string>& varied) {
  const bool is_taken = is_of_all(text) || std::ranges::find(varied, text) != varied.end();
  return is_taken ? fmt::format("final({})", text) : text;
}

std::string StudyTitle::word(std::size_t parameter, double value) const {
  const std::vector<std::string>* all = words_of(parameter);
  const bool is_one = all != nullptr && value >= 0 && value < static_cast<double>(all->size());
  return is_one ? (*all)[static_cast<std::size_t>(value)] : "";
}

bool StudyTitle::varies_seed() const {
  return std::ranges::find(parameters, "seed") != parameters.end();
}

// A sweep draws nothing: its seed is that of the model.
std::string StudyTitle::seed_column() const {
  if (!seed) return "";
  if (!varies_seed()) return "seed";
  return kind == "montecarlo" ? "study_seed" : "";
}

std::unique_ptr<StudyFile> open_study_file(const std::string& path, const StudyTitle& title) {
  if (is_csv(path)) return std::make_unique<CsvStudyFile>(path, title);
  return std::make_unique<ResultStudyFile>(path, title);
}

void Failures::add(const StudyRow& row) {
  if (runs++ > 0) return;
  first = row.index;
  message = row.message;
}

std::string Failures::explanation() const {
  return message.empty() ? "" : fmt::format("; run {}: {}", first, in_one_line(message));
}

std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace arges::app
