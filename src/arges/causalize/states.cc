// Index reduction and the choice of states.

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "arges/base/index.h"
#include "arges/causalize/late_inliner.h"
#include "arges/causalize/late_rates.h"
#include "arges/causalize/passes.h"
#include "arges/causalize/reduce_index.h"
#include "arges/causalize/residual.h"
#include "arges/causalize/sorter.h"
#include "arges/causalize/start_values.h"
#include "arges/expr/differentiate.h"
#include "arges/expr/walk.h"
#include "arges/flat/differentiate_function.h"
#include "arges/structure/independence.h"
#include "arges/structure/index_reduction.h"

namespace arges {

namespace {

// How much of the wish for a variable counts for its derivative.
constexpr double kInherited = 0.25;
// What a constraint gives at once from the others, by factors that change: wanted less than these,
// by more than how much constraints depend on a variable (below 1e5) can count, and less than fixed
// = true does.
constexpr double kGivenByOthers = -2e5;
// Between stateSelect never and avoid.
constexpr double kAvoidedAndExplicit = -1.2e6, kNotDifferentiated = -1.5e6;
// Below all of them.
constexpr double kDefined = -1e7;

class StateSelection {
 public:
  explicit StateSelection(CausalModel& model)
      : model_(model), flat_(model.flat), pool_(flat_.pool), walker_(pool_) {}

  void run() {
    collect();
    const structure::Matching merged =
        structure::maximum_matching(structure::merged_incidence(rows_, derivative_));
    // A singular system is explained by the pass that sorts; index reduction would not end.
    if (merged.size() < rows_.rows()) return;
    const structure::DerivativeChains chains = chains_of_derivatives();
    if (chains.equation_derivative.size() == equations_.size()) return;
    add_variables(chains);
    add_equations(chains);
    std::vector<char> free(equations_.size(), 0);
    for (std::size_t i = 0; i < free.size(); ++i)
      free[i] = chains.equation_derivative[i] >= 0 && is_free(i) ? 1 : 0;
    const std::vector<int> dummies = structure::dummy_derivatives(
        rows_, chains, preferences(chains), free,
        [&](int row, int column) { return lasting_factor(row, column); });
    choose(chains, dummies);
    for (std::size_t i = 0; i < free.size(); ++i) {
      if (free[i]) set_apart(chains, static_cast<int>(i));
    }
    remove_invariants();
  }

 private:
  // Continuous equations over continuous unknowns; columns are numbered in columns_.
  void collect() {
    std::vector<VarId> unknowns;
    for (std::size_t i = 0; i < flat_.variables.size(); ++i) {
      const VarId v{static_cast<std::int32_t>(i)};
      if (model_.role_of(v) == Role::kState ||
          (model_.role_of(v) == Role::kAlgebraic && !model_.is_stepwise(v)))
        unknowns.push_back(v);
    }
    SystemSorter sorter(model_, unknowns);
    LateInliner inlined_late(flat_);
    columns_ = unknowns;
    rows_.columns = static_cast<int>(unknowns.size());
    for (std::size_t i = 0; i < model_.equations.size(); ++i) {
      sorter.add(inlined_late(model_.equations[i]), static_cast<std::int32_t>(i));
      const auto row = sorter.candidates().row(sorter.rows() - 1);
      if (row.empty()) continue;
      // The variable that an algorithm computes cannot be given and another one be found.
      const bool defines = model_.equations[i].defines;
      if (defines) defined_.push_back(row[0]);
      rows_.add_row(defines ? sorter.incidence().row(sorter.rows() - 1) : row);
      equations_.push_back(static_cast<std::int32_t>(i));
    }
    derivative_.assign(unknowns.size(), -1);
    for (const StateLink& s : model_.states) {
      const int x = sorter.column(s.state), d = sorter.column(s.derivative);
      if (x >= 0 && d >= 0) derivative_[at(x)] = d;
    }
  }

  structure::DerivativeChains chains_of_derivatives() {
    if (!LateInliner(flat_).any()) return structure::pantelides(rows_, derivative_);
    LateRates rates(flat_, columns_, derivative_);
    return structure::pantelides(rows_, derivative_, [&](int row, int order) {
      return rates(model_.equations[at(equations_[at(row)])], order);
    });
  }

