#pragma once
// A result as a MAT v4 trajectory, as Dymola and OpenModelica write it.

#include <cstdint>
#include <filesystem>
#include <string>

#include "arges/base/atomic_file.h"
#include "arges/results/call_order.h"
#include "arges/results/run_info.h"
#include "arges/results/sink.h"

namespace arges {

// The matrices, in the order in which the Modelica tools expect them ("binTrans": what the format's
// description calls a row is stored as a column):
//   Aclass         4 x 11     text: Atrajectory, 1.1, (empty), binTrans
//   name           L x N      text: time, parameters, columns; one name a column, NUL-padded
//   description    D x N      text: "description [unit]"
//   dataInfo       4 x N      int32: block (0 time, 1 parameters, 2 columns), row in it, 0, -1
//   data_1         (1+P) x 2  double: first and last time; each parameter twice
//   data_2         (1+M) x n  double: one column a recorded row, time first
//   arges_manifest 1 x C      text: run_info.h
// Readers that know the trajectory format stop after data_2; those that list matrices show one
// more. The numbers of rows of the run are not known before its end: the header of data_2 and the
// times in data_1 are patched on finish. A value that does not exist is NaN. Integers and Booleans
// are doubles, as the Modelica tools have them.
//
// Memory: one row and one buffer; events wait in a second partial file. The format counts points
// with 31 bits: a longer run is an IoError, which names HDF5 as the way out; events beyond 2 GB of
// text are left out, and the manifest says so (events_left_out).
class Mat4Sink : public ResultSink {
 public:
  explicit Mat4Sink(const std::filesystem::path& path);

  void begin(const ResultLayout& layout) override;
  void row(double time, std::span<const double> values) override;
  void event(const EventRecord& record) override;
  void finish(const Manifest& manifest) override;

 private:
  CallOrder order_;
  AtomicFile file_;
  AtomicFile info_file_;  // never committed: its bytes are copied to the end of file_
  RunInfoWriter info_;
  std::uint64_t data_1_offset_ = 0;    // of its first element
  std::uint64_t parameter_count_ = 0;  // without time
  std::uint64_t data_2_offset_ = 0;    // of its header
  std::int64_t rows_ = 0;
  std::int64_t events_left_out_ = 0;
  double first_time_ = 0;
  double last_time_ = 0;
  std::string row_bytes_;
};

}  // namespace arges
