// The fuzzers without libFuzzer: every file of the corpora and of the text tests goes through all
// of them, whole and cut off, so that what once crashed stays mended under every build and
// sanitizer. With ARGES_FUZZ_SECONDS set, mutated texts follow for that long, from the seed
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

extern "C" int fuzz_parse(const std::uint8_t* data, std::size_t size);
extern "C" int fuzz_lookup(const std::uint8_t* data, std::size_t size);
extern "C" int fuzz_flatten(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<std::string> corpus() {
  std::vector<fs::path> paths;
  for (const char* folder :
       {"tests/fuzz/corpus_parse", "tests/fuzz/corpus_flatten", "tests/lang"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(ARGES_SOURCE_DIR) / folder)) {
      if (entry.path().extension() == ".mo") paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const fs::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream content;
    content << in.rdbuf();
    texts.push_back(content.str());
  }
  return texts;
}

void feed(const std::string& text) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
  fuzz_parse(data, text.size());
  fuzz_lookup(data, text.size());
  fuzz_flatten(data, text.size());
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

TEST(FuzzReplay, TheCorporaGoThroughAllTargets) {
  const std::vector<std::string> texts = corpus();
  EXPECT_GT(texts.size(), 50U);
  for (const std::string& text : texts) {
    feed(text);
    for (std::size_t part = 1; part < 8; ++part) feed(text.substr(0, text.size() * part / 8));
  }
}

TEST(FuzzReplay, MutatedTextsGoThroughAllTargets) {
  const std::vector<std::string> texts = corpus();
  const char* seconds = std::getenv("ARGES_FUZZ_SECONDS");
  const char* seed = std::getenv("ARGES_FUZZ_SEED");
  std::mt19937_64 random(seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10));
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end =
      Clock::now() + std::chrono::seconds(seconds == nullptr ? 0 : std::atoi(seconds));
  std::uint64_t done = 0;
  for (; done < 200 || Clock::now() < end; ++done) {
    const std::string text = mutated(texts, random);
    if (seconds != nullptr) std::ofstream("fuzz_last.mo", std::ios::binary) << text;
    feed(text);
  }
  RecordProperty("texts", std::to_string(done));
  if (seconds != nullptr) std::printf("%llu texts\n", static_cast<unsigned long long>(done));
}

}  // namespace
