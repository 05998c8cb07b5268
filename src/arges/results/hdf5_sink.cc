#include "arges/results/hdf5_sink.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "arges/base/atomic_file.h"
#include "arges/results/call_order.h"
#include "arges/results/hdf5_file.h"
#include "arges/results/run_info.h"

namespace arges {
namespace {

constexpr hsize_t kBlockBytes = 8 << 20;
constexpr hsize_t kChunkCells = 8192;
constexpr hsize_t kChunkColumns = 16;  // reading one variable touches few others
constexpr hsize_t kMaxChunkRows = 1024;
constexpr hsize_t kEventChunk = 256;

class AtomicFileStore : public ByteStore {
 public:
  explicit AtomicFileStore(AtomicFile& file) : file_(file) {}
  std::uint64_t size() const override { return file_.size(); }
  void read(std::uint64_t offset, std::span<char> bytes) override { file_.read_at(offset, bytes); }
  void write(std::uint64_t offset, std::string_view bytes) override {
    file_.write_at(offset, bytes);
  }
  void resize(std::uint64_t size) override { file_.resize(size); }

 private:
  AtomicFile& file_;
};

template <class T>
hid_t native_type();
template <>
hid_t native_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t native_type<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
hid_t native_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}

template <class T>
hid_t stored_type();
template <>
hid_t stored_type<double>() {
  return H5T_IEEE_F64LE;
}
template <>
hid_t stored_type<std::int32_t>() {
  return H5T_STD_I32LE;
}
template <>
hid_t stored_type<std::int64_t>() {
  return H5T_STD_I64LE;
}

// A dataset of `width` values a row that grows by blocks of rows; width 0 makes it one-dimensional.
template <class T>
class GrowingDataset {
 public:
  void create(const Hdf5File& file, hid_t group, const char* name, hsize_t width,
              hsize_t chunk_rows, hsize_t chunk_width) {
    file_ = &file;
    rank_ = width == 0 ? 1 : 2;
    width_ = width;
    const hsize_t size[2] = {0, width};
    const hsize_t limit[2] = {H5S_UNLIMITED, width};
    const hsize_t chunk[2] = {chunk_rows, chunk_width};
    const Hdf5Handle space(H5Screate_simple(rank_, size, limit), H5Sclose);
    const Hdf5Handle options = timeless(H5P_DATASET_CREATE);
    file.check(H5Pset_chunk(options.id(), rank_, chunk), "set the chunk size");
    dataset_ = Hdf5Handle(H5Dcreate2(group, name, stored_type<T>(), space.id(), H5P_DEFAULT,
                                     options.id(), H5P_DEFAULT),
                          H5Dclose);
    file.check(dataset_.id(), "create a dataset");
    block_rows_ = chunk_rows;
    block_.reserve(chunk_rows * std::max<hsize_t>(width, 1));
  }

  void append(T value) {
    block_.push_back(value);
    if (block_.size() >= block_rows_) flush();
  }

  void append_row(std::span<const T> values) {
    block_.insert(block_.end(), values.begin(), values.end());
    if (block_.size() >= block_rows_ * width_) flush();
  }

  void flush() {
    if (block_.empty()) return;
    const QuietHdf5 quiet;
    const hsize_t count[2] = {block_.size() / std::max<hsize_t>(width_, 1), width_};
    const hsize_t start[2] = {rows_, 0};
    const hsize_t size[2] = {rows_ + count[0], width_};
    file_->check(H5Dset_extent(dataset_.id(), size), "extend a dataset");
    const Hdf5Handle target(H5Dget_space(dataset_.id()), H5Sclose);
    file_->check(H5Sselect_hyperslab(target.id(), H5S_SELECT_SET, start, nullptr, count, nullptr),
                 "select rows");
    const Hdf5Handle source(H5Screate_simple(rank_, count, nullptr), H5Sclose);
    file_->check(H5Dwrite(dataset_.id(), native_type<T>(), source.id(), target.id(), H5P_DEFAULT,
                          block_.data()),
                 "write rows");
    rows_ += count[0];
    block_.clear();
  }

  // No more rows; gives the dataset back to the library.
  void close() {
    flush();
    file_->check(dataset_.close(), "close a dataset");
  }

 private:
  const Hdf5File* file_ = nullptr;
  Hdf5Handle dataset_;
  int rank_ = 1;
  hsize_t width_ = 0;
  hsize_t rows_ = 0;
  hsize_t block_rows_ = 1;
  std::vector<T> block_;
};

Hdf5Handle string_type(std::size_t length) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), length);
  H5Tset_strpad(type.id(), H5T_STR_NULLTERM);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

