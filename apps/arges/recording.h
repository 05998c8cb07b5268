#pragma once
// Recorded data, as `fit` takes them.

#include <string>
#include <vector>

#include "arges/experiment/placed_text.h"
#include "arges/results/trajectory.h"

namespace arges::app {

// A result file whose times ascend and whose columns have different names. What is wrong with it is
// refused (UserError) with the place in the file, where the file is a text: FILE:LINE:COLUMN.
//
// A time may come several times. In measurements all count. In the result of a simulation these are
// the sides of an event, and are left out: a model whose event comes a rounding later has the other
// side at that time.
class Recording {
 public:
  // Throws IoError, and UserError as above; also when there are no rows.
  explicit Recording(const std::string& path);

  enum class Origin { kMeasured, kSimulated };
  // A program that simulates leaves a manifest, or a format that is not written by hand.
  Origin origin() const { return origin_; }
  const Trajectory& data() const { return data_; }
  // Of one column, NaN where nothing was measured. Throws UserError for infinite values, and when
  // there is no such column: with the place of the name in `text`, which asks for it.
  std::vector<double> column(const std::string& name, const std::string& text) const;
  // The first time that lies outside is refused.
  void check_range(double start, double stop) const;

  // In the header, or in a row.
  [[noreturn]] void refuse_column(const std::string& name, const std::string& what) const;
  [[noreturn]] void refuse_time(std::size_t row, const std::string& what) const;

 private:
  [[noreturn]] void refuse(std::size_t line, std::size_t cell, const std::string& what) const;
  [[noreturn]] void refuse_value(std::size_t row, const std::string& name,
                                 const std::string& what) const;
  void check() const;
  void leave_out_events();

  std::string path_;
  Trajectory data_;
  Origin origin_ = Origin::kMeasured;
  // Of a text: lines that hold something, the header first; the places of their cells.
  PlacedFile file_;
  std::vector<std::vector<PlacedText>> cells_{};
};

}  // namespace arges::app
