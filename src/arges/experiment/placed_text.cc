#include "arges/experiment/placed_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "arges/base/error.h"

namespace arges {

PlacedFile PlacedFile::of_text(std::string path, const std::string& text) {
  PlacedFile file{std::move(path)};
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) file.lines.push_back(line);
  return file;
}

std::string PlacedFile::at(const PlacedText& place, const std::string& message) const {
  std::string text = fmt::format("{}:{}:{}: {}", path, place.line, place.column, message);
  const auto line = static_cast<std::size_t>(place.line);
  if (line >= 1 && line <= lines.size()) {
    text += fmt::format("\n  {}\n  {}^", lines[line - 1],
                        std::string(static_cast<std::size_t>(std::max(place.column, 1) - 1), ' '));
  }
  return text;
}

std::string PlacedFile::explain(const PlacedText& value, const std::string& message) const {
  const std::size_t quoted = message.find("\n  " + value.text + "\n");
  if (quoted == std::string::npos) return at(value, message);
  const std::size_t mark = message.find('^', quoted);
  const std::size_t inside = mark - message.rfind('\n', mark) - 3;
  PlacedText place = value;
  // Behind the quote that opens the text; in a table the name stands before.
  const auto line = static_cast<std::size_t>(value.line);
  if (line >= 1 && line <= lines.size()) {
    const std::size_t begin =
        lines[line - 1].find(value.text, static_cast<std::size_t>(std::max(value.column, 1) - 1));
    if (begin != std::string::npos) place.column = static_cast<int>(begin + inside) + 1;
  }
  return at(place, message.substr(0, quoted));
}

std::string read_whole_file(const std::string& path, const std::string& what) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path))
    throw IoError(fmt::format("{} '{}' cannot be read", what, path));
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace arges
