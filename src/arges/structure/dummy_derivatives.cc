// Which derivatives become unknowns of their own: by structure, and by numbers where structure is
// not enough.

#include <algorithm>
#include <numeric>

#include "arges/base/index.h"
#include "arges/structure/blocks.h"
#include "arges/structure/independence.h"
#include "arges/structure/index_reduction.h"

namespace arges::structure {

namespace {

// The elimination may fill larger ones.
constexpr std::size_t kLargestBlock = 1000;

class DummySelection {
 public:
  DummySelection(const Incidence& a, const DerivativeChains& chains,
                 std::span<const double> preference, const Factor& factor)
      : a_(a),
        chains_(chains),
        factor_(factor),
        wish_(chains.variable_derivative.size(), 0),
        candidate_number_(wish_.size(), -1) {
    // A candidate is a derivative; as a dummy it takes the place of the state before it.
    for (std::size_t v = 0; v < wish_.size(); ++v) {
      const int state = chains.variable_primitive[v];
      if (state >= 0 && at(state) < preference.size()) wish_[v] = preference[at(state)];
    }
  }

  std::vector<int> run(std::span<const char> left_out) {
    collect(left_out);
    std::vector<int> dummies;
    while (!equations_.empty() && !candidates_.empty()) {
      const std::vector<int> chosen = choose();
      dummies.insert(dummies.end(), chosen.begin(), chosen.end());
      descend(chosen);
    }
    std::sort(dummies.begin(), dummies.end());
    return dummies;
  }

 private:
  std::span<const int> row(int i) const {
    if (i < a_.rows()) return a_.row(i);
    return chains_.added_rows[at(i - a_.rows())];
  }

  // The highest derivatives of the differentiated equations, and the highest derivatives in them.
  void collect(std::span<const char> left_out) {
    for (std::size_t i = 0; i < chains_.equation_derivative.size(); ++i) {
      if (chains_.equation_derivative[i] >= 0 || chains_.equation_primitive[i] < 0) continue;
      int given = static_cast<int>(i);
      while (chains_.equation_primitive[at(given)] >= 0)
        given = chains_.equation_primitive[at(given)];
      if (left_out.empty() || !left_out[at(given)]) equations_.push_back(static_cast<int>(i));
    }
    for (const int i : equations_) {
      for (const int v : row(i)) {
        if (chains_.variable_derivative[at(v)] >= 0 || chains_.variable_primitive[at(v)] < 0)
          continue;
        if (candidate_number_[at(v)] >= 0) continue;
        candidate_number_[at(v)] = 1;
        candidates_.push_back(v);
      }
    }
  }

  // The dummies among the candidates, least wanted first.
  std::vector<int> choose() {
    std::sort(candidates_.begin(), candidates_.end(), [&](int v, int w) {
      return wish_[at(v)] != wish_[at(w)] ? wish_[at(v)] < wish_[at(w)] : v < w;
    });
    std::fill(candidate_number_.begin(), candidate_number_.end(), -1);
    for (std::size_t k = 0; k < candidates_.size(); ++k)
      candidate_number_[at(candidates_[k])] = static_cast<int>(k);
    std::vector<std::pair<int, int>> pairs;  // candidate, equation
    for (std::size_t e = 0; e < equations_.size(); ++e) {
      for (const int v : row(equations_[e])) {
        if (candidate_number_[at(v)] >= 0)
          pairs.emplace_back(candidate_number_[at(v)], static_cast<int>(e));
      }
    }
    // Matched from the side of the variables: those that find an equation are the dummies.
    const int count = static_cast<int>(candidates_.size());
    const Incidence by_variable = from_pairs(count, static_cast<int>(equations_.size()), pairs);
    Matching matching{std::vector<int>(at(count), -1), std::vector<int>(equations_.size(), -1)};
    std::vector<int> order(at(count));
    std::iota(order.begin(), order.end(), 0);
    match_in_order(by_variable, order, matching);
    std::vector<int> chosen;
    for (int k = 0; k < count; ++k) {
      if (matching.column_of_row[at(k)] >= 0) chosen.push_back(k);
    }
    if (factor_ && is_singular(by_variable, matching, chosen)) {
      const std::vector<int> independent = independent_rows(by_variable);
      if (independent.size() == chosen.size()) chosen = independent;
    }
    for (int& k : chosen) k = candidates_[at(k)];
    return chosen;
  }

