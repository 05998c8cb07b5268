#pragma once
// Many runs of one model.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arges/base/run_status.h"
#include "arges/experiment/observable.h"
#include "arges/experiment/run_function.h"
#include "arges/hybrid/run_options.h"
#include "arges/hybrid/system.h"

namespace arges {

class ByteReader;

// One run of a study.
struct StudyRow {
  std::int64_t index = 0;
  std::vector<double> parameters;   // of the study, in the order of their names
  std::vector<double> observables;  // NaN for what the run did not get to
  RunReason status = RunReason::kFinished;
  std::string message{};  // why the run did not get to its end
};

// As bytes (packing.h).
void put_row(std::string& bytes, const StudyRow& row);
StudyRow take_row(ByteReader& reader);

// Whoever does the runs of one thread. Rows must depend on the index only.
class Worker {
 public:
  virtual ~Worker() = default;
  virtual StudyRow run(std::int64_t index) = 0;
  // The runs from begin to end - 1, until `stop` says so.
  virtual void run_range(std::int64_t begin, std::int64_t end, const std::function<bool()>& stop,
                         std::vector<StudyRow>& rows) {
    for (std::int64_t i = begin; i < end && !stop(); ++i) rows.push_back(run(i));
  }
  // Whether several runs at once are cheaper: they are done elsewhere.
  virtual bool prefers_ranges() const { return false; }
};

struct EnsembleOptions {
  int threads = 0;  // 0: one for each core
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(double)> progress{};  // from the calling thread
};

// Does the runs 0 ... count - 1 on several threads, and gives the rows to `take` in the order of
// their index, one at a time. When `take` says that it is enough, later rows are not given, however
// many are computed already: what is taken does not depend on the number of threads, nor on which
// run ends first. At most some thousand rows wait for their turn. Returns how many were taken.
// After cancellation all rows that are done are given, in order, but not without gaps; a run that
// was cut off is none of them. An exception of a worker comes out, after the rows
// before it were taken.
std::int64_t run_ensemble(std::int64_t count, const std::function<std::unique_ptr<Worker>()>& make,
                          const EnsembleOptions& options,
                          const std::function<bool(const StudyRow&)>& take);

// A study of a hybrid model: some of its values change from run to run.
struct StudyPlan {
  const HybridSystem& model;
  Context start;  // with the values that all runs share
  RunOptions options;
  std::vector<std::string> names;  // what changes
  std::vector<Observable> observables;
  // The values of run `index`, in the order of the names.
  std::function<std::vector<double>(std::int64_t index)> values;
};

using RunValues = std::function<std::vector<double>(std::int64_t index)>;
// Of any model: run `index` has the values of `values`, which must live as long.
std::function<std::unique_ptr<Worker>()> study_workers(ModelFunctions make,
                                                       const RunValues& values);
// Throws UserError when a name or an observable is not one of the model: before the first run.
std::function<std::unique_ptr<Worker>()> study_workers(const StudyPlan& plan);

}  // namespace arges
