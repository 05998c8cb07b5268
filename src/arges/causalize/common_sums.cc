// Sums that two equations have in common: a + b + c = 0 and 3 z = a + b + c say that z = 0.

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <vector>

#include "arges/base/index.h"
#include "arges/causalize/passes.h"
#include "arges/causalize/sums.h"

namespace arges {

namespace {

class CommonSums {
 public:
  explicit CommonSums(FlatModel& flat) : flat_(flat), pool_(flat.pool) {}

  void run() {
    std::vector<std::int32_t> shortest_first;
    for (std::size_t i = 0; i < flat_.equations.size(); ++i) {
      sums_.push_back(sum_of(pool_, flat_.equations[i]));
      if (sums_.back().size() > 1) shortest_first.push_back(static_cast<std::int32_t>(i));
      for (const SumTerm& t : sums_.back())
        users_[t.of.index].push_back(static_cast<std::int32_t>(i));
    }
    std::stable_sort(shortest_first.begin(), shortest_first.end(),
                     [&](auto a, auto b) { return sums_[at(a)].size() < sums_[at(b)].size(); });
    for (const std::int32_t i : shortest_first) take_out(i);
  }

 private:
  // Subtracts the equation from those that have all of its terms.
  void take_out(std::int32_t from) {
    const Sum& sum = sums_[at(from)];
    const auto rarest =
        std::min_element(sum.begin(), sum.end(), [&](const SumTerm& a, const SumTerm& b) {
          return users_[a.of.index].size() < users_[b.of.index].size();
        });
    for (const std::int32_t i : users_[rarest->of.index]) {
      if (i == from || sums_[at(i)].size() <= sum.size() || !has_all(sums_[at(i)], sum)) continue;
      Sum rest;
      std::set_difference(sums_[at(i)].begin(), sums_[at(i)].end(), sum.begin(), sum.end(),
                          std::back_inserter(rest), [](const SumTerm& a, const SumTerm& b) {
                            return a.of.index < b.of.index;
                          });
      if (std::none_of(rest.begin(), rest.end(), [&](const SumTerm& t) { return varies(t.of); }))
        continue;
      sums_[at(i)] = std::move(rest);
      write_sum(pool_, sums_[at(i)], flat_.equations[at(i)]);
    }
  }

  // With one ratio of the factors.
  static bool has_all(const Sum& whole, const Sum& part) {
    double ratio = 0;
    auto term = whole.begin();
    for (const SumTerm& p : part) {
      while (term != whole.end() && term->of.index < p.of.index) ++term;
      if (term == whole.end() || term->of != p.of) return false;
      if (ratio == 0) ratio = term->factor / p.factor;
      const double off = term->factor - ratio * p.factor;
      if (std::abs(off) > 4 * std::numeric_limits<double>::epsilon() * std::abs(term->factor))
        return false;
    }
    return true;
  }

  bool varies(ExprId e) const {
    const Op op = pool_[e].op;
    if (op == Op::kDer) return true;
    return op == Op::kVar && flat_[pool_.var(e)].variability == FlatVariability::kContinuous;
  }

  FlatModel& flat_;
  ExprPool& pool_;
  std::vector<Sum> sums_;                                              // by equation
  std::unordered_map<std::int32_t, std::vector<std::int32_t>> users_;  // by term: equations
};

}  // namespace

void take_out_common_sums(FlatModel& model) { CommonSums(model).run(); }

}  // namespace arges
