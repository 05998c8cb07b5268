#include "arges/results/open_sink.h"

#include <fmt/format.h>

#include <string>
#include <system_error>

#include "arges/base/error.h"
#include "arges/results/csv_sink.h"
#include "arges/results/hdf5_sink.h"
#include "arges/results/mat4_sink.h"

namespace arges {

std::unique_ptr<ResultSink> open_sink(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (extension == ".csv") return std::make_unique<CsvSink>(path);
  if (extension == ".mat") return std::make_unique<Mat4Sink>(path);
  if (extension == ".h5" || extension == ".hdf5") return std::make_unique<Hdf5Sink>(path);
  std::error_code none;
  if (std::filesystem::is_other(path, none)) return std::make_unique<CsvSink>(path);
  const std::string found =
      extension.empty() ? "has no extension" : fmt::format("ends in '{}'", extension);
  throw UserError(fmt::format(
      "cannot tell the format of the result file '{}', which {}; use .csv (any program), .mat "
      "(MAT v4, Modelica tools) or .h5 (HDF5)",
      path.string(), found));
}

}  // namespace arges
