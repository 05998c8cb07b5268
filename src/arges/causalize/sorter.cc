#include "arges/causalize/sorter.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/index.h"
#include "arges/causalize/residual.h"
#include "arges/expr/differentiate.h"
#include "arges/flat/differentiate_function.h"
#include "arges/structure/tearing.h"

namespace arges {

namespace {

// A long chain of inner assignments is an elimination without pivoting, whose errors may grow with
// each step. Larger loops than this are torn only if that leaves few unknowns of many, and no inner
// variable moves by more than kLargestGrowth times a guess (at the start). Else they are solved as
// a whole, with a sparse matrix.
constexpr int kSmallLoop = 40, kLargestTorn = 2000, kInnerPerTear = 8;
constexpr double kLargestGrowth = 1e6;
// An inner assignment divides by a factor that is at least this part of the largest one of its
// equation (at the start): the threshold of pivoting.
constexpr double kPivotThreshold = 0.5;

}  // namespace

SystemSorter::SystemSorter(CausalModel& model, std::vector<VarId> unknowns)
    : model_(model),
      solver_(model.flat),
      walker_(model.flat.pool),
      unknowns_(std::move(unknowns)),
      column_(model.flat.variables.size(), -1) {
  for (std::size_t c = 0; c < unknowns_.size(); ++c)
    column_[at(unknowns_[c].index)] = static_cast<int>(c);
  incidence_.columns = candidates_.columns = static_cast<int>(unknowns_.size());
}

void SystemSorter::add(const CausalEquation& equation, std::int32_t index, bool initial) {
  const ExprPool& pool = model_.flat.pool;
  std::vector<int> all, first, rest;
  const auto column_of = [&](ExprId e) {
    return pool[e].op == Op::kVar ? column_[at(pool[e].index)] : -1;
  };
  const auto side = [&](ExprId e) {
    int c = column_of(e);
    const Op op = pool[e].op;
    if (c < 0 && (op == Op::kNeg || op == Op::kNot)) c = column_of(pool.arg(e, 0));
    if (c >= 0) first.push_back(c);
  };
  side(equation.lhs);
  side(equation.rhs);
  const auto is_discrete = [&](int c) { return model_.is_stepwise(unknowns_[at(c)]); };
  const bool is_real =
      pool[equation.lhs].type == ScalarType::kReal || pool[equation.rhs].type == ScalarType::kReal;
  const ExprId sides[] = {equation.lhs, equation.rhs};
  walker_.clear();
  for (const ExprId e : walker_.new_nodes(sides)) {
    const int c = column_of(e);
    if (c < 0) continue;
    all.push_back(c);
    if (is_real && !is_discrete(c) && std::find(first.begin(), first.end(), c) == first.end())
      rest.push_back(c);
  }
  if (equation.defines) {
    const int own = column_of(equation.lhs);
    first.assign(own >= 0 ? 1 : 0, own);
    rest.clear();
  }
  // In an equation between continuous variables, a discrete one is given from elsewhere.
  const bool any_continuous = !rest.empty() || std::any_of(first.begin(), first.end(),
                                                           [&](int c) { return !is_discrete(c); });
  if (any_continuous && !equation.defines && !initial) std::erase_if(first, is_discrete);
  if (first.size() == 2 && first[0] == first[1]) first.pop_back();
  first.insert(first.end(), rest.begin(), rest.end());
  incidence_.add_row(all);
  candidates_.add_row(first);
  equations_.push_back(equation);
  index_.push_back(index);
}

std::string SystemSorter::name(int column) const { return model_.flat[unknowns_[at(column)]].name; }

void SystemSorter::check(const structure::Matching& matching, const char* system) const {
  if (matching.size() == rows() && rows() == incidence_.columns) return;
  const structure::SingularParts parts = structure::singular_parts(candidates_, matching);
  std::vector<std::string> equations, variables;
  std::vector<TextPlace> places;
  const ExprPool& pool = model_.flat.pool;
  for (const int i : parts.over_rows) {
    equations.push_back(model_.describe(equations_[at(i)]));
    places.push_back(place_in_text(pool, equations_[at(i)].origin, "one of the equations"));
  }
  for (const int c : parts.under_columns) {
    variables.push_back(name(c));
    places.push_back(place_in_text(pool, model_.flat[unknowns_[at(c)]].origin,
                                   fmt::format("`{}` is not determined", name(c))));
  }
  const auto list = [](const std::vector<std::string>& names) {
    std::vector<std::string> shown(
        names.begin(),
        names.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(10, names.size())));
    if (names.size() > 10) shown.push_back(fmt::format("and {} more", names.size() - 10));
    return fmt::format("{}", fmt::join(shown, "; "));
  };
  std::string what = fmt::format("the {} is structurally singular: {} equations, {} unknowns",
                                 system, rows(), incidence_.columns);
  if (!equations.empty()) {
    what += fmt::format("; {} too many among these equations: {}", parts.free_rows.size(),
                        list(equations));
  }
  if (!variables.empty()) {
    what += fmt::format("; not determined, {} equation(s) missing for: {}",
                        parts.free_columns.size(), list(variables));
  }
  const diag::Code code = rows() > incidence_.columns   ? diag::Code::kTooManyEquations
                          : rows() < incidence_.columns ? diag::Code::kTooFewEquations
                                                        : diag::Code::kSingularEquations;
  throw StructuralError(code, what, std::move(equations), std::move(variables), std::move(places));
}

