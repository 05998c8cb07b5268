#include "arges/base/background_job.h"

#include <utility>

#include "arges/base/error.h"

namespace arges {

BackgroundJob::BackgroundJob(std::function<void()> job)
    : job_(std::move(job)), thread_([this] { loop(); }) {}

BackgroundJob::~BackgroundJob() {
  state_.wait(State::kRunning);
  state_ = State::kQuits;
  state_.notify_all();
  thread_.join();
}

void BackgroundJob::begin() {
  if (!done()) throw ApiError("a background job was begun while it was running");
  state_ = State::kRunning;
  state_.notify_all();
}

void BackgroundJob::wait() {
  state_.wait(State::kRunning);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void BackgroundJob::loop() {
  for (;;) {
    state_.wait(State::kIdle);
    if (state_ == State::kQuits) return;
    try {
      job_();
    } catch (...) {
      error_ = std::current_exception();
    }
    state_ = State::kIdle;
    state_.notify_all();
  }
}

}  // namespace arges
