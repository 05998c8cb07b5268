#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "arges/base/error.h"
#include "arges/results/mat4_format.h"
#include "arges/results/reader.h"
#include "arges/results/run_info.h"

namespace arges {
namespace {

using mat4::Element;

// One matrix, still as bytes.
struct Matrix {
  std::string name;
  Element element = Element::kDouble;
  bool big_endian = false;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::string_view bytes;

  template <class T>
  T raw(std::size_t index) const {
    char part[sizeof(T)];
    const char* from = bytes.data() + index * sizeof(T);
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      const bool reversed = big_endian != (std::endian::native == std::endian::big);
      part[i] = from[reversed ? sizeof(T) - 1 - i : i];
    }
    T value;
    std::memcpy(&value, part, sizeof value);
    return value;
  }

  double at(std::size_t row, std::size_t column) const {
    const std::size_t index = column * rows + row;
    switch (element) {
      case Element::kDouble:
        return raw<double>(index);
      case Element::kFloat:
        return raw<float>(index);
      case Element::kInt32:
        return raw<std::int32_t>(index);
      case Element::kInt16:
        return raw<std::int16_t>(index);
      case Element::kUint16:
        return raw<std::uint16_t>(index);
      case Element::kUint8:
        break;
    }
    return raw<std::uint8_t>(index);
  }
};

class Mat4Parser {
 public:
  Mat4Parser(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Trajectory parse() {
    while (offset_ < bytes_.size()) read_matrix();
    const Matrix& classes = matrix("Aclass");
    if (text(classes, 0, false) != "Atrajectory") {
      fail("Aclass", "it does not say 'Atrajectory': a MAT file, but not a trajectory");
    }
    transposed_ = true;
    const std::string orientation = classes.rows >= 4 ? text(classes, 3, false) : "binNormal";
    if (orientation == "binNormal") {
      transposed_ = false;
    } else if (orientation != "binTrans") {
      fail("Aclass", fmt::format("unknown storage order '{}'; known are binTrans and binNormal",
                                 orientation));
    }
    read_variables();
    read_info();
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& matrix, const std::string& what) const {
    throw IoError(fmt::format("cannot read '{}': matrix '{}': {}", name_, matrix, what));
  }

  [[noreturn]] void fail_at_offset(const std::string& what) const {
    throw IoError(fmt::format("cannot read '{}': at byte {}: {}", name_, offset_, what));
  }

  void read_matrix() {
    if (bytes_.size() - offset_ < mat4::kHeaderBytes)
      fail_at_offset("the file ends within a header");
    Matrix header;
    header.bytes = bytes_.substr(offset_, mat4::kHeaderBytes);
    auto type = header.raw<std::int32_t>(0);
    if (type < 0 || type > 9999) {
      header.big_endian = true;
      type = header.raw<std::int32_t>(0);
    }
    const auto rows = header.raw<std::int32_t>(1);
    const auto columns = header.raw<std::int32_t>(2);
    const auto imaginary = header.raw<std::int32_t>(3);
    const auto name_bytes = header.raw<std::int32_t>(4);
    const int format = type / 10 % 10;
    if (type < 0 || type / 1000 > 1 || type / 100 % 10 != 0 || format > 5 ||
        (type / 1000 == 1) != header.big_endian) {
      fail_at_offset(fmt::format("{} is not the type of a MAT v4 matrix", type));
    }
    if (type % 10 > 1) fail_at_offset("sparse matrices do not occur in trajectories");
    if (imaginary != 0) fail_at_offset("complex matrices do not occur in trajectories");
    if (rows < 0 || columns < 0) {
      fail_at_offset(fmt::format("a matrix of {} x {} elements", rows, columns));
    }
    offset_ += mat4::kHeaderBytes;
    if (name_bytes < 1 || static_cast<std::size_t>(name_bytes) > bytes_.size() - offset_) {
      fail_at_offset(fmt::format("a matrix name of {} bytes", name_bytes));
    }
    Matrix matrix = header;
    matrix.name = std::string(bytes_.substr(offset_, static_cast<std::size_t>(name_bytes)).data(),
                              static_cast<std::size_t>(name_bytes - 1));
    offset_ += static_cast<std::size_t>(name_bytes);
    matrix.element = static_cast<Element>(format);
    matrix.rows = static_cast<std::size_t>(rows);
    matrix.columns = static_cast<std::size_t>(columns);
    // Both are below 2^31, so that the products fit.
    const std::size_t size = matrix.rows * matrix.columns * mat4::element_bytes(matrix.element);
    const bool fits =
        matrix.rows * matrix.columns <= bytes_.size() && size <= bytes_.size() - offset_;
    if (!fits) {
      fail_at_offset(
          fmt::format("matrix '{}' has {} x {} elements, but the file ends after {} more bytes",
                      matrix.name, rows, columns, bytes_.size() - offset_));
    }
    matrix.bytes = bytes_.substr(offset_, size);
    offset_ += size;
    const std::string key = matrix.name;
    matrices_.try_emplace(key, std::move(matrix));
  }

  const Matrix& matrix(const std::string& name) const {
    const auto found = matrices_.find(name);
    if (found == matrices_.end()) fail(name, "missing; a trajectory needs it");
    return found->second;
  }

  // The text number `index` of a text matrix, whose texts are columns (by_column) or rows.
  std::string text(const Matrix& matrix, std::size_t index, bool by_column) const {
    if (index >= (by_column ? matrix.columns : matrix.rows)) return "";
    std::string found;
    const std::size_t length = by_column ? matrix.rows : matrix.columns;
    for (std::size_t i = 0; i < length; ++i) {
      const double code = by_column ? matrix.at(i, index) : matrix.at(index, i);
      if (!(code >= 0 && code <= 255)) fail(matrix.name, "it holds something else than text");
      if (code == 0) break;
      found += static_cast<char>(static_cast<unsigned char>(code));
    }
    while (found.ends_with(' ')) found.pop_back();
    return found;
  }

  // The storage order hides behind these: `variable` and `point` as in the format's description.
  std::size_t variables_in(const Matrix& data) const {
    return transposed_ ? data.rows : data.columns;
  }
  std::size_t points_in(const Matrix& data) const { return transposed_ ? data.columns : data.rows; }
  double value(const Matrix& data, std::size_t variable, std::size_t point) const {
    return transposed_ ? data.at(variable, point) : data.at(point, variable);
  }

  void read_variables() {
    const Matrix& names = matrix("name");
    const Matrix& data_info = matrix("dataInfo");
    const auto description = matrices_.find("description");
    const std::size_t count = transposed_ ? names.columns : names.rows;
    if (variables_in(data_info) < 2 || points_in(data_info) != count) {
      // dataInfo has 4 x N elements, one column a variable.
      fail("dataInfo", fmt::format("{} x {} elements, which does not fit {} names", data_info.rows,
                                   data_info.columns, count));
    }
    const auto data_2 = matrices_.find("data_2");
    if (data_2 != matrices_.end() && variables_in(data_2->second) > 0) {
      read_series(data_2->second, 0, result_.times);
    }
    for (std::size_t i = 0; i < count; ++i) {
      Column column;
      column.name = text(names, i, transposed_);
      if (description != matrices_.end()) {
        set_description(text(description->second, i, transposed_), column);
      }
      add_variable(std::move(column), value(data_info, 0, i), value(data_info, 1, i), i);
    }
  }

  void add_variable(Column column, double block, double signed_row, std::size_t number) {
    const auto complain = [&](const std::string& what) {
      fail("dataInfo", fmt::format("variable {} ('{}'): {}", number + 1, column.name, what));
    };
    if (block == 0) return;  // time
    if (block != 1 && block != 2) complain(fmt::format("data block {} is not known", block));
    const Matrix& data = matrix(block == 1 ? "data_1" : "data_2");
    const double row = std::abs(signed_row);
    if (!(row >= 1 && row <= static_cast<double>(variables_in(data)))) {
      complain(
          fmt::format("row {} of '{}', which has {}", signed_row, data.name, variables_in(data)));
    }
    const auto index = static_cast<std::size_t>(row) - 1;
    const bool negated = signed_row < 0;
    if (block == 1) {
      if (points_in(data) == 0) complain("'data_1' has no values");
      const double found = value(data, index, 0);
      column.variability = Variability::kParameter;
      result_.layout.parameters.emplace_back(std::move(column), negated ? -found : found);
      return;
    }
    result_.series_of.push_back(series_index(data, index, negated));
    result_.layout.columns.push_back(std::move(column));
  }

  // Aliases share their series, so that a small file cannot ask for much memory.
  std::size_t series_index(const Matrix& data, std::size_t variable, bool negated) {
    const auto [place, is_new] =
        series_indices_.try_emplace({variable, negated}, result_.series.size());
    if (is_new) {
      result_.series.emplace_back();
      read_series(data, variable, result_.series.back());
      if (negated) {
        for (double& x : result_.series.back()) x = -x;
      }
    }
    return place->second;
  }

  void read_series(const Matrix& data, std::size_t variable, std::vector<double>& series) const {
    series.reserve(points_in(data));
    for (std::size_t i = 0; i < points_in(data); ++i) series.push_back(value(data, variable, i));
  }

  // "text [unit]"; Dymola writes "[unit|display unit]", OpenModelica also "[:#(type=Integer)]".
  static void set_description(const std::string& text, Column& column) {
    column.description = text;
    const std::size_t open = text.rfind('[');
    if (open == std::string::npos || !text.ends_with(']')) return;
    std::string unit = text.substr(open + 1, text.size() - open - 2);
    unit = unit.substr(0, unit.find_first_of("|:"));
    column.unit = unit;
    column.description = text.substr(0, open);
    while (column.description.ends_with(' ')) column.description.pop_back();
  }

  // Our own files tell types, events and the manifest, and the exact texts.
  void read_info() {
    const auto found = matrices_.find("arges_manifest");
    if (found == matrices_.end()) return;
    if (found->second.element != Element::kUint8) fail("arges_manifest", "it is not text");
    RunInfo info = parse_run_info(found->second.bytes, name_ + ": matrix 'arges_manifest'");
    std::map<std::string, const Column*> known;
    for (const Column& column : info.layout.columns) known.emplace(column.name, &column);
    for (const auto& parameter : info.layout.parameters) {
      known.emplace(parameter.first.name, &parameter.first);
    }
    const auto complete = [&known](Column& column) {
      if (const auto place = known.find(column.name); place != known.end()) column = *place->second;
    };
    for (Column& column : result_.layout.columns) complete(column);
    for (auto& parameter : result_.layout.parameters) complete(parameter.first);
    result_.events = std::move(info.events);
    result_.manifest = std::move(info.manifest);
  }

  std::string_view bytes_;
  const std::string& name_;
  std::size_t offset_ = 0;
  bool transposed_ = true;
  std::map<std::string, Matrix> matrices_;
  std::map<std::pair<std::size_t, bool>, std::size_t> series_indices_;
  Trajectory result_;
};

}  // namespace

Trajectory read_mat4(std::string_view bytes, const std::string& name) {
  return Mat4Parser(bytes, name).parse();
}

}  // namespace arges
