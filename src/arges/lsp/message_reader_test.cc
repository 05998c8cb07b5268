#include "arges/lsp/message_reader.h"

#include <gtest/gtest.h>

#include "arges/base/error.h"

namespace arges::lsp {
namespace {

TEST(MessageReader, GivesMessagesAsSoonAsTheyAreWhole) {
  const std::string stream = framed("{}") + framed("[1, 2]");
  MessageReader reader;
  std::vector<std::string> messages;
  for (const char byte : stream) {
    reader.feed({&byte, 1});
    while (auto message = reader.next()) messages.push_back(*message);
  }
  EXPECT_EQ(messages, (std::vector<std::string>{"{}", "[1, 2]"}));
}

TEST(MessageReader, TakesOtherHeadersInAnyOrderAndCase) {
  MessageReader reader;
  reader.feed(
      "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:  3 \r\n\r\nabc");
  EXPECT_EQ(reader.next(), "abc");
  EXPECT_EQ(reader.next(), std::nullopt);
}

TEST(MessageReader, AnEmptyMessageIsAMessage) {
  MessageReader reader;
  reader.feed("Content-Length: 0\r\n\r\n");
  EXPECT_EQ(reader.next(), "");
}

TEST(MessageReader, RefusesHeadersWithoutAUsableLength) {
  for (const char* header :
       {"Content-Type: a\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: 3x\r\n\r\n",
        "Content-Length: \r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n",
        "Content-Length: 300000000\r\n\r\n", "\r\n\r\n"}) {
    MessageReader reader;
    reader.feed(header);
    EXPECT_THROW(reader.next(), IoError) << header;
    EXPECT_THROW(reader.next(), IoError) << header;
  }
}

TEST(MessageReader, RefusesAHeaderWithoutEnd) {
  MessageReader reader;
  reader.feed(std::string(MessageReader::kMaxHeader + 1, 'x'));
  EXPECT_THROW(reader.next(), IoError);
}

}  // namespace
}  // namespace arges::lsp