  // What the chosen candidates are computed from, taken apart into what depends on each other.
  bool is_singular(const Incidence& by_variable, const Matching& matching,
                   const std::vector<int>& chosen) const {
    Incidence square;
    square.columns = by_variable.columns;
    Matching matched{{}, std::vector<int>(at(by_variable.columns), -1)};
    for (const int k : chosen) {
      matched.row_of_column[at(matching.column_of_row[at(k)])] = square.rows();
      matched.column_of_row.push_back(matching.column_of_row[at(k)]);
      square.add_row(by_variable.row(k));
    }
    const Blocks blocks = block_lower_triangular(square, matched);
    for (int b = 0; b < blocks.count(); ++b) {
      if (blocks[b].size() > kLargestBlock) continue;
      GrowingBasis basis;
      for (const int r : blocks[b]) {
        std::vector<std::pair<int, double>> inside;
        for (const auto& [e, value] : factors(chosen[at(r)], square.row(r))) {
          const int other = matched.row_of_column[at(e)];
          if (std::binary_search(blocks[b].begin(), blocks[b].end(), other))
            inside.emplace_back(e, value);
        }
        if (!basis.take(inside)) return true;
      }
    }
    return false;
  }

  std::vector<int> independent_rows(const Incidence& by_variable) const {
    GrowingBasis basis;
    std::vector<int> taken;
    for (int k = 0; k < by_variable.rows() && basis.size() < by_variable.columns; ++k) {
      if (basis.take(factors(k, by_variable.row(k)))) taken.push_back(k);
    }
    return taken;
  }

  // Of one candidate in the equations. The k-th derivative of an equation depends on that of a
  // variable as the equation does on the variable.
  std::vector<std::pair<int, double>> factors(int candidate, std::span<const int> equations) const {
    std::vector<std::pair<int, double>> result;
    for (const int e : equations) {
      int given = equations_[at(e)], variable = candidates_[at(candidate)];
      while (given >= a_.rows() && variable >= 0) {
        given = chains_.equation_primitive[at(given)];
        variable = chains_.variable_primitive[at(variable)];
      }
      const double value =
          variable >= 0 ? factor_(given, variable)
                        : unrelated_number((static_cast<std::uint64_t>(given) << 32) +
                                           static_cast<std::uint64_t>(candidates_[at(candidate)]));
      if (value != 0) result.emplace_back(e, value);
    }
    return result;
  }

  // The next lower derivatives: of the dummies, and of the equations.
  void descend(const std::vector<int>& chosen) {
    std::vector<int> candidates, equations;
    for (const int v : chosen) {
      const int primitive = chains_.variable_primitive[at(v)];
      if (chains_.variable_primitive[at(primitive)] >= 0) candidates.push_back(primitive);
    }
    for (const int i : equations_) {
      const int primitive = chains_.equation_primitive[at(i)];
      if (chains_.equation_primitive[at(primitive)] >= 0) equations.push_back(primitive);
    }
    candidates_ = std::move(candidates);
    equations_ = std::move(equations);
  }

  const Incidence& a_;
  const DerivativeChains& chains_;
  const Factor& factor_;
  std::vector<double> wish_;
  std::vector<int> candidate_number_;
  std::vector<int> equations_, candidates_;
};

}  // namespace

std::vector<int> dummy_derivatives(const Incidence& a, const DerivativeChains& chains,
                                   std::span<const double> preference,
                                   std::span<const char> left_out, const Factor& factor) {
  return DummySelection(a, chains, preference, factor).run(left_out);
}

}  // namespace arges::structure
