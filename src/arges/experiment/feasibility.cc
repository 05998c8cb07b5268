#include "arges/experiment/feasibility.h"

#include <algorithm>
#include <cmath>

#include "arges/experiment/least_squares.h"
#include "arges/experiment/whole_numbers.h"

namespace arges {

namespace {

constexpr int kMostStarts = 8;

// What is violated, and by how much.
void violations(const Ledger& ledger, const Appraisal& appraisal, std::vector<double>& all) {
  all.clear();
  for (const double h : appraisal.zero) all.push_back(h / ledger.units().slack(all.size()));
  for (const double g : appraisal.at_most_zero)
    all.push_back(std::max(0.0, g) / ledger.units().slack(all.size()));
}

}  // namespace

void step_along_whole_numbers(Ledger& ledger, const OptimiseRequest& request) {
  const auto stepped = [&](std::vector<double> unit, std::size_t i, double by) {
    const SearchVariable& each = request.variables[i];
    const double value = each.from_unit(unit[i]) + by;
    if (each.scale != SearchVariable::Scale::kInteger || value < each.low || value > each.high)
      return std::vector<double>{};
    unit[i] = each.to_unit(value);
    return unit;
  };
  const auto look = [&](const std::vector<double>& unit) {
    if (!unit.empty()) ledger.at(unit);
  };
  for (std::vector<double> from; from != ledger.best();) {
    from = ledger.best();
    for (std::size_t i = 0; i < from.size(); ++i) {
      const double most = request.variables[i].high - request.variables[i].low;
      for (double by = 1; by <= most; by *= 2) {
        look(stepped(from, i, -by));
        look(stepped(from, i, by));
      }
    }
    // Along a constraint one grows while another shrinks.
    for (std::size_t i = 0; from == ledger.best() && i < from.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        for (const double by : {-1.0, 1.0}) {
          const std::vector<double> half = stepped(from, i, by);
          if (!half.empty()) look(stepped(half, j, -by));
        }
      }
    }
  }
}

std::vector<double> spread_point(std::size_t dimensions, std::int64_t k) {
  double root = 1;
  for (int i = 0; i < 64; ++i) root = std::pow(1 + root, 1.0 / static_cast<double>(dimensions + 1));
  std::vector<double> unit;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const double step = std::pow(root, -static_cast<double>(i + 1)) * static_cast<double>(k);
    unit.push_back(0.5 + step - std::floor(0.5 + step));
  }
  return unit;
}

bool approach_constraints(Ledger& ledger, const OptimiseRequest& request,
                          const std::vector<double>& start) {
  const std::vector<bool> fixed = fixed_variables(request, start);
  std::vector<SearchVariable> variables;
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (fixed[i]) continue;
    free.push_back(i);
    variables.push_back({request.variables[i].name, 0, 1, start[i]});
  }
  if (free.empty()) return true;
  const auto unit_at = [&](std::span<const double> x) {
    std::vector<double> unit = start;
    for (std::size_t k = 0; k < free.size(); ++k) unit[free[k]] = x[k];
    return unit;
  };
  SearchLimits limits;
  limits.max_evaluations = std::max<std::int64_t>(1, ledger.allowed() - ledger.evaluations());
  limits.cancel = request.limits.cancel;
  limits.width = request.limits.width;
  if (request.limits.ahead())
    limits.run_ahead = [&](const std::vector<std::vector<double>>& points) {
      std::vector<std::vector<double>> units;
      for (const std::vector<double>& x : points) units.push_back(unit_at(x));
      ledger.announce(units);
    };
  struct Satisfied {};
  try {
    const LeastSquaresResult end = least_squares(
        [&](std::span<const double> x, std::vector<double>& r) {
          const Appraisal& appraisal = ledger.at(unit_at(x));
          violations(ledger, appraisal, r);
          if (ledger.is_feasible(appraisal)) throw Satisfied{};
        },
        variables, limits);
    if (end.status == SearchStatus::kCancelled) throw SearchEnded{end.status};
    return end.status != SearchStatus::kLimit;
  } catch (const Satisfied&) {
    return true;
  } catch (const SearchEnded& ended) {
    if (ended.status == SearchStatus::kCancelled) throw;
    return false;
  }
}

void find_feasible(Ledger& ledger, const OptimiseRequest& request, std::int64_t evaluations) {
  const std::int64_t allowed = ledger.allowed();
  ledger.allow(std::min(allowed, ledger.evaluations() + evaluations));
  for (int k = 0; k < kMostStarts && ledger.evaluations() < ledger.allowed(); ++k) {
    if (ledger.is_feasible()) break;
    std::vector<double> start = ledger.best();
    if (start.empty()) break;
    const std::vector<bool> fixed = fixed_variables(request, start);
    const std::vector<double> elsewhere = spread_point(start.size(), k);
    for (std::size_t i = 0; k > 0 && i < start.size(); ++i) {
      if (!fixed[i]) start[i] = elsewhere[i];
    }
    approach_constraints(ledger, request, start);
  }
  ledger.allow(allowed);
}

}  // namespace arges
