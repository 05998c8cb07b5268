#pragma once
// The manifest as JSON: one object of strings, in the order of its entries.

#include <string>
#include <string_view>

#include "arges/results/sink.h"

namespace arges {

// {"model": "c5", "solver": "rodas5p", ...}, on one line, plain ASCII (other characters as \uXXXX;
// bytes that are not UTF-8 as \uFFFD).
std::string to_json(const Manifest& manifest);

// Values that are not strings (in a manifest written by another program) are kept as their JSON
// text. Throws IoError, naming `where`, when the text is not a JSON object.
Manifest manifest_from_json(std::string_view text, const std::string& where = "manifest");

}  // namespace arges
