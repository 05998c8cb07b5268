#pragma once
// Atomic models with continuous states.

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "arges/devs/atomic.h"
#include "arges/hybrid/schema.h"

namespace arges::hybrid_devs {

// What flows through a continuous port: a value at every time. Couplings between continuous ports
// are made like others, at every level, and no messages go along them.
struct Continuous {};
using ContinuousIn = devs::In<Continuous>;
using ContinuousOut = devs::Out<Continuous>;

// Where the continuous functions of a component are evaluated: a trial point of the solver.
class Flow {
 public:
  Flow(double time, std::span<const double> states, const double* inputs,
       const std::uint32_t* input_begin)
      : t(time), x(states), inputs_(inputs), begin_(input_begin) {}

  double t;
  std::span<const double> x;  // the component's own
  // The outputs that drive an input, in the order of components.
  std::span<const double> on(const ContinuousIn& port) const {
    if (inputs_ == nullptr) return {};
    return {inputs_ + begin_[port.index()], inputs_ + begin_[port.index() + 1]};
  }
  // Their sum: the value, when one output drives it; 0 when none does.
  double operator[](const ContinuousIn& port) const {
    double sum = 0;
    for (const double value : on(port)) sum += value;
    return sum;
  }

 private:
  const double* inputs_;
  const std::uint32_t* begin_;
};

// y[port] = value, for all continuous outputs of the component.
class ContinuousValues {
 public:
  explicit ContinuousValues(double* values) : values_(values) {}
  double& operator[](const ContinuousOut& port) const { return values_[port.index()]; }

 private:
  double* values_;
};

// Which conditions of a component have passed zero, and which way.
struct StateEvent {
  int condition;
  bool rising;
};
using StateEvents = std::span<const StateEvent>;

// The continuous functions over an untyped state; made by HybridAtomic.
struct ContinuousBehaviour {
  std::span<double> (*states)(void* state);
  std::span<const Direction> conditions_of;
  bool mealy;
  void (*derivatives)(const devs::Model&, const void* state, const Flow& at, std::span<double> dx);
  void (*conditions)(const devs::Model&, const void* state, const Flow& at, std::span<double> g);
  void (*outputs)(const devs::Model&, const void* state, const Flow& at, ContinuousValues y);
  void (*guess)(const devs::Model&, const void* state, ContinuousValues y);
  double (*state_event)(const devs::Model&, void* state, StateEvents events);
};

// A hybrid atomic <X, Y, S, f, c_se, lambda_c, delta_state, internal, external, confluent, lambda,
// ta>. It is an Atomic whose State has the continuous states `x`, an array or a vector of doubles.
// Beside the functions of Atomic, `D` defines what it needs of
//
//   void derivatives(const State&, const Flow& at, std::span<double> dx) const     f
//   void conditions(const State&, const Flow& at, std::span<double> g) const       c_se
//   void outputs(const State&, const Flow& at, ContinuousValues y) const           lambda_c
//   void guess(const State&, ContinuousValues y) const    about what outputs() gives in a loop:
//   some void state_event(State&, StateEvents) const                                    delta_state
//   static constexpr std::array kConditions = {Direction::kRising};   one for each condition
//   static constexpr bool kMealy = true;       outputs() reads inputs (else at[port] is 0 there)
//
// In the continuous functions the states are at.x; s.x has the values of the last event. In all
// other functions s.x has the values of the present time, and may be changed. Events at one time:
// docs/guide/hybrid-devs.md.
template <class D>
class HybridAtomic : public devs::Atomic<D> {
 public:
  static constexpr std::array<Direction, 0> kConditions = {};
  static constexpr bool kMealy = false;
  template <class S>
  void derivatives(const S&, const Flow&, std::span<double> dx) const {
    for (double& rate : dx) rate = 0;
  }
  template <class S>
  void conditions(const S&, const Flow&, std::span<double>) const {}
  template <class S>
  void outputs(const S&, const Flow&, ContinuousValues) const {}
  template <class S>
  void guess(const S&, ContinuousValues) const {}
  template <class S>
  void state_event(S&, StateEvents) const {}

  static constexpr const ContinuousBehaviour* continuous_behaviour() { return &kContinuous<D>; }

 protected:
  HybridAtomic() = default;

 private:
  static const D& self(const devs::Model& model) { return static_cast<const D&>(model); }
  template <class M>
  static const typename M::State& state(const void* memory) {
    return *static_cast<const typename M::State*>(memory);
  }
  template <class M>
  static std::span<double> states_of(void* memory) {
    return static_cast<typename M::State*>(memory)->x;
  }
  template <class M>
  static void derivatives_of(const devs::Model& model, const void* memory, const Flow& at,
                             std::span<double> dx) {
    self(model).derivatives(state<M>(memory), at, dx);
  }
  template <class M>
  static void conditions_of(const devs::Model& model, const void* memory, const Flow& at,
                            std::span<double> g) {
    self(model).conditions(state<M>(memory), at, g);
  }
  template <class M>
  static void outputs_of(const devs::Model& model, const void* memory, const Flow& at,
                         ContinuousValues y) {
    self(model).outputs(state<M>(memory), at, y);
  }
  template <class M>
  static void guess_of(const devs::Model& model, const void* memory, ContinuousValues y) {
    self(model).guess(state<M>(memory), y);
  }
  template <class M>
  static double state_event_of(const devs::Model& model, void* memory, StateEvents events) {
    auto& s = *static_cast<typename M::State*>(memory);
    self(model).state_event(s, events);
    return self(model).time_advance(std::as_const(s));
  }
  // A template, so that D is complete when it is looked at.
  template <class M>
  static constexpr ContinuousBehaviour kContinuous = {
      states_of<M>,     M::kConditions, M::kMealy,   derivatives_of<M>,
      conditions_of<M>, outputs_of<M>,  guess_of<M>, state_event_of<M>};
};

}  // namespace arges::hybrid_devs
