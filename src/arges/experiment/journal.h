#pragma once
// The rows of a study that are done, on disk: a study that is killed goes on from there.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "arges/experiment/ensemble.h"

namespace arges {

// A file of records, one a row, each written by one call as soon as its run has ended, in whatever
// order runs end. Each has a checksum: a record that was cut off ends the file. The first one says
// which study it is. Of what is there already the places are kept in memory, not the rows.
class Journal {
 public:
  // `study` describes everything that rows depend on. With `resume` the rows that are there are
  // read, else the file begins anew. Throws UserError when it belongs to another study, IoError.
  Journal(std::filesystem::path path, const std::string& study, bool resume);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // A row that is known from elsewhere, and not written here.
  void know(const StudyRow& row);
  // How many rows were read, or are known from elsewhere.
  std::int64_t known() const { return static_cast<std::int64_t>(places_.size()); }
  // One behind the last of them; 0 when there is none.
  std::int64_t end() const;
  bool knows(std::int64_t index) const { return places_.contains(index); }
  // Nothing when the row is still to be done. From any thread. Throws IoError.
  std::optional<StudyRow> find(std::int64_t index) const;
  // From any thread. Throws IoError.
  void append(const StudyRow& row);
  // The study is complete.
  void remove();

 private:
  struct Place {
    bool is_elsewhere;  // in known_, else in the file
    std::uint64_t offset, size;
  };
  bool read_all(const std::string& study);

  std::filesystem::path path_;
  std::unordered_map<std::int64_t, Place> places_;
  std::string known_;  // rows from elsewhere, as bytes
  std::mutex mutex_;
  int fd_ = -1;
};

// A worker that takes what the journal knows, and notes there what it does.
std::unique_ptr<Worker> journalled(std::unique_ptr<Worker> worker, Journal& journal);

}  // namespace arges