  void add_variables(const structure::DerivativeChains& chains) {
    while (columns_.size() < chains.variable_derivative.size()) {
      const VarId of = columns_[at(chains.variable_primitive[columns_.size()])];
      FlatVariable v;
      v.name = "der(" + flat_[of].name + ")";
      v.hidden = flat_[of].hidden;
      columns_.push_back(flat_.add(std::move(v)));
      model_.role.push_back(Role::kAlgebraic);
    }
  }

  void add_equations(const structure::DerivativeChains& chains) {
    std::unordered_map<std::int32_t, ExprId> rate;  // of variables
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const int d = chains.variable_derivative[c];
      if (d >= 0) rate[columns_[c].index] = flat_.ref(columns_[at(d)]);
    }
    Differentiator differentiate(
        pool_,
        [&](ExprId leaf) {
          const ExprNode node = pool_[leaf];
          if (node.op == Op::kTime) return pool_.real(1);
          if (node.op != Op::kVar) return ExprId{};
          const auto it = rate.find(node.index);
          if (it != rate.end()) return it->second;
          const FlatVariable& v = flat_[VarId{node.index}];
          if (model_.role[at(node.index)] == Role::kInput) {
            throw ModelError(
                diag::Code::kInputDerivative,
                fmt::format("index reduction needs the derivative of input '{}': {}; make it a "
                            "state, or smooth it",
                            v.name, model_.describe(*differentiated_)),
                {place_in_text(pool_, differentiated_->origin, "is differentiated")});
          }
          return ExprId{};
        },
        call_derivative(flat_, DerivativeBy::kTime));
    std::vector<std::int32_t> number = equations_;  // of CausalModel::equations, for each chain row
    for (std::size_t i = equations_.size(); i < chains.equation_derivative.size(); ++i) {
      const CausalEquation e = model_.equations[at(number[at(chains.equation_primitive[i])])];
      differentiated_ = &e;
      const ExprId residual_rate = differentiate(pool_.sub(e.lhs, e.rhs));
      number.push_back(static_cast<std::int32_t>(model_.equations.size()));
      model_.equations.push_back({residual_rate, pool_.real(0), e.origin, e.differentiated + 1});
    }
    number_ = number;
    for (std::size_t i = 0; i < equations_.size(); ++i) {
      CausalEquation given = model_.equations[at(equations_[i])];
      for (int d = chains.equation_derivative[i]; d >= 0; d = chains.equation_derivative[at(d)])
        ++given.differentiated;
      if (given.differentiated > 0) model_.differentiated.push_back(given);
    }
    model_.statistics.differentiated =
        static_cast<int>(chains.equation_derivative.size() - equations_.size());
  }

  // Wanted as a state: by stateSelect, then by fixed = true, then the variable on which the
  // constraints depend least at the start: one can then solve for the others. A derivative of which
  // the text says nothing is wanted a little if its variable is. A variable that the text does not
  // differentiate (the elements of a rotation matrix, say, against the quaternions from which they
  // are computed) is wanted least. Of those to be avoided, the ones that are one side of a
  // constraint are avoided first. In y = f(x), f not linear, or linear with factors that events
  // change, y follows from x everywhere, x from y perhaps here and there.
  std::vector<double> preferences(const structure::DerivativeChains& chains) {
    // One side of a constraint: it follows at once from the others.
    std::vector<char> is_explicit(columns_.size(), 0), given_by_others(columns_.size(), 0);
    for (std::size_t i = 0; i < equations_.size(); ++i) {
      if (chains.equation_derivative[i] < 0) continue;
      const CausalEquation& e = model_.equations[at(number_[i])];
      for (const int c : rows_.row(static_cast<int>(i))) {
        const ExprId self = flat_.ref(columns_[at(c)]);
        if (e.lhs == self || e.rhs == self) is_explicit[at(c)] = 1;
      }
      const int given = given_by(i);
      if (given >= 0 && !is_linear(i, FactorsMay::kNotChange)) given_by_others[at(given)] = 1;
    }
    const auto said = [&](std::size_t c) {
      const FlatVariable& v = flat_[columns_[c]];
      const bool by_text = chains.variable_primitive[c] >= 0 || derivative_[c] >= 0;
      if (!by_text && v.state_select == StateSelect::kDefault) return kNotDifferentiated;
      if (v.state_select == StateSelect::kAvoid && is_explicit[c] != 0) return kAvoidedAndExplicit;
      return 1e6 * (static_cast<double>(v.state_select) - 2) + (v.fixed.value_or(false) ? 5e5 : 0);
    };
    std::vector<double> wish(columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      double part = 1;
      std::size_t of = c;
      for (; said(of) == 0 && chains.variable_primitive[of] >= 0; part *= kInherited)
        of = at(chains.variable_primitive[of]);
      wish[c] = part * said(of);
    }
    for (const int c : defined_) wish[at(c)] = kDefined;
    std::vector<double> dependence(columns_.size(), 0);
    for (std::size_t i = 0; i < equations_.size(); ++i) {
      if (chains.equation_derivative[i] < 0) continue;
      const CausalEquation& e = model_.equations[at(number_[i])];
      for (const int c : rows_.row(static_cast<int>(i))) {
        if (chains.variable_derivative[at(c)] >= 0)
          dependence[at(c)] += std::abs(factor_at_start(flat_, e, columns_[at(c)]));
      }
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      int root = static_cast<int>(c);
      while (chains.variable_primitive[at(root)] >= 0) root = chains.variable_primitive[at(root)];
      wish[c] -= std::min(dependence[at(root)], 1e5);
      if (given_by_others[at(root)]) wish[c] += kGivenByOthers;
    }
    return wish;
  }

