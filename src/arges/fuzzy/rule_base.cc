#include "arges/fuzzy/rule_base.h"

#include <algorithm>

#include "arges/base/error.h"

namespace arges::fuzzy {

std::size_t RuleBase::add_input(std::vector<FuzzySet> sets) {
  if (!rules_.empty()) throw ApiError("all inputs must be there before the first rule");
  inputs_.push_back(std::move(sets));
  return inputs_.size() - 1;
}

std::size_t RuleBase::add_rule(Conditions conditions) {
  if (conditions.sets.size() != inputs_.size())
    throw ApiError("a rule has one condition for each input");
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (conditions.sets[i] && *conditions.sets[i] >= inputs_[i].size())
      throw ApiError("a rule names a set that its input does not have");
  }
  if (!(conditions.weight >= 0 && conditions.weight <= 1))
    throw ApiError("the weight of a rule lies between 0 and 1");
  rules_.push_back(std::move(conditions));
  return rules_.size() - 1;
}

std::vector<double> RuleBase::strengths(std::span<const double> x) const {
  if (x.size() != inputs_.size()) throw ApiError("a rule base needs a number for each input");
  std::vector<std::vector<double>> grades(inputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    for (const FuzzySet& set : inputs_[i]) grades[i].push_back(set.grade(x[i]));
  }
  std::vector<double> all;
  all.reserve(rules_.size());
  for (const Conditions& rule : rules_) {
    double strength = 1;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!rule.sets[i]) continue;
      const double grade = grades[i][*rule.sets[i]];
      strength = and_ == And::kMinimum ? std::min(strength, grade) : strength * grade;
    }
    all.push_back(rule.weight * strength);
  }
  return all;
}

void Sugeno::add_rule(Conditions conditions, double constant, std::vector<double> slopes) {
  if (!slopes.empty() && slopes.size() != base_.inputs())
    throw ApiError("a conclusion has one slope for each input, or none");
  base_.add_rule(std::move(conditions));
  conclusions_.push_back({constant, std::move(slopes)});
}

void Sugeno::add_table(const std::function<double(std::size_t, std::size_t)>& constant) {
  if (base_.inputs() != 2) throw ApiError("a table of rules is for two inputs");
  for (std::size_t i = 0; i < base_.sets(0).size(); ++i) {
    for (std::size_t j = 0; j < base_.sets(1).size(); ++j)
      add_rule({.sets = {i, j}}, constant(i, j));
  }
}

double Sugeno::operator()(std::span<const double> x) const {
  const std::vector<double> strengths = base_.strengths(x);
  double sum = 0, weight = 0;
  for (std::size_t k = 0; k < strengths.size(); ++k) {
    double conclusion = conclusions_[k].constant;
    for (std::size_t i = 0; i < conclusions_[k].slopes.size(); ++i)
      conclusion += conclusions_[k].slopes[i] * x[i];
    sum += strengths[k] * conclusion;
    weight += strengths[k];
  }
  return weight > 0 ? sum / weight : otherwise_;
}

}  // namespace arges::fuzzy
