#include "arges/lsp/uri.h"

#include <charconv>
#include <filesystem>

#include <fmt/format.h>

namespace arges::lsp {

namespace {

constexpr std::string_view kScheme = "file://";
constexpr std::string_view kPlain =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";

}  // namespace

std::string uri_of(std::string_view path) {
  if (path.find("://") != std::string_view::npos || path.starts_with("untitled:"))
    return std::string(path);
  std::string uri(kScheme);
  for (const char c : std::filesystem::absolute(path).lexically_normal().string()) {
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

std::string path_of(std::string_view uri) {
  if (!uri.starts_with(kScheme)) return std::string(uri);
  uri.remove_prefix(kScheme.size());
  if (uri.starts_with("localhost/")) uri.remove_prefix(std::string_view("localhost").size());
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned value = 0;
    const bool escaped = uri[i] == '%' && i + 2 < uri.size() &&
                         std::from_chars(uri.data() + i + 1, uri.data() + i + 3, value, 16).ptr ==
                             uri.data() + i + 3;
    path += escaped ? static_cast<char>(value) : uri[i];
    if (escaped) i += 2;
  }
  return path;
}

}  // namespace arges::lsp