  // The factor of a variable in an equation if parameters alone decide it.
  double lasting_factor(int row, int column) {
    const CausalEquation& e = model_.equations[at(equations_[at(row)])];
    const std::uint64_t place =
        (static_cast<std::uint64_t>(row) << 32) + static_cast<std::uint64_t>(column);
    if (at(column) >= derivative_.size()) return structure::unrelated_number(place);
    try {
      const ExprId factor = residual_derivative(flat_, e, columns_[at(column)]);
      for (const ExprId n : walker_.nodes(factor)) {
        const Op op = pool_[n].op;
        const bool lasts =
            op != Op::kTime && op != Op::kResult &&
            (op != Op::kVar || flat_[pool_.var(n)].variability <= FlatVariability::kParameter);
        if (!lasts) return structure::unrelated_number(static_cast<std::uint64_t>(factor.index));
      }
      const double value = value_at_start(flat_, factor);
      if (std::isfinite(value)) return value;
    } catch (const UserError&) {  // a function without derivative
    }
    return structure::unrelated_number(place);
  }

  // A nonlinear constraint among states of the text, none of which is wanted less than the others:
  // x^2 + y^2 = 1, or the length of a quaternion. Whatever variable were computed from it, there
  // would come a point at which it cannot. The constraint may name variables that follow from
  // states by linear equations of their own: rx^2 + ry^2 = 1, rx = x - a, ry = y - b. (Through
  // nonlinear ones, as the frames of a mechanism have them, a fixed choice among many states does
  // better than constraints on all of them.) In y = f(x) the variable y can always be computed.
  bool is_free(std::size_t row) {
    std::vector<StateSelect> wanted;
    std::vector<char> seen(equations_.size(), 0);
    if (model_.equations[at(equations_[row])].defines || is_linear(row) || given_by(row) >= 0)
      return false;
    std::vector<std::size_t> open{row};
    std::set<int> states;
    while (!open.empty()) {
      const std::size_t r = open.back();
      open.pop_back();
      if (std::exchange(seen[r], 1)) continue;
      if (r != row && !is_linear(r)) return false;
      for (const int c : rows_.row(static_cast<int>(r))) {
        if (derivative_[at(c)] >= 0) {
          states.insert(c);
          continue;
        }
        const int definition = definition_of(c);
        if (definition < 0 || at(definition) == row) return false;
        open.push_back(at(definition));
      }
    }
    for (const int c : states) wanted.push_back(flat_[columns_[at(c)]].state_select);
    if (wanted.size() < 2) return false;
    std::sort(wanted.begin(), wanted.end());
    return wanted[0] == wanted[1];
  }

  // The state of the text that is one side of the equation and does not occur in the other; -1:
  // none.
  int given_by(std::size_t row) {
    const CausalEquation& e = model_.equations[at(equations_[row])];
    for (const int c : rows_.row(static_cast<int>(row))) {
      const ExprId self = flat_.ref(columns_[at(c)]);
      if (derivative_[at(c)] < 0 || (e.lhs != self && e.rhs != self)) continue;
      const auto nodes = walker_.nodes(e.lhs == self ? e.rhs : e.lhs);
      if (std::find(nodes.begin(), nodes.end(), self) == nodes.end()) return c;
    }
    return -1;
  }

