#pragma once
// The frames of JSON-RPC over a stream of bytes.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace arges::lsp {

// Cuts a stream into messages:
//
//   Content-Length: 52\r\n
//   [other fields]\r\n
//   \r\n
//   52 bytes
//
// The bytes come as they come; next() gives a message as soon as it is whole. What is inside is not
// looked at. A header without a usable length loses the frame for good: next() then throws IoError,
// now and later. At most kMaxMessage bytes and a header are kept.
class MessageReader {
 public:
  static constexpr std::size_t kMaxMessage = std::size_t{256} << 20U;
  static constexpr std::size_t kMaxHeader = std::size_t{8} << 10U;

  void feed(std::string_view bytes) { buffer_ += bytes; }
  std::optional<std::string> next();

 private:
  std::string buffer_;
  std::optional<std::size_t> length_;  // of the message whose header was read
};

// A message with its header.
std::string framed(std::string_view message);

}  // namespace arges::lsp
