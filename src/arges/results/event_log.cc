#include "arges/results/event_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <system_error>

#include "arges/base/error.h"
#include "arges/results/csv_text.h"
#include "arges/results/run_info.h"

namespace arges {
namespace {

// What is not a number here does not exist in the mode before or after.
std::string value_text(double value) { return std::isnan(value) ? "absent" : format_number(value); }

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

// A line break inside a name would break the line format.
std::string on_one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

std::string text_line(const EventRecord& record) {
  std::string changes;
  for (const EventChange& change : record.changes) {
    if (!changes.empty()) changes += ", ";
    changes += fmt::format("{}: {} -> {}", change.name, value_text(change.before),
                           value_text(change.after));
  }
  return on_one_line(fmt::format("{:.16e}  {}  {}  {}  {}", record.time, record.iteration,
                                 or_dash(record.kind), or_dash(record.component),
                                 or_dash(changes))) +
         '\n';
}

std::string csv_lines(const EventRecord& record) {
  const std::string lead =
      fmt::format("{},{},{},{},{}", format_number(record.time), record.iteration,
                  csv_cell(record.kind), csv_cell(record.component), record.is_time_event ? 1 : 0);
  if (record.changes.empty()) return lead + ",,,\n";
  std::string lines;
  for (const EventChange& change : record.changes) {
    lines += fmt::format("{},{},{},{}\n", lead, csv_cell(change.name), format_number(change.before),
                         format_number(change.after));
  }
  return lines;
}

}  // namespace

std::string format_event(const EventRecord& record, EventLogFormat format) {
  switch (format) {
    case EventLogFormat::kJsonLines:
      return to_json(record) + '\n';
    case EventLogFormat::kCsv:
      return csv_lines(record);
    case EventLogFormat::kText:
      break;
  }
  return text_line(record);
}

EventLogSink::EventLogSink(const std::filesystem::path& path, EventLogFormat format)
    : format_(format), file_(std::make_unique<AtomicFile>(path)) {}

EventLogSink::EventLogSink(std::FILE* stream, EventLogFormat format)
    : format_(format), stream_(stream) {}

void EventLogSink::write(std::string_view text) {
  if (file_) {
    file_->write(text);
  } else if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) {
    fail_stream();
  }
}

void EventLogSink::fail_stream() const {
  const int error = errno;
  throw IoError(fmt::format("cannot write the event log: {}; {}",
                            std::generic_category().message(error), advice_for_errno(error)));
}

void EventLogSink::begin(const ResultLayout& layout) {
  order_.begin(layout.columns.size());
  if (format_ == EventLogFormat::kCsv) {
    write("time,iteration,kind,component,time_event,name,before,after\n");
  }
}

void EventLogSink::row(double, std::span<const double> values) { order_.row(values.size()); }

void EventLogSink::event(const EventRecord& record) {
  order_.event();
  write(format_event(record, format_));
}

void EventLogSink::finish(const Manifest&) {
  order_.finish();
  if (file_) {
    file_->commit();
  } else if (std::fflush(stream_) != 0) {
    fail_stream();
  }
}

std::unique_ptr<EventLogSink> open_event_log(const std::string& path) {
  if (path == "-") return std::make_unique<EventLogSink>(stdout, EventLogFormat::kText);
  const std::string extension = std::filesystem::path(path).extension().string();
  EventLogFormat format = EventLogFormat::kText;
  if (extension == ".jsonl") format = EventLogFormat::kJsonLines;
  if (extension == ".csv") format = EventLogFormat::kCsv;
  return std::make_unique<EventLogSink>(path, format);
}

}  // namespace arges
