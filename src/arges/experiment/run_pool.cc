#include "arges/experiment/run_pool.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "arges/experiment/packing.h"

namespace arges {

namespace {

// A message is the values of a point, or what came of its run. An empty one is the end of the work.
std::string pack(std::span<const double> point) {
  std::string bytes;
  put_list(bytes, {point.begin(), point.end()});
  return bytes;
}

std::string pack(const ModelFunction::Result& result) {
  std::string bytes;
  put(bytes, static_cast<std::int64_t>(result.status));
  put_list(bytes, result.observables);
  put_text(bytes, result.message);
  return bytes;
}

class RemoteFunction final : public ModelFunction {
 public:
  RemoteFunction(Ranks& ranks, int rank) : ranks_(ranks), rank_(rank) {}
  Result operator()(std::span<const double> values) override {
    ranks_.send(rank_, pack(values));
    const std::string message = ranks_.receive(rank_);
    ByteReader reader(message);
    Result result;
    result.status = static_cast<RunReason>(reader.take<std::int64_t>());
    result.observables = reader.take_list();
    result.message = reader.take_text();
    return result;
  }

 private:
  Ranks& ranks_;
  int rank_;
};

int count_workers(int threads, const Ranks* ranks) {
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  if (ranks == nullptr) return threads > 0 ? threads : cores;
  return ranks->size() - 1 + std::max(threads, 1);
}

}  // namespace

RunPool::RunPool(ModelFunctions make, int threads, Ranks* ranks)
    : make_(std::move(make)), ranks_(ranks), width_(count_workers(threads, ranks)) {
  functions_.resize(static_cast<std::size_t>(width_));
}

RunPool::~RunPool() {
  if (ranks_ == nullptr) return;
  for (int rank = 1; rank < ranks_->size(); ++rank) ranks_->send(rank, {});
  ranks_->finish();
}

// Local ones first: a single run needs no message.
ModelFunction& RunPool::function(int worker) {
  std::unique_ptr<ModelFunction>& mine = functions_[static_cast<std::size_t>(worker)];
  if (mine == nullptr) {
    const int local = ranks_ == nullptr ? width_ : width_ - (ranks_->size() - 1);
    if (worker < local) {
      mine = make_();
    } else {
      mine = std::make_unique<RemoteFunction>(*ranks_, worker - local + 1);
    }
  }
  return *mine;
}

ModelFunction::Result RunPool::at(std::span<const double> x) {
  const auto found = ahead_.find(std::vector<double>(x.begin(), x.end()));
  return found != ahead_.end() ? found->second : function(0)(x);
}

void RunPool::run_ahead(const std::vector<std::vector<double>>& points) {
  std::map<std::vector<double>, ModelFunction::Result> kept;
  std::vector<std::pair<const std::vector<double>*, ModelFunction::Result*>> work;
  for (const std::vector<double>& point : points) {
    const auto [place, is_new] = kept.try_emplace(point);
    if (!is_new) continue;
    if (const auto known = ahead_.find(point); known != ahead_.end()) {
      place->second = std::move(known->second);
    } else {
      work.emplace_back(&place->first, &place->second);
    }
  }
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const int workers = std::min(width_, static_cast<int>(work.size()));
  {
    std::vector<std::jthread> crew;
    for (int k = 0; k < workers; ++k) {
      crew.emplace_back([&, k] {
        try {
          ModelFunction& run = function(k);
          for (std::size_t i; (i = next++) < work.size();) *work[i].second = run(*work[i].first);
        } catch (...) {
          const std::lock_guard lock(mutex);
          failure = std::current_exception();
          next = work.size();
        }
      });
    }
  }
  if (failure) std::rethrow_exception(failure);
  ahead_ = std::move(kept);
}

void RunPool::help(SearchLimits& limits) {
  limits.width = width_;
  limits.run_ahead = [this](const std::vector<std::vector<double>>& points) { run_ahead(points); };
}

void serve_pool(const ModelFunctions& make, Ranks& ranks) {
  const std::unique_ptr<ModelFunction> run = make();
  for (;;) {
    const std::string message = ranks.receive(0);
    if (message.empty()) break;
    ranks.send(0, pack((*run)(ByteReader(message).take_list())));
  }
  ranks.finish();
}

}  // namespace arges
