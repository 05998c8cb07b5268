// libFuzzer: any bytes as what an editor sends. The messages do not depend on how the bytes come.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "arges/base/error.h"
#include "arges/lsp/message_reader.h"
#include "require.h"

namespace {

std::vector<std::string> messages(std::string_view bytes, std::size_t piece) {
  arges::lsp::MessageReader reader;
  std::vector<std::string> all;
  try {
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      reader.feed(bytes.substr(at, piece));
      while (auto message = reader.next()) all.push_back(*message);
    }
  } catch (const arges::IoError&) {
    all.emplace_back("the frame is lost");
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string> whole = messages(bytes, size + 1);
  arges::fuzz::require(messages(bytes, 1) == whole && messages(bytes, 7) == whole,
                       "messages do not depend on how their bytes come");
  return 0;
}
