#pragma once
// A result in memory: what tests, plots and experiments work with.

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arges/results/sink.h"

namespace arges {

// Rows by column. Row r has the time times[r]; column c has the values values(c)[r]. At an event
// two rows have the same time: the left and the right limit.
//
// Columns that are aliases of each other (in files of Modelica tools) share one series; series_of
// says which, one entry a column.
struct Trajectory {
  ResultLayout layout;
  std::vector<double> times;
  std::string time_name = "time";  // of its column in the file
  std::vector<std::vector<double>> series;
  std::vector<std::size_t> series_of;
  std::vector<EventRecord> events;
  std::size_t events_left_out = 0;  // beyond the limit of a MemorySink
  Manifest manifest;
  std::map<std::string, std::vector<double>> attached;  // of an HDF5 file, by name

  std::size_t rows() const { return times.size(); }
  std::span<const double> values(std::size_t column) const { return series[series_of[column]]; }

  // The first column of this name.
  std::optional<std::size_t> find_column(std::string_view name) const;
  std::optional<double> find_parameter(std::string_view name) const;

  // By name, one value a row: "time", a column, or a parameter (then all are equal). Throws
  // UserError with the nearest names when there is no such variable.
  std::vector<double> values_of(std::string_view name) const;
  // The value in the last row, or of a parameter. Throws UserError likewise, or when there is no
  // row.
  double final_value(std::string_view name) const;

  // "time", columns, parameters.
  std::vector<std::string> names() const;
};

}  // namespace arges
