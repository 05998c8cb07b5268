#include "arges/variants/variant_search.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/driver/model_text.h"
#include "arges/variants/modelica_text.h"

namespace arges::variants {

namespace {

// Solvers of so many variants are kept by each thread.
constexpr std::size_t kMostRuns = 200;
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

// The ranges that some variant has which the selection leaves; all when there are too many variants
// to tell.
std::vector<SearchVariable> ranges_left(const EntityStructure& structure,
                                        const Selection& selection) {
  std::vector<bool> has(structure.ranges.size(), false);
  int looked_at = 0;
  try {
    for_each_variant(structure, selection, [&](const Variant& variant) {
      for (std::size_t i = 0; i < has.size(); ++i) {
        const SearchVariable& range = structure.ranges[i];
        if (!has[i] && is_there(structure, variant, {range.name, range})) has[i] = true;
      }
      return ++looked_at < kMostLookedAt && std::ranges::count(has, false) > 0;
    });
  } catch (const UserError&) {  // rules exclude nearly all of very many
    return structure.ranges;
  }
  if (looked_at == kMostLookedAt) return structure.ranges;
  std::vector<SearchVariable> left;
  for (std::size_t i = 0; i < has.size(); ++i) {
    if (has[i]) left.push_back(structure.ranges[i]);
  }
  return left;
}

// A model that cannot be made is a run that has failed.
template <class Run>
ModelFunction::Result guarded(const VariantSetup& setup, const Run& run) {
  const auto failed = [&](const char* why) -> ModelFunction::Result {
    return {std::vector<double>(setup.observables.size(), std::nan("")),
            RunReason::kInitialisationFailed, why};
  };
  try {
    return run();
  } catch (const UserError& error) {
    return failed(error.what());
  } catch (const ModelTextError& error) {
    return failed(error.what());
  }
}

}  // namespace

VariantSearch::VariantSearch(const EntityStructure& structure, const Selection& selection,
                             VariantSetup setup, const std::vector<SearchVariable>& ranges)
    : structure_(structure),
      selection_(selection),
      setup_(std::move(setup)),
      alone_(functions(), 1),
      pool_(&alone_) {
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
    add_range(each, false);
  }
  for (const SearchVariable& each : ranges_left(structure, selection)) {
    if (std::ranges::find(ranges, each.name, &SearchVariable::name) == ranges.end())
      add_range(each, true);
  }
  if (variables_.empty())
    throw UserError("nothing is left to search: no decision is open, and no attribute has a range");
  check_setup(structure, selection, setup_);
  forbidden_.numbers.assign(names_.size(), 0);
}

