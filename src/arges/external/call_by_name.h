#pragma once
// For tests: calls a built-in function with values instead of registers.

#include <string>
#include <vector>

#include "arges/base/error.h"
#include "arges/external/registry.h"

namespace arges::external {

struct TestArgument {
  ArgumentType type = ArgumentType::kReal;
  std::vector<double> values;
  std::vector<std::int32_t> dims;
};

inline TestArgument real(double v) { return {ArgumentType::kReal, {v}, {}}; }
inline TestArgument integer(int v) {
  return {ArgumentType::kInteger, {static_cast<double>(v)}, {}};
}
inline TestArgument string(Environment& e, const std::string& s) {
  return {ArgumentType::kString, {e.intern(s)}, {}};
}
inline TestArgument vector(std::vector<double> v) {
  const auto n = static_cast<std::int32_t>(v.size());
  return {ArgumentType::kReal, std::move(v), {n}};
}
inline TestArgument matrix(int rows, int columns, std::vector<double> v) {
  return {ArgumentType::kReal, std::move(v), {rows, columns}};
}

// The result; outputs among the arguments are changed in place.
inline double call_by_name(Environment& e, std::string_view name, std::vector<TestArgument>& args) {
  const Entry* entry = find_builtin(name);
  if (entry == nullptr || entry->arguments != args.size())
    throw ApiError("no such function with so many arguments: " + std::string(name));
  std::vector<Argument> list;
  for (TestArgument& a : args) list.push_back({a.type, a.values.data(), a.dims, false});
  double result = 0;
  entry->function(Call(e, name, list, &result));
  return result;
}
inline double call_by_name(Environment& e, std::string_view name,
                           std::vector<TestArgument>&& args) {
  return call_by_name(e, name, args);
}

}  // namespace arges::external
