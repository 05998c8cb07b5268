// The fuzzers without libFuzzer: every file of the corpora and every Modelica text of the project
// goes through them, whole and cut off, so that what once crashed stays mended under every build
// and sanitizer. With ARGES_FUZZ_SECONDS set, mutated texts follow for that long, from the seed
// ARGES_FUZZ_SEED; the text at work lies in the file fuzz_last.mo meanwhile.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "arges/lex/token.h"

using FuzzTarget = int(const std::uint8_t* data, std::size_t size);
extern "C" FuzzTarget fuzz_lex, fuzz_parse, fuzz_lookup, fuzz_flatten, fuzz_base_modelica,
    fuzz_read_csv, fuzz_read_mat4, fuzz_read_manifest, fuzz_lsp_messages;

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = ARGES_SOURCE_DIR;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// The contents of the files in these folders, in the order of their names. Files of text end in
// .mo; among inputs that were found by a fuzzer any name will do.
std::vector<std::string> files(const std::vector<fs::path>& folders, bool only_texts) {
  std::vector<fs::path> paths;
  for (const fs::path& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (entry.is_regular_file() && (!only_texts || entry.path().extension() == ".mo"))
        paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> contents;
  for (const fs::path& path : paths) contents.push_back(content(path));
  return contents;
}

std::vector<std::string> all_texts() {
  return files({"tests/fuzz/corpus", "tests/lang", "argesim", "examples"}, true);
}

void feed(FuzzTarget& target, const std::string& bytes) {
  target(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

void feed(const std::string& text) {
  for (FuzzTarget* target :
       {&fuzz_lex, &fuzz_parse, &fuzz_lookup, &fuzz_flatten, &fuzz_base_modelica})
    feed(*target, text);
}

// A random edit: bytes changed, removed or repeated, a piece of another text, a word exchanged.
std::string mutated(const std::vector<std::string>& texts, std::mt19937_64& random) {
  static const std::vector<std::string> kWords = {"extends ",  "redeclare ", "replaceable ",
                                                  "inner ",    "outer ",     "parameter ",
                                                  "constant ", "input ",     "output ",
                                                  "flow ",     "end ",       "when ",
                                                  "if ",       "for i in ",  "1e308",
                                                  "-1",        "1000000000", "[:]",
                                                  "[0]",       "{",          "}",
                                                  "(",         ")",          ";",
                                                  "der(",      "pre(",       "connect(",
                                                  "each ",     "final ",     "break ",
                                                  "Real ",     "String",     "Integer",
                                                  "\"",        "annotation("};
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  std::string text = texts[below(texts.size())];
  if (text.size() > 6000) text.resize(6000);
  const std::size_t edits = 1 + below(6);
  for (std::size_t i = 0; i < edits; ++i) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min<std::size_t>(1 + below(40), text.size() - at);
    switch (below(6)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, text.substr(at, length));
        break;
      case 2: {
        const std::string& other = texts[below(texts.size())];
        const std::size_t from = below(other.size());
        text.insert(at, other.substr(from, 1 + below(120)));
        break;
      }
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(random());
        break;
      case 4:
        text.insert(at, kWords[below(kWords.size())]);
        break;
      default: {
        // Exchange a word for another one of the same text.
        const std::size_t from = below(text.size());
        const std::size_t to = text.find_first_of(" ;(),.\n", from);
        if (to != std::string::npos && to - from < 30) {
          text.replace(at, std::min(length, to - from), text.substr(from, to - from));
        }
        break;
      }
    }
  }
  return text;
}

TEST(FuzzReplay, EveryTextOfTheProjectGoesThroughTheTargets) {
  const std::vector<std::string> all = all_texts();
  EXPECT_GT(all.size(), 100U);
  for (const std::string& text : all) feed(text);
}

TEST(FuzzReplay, TextsThatAreCutOffGoThroughTheTargets) {
  for (const std::string& text : files({"tests/fuzz/corpus", "tests/lang"}, true)) {
    for (std::size_t part = 1; part < 8; ++part) feed(text.substr(0, text.size() * part / 8));
  }
}

TEST(FuzzReplay, DamagedInputsGoThroughTheReaders) {
  const std::pair<const char*, FuzzTarget*> readers[] = {{"read_csv", &fuzz_read_csv},
                                                         {"read_mat4", &fuzz_read_mat4},
                                                         {"read_manifest", &fuzz_read_manifest},
                                                         {"lsp_messages", &fuzz_lsp_messages}};
  for (const auto& [folder, target] : readers) {
    const std::vector<std::string> all = files({fs::path("tests/fuzz/corpus") / folder}, false);
    EXPECT_GT(all.size(), 1U) << folder;
    for (const std::string& bytes : all) {
      for (std::size_t part = 1; part <= 8; ++part)
        feed(*target, bytes.substr(0, bytes.size() * part / 8));
    }
  }
}

TEST(FuzzReplay, TheDictionaryHoldsAllKeywords) {
  const std::string dictionary = content(kRoot / "tests/fuzz/modelica.dict");
  using arges::lang::TokenKind;
  for (int k = static_cast<int>(TokenKind::kAlgorithm); k <= static_cast<int>(TokenKind::kWithin);
       ++k) {
    const auto token = static_cast<TokenKind>(k);
    EXPECT_NE(dictionary.find("\"" + std::string(spelling(token)) + "\"\n"), std::string::npos)
        << spelling(token);
  }
}

TEST(FuzzReplay, MutatedTextsGoThroughAllTargets) {
  const std::vector<std::string> all = all_texts();
  const char* seconds = std::getenv("ARGES_FUZZ_SECONDS");
  const char* seed = std::getenv("ARGES_FUZZ_SEED");
  std::mt19937_64 random(seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10));
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end =
      Clock::now() + std::chrono::seconds(seconds == nullptr ? 0 : std::atoi(seconds));
  std::uint64_t done = 0;
  for (; done < 200 || Clock::now() < end; ++done) {
    const std::string text = mutated(all, random);
    if (seconds != nullptr) std::ofstream("fuzz_last.mo", std::ios::binary) << text;
    feed(text);
  }
  RecordProperty("texts", std::to_string(done));
  if (seconds != nullptr) std::printf("%llu texts\n", static_cast<unsigned long long>(done));
}

}  // namespace
