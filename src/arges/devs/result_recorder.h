#pragma once
// A discrete-event run into a result: states as columns, the course of the run as events.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "arges/devs/observer.h"
#include "arges/results/step_recorder.h"

namespace arges::devs {

// Columns are what the components that exist at the start record of their states (`record`),
// PATH.NAME each; a value is NaN while its component does not exist. A component that comes later
// has no columns unless it takes the path of one that was there; it is in the event log, and what
// its coupled model records of it is in the result. One that is moved keeps the names of its
// columns.
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

 private:
  struct Group {  // the columns of one component
    std::size_t first = 0, count = 0;
    double born = 0;
    std::int64_t born_iteration = -1;
  };
  class Columns;
  class Values;

  Group* group_of(const Simulator& simulator, std::uint32_t component, const Model& model);
  void forget(const Group& group, double time);
  void log(double time, std::int64_t iteration, const char* kind, std::string component,
           bool is_time_event, std::vector<EventChange> changes);

  StepRecorder& steps_;
  Options options_;
  std::map<std::string, Group, std::less<>> groups_;  // by path
  struct Known {                                      // by number of component
    const Model* model = nullptr;
    Group* group = nullptr;
  };
  std::vector<Known> known_;
};

}  // namespace arges::devs
