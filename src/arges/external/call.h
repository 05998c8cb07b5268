#pragma once
// A call of an external function.

#include <cstdint>
#include <span>
#include <string>

#include "arges/external/environment.h"

namespace arges::external {

enum class ArgumentType : std::uint8_t { kReal, kInteger, kBoolean, kString, kObject };

// One argument as the external clause names it: `values` has one number for each element, row by
// row; Integers and Booleans are whole numbers, strings and objects are numbers of the environment.
struct Argument {
  ArgumentType type = ArgumentType::kReal;
  double* values = nullptr;
  std::span<const std::int32_t> dims;  // empty: a scalar
  bool is_output = false;              // the function writes it
};

// What a built-in function sees. Positions count from 0, as in the external clause.
class Call {
 public:
  Call(Environment& environment, std::string_view name, std::span<const Argument> arguments,
       double* result)
      : environment_(environment), name_(name), arguments_(arguments), result_(result) {}

  Environment& environment() const { return environment_; }
  std::string_view name() const { return name_; }
  std::size_t size() const { return arguments_.size(); }
  const Argument& operator[](std::size_t i) const { return arguments_[i]; }
  double* result_value() const { return result_; }

  double real(std::size_t i) const { return *arguments_[i].values; }
  int integer(std::size_t i) const { return static_cast<int>(*arguments_[i].values); }
  bool boolean(std::size_t i) const { return *arguments_[i].values != 0; }
  const std::string& text(std::size_t i) const { return environment_.text(*arguments_[i].values); }
  double* array(std::size_t i) const { return arguments_[i].values; }
  int count(std::size_t i) const;
  int rows(std::size_t i) const { return arguments_[i].dims.empty() ? 1 : arguments_[i].dims[0]; }
  int columns(std::size_t i) const {
    return arguments_[i].dims.size() < 2 ? 1 : arguments_[i].dims[1];
  }
  template <class T>
  T& object(std::size_t i) const {
    return dynamic_cast<T&>(environment_.object(*arguments_[i].values));
  }

  void set(std::size_t i, double value) const { *arguments_[i].values = value; }
  void set_text(std::size_t i, std::string_view text) const {
    *arguments_[i].values = environment_.intern(text);
  }
  void result(double value) const {
    if (result_ != nullptr) *result_ = value;
  }
  void result_text(std::string_view text) const { result(environment_.intern(text)); }

  // Name and all arguments as bytes: equal keys mean equal calls.
  std::string key() const;

 private:
  Environment& environment_;
  std::string_view name_;
  std::span<const Argument> arguments_;
  double* result_;
};

using Function = void (*)(const Call&);

}  // namespace arges::external
