#include "arges/results/manifest.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "arges/base/error.h"

namespace arges {

void Manifest::set(const std::string& key, const std::string& value) {
  for (auto& entry : entries) {
    if (entry.first == key) {
      entry.second = value;
      return;
    }
  }
  entries.emplace_back(key, value);
}

const std::string* Manifest::find(const std::string& key) const {
  for (const auto& entry : entries) {
    if (entry.first == key) return &entry.second;
  }
  return nullptr;
}

std::string to_json(const Manifest& manifest) {
  using nlohmann::ordered_json;
  ordered_json object = ordered_json::object();
  auto& members = object.get_ref<ordered_json::object_t&>();  // object[key] searches all of them
  for (const auto& [key, value] : manifest.entries) members.emplace_back(key, value);
  return object.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
}

Manifest manifest_from_json(std::string_view text, const std::string& where) {
  using nlohmann::ordered_json;
  try {
    // What is nested is kept as text, which is written by recursion.
    constexpr int kDeepest = 100;
    const auto shallow = [&](int depth, ordered_json::parse_event_t, const ordered_json&) {
      if (depth > kDeepest)
        throw IoError(fmt::format("{}: the manifest is nested more than {} deep", where, kDeepest));
      return true;
    };
    const ordered_json object = ordered_json::parse(text, shallow);
    if (!object.is_object()) {
      throw IoError(fmt::format("{}: the manifest is not a JSON object", where));
    }
    Manifest manifest;
    for (const auto& [key, value] : object.items()) {
      const bool is_text = value.is_string();
      manifest.entries.emplace_back(key, is_text ? value.get<std::string>() : value.dump());
    }
    return manifest;
  } catch (const ordered_json::exception& error) {
    throw IoError(fmt::format("{}: the manifest is not valid JSON: {}", where, error.what()));
  }
}

}  // namespace arges
