#pragma once
// Models of variants that were compiled, for all threads.

#include <cstddef>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "arges/hybrid/system.h"

namespace arges::variants {

// Each model is made once, by whoever needs it first; others wait. Models that are large in number
// are forgotten, and live as long as somebody has them.
class ModelCache {
 public:
  using Model = std::shared_ptr<const HybridSystem>;

  // What was made for `key`, which has to say all that the model depends on. Throws what `make`
  // threw, again and again.
  Model get(const std::string& key, const std::function<std::unique_ptr<HybridSystem>()>& make);
  // How many were made.
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_future<Model>> models_;
  std::size_t count_ = 0;
};

}  // namespace arges::variants
