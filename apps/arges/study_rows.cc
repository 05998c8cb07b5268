// The rows that the file of a study has.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include <fmt/format.h>

#include "arges/base/atomic_file.h"
#include "arges/base/error.h"
#include "arges/base/parse_number.h"
#include "arges/experiment/placed_text.h"
#include "arges/results/csv_sink.h"
#include "arges/results/reader.h"
#include "study_file.h"

namespace arges::app {

namespace {

// Whether it is the manifest of this study; false when it does not say of which.
bool belongs_to(const Manifest& manifest, const std::string& path, const StudyTitle& title) {
  const std::string* hash = manifest.find("study_hash");
  if (hash == nullptr) return false;
  if (*hash == hash_of(title)) return true;
  throw UserError(
      fmt::format("'{}' is of another study (model, values, solver, observables or bands differ): "
                  "leave --resume away "
                  "to begin anew",
                  path));
}

double nothing() { return std::numeric_limits<double>::quiet_NaN(); }

bool ended(RunReason reason) { return RunStatus{reason, 0, "", ""}.ok(); }

// One row: as many numbers as parameters and observables, of a run that got to its end.
StudyRow row_of(const StudyTitle& title, std::int64_t index, const std::vector<double>& numbers,
                RunReason status) {
  const auto split = numbers.begin() + static_cast<std::ptrdiff_t>(title.parameters.size());
  const auto last = split + static_cast<std::ptrdiff_t>(title.observables.size());
  return {index, {numbers.begin(), split}, {split, last}, status, {}};
}

// The cells of a line, one after another; quotes hold one together (RFC 4180).
class CellReader {
 public:
  explicit CellReader(const std::string& line) : line_(line) {}
  std::string next() {
    std::string text;
    const bool quoted = at_ < line_.size() && line_[at_] == '"';
    for (at_ += quoted ? 1 : 0; at_ < line_.size(); ++at_) {
      if (!quoted && line_[at_] == ',') break;
      if (quoted && line_[at_] == '"') {
        if (at_ + 1 >= line_.size() || line_[at_ + 1] != '"') {
          ++at_;
          break;
        }
        ++at_;
      }
      text += line_[at_];
    }
    if (at_ < line_.size()) ++at_;  // the comma
    return text;
  }

 private:
  const std::string& line_;
  std::size_t at_ = 0;
};

double value_of_cell(const StudyTitle& title, std::size_t column, const std::string& cell) {
  const std::vector<std::string>* words = title.words_of(column);
  if (words == nullptr) return parse_number(cell).value_or(nothing());
  const auto found = std::ranges::find(*words, cell);
  return found == words->end() ? nothing() : static_cast<double>(found - words->begin());
}

// What a file has: the rows of runs that got to their end, and how many runs there are from run 0
// on. A study that was interrupted has others behind a gap.
struct RowsOfFile {
  std::vector<StudyRow> rows{};
  std::int64_t runs = 0;
  std::set<std::int64_t> failed{};
  std::vector<double> bands{};  // their state

  void saw(std::int64_t index) {
    if (index == runs) ++runs;
    failed.insert(index);  // until it is known better
  }
  void add(StudyRow row) {
    failed.erase(row.index);
    rows.push_back(std::move(row));
  }
};

std::vector<double> state_in(const Trajectory& result) {
  const auto state = result.attached.find(kBandState);
  return state == result.attached.end() ? std::vector<double>() : state->second;
}

// Of another study, or damaged, they are none: what they had is done again.
std::vector<double> bands_beside(const std::string& path, const StudyTitle& title) {
  if (!std::filesystem::is_regular_file(bands_path(path))) return {};
  try {
    const Trajectory bands = read_result(bands_path(path));
    const std::string* hash = bands.manifest.find("study_hash");
    return hash != nullptr && *hash == hash_of(title) ? state_in(bands) : std::vector<double>();
  } catch (const IoError&) {
    return {};
  }
}

RowsOfFile rows_of_csv(const std::string& path, const StudyTitle& title) {
  const std::string sidecar = CsvSink::sidecar_path(path).string();
  if (!std::filesystem::exists(sidecar)) return {};
  const RunInfo info = parse_run_info(read_whole_file(sidecar, "the manifest"), sidecar);
  if (!belongs_to(info.manifest, path, title)) return {};
  std::ifstream file(path, std::ios::binary);
  RowsOfFile result;
  result.bands = bands_beside(path, title);
  std::string line;
  if (!std::getline(file, line) || line != csv_header(title)) return {};
  const std::size_t count = title.parameters.size() + title.observables.size();
  while (std::getline(file, line)) {
    std::vector<double> numbers;
    CellReader cells(line);
    const auto number = parse_number(cells.next());
    if (!number) continue;
    const auto index = static_cast<std::int64_t>(*number);
    result.saw(index);
    for (std::size_t i = 0; i < count; ++i)
      numbers.push_back(value_of_cell(title, i, cells.next()));
    const std::string status = cells.next();
    if (!title.seed_column().empty()) cells.next();
    const std::string message = cells.next();
    for (const RunReason reason : {RunReason::kFinished, RunReason::kStopped}) {
      if (status != to_string(reason)) continue;
      StudyRow row = row_of(title, index, numbers, reason);
      row.message = message;
      result.add(std::move(row));
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
  result.bands = state_in(all);
  const auto message_of = [&](std::size_t row) {
    const auto numbers = all.attached.find(kMessageNumbers);
    if (numbers == all.attached.end() || row >= numbers->second.size()) return std::string();
    const std::string* text = all.manifest.find(message_key(numbers->second[row]));
    return text == nullptr ? std::string() : *text;
  };
  for (std::size_t k = 0; k < all.rows(); ++k) {
    const auto index = static_cast<std::int64_t>(all.times[k]);
    result.saw(index);
    const auto status = static_cast<RunReason>(static_cast<int>(all.values(count)[k]));
    if (!ended(status)) continue;
    std::vector<double> numbers;
    for (std::size_t c = 0; c < count; ++c) numbers.push_back(all.values(c)[k]);
    StudyRow row = row_of(title, index, numbers, status);
    row.message = message_of(k);
    result.add(std::move(row));
  }
  return result;
}

}  // namespace

KnownRuns know_rows_of_file(Journal& journal, const std::string& path, const StudyTitle& title,
                            std::vector<Band>& bands) {
  if (!std::filesystem::is_regular_file(path)) return {};
  RowsOfFile known;
  try {
    known = is_csv(path) ? rows_of_csv(path, title) : rows_of_result(path, title);
  } catch (const IoError&) {
    return {};  // not a file of ours
  } catch (const UserError&) {
    // A study that was begun replaces the file when it ends.
    if (journal.known() > 0) return {};
    journal.remove();
    throw;
  }
  const std::int64_t in_bands = bands.empty() ? 0 : restore(bands, known.bands).value_or(0);
  for (const StudyRow& row : known.rows) {
    if ((bands.empty() || row.index < in_bands) && !journal.knows(row.index)) journal.know(row);
  }
  return {std::max(known.runs, in_bands), in_bands, std::move(known.failed)};
}

}  // namespace arges::app
