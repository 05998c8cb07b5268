#pragma once
// Values as bytes, for files and messages that one build of the program writes and reads.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace arges {

template <class T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
inline void put_list(std::string& bytes, const std::vector<double>& values) {
  put(bytes, static_cast<std::int64_t>(values.size()));
  for (const double value : values) put(bytes, value);
}
inline void put_text(std::string& bytes, std::string_view text) {
  put(bytes, static_cast<std::int64_t>(text.size()));
  bytes += text;
}

// Takes what was put, in the same order. The bytes must live as long, and be whole.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::vector<double> take_list() {
    std::vector<double> values(static_cast<std::size_t>(take<std::int64_t>()));
    for (double& value : values) value = take<double>();
    return values;
  }
  std::string take_text() {
    const auto size = static_cast<std::size_t>(take<std::int64_t>());
    at_ += size;
    return std::string(bytes_.substr(at_ - size, size));
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace arges
