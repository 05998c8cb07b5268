#pragma once
// Reads a result file into memory.

#include <filesystem>
#include <string>
#include <string_view>

#include "arges/results/trajectory.h"

namespace arges {

enum class ResultFormat { kCsv, kMat4, kHdf5 };

// The format is told by the content; the extension does not matter:
//   HDF5   files written by Hdf5Sink
//   MAT v4 trajectories of Arges, OpenModelica and Dymola (binTrans and binNormal; float or double;
//          aliases, also negated, share or negate their series)
//   CSV    any table with a header and numeric cells (read_csv); the sidecar of CsvSink beside it
//   is
//          used when its columns are those of the table, otherwise it belongs to another file
//
// Files may be damaged or hostile: whatever they hold, the outcome is a Trajectory or an IoError
// that names the file and the place, and memory stays proportional to the size of the file.
Trajectory read_result(const std::filesystem::path& path);

// The same from memory; `name` is for messages. There is no sidecar.
Trajectory read_result(std::string_view bytes, const std::string& name);

// Throws IoError when it is none of the three.
ResultFormat detect_format(std::string_view bytes, const std::string& name);

// RFC 4180, LF or CRLF, with or without a byte order mark. The separator is the first of comma,
// semicolon and tab that the header holds outside quotes. Time is the column named "time" (in any
// case), or else the first. Cells are numbers, nan, inf, true or false; an empty cell is NaN. All
// rows have the width of the header. Errors give line and column.
Trajectory read_csv(std::string_view bytes, const std::string& name);

// Errors give the matrix, and the variable where there is one.
Trajectory read_mat4(std::string_view bytes, const std::string& name);

// Errors give the dataset.
Trajectory read_hdf5(std::string_view bytes, const std::string& name);

}  // namespace arges
