#include "arges/base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <system_error>

#include "arges/base/error.h"
#include "arges/base/hash.h"

namespace arges {
namespace {

constexpr std::size_t kBufferBytes = 1 << 18;
constexpr std::size_t kMaxNameBytes = 255;  // NAME_MAX of the usual file systems

// The file that a chain of symbolic links ends in, whether or not it exists.
std::filesystem::path follow_links(std::filesystem::path path) {
  std::error_code error;
  for (int depth = 0; depth < 40 && std::filesystem::is_symlink(path, error); ++depth) {
    const std::filesystem::path next = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

// Process numbers mean something on their own machine only.
std::string this_host() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return fmt::format("{:08x}", fnv1a(name.data()) & 0xffffffffu);
}

// What a process that was killed outright has left of this target: `begin`, its number, this host.
void remove_abandoned(const std::filesystem::path& folder, const std::string& begin) {
  std::error_code error;
  for (std::filesystem::directory_iterator each(folder.empty() ? "." : folder, error), end;
       !error && each != end; each.increment(error)) {
    const std::string name = each->path().filename().string();
    if (!name.starts_with(begin)) continue;
    pid_t process = 0;
    const char* const last = name.data() + name.size();
    const auto [behind, wrong] = std::from_chars(name.data() + begin.size(), last, process);
    const std::string_view rest(behind, last);
    if (wrong != std::errc() || process <= 0 || !rest.starts_with("-" + this_host())) continue;
    if (::kill(process, 0) != 0 && errno == ESRCH) ::unlink(each->path().c_str());
  }
}

std::string with_advice(const std::string& message, int error) {
  const std::string_view advice = advice_for_errno(error);
  return advice.empty() ? message : fmt::format("{}; {}", message, advice);
}

}  // namespace

std::string_view advice_for_errno(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space, or write to another disk";
    case EFBIG:
      return "raise the file size limit (ulimit -f), or record fewer values";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a folder that you may write to";
    case ENOENT:
    case ENOTDIR:
      return "create the folder first, or correct the path";
    case EISDIR:
      return "give the name of a file";
    case ENAMETOOLONG:
      return "choose a shorter name";
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n)";
    default:
      return "";
  }
}

AtomicFile::AtomicFile(const std::filesystem::path& target) : target_(target) {
  if (target.empty() || !target.has_filename()) {
    throw IoError(fmt::format("cannot write '{}': it has no file name; give the name of a file",
                              target.string()));
  }
  struct stat info {};
  // A pipe behind /dev/stdout has no path of its own.
  const bool device =
      ::stat(target.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
  target_ = device ? target : follow_links(target);
  const bool exists = ::stat(target_.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) fail("write", EISDIR);
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail("write", errno);
  buffer_.reserve(kBufferBytes);
  if (exists && !S_ISREG(info.st_mode)) {
    direct_ = true;
    fd_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) fail("open", errno);
    return;
  }
  open_partial();
  // Failing to copy the permissions is harmless: the file then has those of a new one.
  if (exists && ::fchmod(fd_, info.st_mode & 07777) != 0) errno = 0;
}

void AtomicFile::open_partial() {
  const std::string tail = fmt::format("{}-{}", ::getpid(), this_host());
  std::string name = target_.filename().string();
  if (name.size() > kMaxNameBytes) fail("write", ENAMETOOLONG);
  constexpr std::string_view kPartial = ".partial-";
  name.resize(std::min(name.size(), kMaxNameBytes - kPartial.size() - tail.size() - 6));
  const std::string begin = fmt::format(".{}{}", name, kPartial);
  remove_abandoned(target_.parent_path(), begin);
  // Two sinks of one process may have the same target.
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const std::string number = attempt == 0 ? "" : fmt::format("-{}", attempt);
    partial_ = target_.parent_path() / fmt::format("{}{}{}", begin, tail, number);
    fd_ = ::open(partial_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd_ >= 0) return;
    if (errno != EEXIST) break;
  }
  const int error = errno;
  partial_.clear();
  fail("create", error);
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!committed_ && !direct_ && !partial_.empty()) ::unlink(partial_.c_str());
}

void AtomicFile::fail(const char* action, int error) const {
  throw IoError(with_advice(fmt::format("cannot {} '{}': {}", action, target_.string(),
                                        std::generic_category().message(error)),
                            error));
}

void AtomicFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) {
    flush();
    if (bytes.size() >= kBufferBytes) {
      write_all(flushed_, bytes);
      flushed_ += bytes.size();
      return;
    }
  }
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void AtomicFile::flush() {
  if (buffer_.empty()) return;
  write_all(flushed_, {buffer_.data(), buffer_.size()});
  flushed_ += buffer_.size();
  buffer_.clear();
}

void AtomicFile::refuse_device() const {
  if (!direct_) return;
  throw IoError(
      fmt::format("cannot write '{}': it is a device or a pipe, and this format needs a regular "
                  "file; write CSV there, or give the name of a file",
                  target_.string()));
}

void AtomicFile::write_at(std::uint64_t offset, std::string_view bytes) {
  refuse_device();
  flush();
  write_all(offset, bytes);
  flushed_ = std::max(flushed_, offset + bytes.size());
}

void AtomicFile::resize(std::uint64_t size) {
  refuse_device();
  flush();
  if (::ftruncate(fd_, static_cast<off_t>(size)) != 0) fail("write", errno);
  flushed_ = size;
}

void AtomicFile::write_all(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done =
        direct_ ? ::write(fd_, bytes.data(), bytes.size())
                : ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("write", done == 0 ? ENOSPC : errno);
    offset += static_cast<std::uint64_t>(done);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void AtomicFile::read_at(std::uint64_t offset, std::span<char> bytes) {
  flush();
  while (!bytes.empty()) {
    const ssize_t done = ::pread(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("read back", errno);
    if (done == 0) {
      std::fill(bytes.begin(), bytes.end(), '\0');
      return;
    }
    offset += static_cast<std::uint64_t>(done);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
}

void AtomicFile::commit(Durability durability) {
  flush();
  if (durability == Durability::kDurable && !direct_ && ::fsync(fd_) != 0) fail("write", errno);
  // Some file systems (NFS, quotas) report a full disk only here.
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0 && errno != EINTR) fail("write", errno);
  if (direct_) {
    committed_ = true;
    return;
  }
  if (::rename(partial_.c_str(), target_.c_str()) != 0) fail("rename the finished file to", errno);
  committed_ = true;
  if (durability == Durability::kDurable) {
    const std::filesystem::path folder =
        target_.has_parent_path() ? target_.parent_path() : std::filesystem::path(".");
    const int folder_fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd < 0) fail("write", errno);
    const int synced = ::fsync(folder_fd);
    const int error = errno;
    ::close(folder_fd);
    // Folders of some file systems cannot be synced; their renames are durable or nothing is.
    if (synced != 0 && error != EINVAL) fail("write", error);
  }
}

}  // namespace arges
