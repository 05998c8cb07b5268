#pragma once
// Places in files that users write.

#include <string>
#include <vector>

namespace arges {

// A piece of a file, with its place, counted from 1.
struct PlacedText {
  std::string text;
  int line = 0, column = 0;
};

// A file as it is shown in messages.
struct PlacedFile {
  std::string path;
  std::vector<std::string> lines{};

  static PlacedFile of_text(std::string path, const std::string& text);
  // "FILE:LINE:COLUMN: message", with the line and a mark below the place.
  std::string at(const PlacedText& place, const std::string& message) const;
  // The message of somebody who quoted `value` on a line of its own, with a mark below it
  // (complaint()), with the same mark in the file. A message that does not quote it stands at the
  // value's place.
  std::string explain(const PlacedText& value, const std::string& message) const;
};

// Throws IoError: "WHAT 'PATH' cannot be read".
std::string read_whole_file(const std::string& path, const std::string& what);

}  // namespace arges
