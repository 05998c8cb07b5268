#pragma once
// Structure and parameters as one search space.

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arges/experiment/run_pool.h"
#include "arges/experiment/search.h"
#include "arges/variants/variant_run.h"

namespace arges::variants {

// A point of the search space is a whole number for each open decision, in the order of the
// structure, and a value for each range; an attribute that choices give different ranges has one
// for each of them, so that a variant is never given a value of another's. At a point
//   1. the structure is pruned; a decomposition that an earlier choice did not leave becomes one of
//      those that it left; decisions that the variant does not have are not looked at
//   2. the rules are looked at: a variant that breaks one is not run
//   3. the model is made, unless this variant has been seen before, and run, unless this point has
//      been
// A variant whose model cannot be made is a trial that did not end.
class VariantSearch {
 public:
  struct Trial {
    bool allowed = false;               // by the rules and the selection
    bool ended = false;                 // the run got to its end
    std::vector<double> numbers{};      // in the order of names(); 0 for what is not there
    std::vector<double> observables{};  // in the order of the setup; empty without a run
    std::string message{};              // why it did not end
  };

  // Varied are the decisions that the selection leaves open, the attributes with ranges of the
  // variants that it leaves, and `ranges`, which come before those of the structure; setup.varied
  // is set from them. Throws UserError for one of `ranges`, and for an observable, that no variant
  // has: before the first run.
  VariantSearch(const EntityStructure& structure, const Selection& selection, VariantSetup setup,
                const std::vector<SearchVariable>& ranges);
  VariantSearch(const VariantSearch&) = delete;
  VariantSearch& operator=(const VariantSearch&) = delete;

  // Runs are done one by one, unless there is a pool of these functions, which has to live as long;
  // what is found is the same. help() lets a search announce points to the pool.
  ModelFunctions functions() const;
  void run_on(RunPool& pool) { pool_ = &pool; }
  void help(SearchLimits& limits);

  const std::vector<SearchVariable>& variables() const { return variables_; }
  // What formulas may name besides observables: the numbers of the structure, and all ranges.
  const std::vector<std::string>& names() const { return names_; }
  const Trial& operator()(std::span<const double> x);
  // The structure at a point, whether it is allowed or not.
  Variant variant_at(std::span<const double> x) const;
  // Equal for points of the same structure; "" when it is not allowed.
  std::string structure_at(std::span<const double> x) const;
  // Whether the variant at a point has the variable of this index.
  bool matters(std::span<const double> x, std::size_t variable) const;
  // Those that the variant has, by name, at a point that was tried.
  std::vector<std::pair<std::string, double>> ranges_at(std::span<const double> x) const;
  // Different points that were asked for: as many runs as one thread does.
  std::int64_t runs() const { return runs_; }

 private:
  class Function;
  using Key = std::pair<std::string, std::vector<double>>;  // what was chosen, values that count

  void add_range(const SearchVariable& range, bool of_structure);
  bool is_allowed(const Variant& variant) const;
  std::vector<double> values_at(std::span<const double> x) const;
  Key key_of_trial(const Variant& variant, std::span<const double> x) const;
  std::vector<double> point_to_run(const Variant& variant, std::span<const double> x) const;
  void set_numbers(Trial& trial, const Variant& variant, std::span<const double> values) const;
  void run_ahead(const std::vector<std::vector<double>>& points);

  const EntityStructure& structure_;
  Selection selection_;
  VariantSetup setup_;
  std::vector<std::size_t> open_;  // decisions
  std::vector<SearchVariable> variables_;
  std::vector<std::string> names_;
  RunPool alone_;
  RunPool* pool_;
  std::map<std::string, std::vector<bool>> has_varied_;  // by what was chosen, as far as it was run
  std::map<Key, Trial> trials_;
  Trial forbidden_;
  std::int64_t runs_ = 0;
};

// Throws UserError when no variant that the selection leaves (of the first thousand) has an
// observable or, of what is varied, a name: with what the first one says.
void check_setup(const EntityStructure& structure, const Selection& selection,
                 const VariantSetup& setup);

// The run of a variant without values of its own; one whose model cannot be made has failed.
ModelFunction::Result run_variant(const EntityStructure& structure, const Variant& variant,
                                  const VariantSetup& setup);

}  // namespace arges::variants
