#pragma once
// Runs of a search on all cores, and on other ranks.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "arges/experiment/ranks.h"
#include "arges/experiment/run_function.h"
#include "arges/experiment/search.h"

namespace arges {

// Searches ask for one point after another; those that they will ask for soon (differences, a
// generation) are run ahead, at once, and kept until they are asked for. What a search gets is what
// it would get without: it depends neither on the number of threads nor on that of ranks.
class RunPool {
 public:
  // `threads`: 0 is one for each core. With `ranks` every other rank is one more worker, which has
  // called serve_pool(); rank 0 alone has a pool.
  RunPool(ModelFunctions make, int threads, Ranks* ranks = nullptr);
  ~RunPool();  // the other ranks come back from serve_pool()
  RunPool(const RunPool&) = delete;
  RunPool& operator=(const RunPool&) = delete;

  // How many runs are done at once.
  int width() const { return width_; }
  ModelFunction::Result at(std::span<const double> x);
  // Forgets what was run ahead before and has not been asked for. An exception of a run comes out.
  void run_ahead(const std::vector<std::vector<double>>& points);
  // For a search: calls run_ahead(). The pool must live as long.
  void help(SearchLimits& limits);

 private:
  ModelFunction& function(int worker);

  ModelFunctions make_;
  Ranks* ranks_;
  int width_;
  std::vector<std::unique_ptr<ModelFunction>> functions_;  // one a worker, made when it is needed
  std::map<std::vector<double>, ModelFunction::Result> ahead_;
};

// What the other ranks do: runs, until rank 0 has found what it looks for.
void serve_pool(const ModelFunctions& make, Ranks& ranks);

}  // namespace arges
