#include "arges/lsp/message_reader.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges::lsp {

namespace {

constexpr std::string_view kEndOfHeader = "\r\n\r\n";

bool same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") + 1 - from);
}

std::size_t content_length(std::string_view header) {
  while (!header.empty()) {
    const std::size_t end = header.find("\r\n");
    const std::string_view line = header.substr(0, end);
    header = end == std::string_view::npos ? "" : header.substr(end + 2);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos ||
        !same_but_for_case(trimmed(line.substr(0, colon)), "Content-Length")) {
      continue;
    }
    const std::string_view digits = trimmed(line.substr(colon + 1));
    std::size_t length = 0;
    const auto [last, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), length);
    if (problem != std::errc() || last != digits.data() + digits.size())
      throw IoError(fmt::format("a message has the length '{}'; it must be a number", digits));
    if (length > MessageReader::kMaxMessage) {
      throw IoError(fmt::format("a message has {} bytes; at most {} are read", length,
                                MessageReader::kMaxMessage));
    }
    return length;
  }
  throw IoError("a message has no header 'Content-Length: N'");
}

}  // namespace

std::optional<std::string> MessageReader::next() {
  if (!length_) {
    const std::size_t end = buffer_.find(kEndOfHeader);
    if (end == std::string::npos && buffer_.size() <= kMaxHeader) return std::nullopt;
    if (end > kMaxHeader)  // npos is the largest number
      throw IoError(fmt::format("a message has a header of more than {} bytes", kMaxHeader));
    length_ = content_length(std::string_view(buffer_).substr(0, end));
    buffer_.erase(0, end + kEndOfHeader.size());
  }
  if (buffer_.size() < *length_) return std::nullopt;
  std::string message = buffer_.substr(0, *length_);
  buffer_.erase(0, *length_);
  length_.reset();
  return message;
}

std::string framed(std::string_view message) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message);
}

}  // namespace arges::lsp
