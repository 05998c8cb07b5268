#include "arges/variants/variant_search.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/base/nearest.h"

namespace arges::variants {

namespace {

// Compiled models are large: when there are so many, they are made again.
constexpr std::size_t kMostModels = 200;
// Of how many variants it is asked what they have.
constexpr int kMostLookedAt = 1000;

bool is_contiguous(const Decision& decision) {
  return decision.kind == Decision::Kind::kNumber &&
         decision.value(decision.options.size() - 1) - decision.value(0) ==
             static_cast<double>(decision.options.size() - 1);
}

// Numbers without gaps stand for themselves, all else for 1, 2, ...
SearchVariable variable_of(const Decision& decision) {
  SearchVariable variable;
  variable.name = decision.name;
  variable.scale = SearchVariable::Scale::kInteger;
  variable.low = is_contiguous(decision) ? decision.value(0) : 1;
  variable.high = variable.low + static_cast<double>(decision.options.size() - 1);
  return variable;
}

std::string key_of(const Variant& variant) {
  std::string key;
  for (const Choice& each : variant.choices)
    key += fmt::format("{}:{} ", each.decision, each.option);
  return key;
}

}  // namespace

VariantSearch::VariantSearch(const EntityStructure& structure, const Selection& selection,
                             VariantSetup setup, const std::vector<SearchVariable>& ranges)
    : structure_(structure), selection_(selection), setup_(std::move(setup)) {
  setup_.varied.clear();
  for (std::size_t i = 0; i < structure.decisions.size(); ++i) {
    if (selection.contains(i)) continue;
    open_.push_back(i);
    variables_.push_back(variable_of(structure.decisions[i]));
  }
  names_ = structure.numbers;
  for (const SearchVariable& each : ranges) {
    const auto is_same = [&](const SearchVariable& other) { return other.name == each.name; };
    if (std::ranges::any_of(variables_, is_same) ||
        std::ranges::find(structure.decisions, each.name, &Decision::name) !=
            structure.decisions.end())
      throw UserError(fmt::format("'{}' is varied already", each.name));
    variables_.push_back(each);
    setup_.varied.push_back(each.name);
    if (std::ranges::find(names_, each.name) == names_.end()) names_.push_back(each.name);
  }
  if (variables_.empty())
    throw UserError("nothing is left to search: no decision is open, and no attribute has a range");
  check_setup(structure, selection, setup_);
  forbidden_.numbers.assign(names_.size(), 0);
}

Variant VariantSearch::variant_at(std::span<const double> x) const {
  return prune(structure_, [&](std::size_t decision, const std::vector<std::size_t>& available) {
    std::size_t option = 0;
    if (const auto fixed = selection_.find(decision); fixed != selection_.end()) {
      option = fixed->second;
    } else {
      const auto k = static_cast<std::size_t>(std::ranges::find(open_, decision) - open_.begin());
      option = static_cast<std::size_t>(std::lround(x[k] - variables_[k].low));
    }
    const bool is_there = std::ranges::find(available, option) != available.end();
    return is_there ? option : available[option % available.size()];
  });
}

VariantRun& VariantSearch::run_of(Variant variant) {
  const std::string key = key_of(variant);
  if (const auto known = runs_of_.find(key); known != runs_of_.end()) return *known->second;
  if (runs_of_.size() == kMostModels) runs_of_.clear();
  return *(runs_of_[key] = std::make_unique<VariantRun>(structure_, std::move(variant), setup_));
}

const VariantSearch::Trial& VariantSearch::operator()(std::span<const double> x) {
  Variant variant = variant_at(x);
  if (!satisfies_rules(structure_, variant) || !is_selected(variant, selection_)) return forbidden_;
  const std::string key = key_of(variant);
  VariantRun& run = run_of(std::move(variant));
  const std::vector<double> values(x.begin() + static_cast<std::ptrdiff_t>(open_.size()), x.end());
  std::vector<double> seen = values;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!run.has_varied()[i]) seen[i] = 0;
  }
  const auto [known, is_new] = trials_.try_emplace({key, std::move(seen)});
  Trial& trial = known->second;
  if (!is_new) return trial;
  trial.allowed = true;
  std::map<std::string, double> given(setup_.request.values.begin(), setup_.request.values.end());
  for (std::size_t i = 0; i < values.size(); ++i) given[setup_.varied[i]] = values[i];
  std::map<std::string, double> numbers = numbers_of(structure_, run.variant(), given);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (run.has_varied()[i]) numbers[setup_.varied[i]] = values[i];
  }
  for (const std::string& name : names_) {
    const auto found = numbers.find(name);
    trial.numbers.push_back(found == numbers.end() ? 0 : found->second);
  }
  VariantRun::Result result = run(values);
  ++runs_;
  trial.observables = std::move(result.observables);
  trial.ended = result.status == RunReason::kFinished || result.status == RunReason::kStopped ||
                result.status == RunReason::kZeno;
  return trial;
}

std::vector<std::pair<std::string, double>> VariantSearch::ranges_at(std::span<const double> x) {
  std::vector<std::pair<std::string, double>> all;
  const VariantRun& run = run_of(variant_at(x));
  for (std::size_t i = 0; i < setup_.varied.size(); ++i) {
    if (run.has_varied()[i]) all.emplace_back(setup_.varied[i], x[open_.size() + i]);
  }
  return all;
}

void check_setup(const EntityStructure& structure, const Selection& selection,
                 const VariantSetup& setup) {
  std::vector<std::string> problems;  // of the first variant: observables, then names
  bool any = false;
  int looked_at = 0;
  for_each_variant(structure, selection, [&](const Variant& variant) {
    const VariantRun run(structure, variant, setup);
    std::vector<std::string> here = run.missing();
    for (std::size_t i = 0; i < setup.varied.size(); ++i) {
      here.push_back(run.has_varied()[i]
                         ? ""
                         : fmt::format("no variant has '{}' to vary{}", setup.varied[i],
                                       did_you_mean(setup.varied[i], structure.numbers)));
    }
    if (!any) problems = here;
    any = true;
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (here[i].empty()) problems[i].clear();
    }
    // Usually the first one has all.
    return !std::ranges::all_of(problems, &std::string::empty) && ++looked_at < kMostLookedAt;
  });
  if (!any) throw UserError("no variant is left by the rules and the selection");
  for (const std::string& problem : problems) {
    if (!problem.empty()) throw UserError(problem);
  }
}

}  // namespace arges::variants
