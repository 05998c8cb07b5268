// Constraints among states that sums of equations hide: u1 = a - b and u2 = b - a say u1 + u2 = 0.

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "arges/base/index.h"
#include "arges/causalize/passes.h"
#include "arges/causalize/sums.h"
#include "arges/expr/walk.h"
#include "arges/structure/hidden_dependencies.h"

namespace arges {

namespace {

// What a term can be.
enum class Kind : std::uint8_t {
  kNotAsked,
  kOnlyInSums,  // an unknown that no other equation has: potentials, say
  kElsewhere,   // an unknown of other equations, too; an expression with unknowns
  kKept,        // a state by the text, and what is known
};

class HiddenConstraints {
 public:
  explicit HiddenConstraints(FlatModel& flat) : flat_(flat), pool_(flat.pool), walker_(pool_) {}

  void run() {
    for (const FlatEquation& e : flat_.equations) {
      Sum sum = sum_of(pool_, e);
      for (const SumTerm& t : sum) {
        if (t.factor != std::round(t.factor) || std::abs(t.factor) > kLargestFactor) {
          sum.clear();
          break;
        }
      }
      sums_.push_back(std::move(sum));
    }
    note_uses();
    expose(Kind::kOnlyInSums);
    expose(Kind::kElsewhere);
  }

 private:
  static constexpr double kLargestFactor = 1 << 20;

  // Which variables are differentiated, and which are in more than sums.
  void note_uses() {
    differentiated_.assign(flat_.variables.size(), 0);
    elsewhere_.assign(flat_.variables.size(), 0);
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      if (sums_[i].empty()) {
        note(flat_.equations[i].lhs);
        note(flat_.equations[i].rhs);
      }
      for (const SumTerm& t : sums_[i]) {
        if (pool_[t.of].op != Op::kVar) note(t.of);
      }
    }
    for (const WhenClause& clause : flat_.whens) {
      for (const WhenBranch& branch : clause.branches) {
        for (const ExprId c : branch.conditions) note(c);
        for (const WhenAction& action : branch.actions) {
          if (action.value.valid()) note(action.value);
        }
      }
    }
  }

  void note(ExprId root) {
    for (const ExprId e : walker_.new_nodes({&root, 1})) {
      if (pool_[e].op == Op::kDer) differentiated_[at(pool_.var(e).index)] = 1;
      if (pool_[e].op == Op::kVar) elsewhere_[at(pool_.var(e).index)] = 1;
    }
  }

  Kind kind_of(ExprId term) {
    if (kinds_.size() < at(pool_.size())) kinds_.resize(at(pool_.size()), Kind::kNotAsked);
    Kind& kind = kinds_[at(term.index)];
    if (kind == Kind::kNotAsked) kind = find_kind(term);
    return kind;
  }

  Kind find_kind(ExprId term) {
    if (pool_[term].op == Op::kVar) {
      const VarId v = pool_.var(term);
      if (!is_unknown(v) || differentiated_[at(v.index)] != 0) return Kind::kKept;
      return elsewhere_[at(v.index)] != 0 ? Kind::kElsewhere : Kind::kOnlyInSums;
    }
    for (const ExprId e : walker_.nodes(term)) {
      const Op op = pool_[e].op;
      if (op == Op::kDer || (op == Op::kVar && is_unknown(pool_.var(e)))) return Kind::kElsewhere;
    }
    return Kind::kKept;
  }

  bool is_unknown(VarId v) const {
    const FlatVariable& variable = flat_[v];
    return variable.type == ScalarType::kReal &&
           variable.variability == FlatVariability::kContinuous &&
           variable.causality != Causality::kInput;
  }

  // Looks at the terms up to this kind. Of those that are in sums only: what is left of a sum may
  // have other unknowns. Of all unknowns: it has only states and what is known.
  void expose(Kind last) {
    std::vector<structure::IntegerRow> rows;
    std::vector<std::int32_t> equation_of;
    std::vector<int> column_of(at(pool_.size()), -1);  // by term
    int columns = 0;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      structure::IntegerRow row;
      for (const SumTerm& t : sums_[i]) {
        if (kind_of(t.of) > last) continue;
        int& column = column_of[at(t.of.index)];
        if (column < 0) column = columns++;
        row.push_back({column, static_cast<std::int64_t>(t.factor)});
      }
      if (row.empty()) continue;
      rows.push_back(std::move(row));
      equation_of.push_back(static_cast<std::int32_t>(i));
    }
    std::vector<std::pair<std::int32_t, Sum>> found;
    for (const structure::VanishingSum& s : structure::hidden_dependencies(rows, columns))
      found.push_back({equation_of[at(s.row)], total(s, equation_of)});
    for (auto& [i, sum] : found) {
      if (!says_something(sum)) continue;
      write_sum(pool_, sum, flat_.equations[at(i)]);
      sums_[at(i)] = std::move(sum);
    }
  }

  Sum total(const structure::VanishingSum& of, const std::vector<std::int32_t>& equation_of) {
    std::map<std::int32_t, double> factors;  // by term
    double constant = 0;
    for (const auto& [row, part] : of.parts) {
      for (const SumTerm& t : sums_[at(equation_of[at(row)])]) {
        const double factor = static_cast<double>(part) * t.factor;
        if (pool_.is_constant(t.of))
          constant += factor * pool_.value(t.of);
        else
          factors[t.of.index] += factor;
      }
    }
    Sum sum;
    if (constant != 0) sum.push_back({pool_.real(-constant), -1, false});
    for (const auto& [term, factor] : factors) {
      if (factor != 0) sum.push_back({ExprId{term}, factor, true});
    }
    return sum;
  }

  // What is left of contradictions and of what is said twice is for the pass that sorts to explain.
  bool says_something(const Sum& sum) {
    for (const SumTerm& t : sum) {
      if (kind_of(t.of) != Kind::kKept) return true;
      if (pool_[t.of].op == Op::kVar && is_unknown(pool_.var(t.of))) return true;
    }
    return false;
  }

  FlatModel& flat_;
  ExprPool& pool_;
  ExprWalker walker_;
  std::vector<Sum> sums_;                         // by equation; empty: no sum with integer factors
  std::vector<char> differentiated_, elsewhere_;  // by variable
  std::vector<Kind> kinds_;                       // by term
};

}  // namespace

void expose_hidden_constraints(FlatModel& model) { HiddenConstraints(model).run(); }

}  // namespace arges
