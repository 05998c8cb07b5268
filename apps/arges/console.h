#pragma once
// The terminal: progress, colours, interruption.

#include <atomic>
#include <chrono>
#include <string>

namespace arges::app {

// Set by SIGINT and SIGTERM; a second signal ends the program at once. Running commands look at it
// between steps.
const std::atomic<bool>& interrupted();
void watch_signals();

// As long as it lives a signal ends the program at once: while a model is read and compiled there
// is no result to keep, and no step after which to look.
class NothingToKeep {
 public:
  NothingToKeep();
  ~NothingToKeep();
  NothingToKeep(const NothingToKeep&) = delete;
  NothingToKeep& operator=(const NothingToKeep&) = delete;
};
// 130 after SIGINT, 143 after SIGTERM.
int interruption_exit_code();

// A bar on stderr, for anything that takes more than two seconds; nothing when stderr is no
// terminal. Clears itself.
class ProgressBar {
 public:
  explicit ProgressBar(std::string label);
  ~ProgressBar();
  void update(double fraction);

 private:
  std::string label_;
  bool enabled_;
  bool shown_ = false;
  double drawn_ = 0;  // last, in seconds after the start
  std::chrono::steady_clock::time_point start_;
};

// Whether stderr is a terminal that shows colours (NO_COLOR is honoured).
bool colours();

// Text to stderr, as it is. When that cannot be written (it is closed, or its disk is full), nobody
// is there to be told: the exit code says how the command ended.
void to_stderr(const std::string& text);

// Messages to stderr: "arges: error: ..." with colour on a terminal (NO_COLOR is honoured).
void print_error(const std::string& message);
// Around what was thrown after a JSON object had been begun, which says so by now.
struct JsonClosed {};
void print_note(const std::string& message);
// For programs that read the standard output: {"status": "error", "message": ...}.
void print_json_error(const std::string& message);

// Whether writing to the standard output failed because its reader has gone, as in `arges list |
// head -1`: no error worth a message.
bool reader_has_gone();

}  // namespace arges::app
