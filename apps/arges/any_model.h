#pragma once
// Models of all kinds, for what does many runs: text, continuous ones in C++, DEVS, processes.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arges/driver/compiled_variants.h"
#include "arges/driver/discrete_study.h"
#include "arges/experiment/contest.h"
#include "arges/experiment/run_pool.h"
#include "subject.h"

namespace arges::app {

// Thrown on the other ranks of mpirun: rank 0 has what was found, and prints.
struct WorkDone {};

class AnyModel {
 public:
  // Throws what Subject throws.
  AnyModel(const ModelRegistry& models, const SubjectOptions& options);

  const std::string& name() const;
  bool is_discrete() const { return discrete_ != nullptr; }
  const DiscreteModel* discrete() const { return discrete_; }
  const std::optional<Subject>& subject() const { return subject_; }
  const RunOptions& options() const { return options_; }

  // Each run ends when this holds. Throws UserError with the place.
  void stop_when(const std::string& condition);
  // Whether one of these values is part of the equations of a text.
  bool has_variants(const std::vector<std::string>& names) const;
  // From now on a value of this name is a position in the words, with which the text is compiled.
  void set_words(const std::string& name, std::vector<std::string> words);
  // Each of the texts begins with a name ("d=uniform(0,1)"): throws UserError, with the place, when
  // the model has no such value, when there are two of one name or -p gives it, or when it cannot
  // be one of `examples` (of each name, what it may become: an Integer is not 2.5). What is part of
  // the equations of a text is compiled with the first of them, words with each.
  void check_names(const std::vector<std::string>& names, const std::vector<std::string>& texts,
                   const std::vector<std::vector<double>>& examples);
  // Throws UserError for options that no run can have.
  void check_options() const;
  // What there is to note when the user does not say: the states at the end, or everything that a
  // discrete model shows.
  std::vector<std::string> what_is_noted() const;
  // Why this cannot be noted of a run; "" when it can.
  std::string why_no_variable(const std::string& name) const;
  bool has_variable(const std::string& name) const { return why_no_variable(name).empty(); }
  // Runs as functions of the values of `names`; what is part of the equations of a text chooses a
  // variant of it, compiled when it is first needed. The model must live as long. Throws UserError
  // when something is not there: in none of the variants for the examples.
  ModelFunctions functions(const std::vector<std::string>& names,
                           const std::vector<Observable>& observables) const;
  // One run, with these values besides those that the user gave.
  RunOutcome run(const std::vector<std::pair<std::string, double>>& values) const;
  // The equations at a time. `progress` is told the part of the run that is done. Throws RunFailed,
  // and UserError when there are none.
  Moment at(double time, const std::function<void(double)>& progress = {}) const;
  // Solvers beside each other. Throws what compare_solvers() throws.
  ContestResult compare(const ContestRequest& request) const;
  // That of the random numbers of a model that has one.
  std::optional<std::uint64_t> seed() const;
  // All that the runs depend on, besides what changes.
  std::string description() const;

 private:
  const HybridSystem& hybrid() const { return watched_ ? *watched_ : *subject_->model; }
  VariedName varied(const std::string& name) const;
  // By -p; "" when it is not given.
  std::string given_value(const std::string& name) const;
  void check_variants(const std::vector<VariedName>& names, const std::vector<std::string>& texts,
                      const std::vector<std::vector<double>>& examples) const;
  void check_observables(const VariantRuns& runs) const;

  RunRequest request_;
  const DiscreteModel* discrete_;   // or
  std::optional<Subject> subject_;  // a continuous one
  std::optional<ParameterValues> discrete_start_;
  std::unique_ptr<HybridSystem> watched_;
  std::shared_ptr<CompiledVariants> variants_;  // of a text
  std::map<std::string, std::vector<std::string>> words_;
  std::map<std::string, std::vector<double>> examples_;
  RunOptions options_;
};

// The ranks of mpirun when their work is done. MPI ends with this object, which has to live until
// everything is written and printed (ranks.h).
class RanksAtRest {
 public:
  RanksAtRest() = default;
  explicit RanksAtRest(std::unique_ptr<Ranks> ranks) : ranks_(std::move(ranks)) {}
  RanksAtRest(RanksAtRest&&) = default;
  RanksAtRest& operator=(RanksAtRest&&) = default;
  ~RanksAtRest();

 private:
  std::unique_ptr<Ranks> ranks_;
};

// run_ensemble(); under mpirun on all ranks. On the other ranks this does what rank 0 wants, and
// then throws WorkDone. `wrap`, called on rank 0, may put something around a worker (a journal).
[[nodiscard]] RanksAtRest run_everywhere(
    std::int64_t count, const WorkerFactory& make,
    const std::function<std::unique_ptr<Worker>(std::unique_ptr<Worker>)>& wrap,
    const EnsembleOptions& options, const std::function<bool(const StudyRow&)>& take);

// A pool on all cores; under mpirun on all ranks. On the other ranks this does what rank 0 wants,
// and then throws WorkDone.
class SearchPool {
 public:
  SearchPool(const ModelFunctions& make, int threads);
  SearchPool(const SearchPool&) = delete;
  SearchPool& operator=(const SearchPool&) = delete;
  // Ends MPI: what was found has to be printed before (ranks.h).
  ~SearchPool();
  RunPool& pool() { return *pool_; }

 private:
  std::unique_ptr<Ranks> ranks_;
  std::unique_ptr<RunPool> pool_;
};

}  // namespace arges::app