void write_strings(const Hdf5File& file, hid_t group, const char* name,
                   const std::vector<std::string>& texts) {
  std::size_t length = 1;
  for (const std::string& text : texts) length = std::max(length, text.size() + 1);
  std::string bytes;
  bytes.reserve(length * texts.size());
  for (const std::string& text : texts) {
    bytes += text;
    bytes.append(length - text.size(), '\0');
  }
  const Hdf5Handle type = string_type(length);
  const hsize_t size = texts.size();
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle options = timeless(H5P_DATASET_CREATE);
  const Hdf5Handle dataset(
      H5Dcreate2(group, name, type.id(), space.id(), H5P_DEFAULT, options.id(), H5P_DEFAULT),
      H5Dclose);
  file.check(dataset.id(), "create a dataset");
  if (!texts.empty()) {
    file.check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()),
               "write strings");
  }
}

void write_doubles(const Hdf5File& file, hid_t group, const char* name,
                   const std::vector<double>& values) {
  const hsize_t size = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle options = timeless(H5P_DATASET_CREATE);
  const Hdf5Handle dataset(
      H5Dcreate2(group, name, H5T_IEEE_F64LE, space.id(), H5P_DEFAULT, options.id(), H5P_DEFAULT),
      H5Dclose);
  file.check(dataset.id(), "create a dataset");
  if (!values.empty()) {
    file.check(
        H5Dwrite(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        "write numbers");
  }
}

void write_root_attributes(const Hdf5File& file) {
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const std::string format = "arges-result";
  const Hdf5Handle type = string_type(format.size() + 1);
  const Hdf5Handle text(
      H5Acreate2(file.id(), "format", type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  file.check(text.id(), "create an attribute");
  file.check(H5Awrite(text.id(), type.id(), format.c_str()), "write an attribute");
  const std::int32_t version = 1;
  const Hdf5Handle number(
      H5Acreate2(file.id(), "version", H5T_STD_I32LE, space.id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  file.check(number.id(), "create an attribute");
  file.check(H5Awrite(number.id(), H5T_NATIVE_INT32, &version), "write an attribute");
}

// The strings of one table of variables.
struct ColumnTexts {
  std::vector<std::string> names, units, descriptions, types, variabilities;
  void add(const Column& column) {
    names.push_back(column.name);
    units.push_back(column.unit);
    descriptions.push_back(column.description);
    types.emplace_back(to_string(column.type));
    variabilities.emplace_back(to_string(column.variability));
  }
  void write(const Hdf5File& file, hid_t group) const {
    write_strings(file, group, "name", names);
    write_strings(file, group, "unit", units);
    write_strings(file, group, "description", descriptions);
    write_strings(file, group, "type", types);
  }
};

}  // namespace

class Hdf5Sink::Writer {
 public:
  explicit Writer(const std::filesystem::path& path) : target_(path), store_(target_) {
    target_.write_at(0, {});  // refuses a device or a pipe now, not at the end of the run
  }

  void begin(const ResultLayout& layout) {
    order_.begin(layout.columns.size());
    const QuietHdf5 quiet;
    file_.emplace(store_, target_.target().string(), Hdf5File::Mode::kCreate);
    write_root_attributes(*file_);
    write_layout(layout);
    const hsize_t columns = layout.columns.size();
    const hsize_t width = std::max<hsize_t>(columns, 1);
    const hsize_t least_columns = std::min(width, kChunkColumns);
    const hsize_t chunk_rows = std::clamp<hsize_t>(
        std::min(kBlockBytes / (8 * width), kChunkCells / least_columns), 1, kMaxChunkRows);
    const hsize_t chunk_columns =
        std::min(width, std::max(kChunkColumns, kChunkCells / chunk_rows));
    time_.create(*file_, file_->id(), "time", 0, chunk_rows, 0);
    if (columns > 0) {
      data_.emplace();
      data_->create(*file_, file_->id(), "data", columns, chunk_rows, chunk_columns);
    }
    events_ = group("events");
    event_time_.create(*file_, events_.id(), "time", 0, kEventChunk, 0);
    event_iteration_.create(*file_, events_.id(), "iteration", 0, kEventChunk, 0);
    event_kind_.create(*file_, events_.id(), "kind", 0, kEventChunk, 0);
    event_component_.create(*file_, events_.id(), "component", 0, kEventChunk, 0);
    event_is_time_.create(*file_, events_.id(), "time_event", 0, kEventChunk, 0);
    change_event_.create(*file_, events_.id(), "change_event", 0, kEventChunk, 0);
    change_name_.create(*file_, events_.id(), "change_name", 0, kEventChunk, 0);
    change_before_.create(*file_, events_.id(), "before", 0, kEventChunk, 0);
    change_after_.create(*file_, events_.id(), "after", 0, kEventChunk, 0);
  }

  void row(double time, std::span<const double> values) {
    order_.row(values.size());
    time_.append(time);
    if (data_) data_->append_row(values);
  }

  void event(const EventRecord& record) {
    order_.event();
    event_time_.append(record.time);
    event_iteration_.append(record.iteration);
    event_kind_.append(name_index(record.kind));
    event_component_.append(name_index(record.component));
    event_is_time_.append(record.is_time_event ? 1 : 0);
    for (const EventChange& change : record.changes) {
      change_event_.append(event_count_);
      change_name_.append(name_index(change.name));
      change_before_.append(change.before);
      change_after_.append(change.after);
    }
    ++event_count_;
  }

  void attach(const std::string& name, const std::vector<double>& numbers) {
    const QuietHdf5 quiet;
    if (!attached_.valid()) attached_ = group("attached");
    write_doubles(*file_, attached_.id(), name.c_str(), numbers);
  }

  void finish(const Manifest& manifest) {
    order_.finish();
    const QuietHdf5 quiet;
    time_.close();
    if (data_) data_->close();
    for (auto* part : {&event_time_, &change_before_, &change_after_}) part->close();
    for (auto* part :
         {&event_iteration_, &event_kind_, &event_component_, &event_is_time_, &change_name_}) {
      part->close();
    }
    change_event_.close();
    write_strings(*file_, events_.id(), "names", names_);
    events_.close();
    attached_.close();
    write_manifest(manifest);
    file_->close();
    target_.commit();
  }

 private:
  Hdf5Handle group(const char* name) {
    const Hdf5Handle options = timeless(H5P_GROUP_CREATE);
    Hdf5Handle handle(H5Gcreate2(file_->id(), name, H5P_DEFAULT, options.id(), H5P_DEFAULT),
                      H5Gclose);
    file_->check(handle.id(), "create a group");
    return handle;
  }

  void write_layout(const ResultLayout& layout) {
    ColumnTexts columns;
    for (const Column& column : layout.columns) columns.add(column);
    const Hdf5Handle column_group = group("columns");
    columns.write(*file_, column_group.id());
    write_strings(*file_, column_group.id(), "variability", columns.variabilities);

    ColumnTexts parameters;
    std::vector<double> values;
    for (const auto& [column, value] : layout.parameters) {
      parameters.add(column);
      values.push_back(value);
    }
    const Hdf5Handle parameter_group = group("parameters");
    parameters.write(*file_, parameter_group.id());
    write_doubles(*file_, parameter_group.id(), "value", values);
  }

  void write_manifest(const Manifest& manifest) {
    std::vector<std::string> keys, values;
    for (const auto& [key, value] : manifest.entries) {
      keys.push_back(key);
      values.push_back(value);
    }
    const Hdf5Handle manifest_group = group("manifest");
    write_strings(*file_, manifest_group.id(), "key", keys);
    write_strings(*file_, manifest_group.id(), "value", values);
  }

  std::int32_t name_index(const std::string& name) {
    const auto [place, is_new] =
        name_indices_.try_emplace(name, static_cast<std::int32_t>(names_.size()));
    if (is_new) names_.push_back(name);
    return place->second;
  }

  CallOrder order_;
  AtomicFile target_;
  AtomicFileStore store_;
  std::optional<Hdf5File> file_;
  GrowingDataset<double> time_;
  std::optional<GrowingDataset<double>> data_;
  Hdf5Handle events_, attached_;
  GrowingDataset<double> event_time_, change_before_, change_after_;
  GrowingDataset<std::int32_t> event_iteration_, event_kind_, event_component_, event_is_time_,
      change_name_;
  GrowingDataset<std::int64_t> change_event_;
  std::int64_t event_count_ = 0;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t> name_indices_;
};

Hdf5Sink::Hdf5Sink(const std::filesystem::path& path) : writer_(std::make_unique<Writer>(path)) {}

Hdf5Sink::~Hdf5Sink() {
  const QuietHdf5 quiet;
  writer_.reset();
}

void Hdf5Sink::begin(const ResultLayout& layout) { writer_->begin(layout); }
void Hdf5Sink::row(double time, std::span<const double> values) { writer_->row(time, values); }
void Hdf5Sink::event(const EventRecord& record) { writer_->event(record); }
void Hdf5Sink::attach(const std::string& name, const std::vector<double>& numbers) {
  writer_->attach(name, numbers);
}
void Hdf5Sink::finish(const Manifest& manifest) { writer_->finish(manifest); }

}  // namespace arges
