#pragma once
// A file that appears under its name only when it is complete.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace arges {

// Writes beside and renames: bytes go to `.NAME.partial-PID-HOST` in the folder of the target, and
// commit() renames that file over the target, so that a reader sees either the old file or the
// whole new one. Without commit() the destructor removes the partial file, which covers every
// exception and every cancelled run, since Arges unwinds normally on SIGINT and SIGTERM. A process
// that is killed outright leaves the partial file (the target is still whole); whoever writes the
// same target next, on the same machine, removes it.
//
// A target that is a symbolic link is followed; the file that it points to is replaced. A target
// that exists keeps its permissions. A target that is a device or a pipe (/dev/stdout, /dev/null)
// is written directly, since a rename would replace the device: is_direct() is then true and
// write_at() is refused.
//
// Every write is checked. Throws IoError with the path, the system's reason, and what to do: for a
// full disk, a missing or unwritable folder, a target that is a directory. After an error the
// object can only be destroyed.
class AtomicFile {
 public:
  // kFast leaves it to the system when the bytes reach the disk; kDurable waits for them (fsync of
  // file and folder), so that the file also survives a power failure.
  enum class Durability { kFast, kDurable };

  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Appends; buffered.
  void write(std::string_view bytes);
  // Overwrites or extends at `offset` from the beginning.
  void write_at(std::uint64_t offset, std::string_view bytes);
  // Fills `bytes` with what was written at `offset`; what was never written reads as zero.
  void read_at(std::uint64_t offset, std::span<char> bytes);
  // Cuts off, or extends by zeros.
  void resize(std::uint64_t size);
  // Hands the buffer to the system, so that a full disk shows now.
  void flush();
  void commit(Durability durability = Durability::kFast);

  std::uint64_t size() const { return flushed_ + buffer_.size(); }
  bool is_direct() const { return direct_; }
  const std::filesystem::path& target() const { return target_; }
  const std::filesystem::path& partial() const { return partial_; }

 private:
  void open_partial();
  void write_all(std::uint64_t offset, std::string_view bytes);
  void refuse_device() const;
  [[noreturn]] void fail(const char* action, int error) const;

  std::filesystem::path target_;
  std::filesystem::path partial_;
  int fd_ = -1;
  bool direct_ = false;
  bool committed_ = false;
  std::uint64_t flushed_ = 0;
  std::vector<char> buffer_;
};

// What a user can do about the system error `error` (an errno value) on a file; "" when nothing
// sensible can be said.
std::string_view advice_for_errno(int error);

}  // namespace arges
