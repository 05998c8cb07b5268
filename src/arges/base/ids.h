#pragma once
// Typed indices. A StateId cannot be used where a ParameterId is meant, and costs no more than the
// int it wraps.

#include <cstdint>

namespace arges {

template <class Tag>
struct Id {
  std::int32_t index = -1;
  constexpr bool valid() const { return index >= 0; }
  friend constexpr bool operator==(Id, Id) = default;
};

using StateId =
    Id<struct StateTag>;  // position in the state vector of one mode (algebraic variables too)
using ParameterId = Id<struct ParameterTag>;
using InputId = Id<struct InputTag>;
using DiscreteId = Id<struct DiscreteTag>;  // piecewise constant variable: Real, Integer or Boolean
using OutputId = Id<struct OutputTag>;
using EventId = Id<struct EventTag>;  // state event
using TimerId = Id<struct TimerTag>;  // time event
using ModeId = Id<struct ModeTag>;

}  // namespace arges
