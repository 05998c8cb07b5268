#include "arges/experiment/ensemble.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "arges/experiment/packing.h"

namespace arges {

namespace {

constexpr std::int64_t kLargestChunk = 16;  // runs that a thread takes at once
constexpr std::int64_t kAhead = 256;        // chunks that may wait for an earlier one

// The chunks that are done, and who is next.
//
// Threads take chunks in order; the calling thread gives away what is complete, in order. A thread
// that is far ahead of the first missing chunk waits, so that memory is bounded.
class Board {
 public:
  Board(std::int64_t count, int threads, const EnsembleOptions& options)
      : count_(count),
        chunk_size_(std::clamp<std::int64_t>(count / (8 * threads), 1, kLargestChunk)),
        options_(options) {}

  void work(const std::function<std::unique_ptr<Worker>()>& make) {
    try {
      const std::unique_ptr<Worker> worker = make();
      for (std::int64_t chunk; (chunk = next_chunk()) >= 0;) run_chunk(*worker, chunk);
    } catch (...) {
      fail(std::current_exception(), -1);
    }
    const std::lock_guard lock(mutex_);
    --working_;
    changed_.notify_all();
  }

  std::int64_t give_away(int threads, const std::function<bool(const StudyRow&)>& take) {
    std::unique_lock lock(mutex_);
    working_ += threads;
    std::int64_t taken = 0;
    for (std::int64_t wanted = 0; wanted * chunk_size_ < count_; ++wanted) {
      while (!done_.contains(wanted) && working_ > 0) {
        changed_.wait_for(lock, std::chrono::milliseconds(100));
        if (cancelled()) stop_ = true;
        if (options_.progress)
          options_.progress(static_cast<double>(taken) / static_cast<double>(count_));
      }
      const auto found = done_.find(wanted);
      if (found == done_.end()) {
        if (cancelled() && !failure_ && !done_.empty()) continue;  // later ones may be there
        break;
      }
      const std::vector<StudyRow> rows = std::move(found->second);
      done_.erase(found);
      given_ = wanted + 1;
      changed_.notify_all();
      lock.unlock();
      for (const StudyRow& row : rows) {
        if (row.status == RunReason::kCancelled) continue;  // it was cut off
        if (!take(row)) {
          stop();
          return taken;
        }
        ++taken;
      }
      lock.lock();
      if (failure_ && failed_chunk_ <= wanted) break;
    }
    stop_ = true;
    changed_.notify_all();
    return taken;
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    changed_.notify_all();
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  bool cancelled() const { return options_.cancel != nullptr && options_.cancel->load(); }

  std::int64_t next_chunk() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stop_ || next_ < given_ + kAhead; });
    return stop_ || next_ * chunk_size_ >= count_ ? -1 : next_++;
  }

  // An exception ends the study behind the rows before it.
  void run_chunk(Worker& worker, std::int64_t chunk) {
    std::vector<StudyRow> rows;
    const std::int64_t end = std::min(count_, (chunk + 1) * chunk_size_);
    try {
      worker.run_range(
          chunk * chunk_size_, end, [&] { return cancelled(); }, rows);
    } catch (...) {
      fail(std::current_exception(), chunk);
    }
    const std::lock_guard lock(mutex_);
    done_[chunk] = std::move(rows);
    changed_.notify_all();
  }

  void fail(std::exception_ptr failure, std::int64_t chunk) {
    const std::lock_guard lock(mutex_);
    if (!failure_ || chunk < failed_chunk_) {
      failure_ = std::move(failure);
      failed_chunk_ = chunk;
    }
    stop_ = true;
    changed_.notify_all();
  }

  const std::int64_t count_, chunk_size_;
  const EnsembleOptions& options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::int64_t, std::vector<StudyRow>> done_;
  std::int64_t next_ = 0, given_ = 0, failed_chunk_ = 0;
  int working_ = 0;
  bool stop_ = false;
  std::exception_ptr failure_;
};

class StudyWorker final : public Worker {
 public:
  StudyWorker(std::unique_ptr<ModelFunction> run, const RunValues& values)
      : run_(std::move(run)), values_(values) {}

  StudyRow run(std::int64_t index) override {
    StudyRow row{index, values_(index), {}, RunReason::kFinished, {}};
    ModelFunction::Result result = (*run_)(row.parameters);
    row.status = result.status;
    row.observables = std::move(result.observables);
    row.message = std::move(result.message);
    return row;
  }

 private:
  std::unique_ptr<ModelFunction> run_;
  const RunValues& values_;
};

}  // namespace

void put_row(std::string& bytes, const StudyRow& row) {
  put(bytes, row.index);
  put(bytes, static_cast<std::int64_t>(row.status));
  put_list(bytes, row.parameters);
  put_list(bytes, row.observables);
  put_text(bytes, row.message);
}

StudyRow take_row(ByteReader& reader) {
  StudyRow row;
  row.index = reader.take<std::int64_t>();
  row.status = static_cast<RunReason>(reader.take<std::int64_t>());
  row.parameters = reader.take_list();
  row.observables = reader.take_list();
  row.message = reader.take_text();
  return row;
}

std::int64_t run_ensemble(std::int64_t count, const std::function<std::unique_ptr<Worker>()>& make,
                          const EnsembleOptions& options,
                          const std::function<bool(const StudyRow&)>& take) {
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int threads = static_cast<int>(
      std::clamp<std::int64_t>(count, 1, options.threads > 0 ? options.threads : cores));
  Board board(count, threads, options);
  std::int64_t taken = 0;
  {
    std::vector<std::jthread> crew;
    for (int k = 0; k < threads; ++k) crew.emplace_back([&] { board.work(make); });
    try {
      taken = board.give_away(threads, take);
    } catch (...) {
      board.stop();
      throw;
    }
  }
  board.rethrow();
  return taken;
}

std::function<std::unique_ptr<Worker>()> study_workers(ModelFunctions make,
                                                       const RunValues& values) {
  return
      [make = std::move(make), &values] { return std::make_unique<StudyWorker>(make(), values); };
}

std::function<std::unique_ptr<Worker>()> study_workers(const StudyPlan& plan) {
  const auto make = [&plan] {
    return std::make_unique<RunFunction>(plan.model, plan.start, plan.options, plan.names,
                                         plan.observables);
  };
  make();  // throws when something is not there
  return study_workers(make, plan.values);
}

}  // namespace arges
