#pragma once
// One job beside the thread that asks for it.

#include <atomic>
#include <exception>
#include <functional>
#include <thread>

namespace arges {

// A thread that does the same job each time it is told to, and sleeps in between. What the job
// reads and writes belongs to it from begin() until done() or wait() says that it has ended; the
// two threads are then in order.
//
//   begin(): the job must not be running
//   done():  whether it has ended; at once
//   wait():  until it has ended; throws what the job threw, once
//
// The destructor waits.
class BackgroundJob {
 public:
  explicit BackgroundJob(std::function<void()> job);
  ~BackgroundJob();
  BackgroundJob(const BackgroundJob&) = delete;
  BackgroundJob& operator=(const BackgroundJob&) = delete;

  void begin();
  bool done() const { return state_ == State::kIdle; }
  void wait();

 private:
  enum class State : int { kIdle, kRunning, kQuits };
  void loop();

  std::function<void()> job_;
  std::exception_ptr error_;
  std::atomic<State> state_{State::kIdle};
  std::thread thread_;
};

}  // namespace arges
