#include "study_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "arges/base/atomic_file.h"
#include "arges/base/error.h"
#include "arges/base/hash.h"
#include "arges/base/parse_number.h"
#include "arges/base/version.h"
#include "arges/experiment/placed_text.h"
#include "arges/results/csv_sink.h"
#include "arges/results/csv_text.h"
#include "arges/results/open_sink.h"
#include "arges/results/reader.h"

namespace arges::app {

namespace {

bool ends_in_csv(const std::string& path) { return path.ends_with(".csv"); }

std::string hash_of(const StudyTitle& title) {
  return fmt::format("{:016x}", fnv1a(title.description));
}

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
  return name == "run" || name == "status" || name == "seed" || name == "message";
}

bool has_seed_column(const StudyTitle& title) { return title.seed && !title.varies_seed(); }

ResultLayout layout_of(const StudyTitle& title) {
  ResultLayout layout;
  for (const std::string& name : title.parameters) layout.columns.push_back({name, "", "varied"});
  for (const std::string& name : title.observables)
    layout.columns.push_back({name, "", "observed"});
  layout.columns.push_back({"status", "", "how the run ended", ValueType::kInteger});
  if (has_seed_column(title)) layout.columns.push_back({"seed", "", "", ValueType::kInteger});
  return layout;
}

std::string csv_header(const StudyTitle& title) {
  std::string line = "run";
  for (const Column& column : layout_of(title).columns) line += "," + csv_cell(column.name);
  return line + ",message";
}

class CsvStudyFile final : public StudyFile {
 public:
  CsvStudyFile(const std::string& path, const StudyTitle& title)
      : file_(path), manifest_(title), observables_(title.observables.size()) {
    if (has_seed_column(title)) seed_ = fmt::format(",{}", *title.seed);
    file_.write(csv_header(title) + "\n");
    if (file_.is_direct()) return;
    sidecar_ = std::make_unique<AtomicFile>(CsvSink::sidecar_path(path));
    sidecar_->write(info_.begin(layout_of(title)));
  }
  void row(const StudyRow& row) override {
    std::string line = fmt::format("{}", row.index);
    for (const double value : row.parameters) line += cell(value);
    for (std::size_t i = 0; i < observables_; ++i) line += cell(row.observables[i]);
    file_.write(line + fmt::format(",{}{},{}\n", to_string(row.status), seed_,
                                   csv_cell(in_one_line(row.message))));
    manifest_.add(row);
  }
  void finish() override {
    if (sidecar_) {
      sidecar_->write(info_.end(manifest_.finish()));
      sidecar_->flush();
    }
    file_.commit();
    if (sidecar_) sidecar_->commit();
  }

 private:
  static std::string cell(double value) {
    return std::isnan(value) ? std::string(",") : fmt::format(",{:.17g}", value);
  }

  AtomicFile file_;
  std::unique_ptr<AtomicFile> sidecar_;
  RunInfoWriter info_;
  StudyManifest manifest_;
  std::size_t observables_;
  std::string seed_;
};

// A result file: the number of the run is its time.
class ResultStudyFile final : public StudyFile {
 public:
  ResultStudyFile(const std::string& path, const StudyTitle& title)
      : sink_(open_sink(path)), manifest_(title), observables_(title.observables.size()) {
    if (has_seed_column(title)) seed_ = title.seed;
    sink_->begin(layout_of(title));
  }
  void row(const StudyRow& row) override {
    values_ = row.parameters;
    values_.insert(values_.end(), row.observables.begin(),
                   row.observables.begin() + static_cast<std::ptrdiff_t>(observables_));
    values_.push_back(static_cast<double>(row.status));
    if (seed_) values_.push_back(static_cast<double>(*seed_));
    sink_->row(static_cast<double>(row.index), values_);
    manifest_.add(row);
  }
  void finish() override { sink_->finish(manifest_.finish()); }

 private:
  std::unique_ptr<ResultSink> sink_;
  StudyManifest manifest_;
  std::size_t observables_;
  std::optional<std::uint64_t> seed_;  // of the column
  std::vector<double> values_;
};

// Whether it is the manifest of this study; false when it does not say of which.
bool belongs_to(const Manifest& manifest, const std::string& path, const StudyTitle& title) {
  const std::string* hash = manifest.find("study_hash");
  if (hash == nullptr) return false;
  if (*hash == hash_of(title)) return true;
  throw UserError(fmt::format(
      "'{}' is of another study (model, values, solver or observables differ): leave --resume away "
      "to begin anew",
      path));
}

bool ended(RunReason reason) { return RunStatus{reason, 0, "", ""}.ok(); }

// One row: as many numbers as parameters and observables, of a run that got to its end.
StudyRow row_of(const StudyTitle& title, std::int64_t index, const std::vector<double>& numbers,
                RunReason status) {
  const auto split = numbers.begin() + static_cast<std::ptrdiff_t>(title.parameters.size());
  const auto last = split + static_cast<std::ptrdiff_t>(title.observables.size());
  return {index, {numbers.begin(), split}, {split, last}, status, {}};
}

// What a file has: the rows of runs that got to their end, and how many runs there are in all.
struct RowsOfFile {
  std::vector<StudyRow> rows{};
  std::int64_t runs = 0;

