#include "arges/experiment/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "arges/base/atomic_file.h"
#include "arges/base/error.h"
#include "arges/base/hash.h"
#include "arges/experiment/packing.h"

namespace arges {

namespace {

constexpr std::string_view kMagic = "arges-study-2\n";
constexpr std::size_t kAround = 16;  // a row: its size, itself, its checksum

std::string header(const std::string& study) {
  std::string bytes(kMagic);
  put(bytes, fnv1a(study));
  return bytes;
}

class JournalledWorker final : public Worker {
 public:
  JournalledWorker(std::unique_ptr<Worker> inner, Journal& journal)
      : inner_(std::move(inner)), journal_(journal) {}
  StudyRow run(std::int64_t index) override {
    if (std::optional<StudyRow> known = journal_.find(index)) return *std::move(known);
    StudyRow row = inner_->run(index);
    note(row);
    return row;
  }
  // What is done elsewhere goes there together, as far as it is not known.
  void run_range(std::int64_t begin, std::int64_t end, const std::function<bool()>& stop,
                 std::vector<StudyRow>& rows) override {
    if (!inner_->prefers_ranges()) return Worker::run_range(begin, end, stop, rows);
    for (std::int64_t i = begin; i < end && !stop();) {
      if (std::optional<StudyRow> known = journal_.find(i)) {
        rows.push_back(*std::move(known));
        ++i;
        continue;
      }
      std::int64_t next = i + 1;
      while (next < end && !journal_.knows(next)) ++next;
      const std::size_t first = rows.size();
      inner_->run_range(i, next, stop, rows);
      for (std::size_t k = first; k < rows.size(); ++k) note(rows[k]);
      if (rows.size() - first < static_cast<std::size_t>(next - i)) return;
      i = next;
    }
  }

 private:
  void note(const StudyRow& row) {
    if (row.status != RunReason::kCancelled) journal_.append(row);
  }

  std::unique_ptr<Worker> inner_;
  Journal& journal_;
};

[[noreturn]] void cannot_write(const std::filesystem::path& path, int error,
                               std::string_view kept = "") {
  const std::string_view advice = advice_for_errno(error);
  throw IoError(fmt::format("'{}' cannot be written: {}{}{}{}", path.string(), std::strerror(error),
                            advice.empty() ? "" : "; ", advice, kept));
}

// A disk that becomes full takes a part first, and says why at the next try.
void write_all(int fd, std::string_view bytes, const std::filesystem::path& path,
               std::string_view kept) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) cannot_write(path, errno, kept);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

Journal::Journal(std::filesystem::path path, const std::string& study, bool resume)
    : path_(std::move(path)) {
  const bool goes_on = resume && read_all(study);
  fd_ =
      open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | (goes_on ? 0 : O_TRUNC), 0666);
  if (fd_ < 0) cannot_write(path_, errno);
  if (!goes_on) write_all(fd_, header(study), path_, "");
}

Journal::~Journal() {
  if (fd_ >= 0) close(fd_);
}

// False when there is nothing to go on from. A record that was cut off is cut off for good.
bool Journal::read_all(const std::string& study) {
  std::ifstream file(path_, std::ios::binary);
  if (!file) return false;
  const std::string expected = header(study);
  std::string bytes(expected.size(), '\0');
  const auto read = [&](std::uint64_t size) {
    bytes.resize(size);
    return static_cast<bool>(file.read(bytes.data(), static_cast<std::streamsize>(size)));
  };
  if (!read(expected.size())) return false;
  if (bytes != expected) {
    throw UserError(
        fmt::format("'{}' is of another study (model, values, solver, observables or bands "
                    "differ): leave --resume "
                    "away to begin anew",
                    path_.string()));
  }
  const std::uint64_t whole = std::filesystem::file_size(path_);
  std::uint64_t at = expected.size();
  while (at + kAround <= whole && read(8)) {
    const auto size = ByteReader(bytes).take<std::uint64_t>();
    if (size > whole - at - kAround || !read(size + 8)) break;
    const std::string_view content = std::string_view(bytes).substr(0, size);
    if (ByteReader(std::string_view(bytes).substr(size)).take<std::uint64_t>() != fnv1a(content))
      break;
    ByteReader reader(content);
    places_[take_row(reader).index] = {false, at + 8, size};
    at += size + kAround;
  }
  file.close();
  if (at < whole) std::filesystem::resize_file(path_, at);
  return true;
}

void Journal::know(const StudyRow& row) {
  const std::uint64_t offset = known_.size();
  put_row(known_, row);
  places_[row.index] = {true, offset, known_.size() - offset};
}

std::optional<StudyRow> Journal::find(std::int64_t index) const {
  const auto found = places_.find(index);
  if (found == places_.end()) return std::nullopt;
  const auto& [is_elsewhere, offset, size] = found->second;
  if (is_elsewhere) {
    ByteReader reader(std::string_view(known_).substr(offset, size));
    return take_row(reader);
  }
  std::string bytes(size, '\0');
  if (pread(fd_, bytes.data(), size, static_cast<off_t>(offset)) != static_cast<ssize_t>(size))
    throw IoError(fmt::format("'{}' cannot be read: {}", path_.string(), std::strerror(errno)));
  ByteReader reader(bytes);
  return take_row(reader);
}

std::int64_t Journal::end() const {
  std::int64_t end = 0;
  for (const auto& [index, place] : places_) end = std::max(end, index + 1);
  return end;
}

void Journal::append(const StudyRow& row) {
  std::string content, bytes;
  put_row(content, row);
  put(bytes, static_cast<std::uint64_t>(content.size()));
  bytes += content;
  put(bytes, fnv1a(content));
  const std::lock_guard lock(mutex_);
  write_all(fd_, bytes, path_, "; the runs so far are kept, --resume goes on from them");
}

void Journal::remove() {
  std::error_code gone;
  std::filesystem::remove(path_, gone);
}

std::unique_ptr<Worker> journalled(std::unique_ptr<Worker> worker, Journal& journal) {
  return std::make_unique<JournalledWorker>(std::move(worker), journal);
}

}  // namespace arges