std::vector<Block> SystemSorter::blocks(const structure::Matching& matching,
                                        CausalStatistics* statistics) {
  const structure::Blocks order = structure::block_lower_triangular(incidence_, matching);
  std::vector<Block> result;
  result.reserve(static_cast<std::size_t>(order.count()));
  for (int k = 0; k < order.count(); ++k) {
    const auto rows_of_block = order[k];
    if (rows_of_block.size() == 1) {
      const int row = rows_of_block[0];
      Block block = single(row, unknowns_[at(matching.column_of_row[at(row)])]);
      if (statistics != nullptr && !block.tears.empty()) {
        ++statistics->loops;
        ++statistics->tears;
        statistics->largest_loop = std::max(statistics->largest_loop, 1);
        statistics->largest_tears = std::max(statistics->largest_tears, 1);
      }
      result.push_back(std::move(block));
    } else {
      result.push_back(loop(rows_of_block, matching, statistics));
    }
  }
  if (statistics != nullptr) statistics->blocks = static_cast<int>(result.size());
  return result;
}

Block SystemSorter::single(int row, VarId v) {
  ExprPool& pool = model_.flat.pool;
  const CausalEquation& e = equations_[at(row)];
  Block block;
  block.equations = {index_[at(row)]};
  const ExprId self = model_.flat.ref(v);
  if (model_.is_stepwise(v)) {
    ExprId value;
    if (e.lhs == self) value = e.rhs;
    if (e.rhs == self && !value.valid()) value = e.lhs;
    if (!value.valid()) {  // not v = ..., -v = ...
      const bool left = !pool.args(e.lhs).empty() && pool.arg(e.lhs, 0) == self;
      value = pool.make(pool[left ? e.lhs : e.rhs].op, {left ? e.rhs : e.lhs});
    }
    if (solver_.contains(value, v)) {
      throw ModelError(
          diag::Code::kDiscreteLoop,
          fmt::format("discrete variable '{}' depends on itself: {}; pre() may be missing",
                      model_.flat[v].name, model_.describe(e)),
          {place_in_text(pool, e.origin, "")});
    }
    block.inner.push_back({v, value});
    return block;
  }
  const Solution solution = solver_.solve(e.lhs, e.rhs, v);
  if (solution.value.valid() && (solution.safe || !may_vanish(e, v))) {
    block.inner.push_back({v, solution.value});
    return block;
  }
  block.tears.push_back(v);
  block.residuals.push_back(residual(row));
  fill_jacobian(block);
  return block;
}

Block SystemSorter::loop(std::span<const int> rows_of_block, const structure::Matching& matching,
                         CausalStatistics* statistics) {
  const int n = static_cast<int>(rows_of_block.size());
  std::vector<VarId> variables;
  std::vector<std::pair<int, int>> local_number;  // (column, number), sorted
  for (const int row : rows_of_block) {
    const int c = matching.column_of_row[at(row)];
    const VarId v = unknowns_[at(c)];
    if (model_.role_of(v) == Role::kDiscrete) fail_discrete_loop(row, v);
    local_number.emplace_back(c, static_cast<int>(variables.size()));
    variables.push_back(v);
  }
  std::sort(local_number.begin(), local_number.end());
  structure::Incidence local;
  local.columns = n;
  std::vector<int> columns;
  for (const int row : rows_of_block) {
    columns.clear();
    for (const int c : incidence_.row(row)) {
      const auto it = std::lower_bound(local_number.begin(), local_number.end(), std::pair(c, -1));
      if (it != local_number.end() && it->first == c) columns.push_back(it->second);
    }
    local.add_row(columns);
  }
  Block block;
  for (const int row : rows_of_block) block.equations.push_back(index_[at(row)]);
  if (n > kLargestTorn || !tear(rows_of_block, local, variables, block)) {
    block.tears = variables;
    for (int row = 0; row < n; ++row) block.residuals.push_back(residual(rows_of_block[at(row)]));
  }
  for (const VarId v : block.tears) {
    if (model_.is_stepwise(v)) fail_discrete_loop(matching.row_of_column[at(column(v))], v);
  }
  fill_jacobian(block);
  if (statistics != nullptr) {
    ++statistics->loops;
    statistics->largest_loop = std::max(statistics->largest_loop, n);
    statistics->tears += static_cast<int>(block.tears.size());
    statistics->largest_tears =
        std::max(statistics->largest_tears, static_cast<int>(block.tears.size()));
  }
  return block;
}

