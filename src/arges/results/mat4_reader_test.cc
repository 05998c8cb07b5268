#include <gtest/gtest.h>

#include <bit>

#include "arges/base/error.h"
#include "arges/results/mat4_format.h"
#include "arges/results/open_sink.h"
#include "arges/results/reader.h"
#include "testing/result_run.h"

namespace arges {
namespace {

constexpr std::int32_t kFullFloat = 10;

// Builds trajectories as other tools do: any storage order, precision and byte order.
struct MatBuilder {
  bool transposed = true;
  bool single = false;
  bool big_endian = false;
  std::string bytes;

  void number(std::uint64_t bits, int size) {
    for (int i = 0; i < size; ++i) {
      const int shift = 8 * (big_endian ? size - 1 - i : i);
      bytes += static_cast<char>(bits >> shift & 0xff);
    }
  }
  void header(const std::string& name, std::int32_t type, std::size_t rows, std::size_t columns) {
    number(static_cast<std::uint32_t>(type + (big_endian ? 1000 : 0)), 4);
    number(rows, 4);
    number(columns, 4);
    number(0, 4);
    number(name.size() + 1, 4);
    bytes += name + '\0';
  }
  // rows[i] is what the description of the format calls a row.
  template <class Row, class Put>
  void matrix(const std::string& name, std::int32_t type, const std::vector<Row>& rows,
              bool as_columns, Put put) {
    const std::size_t width = rows.empty() ? 0 : rows[0].size();
    header(name, type, as_columns ? width : rows.size(), as_columns ? rows.size() : width);
    if (as_columns) {
      for (const Row& row : rows) {
        for (const auto& value : row) put(value);
      }
    } else {
      for (std::size_t c = 0; c < width; ++c) {
        for (const Row& row : rows) put(row[c]);
      }
    }
  }
  void text(const std::string& name, std::vector<std::string> rows, bool as_columns) {
    std::size_t width = 0;
    for (const std::string& row : rows) width = std::max(width, row.size());
    for (std::string& row : rows) row.resize(width, ' ');
    matrix(name, mat4::kText, rows, as_columns, [this](char c) { bytes += c; });
  }
  void reals(const std::string& name, const std::vector<std::vector<double>>& rows) {
    matrix(name, single ? kFullFloat : mat4::kFullDouble, rows, transposed, [this](double value) {
      if (single) {
        number(std::bit_cast<std::uint32_t>(static_cast<float>(value)), 4);
      } else {
        number(std::bit_cast<std::uint64_t>(value), 8);
      }
    });
  }
  void integers(const std::string& name, const std::vector<std::vector<int>>& rows) {
    matrix(name, mat4::kFullInt32, rows, transposed,
           [this](int value) { number(static_cast<std::uint32_t>(value), 4); });
  }

