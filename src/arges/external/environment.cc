#include "arges/external/environment.h"

#include <fmt/format.h>

#include <cstdio>

#include "arges/base/error.h"

namespace arges::external {

namespace {

// So that a String that doubles in a loop, or grows at every step, ends with a message.
constexpr std::size_t kLongest = std::size_t{1} << 24;
constexpr std::size_t kMost = std::size_t{1} << 30;

}  // namespace

Environment::Environment()
    : printer_([](std::string_view line) {
        std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
      }) {
  intern("");  // number 0: a register that nobody has set is the empty string
}

double Environment::intern(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const auto it = string_numbers_.find(text);
  if (it != string_numbers_.end()) return static_cast<double>(it->second);
  if (text.size() > kLongest) {
    throw EvaluationError(fmt::format("a String of {} characters is too long: {} are the most",
                                      text.size(), kLongest),
                          false);
  }
  if (characters_ + text.size() > kMost) {
    throw EvaluationError(
        fmt::format("the Strings that were made have more than {} characters: is there a loop "
                    "that makes ever new ones?",
                    kMost),
        false);
  }
  characters_ += text.size();
  const auto number = static_cast<std::int64_t>(strings_.size());
  strings_.emplace_back(text);
  string_numbers_[strings_.back()] = number;
  return static_cast<double>(number);
}

const std::string& Environment::text(double handle) const {
  const std::lock_guard lock(mutex_);
  const auto i = static_cast<std::size_t>(handle);
  if (!(handle >= 0) || i >= strings_.size()) throw ApiError("a number that stands for no string");
  return strings_[i];
}

double Environment::add(std::unique_ptr<Object> object) {
  const std::lock_guard lock(mutex_);
  objects_.push_back(std::move(object));
  return static_cast<double>(objects_.size());  // from 1: 0 is no object
}

double Environment::find_or_add(const std::string& key,
                                const std::function<std::unique_ptr<Object>()>& make) {
  {
    const std::lock_guard lock(mutex_);
    const auto it = object_numbers_.find(key);
    if (it != object_numbers_.end()) return static_cast<double>(it->second);
  }
  const double number = add(make());
  const std::lock_guard lock(mutex_);
  object_numbers_.emplace(key, static_cast<std::int64_t>(number));
  return number;
}

Object& Environment::object(double handle) const {
  const std::lock_guard lock(mutex_);
  const auto i = static_cast<std::size_t>(handle);
  if (!(handle >= 1) || i > objects_.size())
    throw EvaluationError("an external object is used before it was made", false);
  return *objects_[i - 1];
}

void Environment::print(std::string_view line) {
  const std::lock_guard lock(mutex_);
  printer_(line);
}

void Environment::set_printer(std::function<void(std::string_view)> printer) {
  const std::lock_guard lock(mutex_);
  printer_ = std::move(printer);
}

History& RunPast::history(std::size_t number) {
  const std::lock_guard lock(mutex_);
  while (histories_.size() <= number) histories_.emplace_back();
  return histories_[number];
}

MovingProfile& RunPast::profile(std::size_t number) {
  const std::lock_guard lock(mutex_);
  while (profiles_.size() <= number) profiles_.emplace_back();
  return profiles_[number];
}

std::size_t Environment::past_of_this_thread() {
  const std::lock_guard lock(mutex_);
  return past_numbers_.try_emplace(std::this_thread::get_id(), past_numbers_.size() + 1)
      .first->second;
}

RunPast& Environment::past(std::size_t number) {
  const std::lock_guard lock(mutex_);
  while (pasts_.size() <= number) pasts_.emplace_back();
  return pasts_[number];
}

void Environment::with_impure_random(const std::function<void(ImpureRandom&)>& use) {
  const std::lock_guard lock(mutex_);
  use(random_);
}

}  // namespace arges::external
