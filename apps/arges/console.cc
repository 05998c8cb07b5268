#include "console.h"

#include <poll.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace arges::app {

namespace {

// Signal handlers can reach nothing but globals.
std::atomic<bool> interrupt_flag{false};
std::atomic<int> interrupt_signal{0};
std::atomic<bool> nothing_to_keep{false};

void on_signal(int signal) {
  if (nothing_to_keep) {
    constexpr std::string_view kMessage = "arges: error: interrupted while the model was read\n";
    if (write(STDERR_FILENO, kMessage.data(), kMessage.size()) < 0) errno = 0;
    _exit(128 + signal);
  }
  if (interrupt_flag.exchange(true)) _exit(128 + signal);
  interrupt_signal = signal;
}

std::string coloured(const char* text, const char* code) {
  return colours() ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

std::string duration_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

bool colours() {
  static const bool on =
      isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr &&
      std::string_view(std::getenv("TERM") != nullptr ? std::getenv("TERM") : "dumb") != "dumb";
  return on;
}

const std::atomic<bool>& interrupted() { return interrupt_flag; }

NothingToKeep::NothingToKeep() { nothing_to_keep = true; }
NothingToKeep::~NothingToKeep() { nothing_to_keep = false; }

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;  // what is being written to a full pipe is written all the same
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // Writing to a closed pipe or over the file size limit shows as an error of the write, not as a
  // sudden death.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

int interruption_exit_code() {
  return 128 + (interrupt_signal != 0 ? interrupt_signal.load() : SIGINT);
}

ProgressBar::ProgressBar(std::string label)
    : label_(std::move(label)),
      enabled_(isatty(STDERR_FILENO) != 0 && std::getenv("CI") == nullptr),
      start_(std::chrono::steady_clock::now()) {}

ProgressBar::~ProgressBar() {
  if (shown_) to_stderr("\r\033[K");
}

void ProgressBar::update(double fraction) {
  if (!enabled_) return;
  const double elapsed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  constexpr double kFirst = 2, kBetween = 0.1;  // seconds: writing must not cost the run its time
  if (elapsed < kFirst || elapsed < drawn_ + kBetween) return;
  drawn_ = elapsed;
  constexpr int kWidth = 30;
  const int filled = static_cast<int>(fraction * kWidth);
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < filled ? "█" : "░";
  constexpr double kEnough = 0.01, kLong = 10;
  const bool is_known = fraction > kEnough || (fraction > 0 && elapsed > kLong);
  const std::string rest = is_known ? duration_text(elapsed / fraction - elapsed) + " left" : "";
  to_stderr(fmt::format("\r\033[K{} {} {:3.0f} %  {}", label_, bar, 100 * fraction, rest));
  std::fflush(stderr);
  shown_ = true;
}

void to_stderr(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void print_error(const std::string& message) {
  to_stderr(fmt::format("{} {}\n", coloured("arges: error:", "1;31"), message));
}

void print_note(const std::string& message) {
  to_stderr(fmt::format("{} {}\n", coloured("arges: note:", "1;36"), message));
}

void print_json_error(const std::string& message) {
  nlohmann::ordered_json json;
  json["status"] = "error";
  json["message"] = message;
  using Handler = nlohmann::ordered_json::error_handler_t;
  fmt::print("{}\n", json.dump(2, ' ', false, Handler::replace));  // a path may be no UTF-8
}

bool reader_has_gone() {
  if (std::ferror(stdout) == 0) return false;
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace arges::app
