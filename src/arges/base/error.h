#pragma once
// The exceptions of Arges. How a *run* ends is not an exception but a RunStatus
// (base/run_status.h).

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace arges {

// Misuse of the C++ API: a wrong index, an option out of range, calls in a wrong order.
class ApiError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// What the user asked for cannot be done as asked: unknown model, solver or variable, bad option
// value. The message says what to do instead.
//
// `options` are the settings that it is about, by their names ("stop", "rtol", "model"), the likely
// culprit first: whoever knows where the user has written them shows the place.
class UserError : public std::runtime_error {
 public:
  explicit UserError(const std::string& message, std::vector<std::string> options = {})
      : std::runtime_error(message), options_(std::move(options)) {}
  const std::vector<std::string>& options() const { return options_; }

 private:
  std::vector<std::string> options_;
};

// A file cannot be read or written, or holds something else than expected.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One evaluation of a model failed at a trial point (square root of a negative number, no
// convergence of an inner iteration, ...). A recoverable failure makes the solver try a shorter
// step; any other ends the run.
class EvaluationError : public std::runtime_error {
 public:
  explicit EvaluationError(const std::string& what, bool recoverable = true)
      : std::runtime_error(what), recoverable_(recoverable) {}
  bool recoverable() const { return recoverable_; }

 private:
  bool recoverable_;
};

}  // namespace arges