  void saw(std::int64_t index) { runs = std::max(runs, index + 1); }
};

RowsOfFile rows_of_csv(const std::string& path, const StudyTitle& title) {
  const std::string sidecar = CsvSink::sidecar_path(path).string();
  if (!std::filesystem::exists(sidecar)) return {};
  const RunInfo info = parse_run_info(read_whole_file(sidecar, "the manifest"), sidecar);
  if (!belongs_to(info.manifest, path, title)) return {};
  std::ifstream file(path, std::ios::binary);
  RowsOfFile result;
  std::string line;
  if (!std::getline(file, line) || line != csv_header(title)) return {};
  const std::size_t count = title.parameters.size() + title.observables.size();
  while (std::getline(file, line)) {
    std::vector<double> numbers;
    std::size_t at = 0;
    const auto next = [&] {
      const std::size_t end = std::min(line.find(',', at), line.size());
      std::string text = line.substr(at, end - at);
      at = std::min(end + 1, line.size());
      return text;
    };
    const auto number = parse_number(next());
    if (!number) continue;
    const auto index = static_cast<std::int64_t>(*number);
    result.saw(index);
    for (std::size_t i = 0; i < count; ++i)
      numbers.push_back(parse_number(next()).value_or(std::numeric_limits<double>::quiet_NaN()));
    const std::string status = next();
    for (const RunReason reason : {RunReason::kFinished, RunReason::kStopped}) {
      if (status == to_string(reason)) result.rows.push_back(row_of(title, index, numbers, reason));
    }
  }
  return result;
}

RowsOfFile rows_of_result(const std::string& path, const StudyTitle& title) {
  const Trajectory all = read_result(path);
  if (!belongs_to(all.manifest, path, title)) return {};
  const std::size_t count = title.parameters.size() + title.observables.size();
  if (all.layout.columns.size() <= count) return {};
  RowsOfFile result;
  for (std::size_t k = 0; k < all.rows(); ++k) {
    const auto index = static_cast<std::int64_t>(all.times[k]);
    result.saw(index);
    const auto status = static_cast<RunReason>(static_cast<int>(all.values(count)[k]));
    if (!ended(status)) continue;
    std::vector<double> numbers;
    for (std::size_t c = 0; c < count; ++c) numbers.push_back(all.values(c)[k]);
    result.rows.push_back(row_of(title, index, numbers, status));
  }
  return result;
}

}  // namespace

std::string title_of_varied(const std::string& name) {
  return is_of_all(name) && name != "seed" ? fmt::format("varied({})", name) : name;
}

std::string title_of_observed(const std::string& text, const std::vector<std::string>& varied) {
  const bool is_taken = is_of_all(text) || std::ranges::find(varied, text) != varied.end();
  return is_taken ? fmt::format("final({})", text) : text;
}

bool StudyTitle::varies_seed() const {
  return std::ranges::find(parameters, "seed") != parameters.end();
}

std::unique_ptr<StudyFile> open_study_file(const std::string& path, const StudyTitle& title) {
  if (ends_in_csv(path)) return std::make_unique<CsvStudyFile>(path, title);
  return std::make_unique<ResultStudyFile>(path, title);
}

std::int64_t know_rows_of_file(Journal& journal, const std::string& path, const StudyTitle& title,
                               std::optional<std::size_t> more) {
  if (!std::filesystem::is_regular_file(path)) return 0;
  RowsOfFile known;
  try {
    known = ends_in_csv(path) ? rows_of_csv(path, title) : rows_of_result(path, title);
  } catch (const IoError&) {
    return 0;  // not a file of ours
  } catch (const UserError&) {
    // A study that was begun replaces the file when it ends.
    if (journal.known() > 0) return 0;
    journal.remove();
    throw;
  }
  for (StudyRow& row : known.rows) {
    if (!more) break;
    row.observables.resize(row.observables.size() + *more, std::nan(""));
    if (journal.find(row.index) == nullptr) journal.know(std::move(row));
  }
  return known.runs;
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
