#pragma once
// What a component shows of its state.

#include <string_view>
#include <type_traits>

#include "arges/results/sink.h"

namespace arges::devs {

// Passed to `record(s, r)` of a model, which names the values that results are to have:
//
//   void record(const State& s, StateRecorder& r) const {
//     r.value("busy", s.busy);
//     r.value("left", s.left, "s", "time until the job is done");
//   }
//
// The same names in the same order each time.
class StateRecorder {
 public:
  template <class T>
  void value(std::string_view name, T now, std::string_view unit = "",
             std::string_view description = "") {
    static_assert(std::is_arithmetic_v<T>, "results show numbers and truth values");
    constexpr ValueType kType = std::is_same_v<T, bool> ? ValueType::kBoolean
                                : std::is_integral_v<T> ? ValueType::kInteger
                                                        : ValueType::kReal;
    add(name, static_cast<double>(now), kType, unit, description);
  }

 protected:
  ~StateRecorder() = default;
  virtual void add(std::string_view name, double value, ValueType type, std::string_view unit,
                   std::string_view description) = 0;
};

}  // namespace arges::devs
