// The language server on standard input and output.

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/elaborate/library_path.h"
#include "arges/lsp/message_reader.h"
#include "arges/lsp/server.h"
#include "commands.h"
#include "console.h"

namespace arges::app {

namespace {

bool input_waits() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, 0) > 0;
}

// More bytes; false at the end of the input.
bool read_some(lsp::MessageReader& reader) {
  char bytes[65536];
  while (true) {
    // A signal ends poll(), not read().
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (poll(&input, 1, -1) < 0 && errno == EINTR) {
      if (interrupted()) return false;
      continue;
    }
    const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (count > 0) reader.feed({bytes, static_cast<std::size_t>(count)});
    if (count >= 0) return count > 0;
    if (errno == EINTR) continue;
    throw IoError(fmt::format("the standard input cannot be read: {}", std::strerror(errno)));
  }
}

void send(const std::vector<std::string>& messages) {
  for (const std::string& message : messages) fmt::print("{}", lsp::framed(message));
  if (std::fflush(stdout) != 0)
    throw IoError(fmt::format("the standard output cannot be written: {}", std::strerror(errno)));
}

}  // namespace

int language_server() {
  lsp::Server server(lang::LibraryPath::from_environment().roots());
  lsp::MessageReader reader;
  while (!server.has_ended()) {
    if (const std::optional<std::string> message = reader.next()) {
      send(server.handle(*message));
    } else if (server.has_work() && !input_waits()) {
      send(server.idle());
    } else if (!read_some(reader)) {
      break;
    }
  }
  return server.exit_code();
}

}  // namespace arges::app
