#include "arges/results/mat4_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "arges/base/error.h"
#include "arges/results/mat4_format.h"

namespace arges {
namespace {

// Leaves room for the manifest below the 31 bits of the format.
constexpr std::uint64_t kMaxEventBytes = 2000000000;

std::string description_of(const Column& column) {
  if (column.unit.empty()) return column.description;
  const char* blank = column.description.empty() ? "" : " ";
  return fmt::format("{}{}[{}]", column.description, blank, column.unit);
}

// One text a column, NUL-padded to the longest.
std::string text_matrix(const char* name, const std::vector<std::string>& texts) {
  std::size_t length = 1;
  for (const std::string& text : texts) length = std::max(length, text.size());
  std::string bytes = mat4::header(name, mat4::kText, static_cast<std::int64_t>(length),
                                   static_cast<std::int64_t>(texts.size()));
  for (const std::string& text : texts) {
    bytes += text;
    bytes.append(length - text.size(), '\0');
  }
  return bytes;
}

// Aclass is stored the other way round: one text a row.
std::string class_matrix() {
  const std::vector<std::string> rows = {"Atrajectory", "1.1", "", "binTrans"};
  const std::size_t length = rows[0].size();
  std::string bytes = mat4::header("Aclass", mat4::kText, 4, static_cast<std::int64_t>(length));
  for (std::size_t column = 0; column < length; ++column) {
    for (const std::string& row : rows) bytes += column < row.size() ? row[column] : ' ';
  }
  return bytes;
}

std::string count_bytes(std::int64_t count) {
  std::string bytes;
  mat4::append_int32(bytes, static_cast<std::int32_t>(count));
  return bytes;
}

std::string double_bytes(double value) {
  std::string bytes;
  mat4::append_double(bytes, value);
  return bytes;
}

void store_double(char* out, double value) {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(out, &value, sizeof value);
  } else {
    const std::string bytes = double_bytes(value);
    std::copy(bytes.begin(), bytes.end(), out);
  }
}

std::filesystem::path beside(const std::filesystem::path& path) {
  std::filesystem::path info = path;
  info += ".info";
  return info;
}

}  // namespace

Mat4Sink::Mat4Sink(const std::filesystem::path& path) : file_(path), info_file_(beside(path)) {
  file_.write_at(0, {});  // refuses a device or a pipe now, not at the end of the run
}

void Mat4Sink::begin(const ResultLayout& layout) {
  order_.begin(layout.columns.size());
  std::vector<std::string> names = {"time"};
  std::vector<std::string> descriptions = {"Simulation time [s]"};
  std::string data_info;
  const auto add_info = [&data_info](std::int32_t block, std::size_t row) {
    for (const std::int32_t value : {block, static_cast<std::int32_t>(row), 0, -1}) {
      mat4::append_int32(data_info, value);
    }
  };
  add_info(0, 1);
  std::string data_1;
  mat4::append_double(data_1, 0);
  for (std::size_t i = 0; i < layout.parameters.size(); ++i) {
    const auto& [column, value] = layout.parameters[i];
    names.push_back(column.name);
    descriptions.push_back(description_of(column));
    add_info(1, i + 2);
    mat4::append_double(data_1, value);
  }
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    names.push_back(layout.columns[i].name);
    descriptions.push_back(description_of(layout.columns[i]));
    add_info(2, i + 2);
  }
  file_.write(class_matrix());
  file_.write(text_matrix("name", names));
  file_.write(text_matrix("description", descriptions));
  file_.write(
      mat4::header("dataInfo", mat4::kFullInt32, 4, static_cast<std::int64_t>(names.size())));
  file_.write(data_info);
  parameter_count_ = layout.parameters.size();
  file_.write(mat4::header("data_1", mat4::kFullDouble,
                           static_cast<std::int64_t>(parameter_count_ + 1), 2));
  data_1_offset_ = file_.size();
  file_.write(data_1);
  file_.write(data_1);
  data_2_offset_ = file_.size();
  file_.write(mat4::header("data_2", mat4::kFullDouble,
                           static_cast<std::int64_t>(layout.columns.size() + 1), 0));
  row_bytes_.resize((layout.columns.size() + 1) * sizeof(double));
  info_file_.write(info_.begin(layout));
}

void Mat4Sink::row(double time, std::span<const double> values) {
  order_.row(values.size());
  if (rows_ == mat4::kMaxCount) {
    throw IoError(
        fmt::format("cannot write '{}': a MAT v4 file holds at most {} rows; write HDF5 (.h5), "
                    "or record at a longer interval",
                    file_.target().string(), mat4::kMaxCount));
  }
  if (rows_ == 0) first_time_ = time;
  last_time_ = time;
  ++rows_;
  char* out = row_bytes_.data();
  store_double(out, time);
  for (const double value : values) store_double(out += sizeof(double), value);
  file_.write(row_bytes_);
}

void Mat4Sink::event(const EventRecord& record) {
  order_.event();
  if (info_file_.size() < kMaxEventBytes) {
    info_file_.write(info_.event(record));
  } else {
    ++events_left_out_;
  }
}

void Mat4Sink::finish(const Manifest& manifest) {
  order_.finish();
  Manifest complete = manifest;
  if (events_left_out_ > 0) complete.set("events_left_out", std::to_string(events_left_out_));
  info_file_.write(info_.end(complete));
  const std::uint64_t info_bytes = info_file_.size();
  file_.write(
      mat4::header("arges_manifest", mat4::kText, 1, static_cast<std::int64_t>(info_bytes)));
  std::vector<char> piece(1 << 16);
  for (std::uint64_t offset = 0; offset < info_bytes; offset += piece.size()) {
    piece.resize(std::min<std::uint64_t>(piece.size(), info_bytes - offset));
    info_file_.read_at(offset, piece);
    file_.write({piece.data(), piece.size()});
  }
  file_.write_at(data_2_offset_ + mat4::kColumnsOffset, count_bytes(rows_));
  file_.write_at(data_1_offset_, double_bytes(first_time_));
  file_.write_at(data_1_offset_ + (parameter_count_ + 1) * sizeof(double),
                 double_bytes(last_time_));
  file_.commit();
}

}  // namespace arges
