#pragma once
// The functions of DEVS from the typed functions of a class.

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "arges/devs/coupled.h"
#include "arges/devs/router.h"

namespace arges::devs {

// What Atomic (atomic.h) and VariableCoupled (structure.h) share: the defaults of the functions of
// DEVS, and the table that calls those of the class `D`. `Base` is Model, or Coupled: then the
// transition functions get the Structure as their last argument.
template <class D, class Base>
class Behaving : public Base {
 public:
  auto initial() const { return typename D::State{}; }
  template <class S>
  double time_advance(const S&) const {
    return kInfinity;
  }
  template <class S>
  void output(const S&, Output&) const {}
  template <class S, class... Now>
  void internal(S&, Now&...) const {}
  template <class S, class... Now>
  void external(S&, double, const Bag&, Now&...) const {}
  template <class S, class... Now>
  void confluent(S& s, const Bag& x, Now&... now) const {
    self(*this).internal(s, now...);
    self(*this).external(s, 0.0, x, now...);
  }
  template <class S>
  void record(const S&, StateRecorder&) const {}

  const Behaviour* behaviour() const final {
    static constexpr Behaviour kBehaviour = {sizeof(typename D::State),
                                             alignof(typename D::State),
                                             create,
                                             destroy,
                                             advance_of,
                                             output_of,
                                             internal_of,
                                             external_of,
                                             confluent_of,
                                             record_of,
                                             continuous_of()};
    return &kBehaviour;
  }

 protected:
  Behaving() = default;

 private:
  static constexpr bool kHasStructure = std::is_same_v<Base, Coupled>;

  static constexpr const hybrid_devs::ContinuousBehaviour* continuous_of() {
    if constexpr (requires { D::continuous_behaviour(); }) {
      return D::continuous_behaviour();
    } else {
      return nullptr;
    }
  }
  static const D& self(const Model& model) { return static_cast<const D&>(model); }
  static auto& state(void* memory) { return *static_cast<typename D::State*>(memory); }
  static const auto& state(const void* memory) {
    return *static_cast<const typename D::State*>(memory);
  }
  static void create(const Model& model, void* memory) {
    ::new (memory) typename D::State(self(model).initial());
  }
  static void destroy(void* memory) noexcept { std::destroy_at(&state(memory)); }
  static double advance_of(const Model& model, const void* memory) {
    return self(model).time_advance(state(memory));
  }
  static void output_of(const Model& model, const void* memory, Output& y) {
    self(model).output(state(memory), y);
  }
  static double internal_of(const Model& model, void* memory, Structure* now) {
    if constexpr (kHasStructure) {
      self(model).internal(state(memory), *now);
    } else {
      self(model).internal(state(memory));
    }
    return self(model).time_advance(std::as_const(state(memory)));
  }
  static double external_of(const Model& model, void* memory, double elapsed, const Bag& x,
                            Structure* now) {
    if constexpr (kHasStructure) {
      self(model).external(state(memory), elapsed, x, *now);
    } else {
      self(model).external(state(memory), elapsed, x);
    }
    return self(model).time_advance(std::as_const(state(memory)));
  }
  static double confluent_of(const Model& model, void* memory, const Bag& x, Structure* now) {
    if constexpr (kHasStructure) {
      self(model).confluent(state(memory), x, *now);
    } else {
      self(model).confluent(state(memory), x);
    }
    return self(model).time_advance(std::as_const(state(memory)));
  }
  static void record_of(const Model& model, const void* memory, StateRecorder& recorder) {
    self(model).record(state(memory), recorder);
  }
};

}  // namespace arges::devs
