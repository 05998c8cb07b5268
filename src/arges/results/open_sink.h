#pragma once
// The sink for a file name.

#include <filesystem>
#include <memory>

#include "arges/results/sink.h"

namespace arges {

// By extension, in any case: .csv, .mat, .h5 or .hdf5. The file is opened at once, so that an
// unwritable folder shows before the run (IoError). Throws UserError, listing the formats, for any
// other extension.
std::unique_ptr<ResultSink> open_sink(const std::filesystem::path& path);

}  // namespace arges
