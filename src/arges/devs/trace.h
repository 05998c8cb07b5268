#pragma once
// The course of a discrete-event run as text.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "arges/devs/observer.h"

namespace arges::devs {

// Collects one line for each transition, message and change of structure, in the order in which
// they happen (times with 17 digits):
//
//   2  0  message     source.out -> integrator.rate  2
//   2  0  confluent   integrator  elapsed=0.2  due=2.5
//   3  0  added       shop: shop.machine[2]
//
// Values of arithmetic types are shown, others by their type.
class Trace : public Observer {
 public:
  struct Options {
    bool transitions = true, messages = true, structure = true;
  };
  Trace() = default;
  explicit Trace(Options options) : options_(options) {}

  void on_transition(const Simulator& simulator, const TransitionEvent& event) override;
  void on_message(const Simulator& simulator, const MessageEvent& event) override;
  void on_structure(const Simulator& simulator, const StructureEvent& event) override;

  const std::vector<std::string>& lines() const { return lines_; }
  // Lines of one (t, n) sorted: equal for runs that differ in the order of components only.
  std::vector<std::string> canonical() const;
  std::string text() const;

 private:
  void add(double time, std::int64_t iteration, const std::string& rest);
  Options options_;
  std::vector<std::string> lines_;
  std::vector<std::size_t> step_begins_;
  double time_ = 0;
  std::int64_t iteration_ = -1;
};

// A message as a reader sees it: "source.out" (or "outside"), "integrator.rate", and its value, as
// text (the type in angle brackets unless it is arithmetic) and as a number when it is one.
struct MessageInWords {
  std::string from, to, value;
  std::optional<double> number;
};
MessageInWords message_in_words(const Simulator& simulator, const MessageEvent& event);

}  // namespace arges::devs
