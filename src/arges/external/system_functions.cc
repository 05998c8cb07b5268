// ModelicaInternal_* on the environment of the process, and messages.

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include <unistd.h>

#include "arges/base/error.h"
#include "arges/external/registry.h"

namespace arges::external {

namespace {

void get_time(const Call& c) {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm t{};
  localtime_r(&seconds, &t);
  const double values[] = {static_cast<double>(ms),
                           static_cast<double>(t.tm_sec),
                           static_cast<double>(t.tm_min),
                           static_cast<double>(t.tm_hour),
                           static_cast<double>(t.tm_mday),
                           static_cast<double>(t.tm_mon + 1),
                           static_cast<double>(t.tm_year + 1900)};
  for (std::size_t i = 0; i < 7; ++i) c.set(i, values[i]);
}

void get_environment(const Call& c) {
  const char* value = std::getenv(c.text(0).c_str());
  c.set_text(2, value == nullptr ? "" : value);
  c.set(3, value == nullptr ? 0 : 1);
}

// ModelicaUtilities.h (specification, 12.9.7), as models declare them themselves.
const Entry kTable[] = {
    {"ModelicaError", 1, [](const Call& c) { throw EvaluationError(c.text(0), false); }, false},
    {"ModelicaMessage", 1, [](const Call& c) { c.environment().print(c.text(0)); }, false},
    {"ModelicaWarning", 1, [](const Call& c) { c.environment().print("warning: " + c.text(0)); },
     false},
    {"ModelicaInternal_getTime", 7, get_time, false},
    {"ModelicaInternal_getpid", 0, [](const Call& c) { c.result(getpid()); }, false},
    {"ModelicaInternal_getenv", 4, get_environment, false},
    {"ModelicaInternal_getcwd", 1,
     [](const Call& c) { c.result_text(std::filesystem::current_path().string()); }, false},
};

}  // namespace

std::span<const Entry> system_functions() { return kTable; }

}  // namespace arges::external
