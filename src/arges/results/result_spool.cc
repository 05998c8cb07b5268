#include "arges/results/result_spool.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges {

namespace {
enum class Kind : std::uint8_t { kRow, kEvent };

[[noreturn]] void fail(const char* what) {
  throw IoError(fmt::format(
      "a temporary file for rows cannot be {}: {}; is there room where temporary files go?", what,
      std::strerror(errno)));
}
}  // namespace

template <class T>
void ResultSpool::put(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  buffer_.insert(buffer_.end(), bytes, bytes + sizeof value);
}

void ResultSpool::put_text(const std::string& text) {
  put(static_cast<std::uint32_t>(text.size()));
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  buffer_.insert(buffer_.end(), bytes, bytes + text.size());
}

void ResultSpool::row(double time, std::span<const double> values) {
  put(Kind::kRow);
  put(time);
  put(static_cast<std::uint32_t>(values.size()));
  for (const double value : values) put(value);
  spill_if_large();
}

void ResultSpool::event(const EventRecord& record) {
  put(Kind::kEvent);
  put(record.time);
  put(record.iteration);
  put_text(record.kind);
  put_text(record.component);
  put(record.is_time_event);
  put(static_cast<std::uint32_t>(record.changes.size()));
  for (const EventChange& change : record.changes) {
    put_text(change.name);
    put(change.before);
    put(change.after);
  }
  spill_if_large();
}

void ResultSpool::spill_if_large() {
  if (buffer_.size() > in_memory_) write_out();
}

void ResultSpool::write_out() {
  if (file_ == nullptr) {
    file_.reset(std::tmpfile());
    if (file_ == nullptr) fail("made");
  }
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size()) {
    fail("written");
  }
  buffer_.clear();
}

// The bytes from the beginning, from memory or file.
class ResultSpool::Reader {
 public:
  Reader(std::FILE* file, std::span<const std::byte> memory) : file_(file), memory_(memory) {}

  // False at the end.
  bool get_bytes(void* to, std::size_t count) {
    if (file_ != nullptr) {
      const std::size_t got = std::fread(to, 1, count, file_);
      if (got == 0 && std::feof(file_) != 0) return count == 0;
      if (got != count) fail("read");
      return true;
    }
    if (count > memory_.size()) return false;
    if (count > 0) std::memcpy(to, memory_.data(), count);
    memory_ = memory_.subspan(count);
    return true;
  }
  template <class T>
  T get() {
    T value{};
    get_bytes(&value, sizeof value);
    return value;
  }
  std::string get_text() {
    std::string text(get<std::uint32_t>(), '\0');
    get_bytes(text.data(), text.size());
    return text;
  }

 private:
  std::FILE* file_;
  std::span<const std::byte> memory_;
};

void ResultSpool::replay(ResultSink& sink, std::size_t columns) {
  if (file_ != nullptr) {
    write_out();
    if (std::fflush(file_.get()) != 0) fail("written");
    std::rewind(file_.get());
  }
  Reader in(file_.get(), buffer_);
  std::vector<double> values(columns);
  for (Kind kind; in.get_bytes(&kind, sizeof kind);) {
    if (kind == Kind::kRow) {
      const auto time = in.get<double>();
      const std::size_t count = in.get<std::uint32_t>();
      in.get_bytes(values.data(), count * sizeof(double));
      for (std::size_t i = count; i < columns; ++i) {
        values[i] = std::numeric_limits<double>::quiet_NaN();
      }
      sink.row(time, values);
      continue;
    }
    EventRecord record;
    record.time = in.get<double>();
    record.iteration = in.get<int>();
    record.kind = in.get_text();
    record.component = in.get_text();
    record.is_time_event = in.get<bool>();
    record.changes.resize(in.get<std::uint32_t>());
    for (EventChange& change : record.changes) {
      change.name = in.get_text();
      change.before = in.get<double>();
      change.after = in.get<double>();
    }
    sink.event(record);
  }
  buffer_.clear();
  file_.reset();
}

}  // namespace arges