  std::string build(const std::vector<std::vector<int>>& info) {
    bytes.clear();
    text("Aclass", {"Atrajectory", "1.1", "", transposed ? "binTrans" : "binNormal"}, false);
    text("name", {"time", "p", "x", "minusX", "alsoX", "minusP"}, transposed);
    text("description",
         {"Time in [s]", "parameter", "position [m|mm]", "[m]", "alias [:#(type=Integer)]", ""},
         transposed);
    integers("dataInfo", info);
    reals("data_1", {{0, 2.5}, {1, 2.5}});
    reals("data_2", {{0, 10}, {0.5, 20}, {1, 30}});
    return bytes;
  }
  std::string build() {
    return build(
        {{0, 1, 0, -1}, {1, 2, 0, 0}, {2, 2, 0, -1}, {2, -2, 0, -1}, {2, 2, 0, -1}, {1, -2, 0, 0}});
  }
};

TEST(ReadMat4, ReadsTrajectoriesOfOtherToolsWithAliases) {
  for (const bool transposed : {true, false}) {
    for (const bool single : {true, false}) {
      for (const bool big_endian : {true, false}) {
        MatBuilder builder{transposed, single, big_endian, {}};
        const Trajectory found = read_result(builder.build(), "t.mat");
        EXPECT_EQ(found.times, (std::vector<double>{0, 0.5, 1}));
        EXPECT_EQ(found.values_of("x"), (std::vector<double>{10, 20, 30}));
        EXPECT_EQ(found.values_of("minusX"), (std::vector<double>{-10, -20, -30}));
        EXPECT_EQ(found.values_of("alsoX"), (std::vector<double>{10, 20, 30}));
        EXPECT_EQ(found.find_parameter("p"), 2.5);
        EXPECT_EQ(found.find_parameter("minusP"), -2.5);
        EXPECT_EQ(found.series.size(), 2u) << "aliases share their series";
        EXPECT_EQ(found.layout.columns[0].unit, "m");
        EXPECT_EQ(found.layout.columns[0].description, "position");
        EXPECT_EQ(found.layout.columns[2].unit, "");
        EXPECT_EQ(found.layout.columns[2].description, "alias");
      }
    }
  }
}

std::string error_of(const std::string& bytes) {
  return test::message_of<IoError>([&] { read_mat4(bytes, "t.mat"); });
}

TEST(ReadMat4, SaysWhichVariablePointsNowhere) {
  MatBuilder builder;
  EXPECT_EQ(
      error_of(builder.build(
          {{0, 1, 0, -1}, {1, 2, 0, 0}, {2, 7, 0, -1}, {2, 1, 0, 0}, {2, 1, 0, 0}, {1, 1, 0, 0}})),
      "cannot read 't.mat': matrix 'dataInfo': variable 3 ('x'): row 7 of 'data_2', which has 2");
  EXPECT_EQ(
      error_of(builder.build(
          {{0, 1, 0, -1}, {1, 2, 0, 0}, {3, 1, 0, -1}, {2, 1, 0, 0}, {2, 1, 0, 0}, {1, 1, 0, 0}})),
      "cannot read 't.mat': matrix 'dataInfo': variable 3 ('x'): data block 3 is not known");
  EXPECT_NE(
      error_of(builder.build(
          {{0, 1, 0, -1}, {2, 0, 0, -1}, {2, 1, 0, 0}, {2, 1, 0, 0}, {2, 1, 0, 0}, {1, 1, 0, 0}})),
      "");
  EXPECT_EQ(error_of(builder.build({{0, 1, 0, -1}})),
            "cannot read 't.mat': matrix 'dataInfo': 4 x 1 elements, which does not fit 6 names");
}

TEST(ReadMat4, DoesNotBelieveALyingHeader) {
  MatBuilder builder;
  builder.build();
  const std::size_t good = builder.bytes.size();
  builder.header("huge", mat4::kFullDouble, 0x7fffffff, 0x7fffffff);
  EXPECT_EQ(error_of(builder.bytes), "cannot read 't.mat': at byte " + std::to_string(good + 25) +
                                         ": matrix 'huge' has 2147483647 x 2147483647 elements, "
                                         "but the file ends after 0 more bytes");
}

TEST(ReadMat4, RefusesOtherMatFiles) {
  MatBuilder builder;
  builder.text("Aclass", {"Alinear"}, false);
  EXPECT_EQ(
      error_of(builder.bytes),
      "cannot read 't.mat': matrix 'Aclass': it does not say 'Atrajectory': a MAT file, but not a "
      "trajectory");
  MatBuilder incomplete;
  incomplete.text("Aclass", {"Atrajectory", "1.1", "", "binTrans"}, false);
  EXPECT_EQ(error_of(incomplete.bytes),
            "cannot read 't.mat': matrix 'name': missing; a trajectory needs it");
}

TEST(Mat4Sink, WritesTheMatricesInTheOrderOfTheModelicaTools) {
  const test::TempFolder folder;
  test::awkward_run().send_to(*open_sink(folder / "a.mat"));
  const std::string bytes = test::slurp(folder / "a.mat");
  std::size_t last = 0;
  for (const char* name :
       {"Aclass", "name", "description", "dataInfo", "data_1", "data_2", "arges_manifest"}) {
    const std::size_t place = bytes.find(std::string(name) + '\0', last);
    ASSERT_NE(place, std::string::npos) << name;
    last = place + 1;
  }
  // The text of Aclass as the tools have it, column by column.
  EXPECT_EQ(bytes.substr(27, 44), "A1 bt. ir1 na  Tj  re  ac  nt  so   r   y   ");
}

}  // namespace
}  // namespace arges