void SystemSorter::fail_discrete_loop(int row, VarId v) const {
  const CausalEquation& e = equations_[at(row)];
  throw ModelError(
      diag::Code::kDiscreteLoop,
      fmt::format("discrete variable '{}' is part of an algebraic loop: {}; pre() may be missing",
                  model_.flat[v].name, model_.describe(e)),
      {place_in_text(model_.flat.pool, e.origin, "")});
}

ExprId SystemSorter::residual(int row) {
  const CausalEquation& e = equations_[at(row)];
  return model_.flat.pool.sub(e.lhs, e.rhs);
}

// Divides the variables of a loop into tears and inner ones. False, and nothing done: it is better
// solved as a whole.
bool SystemSorter::tear(std::span<const int> rows_of_block, const structure::Incidence& local,
                        const std::vector<VarId>& variables, Block& block) {
  const int n = local.rows();
  const ExprPool& pool = model_.flat.pool;
  // Factors of the unknowns of each row, found when asked for.
  std::vector<std::vector<double>> factors(at(n));
  const auto factors_of = [&](int row) -> const std::vector<double>& {
    std::vector<double>& f = factors[at(row)];
    const CausalEquation& e = equations_[at(rows_of_block[at(row)])];
    if (f.empty()) {
      for (const int c : local.row(row))
        f.push_back(factor_at_start(model_.flat, e, variables[at(c)]));
    }
    return f;
  };
  const auto is_pivot = [&](int row, int k) {
    double largest = 0;
    for (const double f : factors_of(row)) largest = std::max(largest, std::abs(f));
    return std::abs(factors_of(row)[at(k)]) >= kPivotThreshold * largest;
  };
  // The value that an equation gives its k-th unknown; invalid when it should not.
  std::vector<std::vector<ExprId>> value(at(n));
  std::vector<char> can_be_solved(at(n), 0);
  for (int row = 0; row < n; ++row) {
    const CausalEquation& e = equations_[at(rows_of_block[at(row)])];
    for (int k = 0; k < static_cast<int>(local.row(row).size()); ++k) {
      const int c = local.row(row)[at(k)];
      const VarId v = variables[at(c)];
      const Solution solution = solver_.solve(e.lhs, e.rhs, v);
      // What is computed in steps is computed by its own equation, and that one nothing else.
      const bool is_own = e.lhs == model_.flat.ref(v);
      const bool fits = pool[e.lhs].type != ScalarType::kReal || model_.is_stepwise(v)
                            ? is_own
                            : is_pivot(row, k);
      const bool good = solution.value.valid() && solution.safe && fits;
      value[at(row)].push_back(good ? solution.value : ExprId{});
      if (good) can_be_solved[at(c)] = 1;
    }
  }
  std::vector<int> unsolvable;
  for (int c = 0; c < n; ++c) {
    if (!can_be_solved[at(c)]) unsolvable.push_back(c);
  }
  const structure::Tearing tearing = structure::tear(
      local, [&](int row, int k) { return value[at(row)][at(k)].valid(); }, unsolvable);
  if (n > kSmallLoop) {
    if (at(n) < kInnerPerTear * tearing.tear_columns.size()) return false;
    for (const int guess : tearing.tear_columns) {
      // d inner / d guess, in the order of the assignments.
      std::vector<double> rate(at(n), 0);
      rate[at(guess)] = 1;
      for (const auto& [row, c] : tearing.assignments) {
        double sum = 0, own = 0;
        for (std::size_t k = 0; k < local.row(row).size(); ++k) {
          const int other = local.row(row)[k];
          (other == c ? own : sum) += factors_of(row)[k] * (other == c ? 1 : rate[at(other)]);
        }
        rate[at(c)] = sum == 0 ? 0 : -sum / own;
        if (!(std::abs(rate[at(c)]) <= kLargestGrowth)) return false;
      }
    }
  }
  for (const int c : tearing.tear_columns) block.tears.push_back(variables[at(c)]);
  for (const auto& [row, c] : tearing.assignments) {
    const auto columns_of_row = local.row(row);
    const auto k = std::find(columns_of_row.begin(), columns_of_row.end(), c);
    block.inner.push_back(
        {variables[at(c)], value[at(row)][static_cast<std::size_t>(k - columns_of_row.begin())]});
  }
  for (const int row : tearing.residual_rows)
    block.residuals.push_back(residual(rows_of_block[at(row)]));
  return true;
}

