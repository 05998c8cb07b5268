#include "arges/variants/model_cache.h"

namespace arges::variants {

namespace {

// Compiled models are large: when there are so many, they are made again.
constexpr std::size_t kMostModels = 200;

}  // namespace

ModelCache::Model ModelCache::get(const std::string& key,
                                  const std::function<std::unique_ptr<HybridSystem>()>& make) {
  std::promise<Model> promise;
  std::shared_future<Model> model;
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = models_.find(key); known != models_.end()) {
      model = known->second;
    } else {
      if (models_.size() == kMostModels) models_.clear();
      models_[key] = promise.get_future().share();
      ++count_;
    }
  }
  if (model.valid()) return model.get();
  try {
    Model made = make();
    promise.set_value(made);
    return made;
  } catch (...) {
    promise.set_exception(std::current_exception());
    throw;
  }
}

}  // namespace arges::variants
