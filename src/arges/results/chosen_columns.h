#pragma once
// A result with some of its variables only.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "arges/results/sink.h"

namespace arges {

// Whether a whole name fits a pattern, in which * stands for any letters and ? for one; all else,
// brackets too, for itself. The time is that of the product of both lengths at most.
bool fits_pattern(std::string_view name, std::string_view pattern);

// Whether a variable is shown to who asks for these patterns: it fits one, or there are none and it
// is not hidden.
bool is_asked_for(const Column& column, const std::vector<std::string>& patterns);

// Hands on those variables and parameters whose names fit one of the patterns, in the order of the
// model, and all events. begin() throws UserError for a pattern that no name fits.
class ChosenColumns : public ResultSink {
 public:
  // `to` outlives this. No pattern: everything that is not hidden is handed on.
  ChosenColumns(std::vector<std::string> patterns, ResultSink& to);

  void begin(const ResultLayout& layout) override;
  void row(double time, std::span<const double> values) override;
  void event(const EventRecord& record) override { to_.event(record); }
  void finish(const Manifest& manifest) override { to_.finish(manifest); }

 private:
  const std::vector<std::string> patterns_;
  ResultSink& to_;
  bool all_ = true;                  // are handed on
  std::vector<std::size_t> chosen_;  // columns
  std::vector<double> values_;       // of them
};

}  // namespace arges
