#pragma once
// Matrices in files.

#include <string>
#include <vector>

namespace arges::external {

struct Matrix {
  int rows = 0, columns = 0;
  std::vector<double> values;  // row by row
};

// The matrix `name` of a file, by the ending of its name:
//
//   .mat   MAT up to level 7: `name` as it is; with dots, that of a structure
//   .csv   the whole file after `header_lines`, columns divided by `delimiter`
//   else   text: a line that begins with "#1", then blocks "double name(rows, columns)" followed
//          by the numbers, divided by blanks, commas or semicolons; # begins a comment
//
// Throws IoError.
Matrix read_matrix(const std::string& path, const std::string& name, char delimiter = ',',
                   int header_lines = 0);

// MAT level 4.
Matrix read_mat4(const std::string& path, const std::string& name);
// Adds to the file, or begins it anew.
void write_mat4(const std::string& path, const std::string& name, const Matrix& matrix,
                bool append);

// The content of a file; throws IoError.
std::string read_whole_file(const std::string& path);

// modelica://... and file://... names cannot be opened as they are: what comes after the scheme.
std::string local_path(const std::string& name);

}  // namespace arges::external