// Whether the factor of v depends on a condition: in some modes the equation may not contain v at
// all. As a loop it then keeps its value, if the equation holds.
bool SystemSorter::may_vanish(const CausalEquation& e, VarId v) {
  try {
    for (const ExprId n : walker_.nodes(residual_derivative(model_.flat, e, v))) {
      const Op op = model_.flat.pool[n].op;
      if (op == Op::kIf || op == Op::kIndex) return true;
    }
  } catch (const UserError&) {
    return false;
  }
  return false;
}

// Columns one by one, through the inner assignments; without inner ones row by row, only where a
// variable occurs. False, and no entries, when a function has no derivative.
bool SystemSorter::fill_jacobian(Block& block) {
  ExprPool& pool = model_.flat.pool;
  const auto call = call_derivative(model_.flat, DerivativeBy::kVariable);
  try {
    if (block.inner.empty()) {
      std::unordered_map<std::int32_t, int> number;
      for (std::size_t j = 0; j < block.tears.size(); ++j)
        number[block.tears[j].index] = static_cast<int>(j);
      for (std::size_t i = 0; i < block.residuals.size(); ++i) {
        std::vector<ExprId> leaves;
        for (const ExprId e : walker_.nodes(block.residuals[i])) {
          if (pool[e].op == Op::kVar && number.count(pool[e].index)) leaves.push_back(e);
        }
        for (const ExprId leaf : leaves) {
          Differentiator d(
              pool, [&](ExprId e) { return e == leaf ? pool.real(1) : ExprId{}; }, call);
          const ExprId value = d(block.residuals[i]);
          if (!pool.is_value(value, 0))
            block.jacobian.push_back(
                {static_cast<std::int32_t>(i), number[pool[leaf].index], value});
        }
      }
    } else {
      for (std::size_t j = 0; j < block.tears.size(); ++j) {
        std::unordered_map<std::int32_t, ExprId> dvar{{block.tears[j].index, pool.real(1)}};
        Differentiator d(
            pool,
            [&](ExprId e) {
              if (pool[e].op != Op::kVar) return ExprId{};
              const auto it = dvar.find(pool[e].index);
              return it == dvar.end() ? ExprId{} : it->second;
            },
            call);
        for (const auto& a : block.inner) {
          if (model_.is_stepwise(a.var)) continue;
          const ExprId value = d(a.value);
          if (!pool.is_value(value, 0)) dvar[a.var.index] = value;
        }
        for (std::size_t i = 0; i < block.residuals.size(); ++i) {
          const ExprId value = d(block.residuals[i]);
          if (!pool.is_value(value, 0))
            block.jacobian.push_back(
                {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), value});
        }
      }
    }
  } catch (const UserError&) {
    block.jacobian.clear();
    return false;
  }
  // Where the unknowns cancel (y = y + 1) the row is zero, not unknown: the loop is singular.
  std::vector<char> has_entry(block.residuals.size(), 0);
  for (const auto& e : block.jacobian) has_entry[static_cast<std::size_t>(e.row)] = 1;
  for (std::size_t i = 0; i < has_entry.size(); ++i) {
    const auto row = static_cast<std::int32_t>(i);
    if (!has_entry[i]) block.jacobian.push_back({row, row, pool.real(0)});
  }
  std::sort(block.jacobian.begin(), block.jacobian.end(), [](const auto& a, const auto& b) {
    return std::pair(a.column, a.row) < std::pair(b.column, b.row);
  });
  note_linear(block);
  return true;
}

void SystemSorter::note_linear(Block& block) {
  std::unordered_map<std::int32_t, bool> own;
  for (const VarId v : block.tears) own[v.index] = true;
  for (const auto& a : block.inner) own[a.var.index] = true;
  std::vector<ExprId> entries;
  for (const auto& e : block.jacobian) entries.push_back(e.value);
  walker_.clear();
  block.linear = true;
  for (const ExprId e : walker_.new_nodes(entries)) {
    if (model_.flat.pool[e].op == Op::kVar && own.count(model_.flat.pool[e].index))
      block.linear = false;
  }
  // A condition that depends on the unknowns does not show in the Jacobian.
  const auto uses_own = [&](ExprId e) {
    return model_.flat.pool[e].op == Op::kVar && own.count(model_.flat.pool[e].index) > 0;
  };
  std::vector<ExprId> sources(block.residuals);
  for (const auto& a : block.inner) sources.push_back(a.value);
  walker_.clear();
  const auto nodes = walker_.new_nodes(sources);
  const std::vector<ExprId> all(nodes.begin(), nodes.end());
  for (const ExprId e : all) {
    const Op op = model_.flat.pool[e].op;
    if (!is_relation(op) && op != Op::kFloor && op != Op::kSign) continue;
    for (const ExprId inside : walker_.nodes(e)) block.linear = block.linear && !uses_own(inside);
  }
}

}  // namespace arges
