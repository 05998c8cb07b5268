#pragma once
// What exists without being declared (specification, chapters 3.7 and 4.9).

#include <span>
#include <string_view>

namespace arges::lang {

// The predefined types as Modelica text. The attributes of Real, Integer, Boolean and String are
// known to elaboration, not declared.
inline constexpr std::string_view kPredefinedClasses = R"(
type Real end Real;
type Integer end Integer;
type Boolean end Boolean;
type String end String;
type Clock end Clock;
partial class ExternalObject end ExternalObject;
type StateSelect = enumeration(never, avoid, default, prefer, always);
type AssertionLevel = enumeration(warning, error);
)";

// sin, der, size, connect operators, ...: functions and operators that are called by a plain name.
bool is_predefined_function(std::string_view name);
// All of them, sorted.
std::span<const std::string_view> predefined_functions();

}  // namespace arges::lang
