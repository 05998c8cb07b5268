#pragma once
// A discrete-event run into a result: states as columns, the course of the run as events.

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "arges/devs/observer.h"
#include "arges/results/step_recorder.h"

namespace arges::devs {

// Columns are what the components record of their states (`record`), PATH.NAME each; a value is NaN
// while there is no such component at that path. Components that come or are moved while the run
// goes on have columns as well, up to StepRecorder::kMostLateColumns; then the sink gets everything
// at the end of the run. Components of another class at the same path share the columns of equal
// name.
//
// Events: the transitions ("internal", "external", "confluent") with what they changed, messages
// ("message", "FROM.PORT -> TO.PORT", the value when it is a number) and changes of structure
// ("added", "removed", ...), in the order in which they happen.
class ResultRecorder : public Observer {
 public:
  struct Options {
    bool transitions = true, messages = true, structure = true;
  };
  // `steps` outlives the recorder and has not begun. Columns are added here; begin() and end() of
  // `steps` are the caller's.
  ResultRecorder(const Simulator& simulator, StepRecorder& steps, Options options);

  // The states of hybrid components have flowed on to `time`.
  void sample(const Simulator& simulator, double time);

  void on_transition(const Simulator& simulator, const TransitionEvent& event) override;
  void on_message(const Simulator& simulator, const MessageEvent& event) override;
  void on_structure(const Simulator& simulator, const StructureEvent& event) override;

  // Components that have no columns, because there were too many new ones.
  std::size_t without_columns() const { return without_columns_; }

 private:
  static constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);
  class Columns;
  class Values;

  void declare(const Simulator& simulator, std::uint32_t component, const Model& model);
  std::vector<EventChange> take(std::uint32_t component, const Model& model, const void* state,
                                double time, bool glide);
  void forget(std::uint32_t component, double time);
  void log(double time, std::int64_t iteration, const char* kind, std::string component,
           bool is_time_event, std::vector<EventChange> changes);

  StepRecorder& steps_;
  Options options_;
  std::unordered_map<std::string, std::size_t> by_name_;  // columns; looked up, never iterated
  std::vector<std::uint32_t> owner_;                      // of each column: the last to declare it
  std::vector<std::vector<std::size_t>> columns_of_;      // by number of component
  std::size_t without_columns_ = 0;
};

}  // namespace arges::devs
