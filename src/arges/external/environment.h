#pragma once
// What external functions share during the life of a model: strings, objects, messages.

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "arges/external/history.h"
#include "arges/external/moving_profile.h"

namespace arges::external {

// Something that a constructor of an ExternalObject has made: a table, a file, memory of a library.
class Object {
 public:
  virtual ~Object() = default;
};

// What one run keeps of its past, by number from 0; made when it is asked for first. Thread safe.
class RunPast {
 public:
  History& history(std::size_t number);
  MovingProfile& profile(std::size_t number);

 private:
  std::mutex mutex_;
  std::deque<History> histories_;
  std::deque<MovingProfile> profiles_;
};

// Numbers stand for strings and objects, so that a program that knows doubles only can carry them
// around. Equal strings have equal numbers. Nothing is given back before the environment ends.
//
// Objects that are constant after their construction are kept by content: the same constructor with
// the same arguments gives the same number. Thus a model can be started again and again.
//
// Thread safe.
class Environment {
 public:
  Environment();

  // Throws EvaluationError when the text, or all texts together, are too long.
  double intern(std::string_view text);
  const std::string& text(double handle) const;

  double add(std::unique_ptr<Object> object);
  // The object of this key; `make` is called when there is none yet.
  double find_or_add(const std::string& key, const std::function<std::unique_ptr<Object>()>& make);
  Object& object(double handle) const;

  // Shows a line to the user; stderr unless another sink was set.
  void print(std::string_view line);
  void set_printer(std::function<void(std::string_view)> printer);

  // The past of the run that this thread is at: a thread has one at a time. It is read by its
  // number, which is not 0, from whichever thread.
  std::size_t past_of_this_thread();
  RunPast& past(std::size_t number);

  // The generator behind impureRandom(): words of its state and its position.
  struct ImpureRandom {
    std::array<std::uint64_t, 16> words{};
    int position = 0;
    int id = 0;
  };
  // Calls `use` with exclusive access.
  void with_impure_random(const std::function<void(ImpureRandom&)>& use);

 private:
  mutable std::mutex mutex_;
  std::deque<std::string> strings_;
  std::unordered_map<std::string_view, std::int64_t> string_numbers_;
  std::size_t characters_ = 0;  // of all strings
  std::deque<std::unique_ptr<Object>> objects_;
  std::unordered_map<std::string, std::int64_t> object_numbers_;
  std::function<void(std::string_view)> printer_;
  ImpureRandom random_;
  std::deque<RunPast> pasts_;
  std::unordered_map<std::thread::id, std::size_t> past_numbers_;
};

}  // namespace arges::external
