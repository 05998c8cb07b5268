#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "arges/base/error.h"
#include "arges/results/hdf5_file.h"
#include "arges/results/reader.h"
#include "arges/results/run_info.h"

namespace arges {
namespace {

constexpr hsize_t kColumnsAtOnce = 16;

class MemoryStore : public ByteStore {
 public:
  explicit MemoryStore(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t offset, std::span<char> bytes) override {
    std::fill(bytes.begin(), bytes.end(), '\0');
    if (offset >= bytes_.size()) return;
    const std::size_t count = std::min<std::uint64_t>(bytes.size(), bytes_.size() - offset);
    std::memcpy(bytes.data(), bytes_.data() + offset, count);
  }
  // Never called: the file is opened for reading.
  void write(std::uint64_t, std::string_view) override {}
  void resize(std::uint64_t) override {}

 private:
  std::string_view bytes_;
};

class Hdf5Parser {
 public:
  Hdf5Parser(std::string_view bytes, const std::string& name)
      : name_(name),
        size_(bytes.size()),
        store_(bytes),
        file_(store_, name, Hdf5File::Mode::kRead) {}

  Trajectory parse() {
    check_format();
    result_.times = doubles("/time");
    read_layout();
    read_data();
    read_events();
    const std::vector<std::string> keys = strings("/manifest/key");
    const std::vector<std::string> values = strings("/manifest/value", keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      result_.manifest.entries.emplace_back(keys[i], values[i]);
    }
    if (exists("/attached")) read_attached();
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kAnyCount = static_cast<std::size_t>(-1);

  struct Dataset {
    std::string path;
    Hdf5Handle handle;
    Hdf5Handle type;
    std::vector<hsize_t> size;
    hsize_t count() const { return size[0] * (size.size() > 1 ? size[1] : 1); }
  };

  [[noreturn]] void fail(const std::string& path, const std::string& what) const {
    throw IoError(fmt::format("cannot read '{}': {}: {}", name_, path, what));
  }

  void check_format() {
    const htri_t exists = H5Aexists(file_.id(), "format");
    if (exists <= 0 || H5Aexists(file_.id(), "version") <= 0) {
      fail("/", "no attribute 'format': an HDF5 file, but not a result of Arges");
    }
    const Hdf5Handle attribute(H5Aopen(file_.id(), "version", H5P_DEFAULT), H5Aclose);
    const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
    const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
    int version = 0;
    if (!attribute.valid() || H5Sget_simple_extent_npoints(space.id()) != 1 ||
        H5Tget_class(type.id()) != H5T_INTEGER ||
        H5Aread(attribute.id(), H5T_NATIVE_INT, &version) < 0) {
      fail("/", "attribute 'version' is not a number");
    }
    if (version != 1)
      fail("/", fmt::format("version {} is not known; this program reads version 1", version));
  }

  bool exists(const std::string& path) const {
    return H5Lexists(file_.id(), path.c_str(), H5P_DEFAULT) > 0;
  }

  // Opens a dataset after making sure that it is stored plainly within this file and is no larger
  // than it.
  Dataset open(const std::string& path, int rank) {
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
      const std::string part = path.substr(0, end);
      H5L_info_t link;
      if (H5Lget_info(file_.id(), part.c_str(), &link, H5P_DEFAULT) < 0) {
        fail(path, "missing; the file is damaged or not a result of Arges");
      }
      if (link.type != H5L_TYPE_HARD) fail(part, "a link to elsewhere is not followed");
      if (end == std::string::npos) break;
    }
    Dataset dataset;
    dataset.path = path;
    dataset.handle = Hdf5Handle(H5Dopen2(file_.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset.handle.valid())
      fail(path, "not a dataset that can be opened; the file is damaged");
    const Hdf5Handle space(H5Dget_space(dataset.handle.id()), H5Sclose);
    if (H5Sget_simple_extent_ndims(space.id()) != rank)
      fail(path, fmt::format("not of rank {}", rank));
    dataset.size.resize(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space.id(), dataset.size.data(), nullptr);
    dataset.type = Hdf5Handle(H5Dget_type(dataset.handle.id()), H5Tclose);

    const Hdf5Handle options(H5Dget_create_plist(dataset.handle.id()), H5Pclose);
    const H5D_layout_t layout = H5Pget_layout(options.id());
    if (H5Pget_nfilters(options.id()) != 0 || H5Pget_external_count(options.id()) != 0 ||
        (layout != H5D_CHUNKED && layout != H5D_CONTIGUOUS && layout != H5D_COMPACT)) {
      fail(path, "compressed, external or virtual storage is not written by Arges");
    }
    // First by division, which cannot overflow.
    const std::size_t element = std::max<std::size_t>(H5Tget_size(dataset.type.id()), 1);
    hsize_t room = size_ / element;
    for (const hsize_t extent : dataset.size) {
      if (extent == 0) return dataset;
      room /= extent;
    }
    if (room == 0 || H5Dget_storage_size(dataset.handle.id()) < dataset.count() * element) {
      fail(path, "it claims more values than the file holds; the file is damaged");
    }
    return dataset;
  }

  template <class T>
  std::vector<T> numbers(const std::string& path, hid_t memory_type, std::size_t count) {
    const Dataset dataset = open(path, 1);
    const H5T_class_t kind = H5Tget_class(dataset.type.id());
    if (kind != H5T_FLOAT && kind != H5T_INTEGER) fail(path, "it does not hold numbers");
    check_count(dataset, count);
    std::vector<T> values(dataset.count());
    if (!values.empty() && H5Dread(dataset.handle.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                   values.data()) < 0) {
      fail(path, "the values cannot be read; the file is damaged");
    }
    return values;
  }

  std::vector<double> doubles(const std::string& path, std::size_t count = kAnyCount) {
    return numbers<double>(path, H5T_NATIVE_DOUBLE, count);
  }
  std::vector<std::int64_t> integers(const std::string& path, std::size_t count = kAnyCount) {
    return numbers<std::int64_t>(path, H5T_NATIVE_INT64, count);
  }

  void check_count(const Dataset& dataset, std::size_t count) const {
    if (count != kAnyCount && dataset.size[0] != count) {
      fail(dataset.path, fmt::format("{} entries where {} are due", dataset.size[0], count));
    }
  }

  std::vector<std::string> strings(const std::string& path, std::size_t count = kAnyCount) {
    const Dataset dataset = open(path, 1);
    if (H5Tget_class(dataset.type.id()) != H5T_STRING ||
        H5Tis_variable_str(dataset.type.id()) != 0) {
      fail(path, "it does not hold strings of fixed length");
    }
    check_count(dataset, count);
    const std::size_t length = H5Tget_size(dataset.type.id());
    std::string bytes(dataset.count() * length, '\0');
    if (!bytes.empty() && H5Dread(dataset.handle.id(), dataset.type.id(), H5S_ALL, H5S_ALL,
                                  H5P_DEFAULT, bytes.data()) < 0) {
      fail(path, "the strings cannot be read; the file is damaged");
    }
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < dataset.count(); ++i) {
      const std::string_view text = std::string_view(bytes).substr(i * length, length);
      texts.emplace_back(text.substr(0, text.find('\0')));
    }
    return texts;
  }

