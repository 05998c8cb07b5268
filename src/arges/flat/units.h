#pragma once
// Physical units as Modelica writes them: "N.m/rad", "kg/(m.s2)", "s-1" (specification,
// chapter 19; SI brochure for symbols and prefixes).

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace arges {

// A product of powers of base units and a factor: kN is 1000 kg.m.s-2. Exponents are rational with
// the denominator 12, so that square and cubic roots are exact. Angles (rad, deg) have no
// dimension. Temperatures with an offset (degC, degF) and logarithmic units are dimensions of their
// own: they cannot be mixed with others.
struct Unit {
  static constexpr int kDimensions = 11;  // m kg s A K mol cd degC degF degRk dB
  static constexpr int kOne = 12;         // the exponent 1
  std::array<int, kDimensions> exponents{};
  double factor = 1;
  bool any_factor = false;  // it was multiplied by a number: the factor says nothing any more

  bool is_dimensionless() const;
  friend bool same_dimension(const Unit& a, const Unit& b) { return a.exponents == b.exponents; }
};

// Same dimension, and the same factor as far as it is known.
bool compatible(const Unit& a, const Unit& b);
Unit operator*(const Unit& a, const Unit& b);
Unit operator/(const Unit& a, const Unit& b);
// Nothing when an exponent would not be a multiple of 1/12.
std::optional<Unit> power(const Unit& u, double exponent);

// Nothing for a text that is no unit, or has symbols that are not known.
std::optional<Unit> parse_unit(std::string_view text);
// In base units: "kg.m/s2"; "1" for none. A factor stands in front: "1000 kg.m/s2".
std::string to_string(const Unit& u);

}  // namespace arges
