#pragma once
// Rows and events on their way to a sink whose columns are not known yet.

#include <cstddef>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arges/results/sink.h"

namespace arges {

// Keeps rows of growing width and events in their order, in memory up to `kInMemory` bytes, then in
// a temporary file, which goes with the spool. replay() gives them to a sink: what a row does not
// have yet is NaN. Throws IoError.
class ResultSpool {
 public:
  static constexpr std::size_t kInMemory = std::size_t{16} << 20;
  explicit ResultSpool(std::size_t in_memory = kInMemory) : in_memory_(in_memory) {}

  void row(double time, std::span<const double> values);
  void event(const EventRecord& record);
  // Everything, into a sink that has begun with `columns` columns; the spool is empty then.
  void replay(ResultSink& sink, std::size_t columns);

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  class Reader;
  template <class T>
  void put(const T& value);
  void put_text(const std::string& text);
  void spill_if_large();
  void write_out();

  std::size_t in_memory_;
  std::vector<std::byte> buffer_;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

}  // namespace arges