  std::vector<Column> columns(const std::string& group) {
    const std::vector<std::string> names = strings(group + "/name");
    const std::vector<std::string> units = strings(group + "/unit", names.size());
    const std::vector<std::string> texts = strings(group + "/description", names.size());
    const std::vector<std::string> types = strings(group + "/type", names.size());
    std::vector<Column> found(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      found[i].name = names[i];
      found[i].unit = units[i];
      found[i].description = texts[i];
      if (!parse_word(types[i], found[i].type)) {
        fail(group + "/type", fmt::format("unknown type '{}'", types[i]));
      }
    }
    return found;
  }

  template <class T>
  static bool parse_word(const std::string& text, T& value) {
    return arges::parse(text, value);
  }

  void read_layout() {
    std::vector<Column>& found = result_.layout.columns;
    found = columns("/columns");
    const std::vector<std::string> words = strings("/columns/variability", found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!parse_word(words[i], found[i].variability)) {
        fail("/columns/variability", fmt::format("unknown variability '{}'", words[i]));
      }
    }
    const std::vector<Column> parameters = columns("/parameters");
    const std::vector<double> values = doubles("/parameters/value", parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      result_.layout.parameters.emplace_back(parameters[i], values[i]);
      result_.layout.parameters.back().first.variability = Variability::kParameter;
    }
  }

