#include "arges/external/mat5_file.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::external {

namespace {

// Kinds of data elements and classes of arrays, as the format numbers them.
enum Kind : std::uint32_t { kInt8 = 1, kSingle = 7, kDouble = 9, kMatrix = 14, kCompressed = 15 };
enum Class : std::uint32_t { kStruct = 2, kFirstNumeric = 6, kLastNumeric = 15 };

// A file is a sequence of elements: kind and size (8 bytes, or 4 when the data have at most 4),
// then the data, then padding to 8 bytes. An array is an element whose data are elements: flags,
// dimensions, name, numbers. A compressed element holds another one, deflated.
class Mat5Reader {
 public:
  Mat5Reader(std::string path, bool swapped) : path_(std::move(path)), swapped_(swapped) {}

  // Among the arrays that follow each other in `bytes`, the one with this name.
  std::optional<Matrix> find(std::string_view bytes, std::string_view name) {
    const std::size_t dot = name.find('.');
    while (!bytes.empty()) {
      std::string inflated;
      Element e = next(bytes);
      if (e.kind == kCompressed) {
        inflated = inflate(e.data);
        std::string_view inner = inflated;
        e = next(inner);
      }
      if (e.kind != kMatrix) continue;
      std::string_view rest = e.data;
      const Array a = array(rest);
      if (a.name == name) return numbers(a, rest);
      if (dot != name.npos && a.name == name.substr(0, dot) && a.type == kStruct)
        return field(rest, name.substr(dot + 1));
    }
    return std::nullopt;
  }

 private:
  struct Element {
    std::uint32_t kind = 0;
    std::string_view data;
  };
  struct Array {
    std::uint32_t type = 0;
    int rows = 0, columns = 0;
    std::string name;
  };

  [[noreturn]] void damaged() const {
    throw IoError(fmt::format("'{}' is no MAT file of level 5, or it is damaged", path_));
  }

  template <class T>
  T number(std::string_view bytes, std::size_t at) const {
    if (at + sizeof(T) > bytes.size()) damaged();
    char part[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i)
      part[i] = bytes[at + (swapped_ ? sizeof(T) - 1 - i : i)];
    T value;
    std::memcpy(&value, part, sizeof(T));
    return value;
  }

  Element next(std::string_view& bytes) const {
    const auto word = number<std::uint32_t>(bytes, 0);
    const bool small = word >> 16 != 0;
    const std::size_t size = small ? word >> 16 : number<std::uint32_t>(bytes, 4);
    const std::size_t begin = small ? 4 : 8;
    const Element e{small ? word & 0xFFFF : word,
                    bytes.substr(std::min(begin, bytes.size()), size)};
    if (e.data.size() < size || (small && size > 4)) damaged();
    std::size_t whole = small ? 8 : begin + size;
    if (e.kind != kCompressed) whole = (whole + 7) / 8 * 8;
    bytes.remove_prefix(std::min(whole, bytes.size()));
    return e;
  }

  std::string inflate(std::string_view data) const {
    constexpr std::size_t kPiece = std::size_t{1} << 16, kLargest = std::size_t{1} << 31;
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) damaged();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    std::string out;
    int status = Z_OK;
    while (status == Z_OK && out.size() < kLargest) {
      const std::size_t before = out.size();
      out.resize(before + kPiece);
      stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
      stream.avail_out = kPiece;
      status = ::inflate(&stream, Z_NO_FLUSH);
      out.resize(before + kPiece - stream.avail_out);
    }
    inflateEnd(&stream);
    if (status != Z_STREAM_END) damaged();
    return out;
  }

  // Leaves in `bytes` what comes after the name.
  Array array(std::string_view& bytes) const {
    Array a;
    const Element flags = next(bytes);
    a.type = number<std::uint32_t>(flags.data, 0) & 0xFF;
    const Element dims = next(bytes);
    if (dims.data.size() < 8) damaged();
    a.rows = number<std::int32_t>(dims.data, 0);
    a.columns = number<std::int32_t>(dims.data, 4);
    if (a.rows < 0 || a.columns < 0) damaged();
    const Element name = next(bytes);
    a.name = std::string(name.data);
    if (dims.data.size() > 8 && a.type >= kFirstNumeric) a.type = 0;  // no matrix
    return a;
  }

  std::optional<Matrix> field(std::string_view bytes, std::string_view name) const {
    const std::size_t width = static_cast<std::size_t>(number<std::int32_t>(next(bytes).data, 0));
    const std::string_view names = next(bytes).data;
    if (width == 0 || width > 1024) damaged();
    const std::size_t dot = name.find('.');
    for (std::size_t k = 0; k * width < names.size(); ++k) {
      const Element e = next(bytes);
      if (e.kind != kMatrix) damaged();
      const std::string_view padded = names.substr(k * width, width);
      const std::string_view found = padded.substr(0, padded.find('\0'));
      std::string_view rest = e.data;
      if (found == name) return numbers(array(rest), rest);
      if (dot != name.npos && found == name.substr(0, dot) && array(rest).type == kStruct)
        return field(rest, name.substr(dot + 1));
    }
    return std::nullopt;
  }

  // The numbers are stored in the smallest kind that holds them, by columns.
  Matrix numbers(const Array& a, std::string_view bytes) const {
    if (a.type < kFirstNumeric || a.type > kLastNumeric)
      throw IoError(fmt::format("'{}': '{}' is no matrix of numbers", path_, a.name));
    Matrix m{a.rows, a.columns, {}};
    const std::size_t count =
        static_cast<std::size_t>(a.rows) * static_cast<std::size_t>(a.columns);
    if (count == 0) return m;
    const Element e = next(bytes);
    if (e.data.size() < count) damaged();
    m.values.resize(count);
    for (std::size_t i = 0; i < static_cast<std::size_t>(a.rows); ++i) {
      for (std::size_t j = 0; j < static_cast<std::size_t>(a.columns); ++j) {
        const std::size_t from = j * static_cast<std::size_t>(a.rows) + i;
        m.values[i * static_cast<std::size_t>(a.columns) + j] = value(e, from);
      }
    }
    return m;
  }

  double value(const Element& e, std::size_t i) const {
    const auto as = [&]<class T>(T) {
      return static_cast<double>(number<T>(e.data, i * sizeof(T)));
    };
    switch (e.kind) {
      case kInt8:
        return as(std::int8_t{});
      case 2:
        return as(std::uint8_t{});
      case 3:
        return as(std::int16_t{});
      case 4:
        return as(std::uint16_t{});
      case 5:
        return as(std::int32_t{});
      case 6:
        return as(std::uint32_t{});
      case kSingle:
        return as(float{});
      case kDouble:
        return as(double{});
      case 12:
        return as(std::int64_t{});
      case 13:
        return as(std::uint64_t{});
      default:
        damaged();
    }
  }

  std::string path_;
  bool swapped_;
};

}  // namespace

Matrix read_mat5(const std::string& bytes, const std::string& path, const std::string& name) {
  constexpr std::size_t kHeader = 128;
  if (bytes.size() < kHeader)
    throw IoError(fmt::format("'{}' is no MAT file of level 5, or it is damaged", path));
  const bool little = std::string_view(bytes).substr(126, 2) == "IM";
  Mat5Reader reader(path, little != (std::endian::native == std::endian::little));
  const auto found = reader.find(std::string_view(bytes).substr(kHeader), name);
  if (!found) throw IoError(fmt::format("'{}' has no matrix '{}'", path, name));
  return *found;
}

}  // namespace arges::external