  // Whether the derivatives of the equation are the same everywhere between events, or always.
  enum class FactorsMay { kChangeAtEvents, kNotChange };
  bool is_linear(std::size_t row, FactorsMay factors = FactorsMay::kChangeAtEvents) {
    const CausalEquation& e = model_.equations[at(equations_[row])];
    for (const int c : rows_.row(static_cast<int>(row))) {
      for (const ExprId n : walker_.nodes(residual_derivative(flat_, e, columns_[at(c)]))) {
        if (pool_[n].op != Op::kVar) continue;
        const Role role = model_.role_of(pool_.var(n));
        const bool jumps = role == Role::kDiscrete && factors == FactorsMay::kNotChange;
        if (role == Role::kState || role == Role::kAlgebraic || jumps) return false;
      }
    }
    return true;
  }

  // The equation one side of which is the variable, which the other does not contain; -1: none, or
  // more than one.
  int definition_of(int column) {
    if (definitions_.empty()) {
      definitions_.assign(at(rows_.columns), -1);
      for (std::size_t r = 0; r < equations_.size(); ++r) {
        const CausalEquation& e = model_.equations[at(equations_[r])];
        for (const auto& [side, other] : {std::pair(e.lhs, e.rhs), std::pair(e.rhs, e.lhs)}) {
          if (pool_[side].op != Op::kVar) continue;
          const auto nodes = walker_.nodes(other);
          if (std::find(nodes.begin(), nodes.end(), side) != nodes.end()) continue;
          for (const int c : rows_.row(static_cast<int>(r))) {
            if (columns_[at(c)] != pool_.var(side)) continue;
            definitions_[at(c)] = definitions_[at(c)] == -1 ? static_cast<int>(r) : -2;
          }
        }
      }
    }
    return definitions_[at(column)];
  }

  // All variables of the constraint stay states; its highest derivative determines a force. The
  // constraint and its lower derivatives are then laws of motion that hold by themselves:
  // invariants.
  void set_apart(const structure::DerivativeChains& chains, int row) {
    for (int i = row; chains.equation_derivative[at(i)] >= 0; i = chains.equation_derivative[at(i)])
      invariant_.push_back(number_[at(i)]);
  }

  void remove_invariants() {
    std::sort(invariant_.begin(), invariant_.end());
    std::vector<CausalEquation> kept;
    for (std::size_t i = 0; i < model_.equations.size(); ++i) {
      const bool is_invariant =
          std::binary_search(invariant_.begin(), invariant_.end(), static_cast<std::int32_t>(i));
      (is_invariant ? model_.invariants : kept).push_back(model_.equations[i]);
    }
    model_.equations = std::move(kept);
  }

  void choose(const structure::DerivativeChains& chains, const std::vector<int>& dummies) {
    std::vector<char> is_dummy(columns_.size(), 0);
    for (const int c : dummies) is_dummy[at(c)] = 1;
    const std::vector<StateLink> of_text = std::exchange(model_.states, {});
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      Role& role = model_.role[at(columns_[c].index)];
      role = Role::kAlgebraic;
      const int d = chains.variable_derivative[c];
      if (d < 0 || is_dummy[at(d)]) continue;
      role = Role::kState;
      model_.states.push_back({columns_[c], columns_[at(d)]});
    }
    for (const StateLink& s : of_text) {
      if (model_.role_of(s.state) == Role::kAlgebraic) model_.dummy_states.push_back(s.state);
    }
    model_.statistics.dummies = static_cast<int>(dummies.size());
  }

  CausalModel& model_;
  FlatModel& flat_;
  ExprPool& pool_;
  ExprWalker walker_;
  std::vector<VarId> columns_;
  std::vector<std::int32_t> equations_;  // row -> CausalModel::equations
  std::vector<std::int32_t> number_;     // the same, with the differentiated ones
  structure::Incidence rows_;
  std::vector<int> derivative_;
  std::vector<int> defined_;             // columns that algorithms compute
  std::vector<int> definitions_;         // of columns: a row, or less than 0
  std::vector<std::int32_t> invariant_;  // of CausalModel::equations
  const CausalEquation* differentiated_ = nullptr;
};

}  // namespace

void reduce_index(CausalModel& model) { StateSelection(model).run(); }

}  // namespace arges
