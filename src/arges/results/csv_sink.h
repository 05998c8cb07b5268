#pragma once
// A result as a CSV file with a sidecar.

#include <filesystem>
#include <memory>
#include <vector>

#include "arges/base/atomic_file.h"
#include "arges/results/call_order.h"
#include "arges/results/run_info.h"
#include "arges/results/sink.h"

namespace arges {

// NAME.csv is plain, so that any program opens it: RFC 4180 with LF, a header `time,...`, names as
// in the model and quoted where needed, then one line a row. Numbers are the shortest decimals that
// read back as the same double; Booleans are 0 and 1. A value that does not exist in the present
// mode is an empty cell; so is a value that is not a number, since both arrive as NaN and cannot be
// told apart.
//
// Units, types, parameters, events and the manifest go to NAME.csv.manifest.json (run_info.h). Both
// files appear together, on finish. A device or a pipe (/dev/stdout) gets no sidecar.
//
// Memory: one buffer; nothing grows with the run. Throws IoError as AtomicFile does.
class CsvSink : public ResultSink {
 public:
  explicit CsvSink(const std::filesystem::path& path);

  void begin(const ResultLayout& layout) override;
  void row(double time, std::span<const double> values) override;
  void event(const EventRecord& record) override;
  void finish(const Manifest& manifest) override;

  static std::filesystem::path sidecar_path(const std::filesystem::path& path);

 private:
  CallOrder order_;
  AtomicFile file_;
  std::unique_ptr<AtomicFile> sidecar_;
  RunInfoWriter info_;
  std::vector<char> whole_;  // for each column, whether it is Integer or Boolean
  std::vector<char> line_;
};

}  // namespace arges
