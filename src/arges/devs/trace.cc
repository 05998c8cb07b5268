#include "arges/devs/trace.h"

#include <algorithm>
#include <cstring>
#include <typeinfo>

#include <fmt/format.h>

#include "arges/devs/simulator.h"

namespace arges::devs {

namespace {

template <class T>
bool show(const std::type_info& type, const MessageWord& word, MessageInWords& words) {
  if (type != typeid(T)) return false;
  T value;
  std::memcpy(&value, word.bytes, sizeof value);
  words.value = fmt::format("{}", value);
  words.number = static_cast<double>(value);
  return true;
}

template <class... Types>
bool show_any(const std::type_info& type, const MessageWord& word, MessageInWords& words) {
  return (show<Types>(type, word, words) || ...);
}

std::string port_name(const Model& model, bool input, std::uint16_t port) {
  const bool executive = model.as_coupled() != nullptr;
  const PortSide side = input ? (executive ? PortSide::kExecutiveIn : PortSide::kIn)
                              : (executive ? PortSide::kExecutiveOut : PortSide::kOut);
  return model.ports(side)[port].name;
}

}  // namespace

MessageInWords message_in_words(const Simulator& simulator, const MessageEvent& event) {
  const Network& network = simulator.network();
  const Model& to = network.model(network.component(event.to).node);
  const bool executive = to.as_coupled() != nullptr;
  const std::type_info& type =
      *to.ports(executive ? PortSide::kExecutiveIn : PortSide::kIn)[event.to_port].type;
  MessageInWords words;
  words.from = "outside";
  if (event.from != kNone) {
    const Model& sender = network.model(network.component(event.from).node);
    words.from = simulator.path(event.from) + "." + port_name(sender, false, event.from_port);
  }
  words.to = simulator.path(event.to) + "." + port_name(to, true, event.to_port);
  if (!show_any<double, int, bool, float, long, unsigned, unsigned long, char>(type, event.word,
                                                                               words)) {
    words.value = "<" + type_in_words(type) + ">";
  }
  return words;
}

void Trace::add(double time, std::int64_t iteration, const std::string& rest) {
  if (time != time_ || iteration != iteration_) step_begins_.push_back(lines_.size());
  time_ = time;
  iteration_ = iteration;
  lines_.push_back(fmt::format("{:.17g}  {}  {}", time, iteration, rest));
}

void Trace::on_transition(const Simulator& simulator, const TransitionEvent& event) {
  if (!options_.transitions) return;
  add(event.time, event.iteration,
      fmt::format("{:<10}  {}  elapsed={:.17g}  due={:.17g}", to_string(event.kind),
                  simulator.path(event.component), event.elapsed, event.due));
}

void Trace::on_message(const Simulator& simulator, const MessageEvent& event) {
  if (!options_.messages) return;
  const MessageInWords words = message_in_words(simulator, event);
  add(event.time, event.iteration,
      fmt::format("message     {} -> {}  {}", words.from, words.to, words.value));
}

void Trace::on_structure(const Simulator& simulator, const StructureEvent& event) {
  if (!options_.structure) return;
  add(event.time, event.iteration,
      fmt::format("{:<10}  {}: {}", to_string(event.kind), simulator.path(event.executive),
                  event.what));
}

std::vector<std::string> Trace::canonical() const {
  std::vector<std::string> sorted = lines_;
  for (std::size_t i = 0; i < step_begins_.size(); ++i) {
    const std::size_t end = i + 1 < step_begins_.size() ? step_begins_[i + 1] : sorted.size();
    std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(step_begins_[i]),
              sorted.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return sorted;
}

std::string Trace::text() const {
  std::string all;
  for (const std::string& line : lines_) all += line + "\n";
  return all;
}

}  // namespace arges::devs
