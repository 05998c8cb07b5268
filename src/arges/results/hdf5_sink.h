#pragma once
// A result as an HDF5 file.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "arges/results/sink.h"

namespace arges {

// The layout (all strings are UTF-8 of fixed length, ended by NUL; n rows, m columns):
//   /                    attributes format = "arges-result", version = 1
//   /time                n        double
//   /data                n x m    double; absent when m = 0
//   /columns/name, unit, description, type, variability        m strings each
//   /parameters/name, unit, description, type, value           strings, and double
//   /events/time, iteration, kind, component, time_event       one entry an event
//   /events/change_event, change_name, before, after           one entry a change
//   /events/names                                              strings
//   /manifest/key, value                                       strings
//   /attached/NAME       double; there is such a group when something is attached
// kind, component and change_name are positions in /events/names, change_event is the position of
// the event: so all grows by fixed-size entries, and a name is stored once.
// A value that does not exist in the present mode is NaN.
//
// Rows are gathered into blocks of one chunk (at most 8 MB, at least one row) and appended; memory
// does not grow with the run. The file appears on finish (AtomicFile). Throws IoError.
class Hdf5Sink : public ResultSink {
 public:
  explicit Hdf5Sink(const std::filesystem::path& path);
  ~Hdf5Sink() override;

  void begin(const ResultLayout& layout) override;
  void row(double time, std::span<const double> values) override;
  void event(const EventRecord& record) override;
  // Numbers beside the result, under a name without '/'; between begin and finish.
  void attach(const std::string& name, const std::vector<double>& numbers);
  void finish(const Manifest& manifest) override;

 private:
  class Writer;
  std::unique_ptr<Writer> writer_;
};

}  // namespace arges
