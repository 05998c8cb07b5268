#pragma once
// What a run leaves behind: rows of values, a list of events, a manifest. Simulators write to a
// ResultSink; file formats, in-memory trajectories and plots implement or read it.

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace arges {

enum class ValueType { kReal, kInteger, kBoolean };
enum class Variability { kParameter, kDiscrete, kContinuous };

struct Column {
  std::string name;  // a Modelica component reference: x, y[3], motor.inertia.w, der(x)
  std::string unit;
  std::string description;
  ValueType type = ValueType::kReal;
  Variability variability = Variability::kContinuous;
  bool hidden = false;  // shown where its name is asked for only
  // What the model says it lies between.
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};

// The layout of a result. Parameters have one value for the whole run (for a parameter that an
// event changes, the initial one; the event log has the changes); all others have one value a row.
// "time" is not listed: it leads every row.
struct ResultLayout {
  std::vector<Column> columns;  // not parameters
  std::vector<std::pair<Column, double>> parameters;
};

// One change made by an event.
struct EventChange {
  std::string name;
  double before;
  double after;
};

// One line of the event log. Time is superdense: `iteration` orders what happens at one instant.
struct EventRecord {
  double time = 0;
  int iteration = 0;
  std::string kind;  // "SE-X", or several joined by '+': "SE-P+SE-X"; "time" events carry their
                     // kinds likewise
  std::string component;  // name of the event as declared
  bool is_time_event = false;
  std::vector<EventChange> changes;
};

// Where a result comes from. Ordered key/value pairs; keys are stable: arges_version, model,
// model_hash, solver, rtol, atol, start_time, stop_time, seed, parameters..., status,
// status_message, time_reached, steps, rejected, rhs, jac, events, wall_s.
struct Manifest {
  std::vector<std::pair<std::string, std::string>> entries;
  void set(const std::string& key, const std::string& value);
  const std::string* find(const std::string& key) const;
};

// Calls come as begin, (row | event)*, finish; or, when the run is abandoned, no finish: then a
// file sink leaves nothing behind. Rows come in non-decreasing time; at an event there are two rows
// with the same time, left and right limit. A value that does not exist in the present mode is NaN.
// Throws IoError.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  virtual void begin(const ResultLayout& layout) = 0;
  // `values` has one entry a column.
  virtual void row(double time, std::span<const double> values) = 0;
  virtual void event(const EventRecord& record) = 0;
  // A sink that wants to look between rows is shown the run piece by piece: smooth ones, each
  // within one step of the solver, whose values it may ask for at any time in [from, until], before
  // the row at `until` comes. A row that `at` gives is valid until the next.
  using RowAt = std::function<std::span<const double>(double time)>;
  virtual bool wants_curves() const { return false; }
  virtual void curve(double /*from*/, double /*until*/, const RowAt& /*at*/) {}
  virtual void finish(const Manifest& manifest) = 0;
};

}  // namespace arges
