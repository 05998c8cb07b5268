#pragma once
// Matrices of MAT files of level 5 (MATLAB's -v6, and -v7, which compresses).

#include <string>

#include "arges/external/table_file.h"

namespace arges::external {

// `bytes` is the content of the file `path`. A name with dots goes through structures: "s.table".
// Throws IoError: no such matrix, not numbers, a damaged file.
Matrix read_mat5(const std::string& bytes, const std::string& path, const std::string& name);

}  // namespace arges::external