void VariantSearch::add_range(const SearchVariable& range, bool of_structure) {
  variables_.push_back(range);
  setup_.varied.push_back({range.name, of_structure ? std::optional(range) : std::nullopt});
  if (std::ranges::find(names_, range.name) == names_.end()) names_.push_back(range.name);
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

// One a thread.
class VariantSearch::Function final : public ModelFunction {
 public:
  explicit Function(const VariantSearch& search) : search_(search) {}

  // Whether the variant has what is varied, one number each, then the observables.
  Result operator()(std::span<const double> x) override {
    const Variant variant = search_.variant_at(x);
    std::vector<double> has(search_.setup_.varied.size(), 0);
    Result result = guarded(search_.setup_, [&] {
      VariantRun& run = run_of(variant);
      std::ranges::copy(run.has_varied(), has.begin());
      return run(search_.values_at(x));
    });
    result.observables.insert(result.observables.begin(), has.begin(), has.end());
    return result;
  }

 private:
  VariantRun& run_of(const Variant& variant) {
    const std::string key = key_of(variant);
    if (const auto known = runs_.find(key); known != runs_.end()) return *known->second;
    if (runs_.size() == kMostRuns) runs_.clear();
    auto run = std::make_unique<VariantRun>(search_.structure_, variant, search_.setup_);
    return *(runs_[key] = std::move(run));
  }

  const VariantSearch& search_;
  std::map<std::string, std::unique_ptr<VariantRun>> runs_;  // by what was chosen
};

ModelFunctions VariantSearch::functions() const {
  return [this] { return std::make_unique<Function>(*this); };
}

void VariantSearch::help(SearchLimits& limits) {
  limits.width = pool_->width();
  limits.run_ahead = [this](const std::vector<std::vector<double>>& points) { run_ahead(points); };
}

bool VariantSearch::is_allowed(const Variant& variant) const {
  return satisfies_rules(structure_, variant) && is_selected(variant, selection_);
}

std::string VariantSearch::structure_at(std::span<const double> x) const {
  const Variant variant = variant_at(x);
  if (!is_allowed(variant)) return "";
  std::string text = "variant " + key_of(variant);
  for (std::size_t i = 0; i < setup_.varied.size(); ++i) {
    const std::size_t k = open_.size() + i;
    if (variables_[k].scale == SearchVariable::Scale::kInteger &&
        is_there(structure_, variant, setup_.varied[i]))
      text += fmt::format(" {}", x[k]);
  }
  return text;
}

bool VariantSearch::matters(std::span<const double> x, std::size_t variable) const {
  const Variant variant = variant_at(x);
  if (variable < open_.size())
    return std::ranges::find(variant.choices, open_[variable], &Choice::decision) !=
           variant.choices.end();
  return is_there(structure_, variant, setup_.varied[variable - open_.size()]);
}

std::vector<double> VariantSearch::values_at(std::span<const double> x) const {
  return {x.begin() + static_cast<std::ptrdiff_t>(open_.size()), x.end()};
}

// Points that are the same variant with the same attributes are one point.
std::vector<double> VariantSearch::point_to_run(const Variant& variant,
                                                std::span<const double> x) const {
  std::vector<double> point;
  for (std::size_t k = 0; k < open_.size(); ++k) {
    const auto choice = std::ranges::find(variant.choices, open_[k], &Choice::decision);
    point.push_back(variables_[k].low +
                    (choice == variant.choices.end() ? 0 : static_cast<double>(choice->option)));
  }
  for (std::size_t i = 0; i < setup_.varied.size(); ++i) {
    const bool has = is_there(structure_, variant, setup_.varied[i]);
    point.push_back(has ? x[open_.size() + i] : 0);
  }
  return point;
}

VariantSearch::Key VariantSearch::key_of_trial(const Variant& variant,
                                               std::span<const double> x) const {
  Key key{key_of(variant), values_at(x)};
  if (const auto has = has_varied_.find(key.first); has != has_varied_.end()) {
    for (std::size_t i = 0; i < key.second.size(); ++i) {
      if (!has->second[i]) key.second[i] = 0;
    }
  }
  return key;
}

void VariantSearch::set_numbers(Trial& trial, const Variant& variant,
                                std::span<const double> values) const {
  const std::vector<bool>& has = has_varied_.at(key_of(variant));
  std::map<std::string, double> given(setup_.request.values.begin(), setup_.request.values.end());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (has[i]) given[setup_.varied[i].name] = values[i];
  }
  std::map<std::string, double> numbers = numbers_of(structure_, variant, given);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (has[i]) numbers[setup_.varied[i].name] = values[i];
  }
  for (const std::string& name : names_) {
    const auto found = numbers.find(name);
    trial.numbers.push_back(found == numbers.end() ? 0 : found->second);
  }
}

const VariantSearch::Trial& VariantSearch::operator()(std::span<const double> x) {
  const Variant variant = variant_at(x);
  if (!is_allowed(variant)) return forbidden_;
  if (const auto known = trials_.find(key_of_trial(variant, x)); known != trials_.end())
    return known->second;
  ModelFunction::Result result = pool_->at(point_to_run(variant, x));
  ++runs_;
  const auto count = static_cast<std::ptrdiff_t>(setup_.varied.size());
  has_varied_[key_of(variant)].assign(result.observables.begin(),
                                      result.observables.begin() + count);
  Trial& trial = trials_[key_of_trial(variant, x)];
  trial.allowed = true;
  trial.ended = result.ended();
  set_numbers(trial, variant, values_at(x));
  trial.observables.assign(result.observables.begin() + count, result.observables.end());
  trial.message = std::move(result.message);
  return trial;
}

void VariantSearch::run_ahead(const std::vector<std::vector<double>>& points) {
  std::vector<std::vector<double>> to_run;
  for (const std::vector<double>& x : points) {
    const Variant variant = variant_at(x);
    if (is_allowed(variant) && !trials_.contains(key_of_trial(variant, x)))
      to_run.push_back(point_to_run(variant, x));
  }
  pool_->run_ahead(to_run);
}

std::vector<std::pair<std::string, double>> VariantSearch::ranges_at(
    std::span<const double> x) const {
  std::vector<std::pair<std::string, double>> all;
  const std::vector<bool>& has = has_varied_.at(key_of(variant_at(x)));
  for (std::size_t i = 0; i < has.size(); ++i) {
    if (has[i]) all.emplace_back(setup_.varied[i].name, x[open_.size() + i]);
  }
  return all;
}

ModelFunction::Result run_variant(const EntityStructure& structure, const Variant& variant,
                                  const VariantSetup& setup) {
  return guarded(setup, [&] { return VariantRun(structure, variant, setup)({}); });
}

}  // namespace arges::variants
