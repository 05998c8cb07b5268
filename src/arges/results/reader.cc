#include "arges/results/reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "arges/base/error.h"
#include "arges/results/csv_sink.h"
#include "arges/results/run_info.h"

namespace arges {
namespace {

constexpr std::string_view kHdf5Signature = "\x89HDF\r\n\x1a\n";

[[noreturn]] void fail_to_read(const std::filesystem::path& path, int error) {
  const char* advice = error == ENOENT ? "; correct the path" : "";
  throw IoError(fmt::format("cannot read '{}': {}{}", path.string(),
                            std::generic_category().message(error), advice));
}

struct OpenFile {
  ~OpenFile() { ::close(fd); }
  int fd;
};

// Enough to tell the format.
constexpr std::size_t kHead = 4096;

// The whole file. Pipes work, too. `look` sees the first bytes before all of them are there, which
// of a device may be never.
template <class Look>
std::string read_file(const std::filesystem::path& path, Look look) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail_to_read(path, errno);
  const OpenFile closed_at_the_end{fd};
  std::string bytes;
  struct stat info {};
  if (::fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
    bytes.reserve(static_cast<std::size_t>(info.st_size) + 1);
  }
  std::string piece(1 << 18, '\0');
  while (true) {
    const ssize_t done = ::read(fd, piece.data(), piece.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail_to_read(path, errno);
    if (done == 0) break;
    const bool had_head = bytes.size() >= kHead;
    bytes.append(piece, 0, static_cast<std::size_t>(done));
    if (!had_head && bytes.size() >= kHead) look(bytes);
  }
  return bytes;
}

bool looks_like_mat4(std::string_view bytes) {
  // The name of the first matrix, in a header of either byte order.
  return bytes.size() >= 27 && bytes.substr(20, 7) == std::string_view("Aclass\0", 7);
}

// Takes units, types, parameters, events and the manifest from the sidecar of a CSV file.
void apply_sidecar(const std::filesystem::path& path, Trajectory& result) {
  const std::filesystem::path sidecar = CsvSink::sidecar_path(path);
  std::error_code error;
  if (!std::filesystem::is_regular_file(sidecar, error)) return;
  RunInfo info = parse_run_info(read_file(sidecar, [](std::string_view) {}), sidecar.string());
  const auto same_name = [](const Column& a, const Column& b) { return a.name == b.name; };
  if (!std::ranges::equal(info.layout.columns, result.layout.columns, same_name)) return;
  result.layout = std::move(info.layout);
  result.events = std::move(info.events);
  result.manifest = std::move(info.manifest);
}

}  // namespace

ResultFormat detect_format(std::string_view bytes, const std::string& name) {
  if (bytes.starts_with(kHdf5Signature)) return ResultFormat::kHdf5;
  if (looks_like_mat4(bytes)) return ResultFormat::kMat4;
  if (bytes.starts_with("MATLAB 5.0") || bytes.starts_with("MATLAB 7.3")) {
    throw IoError(
        fmt::format("cannot read '{}': a MAT file of a later version; save it with "
                    "-v4 as a trajectory, or as CSV",
                    name));
  }
  if (bytes.empty()) throw IoError(fmt::format("cannot read '{}': the file is empty", name));
  if (bytes.substr(0, kHead).find('\0') != std::string_view::npos) {
    throw IoError(
        fmt::format("cannot read '{}': neither CSV nor a MAT v4 trajectory nor HDF5", name));
  }
  return ResultFormat::kCsv;
}

Trajectory read_result(std::string_view bytes, const std::string& name) {
  switch (detect_format(bytes, name)) {
    case ResultFormat::kMat4:
      return read_mat4(bytes, name);
    case ResultFormat::kHdf5:
      return read_hdf5(bytes, name);
    case ResultFormat::kCsv:
      break;
  }
  return read_csv(bytes, name);
}

Trajectory read_result(const std::filesystem::path& path) {
  const std::string bytes =
      read_file(path, [&](std::string_view head) { (void)detect_format(head, path.string()); });
  Trajectory result = read_result(bytes, path.string());
  if (detect_format(bytes, path.string()) == ResultFormat::kCsv) {
    // A number that has lost its last digits is still one.
    if (!bytes.ends_with('\n')) {
      throw IoError(fmt::format(
          "'{}' is cut: its last line does not end; make it anew, or, if it is whole, add a line "
          "end",
          path.string()));
    }
    apply_sidecar(path, result);
  }
  return result;
}

}  // namespace arges
