#pragma once
// The events of a run as a file of their own, or on the terminal.

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "arges/base/atomic_file.h"
#include "arges/results/call_order.h"
#include "arges/results/sink.h"

namespace arges {

// kText: one line an event, fields separated by two blanks, and nothing else:
//     1.6666666666666667e-01  0  SE-X  ball.bounce  h: -1.2e-17 -> 0, v: -1.64 -> 1.31
//   time with 17 digits, iteration at that time, kind, component ("-" when it has none), changes
//   ("-" when there are none). Values have the digits that give the same double again.
// kJsonLines: one JSON object a line (run_info.h).
// kCsv: header time,iteration,kind,component,time_event,name,before,after; one line a change, one
//   with the last three cells empty for an event without changes.
enum class EventLogFormat { kText, kJsonLines, kCsv };

// Ignores rows. A file appears on finish (AtomicFile); a stream is written as events come and
// flushed on finish. Throws IoError.
class EventLogSink : public ResultSink {
 public:
  EventLogSink(const std::filesystem::path& path, EventLogFormat format);
  EventLogSink(std::FILE* stream, EventLogFormat format);

  void begin(const ResultLayout& layout) override;
  void row(double time, std::span<const double> values) override;
  void event(const EventRecord& record) override;
  void finish(const Manifest& manifest) override;

 private:
  void write(std::string_view text);
  [[noreturn]] void fail_stream() const;

  CallOrder order_;
  EventLogFormat format_;
  std::unique_ptr<AtomicFile> file_;
  std::FILE* stream_ = nullptr;
};

// "-" is the standard output, as text; otherwise the extension says the format: .jsonl, .csv, and
// text for any other.
std::unique_ptr<EventLogSink> open_event_log(const std::string& path);

// One event in the format, ending in LF.
std::string format_event(const EventRecord& record, EventLogFormat format);

}  // namespace arges
