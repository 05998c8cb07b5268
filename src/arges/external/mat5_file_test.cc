#include "arges/external/mat5_file.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

#include "arges/base/error.h"

namespace arges::external {
namespace {

// Writes the format as its description says (MAT-File Format, "Level 5 MAT-File Format").
std::string bytes_of(std::uint32_t value) {
  std::string out(4, '\0');
  std::memcpy(out.data(), &value, 4);
  return out;
}

std::string element(std::uint32_t kind, const std::string& data) {
  std::string out = bytes_of(kind) + bytes_of(static_cast<std::uint32_t>(data.size())) + data;
  return out + std::string((8 - out.size() % 8) % 8, '\0');
}

std::string small_element(std::uint32_t kind, std::string data) {
  const std::uint32_t word = kind | static_cast<std::uint32_t>(data.size()) << 16;
  data.resize(4);
  return bytes_of(word) + data;
}

std::string array(std::uint32_t type, const std::string& name, int rows, int columns,
                  const std::string& rest) {
  const std::string title =
      name.size() <= 4 && !name.empty() ? small_element(1, name) : element(1, name);
  return element(14, element(6, bytes_of(type) + bytes_of(0)) +
                         element(5, bytes_of(static_cast<std::uint32_t>(rows)) +
                                        bytes_of(static_cast<std::uint32_t>(columns))) +
                         title + rest);
}

std::string doubles(const std::vector<double>& by_columns) {
  std::string data(8 * by_columns.size(), '\0');
  std::memcpy(data.data(), by_columns.data(), data.size());
  return element(9, data);
}

std::string compressed(const std::string& data) {
  uLongf size = compressBound(data.size());
  std::string out(size, '\0');
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(data.data()),
           data.size());
  out.resize(size);
  return bytes_of(15) + bytes_of(static_cast<std::uint32_t>(size)) + out;
}

std::string file(const std::string& content) {
  std::string header = "MATLAB 5.0 MAT-file";
  header.resize(124, ' ');
  header += std::string("\0\1", 2) + "IM";
  return header + content;
}

// {{0, 1}, {2, 3}, {4, 5}}; as bytes, which MATLAB stores whole numbers in.
const std::string kTable = array(6, "tab", 3, 2, doubles({0, 2, 4, 1, 3, 5}));
const std::string kBytes =
    array(6, "a_long_name", 2, 2, small_element(2, std::string("\1\2\3\4", 4)));

void expect_table(const Matrix& m) {
  EXPECT_EQ(m.rows, 3);
  EXPECT_EQ(m.columns, 2);
  EXPECT_EQ(m.values, (std::vector<double>{0, 1, 2, 3, 4, 5}));
}

TEST(Mat5File, GivesAMatrixByNameRowByRow) {
  const std::string content = file(kBytes + kTable);
  expect_table(read_mat5(content, "f.mat", "tab"));
  EXPECT_EQ(read_mat5(content, "f.mat", "a_long_name").values, (std::vector<double>{1, 3, 2, 4}));
}

TEST(Mat5File, InflatesWhatIsCompressed) {
  expect_table(read_mat5(file(compressed(kBytes) + compressed(kTable)), "f.mat", "tab"));
}

TEST(Mat5File, GoesThroughStructuresByDots) {
  std::string names = "tab";
  names.resize(8);
  names += "other";
  names.resize(16);
  const std::string fields = small_element(5, bytes_of(8)) + element(1, names) +
                             array(6, "", 3, 2, doubles({0, 2, 4, 1, 3, 5})) +
                             array(6, "", 1, 1, doubles({7}));
  const std::string content = file(array(2, "s", 1, 1, fields));
  expect_table(read_mat5(content, "f.mat", "s.tab"));
  EXPECT_EQ(read_mat5(content, "f.mat", "s.other").values, std::vector<double>{7});
}

TEST(Mat5File, SaysWhatIsMissingOrDamaged) {
  const auto message = [](const std::string& content, const std::string& name) {
    try {
      read_mat5(content, "f.mat", name);
    } catch (const IoError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(file(kTable), "tub"), "'f.mat' has no matrix 'tub'");
  const std::string whole = file(compressed(kTable));
  for (std::size_t n = 0; n + 1 < whole.size(); ++n) {
    const std::string text = message(whole.substr(0, n), "tab");
    EXPECT_TRUE(text.find("damaged") != text.npos || text.find("no matrix") != text.npos) << n;
  }
}

TEST(Mat5File, IsReadWhereTablesAreRead) {
  const std::string path = ::testing::TempDir() + "arges_mat5.mat";
  std::ofstream(path, std::ios::binary) << file(compressed(kTable));
  expect_table(read_matrix(path, "tab"));
}

}  // namespace
}  // namespace arges::external