  void read_data() {
    const hsize_t rows = result_.times.size();
    const hsize_t width = result_.layout.columns.size();
    result_.series_of.resize(width);
    std::iota(result_.series_of.begin(), result_.series_of.end(), std::size_t{0});
    if (width == 0) return;
    const Dataset data = open("/data", 2);
    if (H5Tget_class(data.type.id()) != H5T_FLOAT) fail("/data", "it does not hold numbers");
    if (data.size[0] != rows || data.size[1] != width) {
      fail("/data", fmt::format("{} x {} values where {} x {} are due", data.size[0], data.size[1],
                                rows, width));
    }
    result_.series.assign(width, std::vector<double>(rows));
    if (rows == 0) return;
    std::vector<double> block;
    for (hsize_t first = 0; first < width; first += kColumnsAtOnce) {
      const hsize_t start[2] = {0, first};
      const hsize_t count[2] = {rows, std::min(kColumnsAtOnce, width - first)};
      block.resize(count[0] * count[1]);
      const Hdf5Handle source(H5Dget_space(data.handle.id()), H5Sclose);
      const Hdf5Handle target(H5Screate_simple(2, count, nullptr), H5Sclose);
      if (H5Sselect_hyperslab(source.id(), H5S_SELECT_SET, start, nullptr, count, nullptr) < 0 ||
          H5Dread(data.handle.id(), H5T_NATIVE_DOUBLE, target.id(), source.id(), H5P_DEFAULT,
                  block.data()) < 0) {
        fail("/data", "the values cannot be read; the file is damaged");
      }
      for (hsize_t c = 0; c < count[1]; ++c) {
        std::vector<double>& series = result_.series[first + c];
        for (hsize_t r = 0; r < rows; ++r) series[r] = block[r * count[1] + c];
      }
    }
  }

  void read_events() {
    const std::vector<std::string> names = strings("/events/names");
    const auto name_at = [&](const std::string& path, std::int64_t index) {
      if (index < 0 || static_cast<std::uint64_t>(index) >= names.size()) {
        fail(path, fmt::format("name {} of {}", index, names.size()));
      }
      return names[static_cast<std::size_t>(index)];
    };
    const std::vector<double> times = doubles("/events/time");
    const auto iterations = integers("/events/iteration", times.size());
    const auto kinds = integers("/events/kind", times.size());
    const auto components = integers("/events/component", times.size());
    const auto time_events = integers("/events/time_event", times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
      EventRecord record;
      record.time = times[i];
      record.iteration = static_cast<int>(iterations[i]);
      record.kind = name_at("/events/kind", kinds[i]);
      record.component = name_at("/events/component", components[i]);
      record.is_time_event = time_events[i] != 0;
      result_.events.push_back(std::move(record));
    }
    const auto events = integers("/events/change_event");
    const auto change_names = integers("/events/change_name", events.size());
    const std::vector<double> before = doubles("/events/before", events.size());
    const std::vector<double> after = doubles("/events/after", events.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i] < 0 || static_cast<std::uint64_t>(events[i]) >= times.size()) {
        fail("/events/change_event", fmt::format("event {} of {}", events[i], times.size()));
      }
      result_.events[static_cast<std::size_t>(events[i])].changes.push_back(
          {name_at("/events/change_name", change_names[i]), before[i], after[i]});
    }
  }

  static herr_t note_name(hid_t, const char* name, const H5L_info_t*, void* names) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
  }

  void read_attached() {
    H5L_info_t link;
    if (H5Lget_info(file_.id(), "/attached", &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
      fail("/attached", "a link to elsewhere is not followed");
    std::vector<std::string> names;
    const Hdf5Handle group(H5Gopen2(file_.id(), "/attached", H5P_DEFAULT), H5Gclose);
    if (!group.valid() || H5Literate(group.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, note_name,
                                     static_cast<void*>(&names)) < 0)
      fail("/attached", "not a group that can be read; the file is damaged");
    std::size_t room = size_ / sizeof(double);
    for (const std::string& name : names) {
      const std::vector<double> numbers = doubles("/attached/" + name);
      if (numbers.size() > room) fail("/attached", "it has more values than the file holds");
      room -= numbers.size();
      result_.attached[name] = numbers;
    }
  }

  std::string name_;
  std::size_t size_;
  MemoryStore store_;
  Hdf5File file_;
  Trajectory result_;
};

}  // namespace

Trajectory read_hdf5(std::string_view bytes, const std::string& name) {
  const QuietHdf5 quiet;
  return Hdf5Parser(bytes, name).parse();
}

}  // namespace arges
