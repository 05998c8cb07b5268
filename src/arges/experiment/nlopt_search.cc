#include "arges/experiment/nlopt_search.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/experiment/feasibility.h"
#include "arges/experiment/kkt_polish.h"
#include "arges/experiment/stencil.h"
#include "arges/experiment/whole_numbers.h"

namespace arges {

namespace {

using Scale = SearchVariable::Scale;

struct NloptMethod {
  const char* name;
  nlopt_algorithm algorithm;
};
constexpr NloptMethod kNloptMethods[] = {
    {"bobyqa", NLOPT_LN_BOBYQA},   {"cobyla", NLOPT_LN_COBYLA},
    {"sbplx", NLOPT_LN_SBPLX},     {"neldermead", NLOPT_LN_NELDERMEAD},
    {"praxis", NLOPT_LN_PRAXIS},   {"slsqp", NLOPT_LD_SLSQP},
    {"direct", NLOPT_GN_DIRECT_L}, {"crs", NLOPT_GN_CRS2_LM},
    {"isres", NLOPT_GN_ISRES},     {"esch", NLOPT_GN_ESCH},
};

// What NLopt calls, through C: exceptions wait outside.
struct Bridge {
  Ledger& ledger;
  bool exact_slopes;
  std::vector<bool> fixed;
  nlopt_opt optimiser = nullptr;
  std::exception_ptr thrown{};
  double of_objective = 1;       // its weight
  std::vector<double> newest{};  // where slopes were wanted last: the iterate of the method

  // One number of the appraisal, and its slopes when they are wanted.
  template <class Pick>
  double evaluate(unsigned n, const double* u, double* slopes, const Pick& pick) {
    if (thrown) {  // the library has not looked yet
      nlopt_force_stop(optimiser);
      return HUGE_VAL;
    }
    try {
      const std::vector<double> here(u, u + n);
      if (slopes != nullptr) {
        newest = here;
        std::vector<Stencil> stencils(n);
        std::vector<std::vector<double>> points;
        const auto moved = [&](unsigned i, double by) {
          std::vector<double> there = here;
          there[i] = here[i] + by;
          return there;
        };
        for (unsigned i = 0; i < n; ++i) {
          if (!fixed[i])
            stencils[i] = exact_slopes ? exact_stencil_at(here[i]) : cheap_stencil_at(here[i]);
          for (const double offset : stencils[i].offsets) points.push_back(moved(i, offset));
        }
        points.push_back(here);
        ledger.announce(points);
        for (unsigned i = 0; i < n; ++i) {
          slopes[i] = 0;
          for (std::size_t k = 0; k < stencils[i].offsets.size(); ++k) {
            const double weight = stencils[i].weights[k];
            if (weight != 0)
              slopes[i] += weight * pick(ledger.at(moved(i, stencils[i].offsets[k])));
          }
        }
      }
      return pick(ledger.at(here));
    } catch (...) {
      thrown = std::current_exception();
      nlopt_force_stop(optimiser);
      return HUGE_VAL;
    }
  }
};

struct ConstraintBridge {
  Bridge& bridge;
  bool equality;
  std::size_t index;
};

double objective_of(unsigned n, const double* u, double* slopes, void* data) {
  auto& bridge = *static_cast<Bridge*>(data);
  return bridge.evaluate(n, u, slopes,
                         [&](const Appraisal& a) { return bridge.of_objective * a.value; });
}

double constraint_of(unsigned n, const double* u, double* slopes, void* data) {
  const auto& constraint = *static_cast<ConstraintBridge*>(data);
  return constraint.bridge.evaluate(n, u, slopes, [&](const Appraisal& a) {
    return (constraint.equality ? a.zero : a.at_most_zero)[constraint.index];
  });
}

struct NloptDeleter {
  void operator()(nlopt_opt_s* optimiser) const { nlopt_destroy(optimiser); }
};
using NloptHandle = std::unique_ptr<nlopt_opt_s, NloptDeleter>;

// Quadratic programming begins with the curvature of a unit sphere: an objective whose slopes are
// much larger makes it leap, one whose slopes are much smaller creep. The slopes are asked for
// again, and not evaluated again.
double weight_by_slopes(Bridge& bridge, const std::vector<double>& start) {
  constexpr double kLeast = 1e-3;  // slopes that are all but zero say nothing
  std::vector<double> slopes(start.size());
  objective_of(static_cast<unsigned>(start.size()), start.data(), slopes.data(), &bridge);
  if (bridge.thrown) std::rethrow_exception(bridge.thrown);
  double largest = kLeast;
  for (const double each : slopes) largest = std::max(largest, std::abs(each));
  return std::isfinite(largest) ? std::exp2(-std::round(std::log2(largest))) : 1;
}

bool is_constrained(const OptimiseRequest& request) {
  return request.inequalities + request.equalities > 0;
}

}  // namespace

NloptEnd run_nlopt(const OptimiserInfo& info, Ledger& ledger, const OptimiseRequest& request,
                   std::vector<double> start, const NloptWish& wish) {
  const NloptMethod& method =
      *std::ranges::find(kNloptMethods, info.name, [](const NloptMethod& m) { return m.name; });
  const auto n = static_cast<unsigned>(start.size());
  const bool wrapped = is_constrained(request) && !info.constraints;
  const NloptHandle optimiser(nlopt_create(wrapped ? NLOPT_AUGLAG : method.algorithm, n));
  std::vector<double> low(n, 0), high(n, 1);
  Bridge bridge{ledger, wish.exact_slopes, std::vector<bool>(n, false), optimiser.get()};
  if (wish.keeps_integers) bridge.fixed = fixed_variables(request, start);
  for (std::size_t i = 0; i < n; ++i) {
    if (bridge.fixed[i]) low[i] = high[i] = start[i];
  }
  const auto set_up = [&](nlopt_opt_s* each) {
    nlopt_set_lower_bounds(each, low.data());
    nlopt_set_upper_bounds(each, high.data());
    nlopt_set_initial_step1(each, wish.first_step);
    nlopt_set_xtol_rel(each, 0);
    nlopt_set_xtol_abs1(each, wish.tolerance > 0 ? wish.tolerance : request.tolerance);
  };
  set_up(optimiser.get());
  NloptHandle inner;
  if (wrapped) {
    inner.reset(nlopt_create(method.algorithm, n));
    set_up(inner.get());
    nlopt_set_local_optimizer(optimiser.get(), inner.get());
  }
  nlopt_set_min_objective(optimiser.get(), objective_of, &bridge);
  std::vector<ConstraintBridge> constraints;
  for (std::size_t i = 0; i < request.equalities; ++i) constraints.push_back({bridge, true, i});
  for (std::size_t i = 0; i < request.inequalities; ++i) constraints.push_back({bridge, false, i});
  for (ConstraintBridge& each : constraints) {
    const double tolerance = 0.1 * request.constraint_tolerance;
    if (each.equality) {
      nlopt_add_equality_constraint(optimiser.get(), constraint_of, &each, tolerance);
    } else {
      nlopt_add_inequality_constraint(optimiser.get(), constraint_of, &each, tolerance);
    }
  }
  if (method.algorithm == NLOPT_LD_SLSQP) bridge.of_objective = weight_by_slopes(bridge, start);
  nlopt_srand(request.seed);
  double smallest = 0;
  const nlopt_result code = nlopt_optimize(optimiser.get(), start.data(), &smallest);
  bool repeats = false;  // it asks for the same points again and again: it is where it can get
  try {
    if (bridge.thrown) std::rethrow_exception(bridge.thrown);
  } catch (const SearchEnded& ended) {
    if (ended.status != SearchStatus::kFound) throw;
    repeats = true;
  }
  if (code == NLOPT_OUT_OF_MEMORY) throw std::bad_alloc();
  if (code == NLOPT_INVALID_ARGS) {
    const char* why = nlopt_get_errmsg(optimiser.get());
    throw UserError(fmt::format("the method '{}' cannot be used here{}{}: take another --method",
                                info.name, why != nullptr ? ": " : "", why != nullptr ? why : ""),
                    {"method"});
  }
  return {code > 0 && !repeats,
          bridge.newest.empty() ? std::move(start) : std::move(bridge.newest)};
}

namespace {

// The best point of all may have others.
bool has_same_whole_numbers(const OptimiseRequest& request, const std::vector<double>& unit,
                            const std::vector<double>& start) {
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const SearchVariable& each = request.variables[i];
    if (each.scale == Scale::kInteger && each.from_unit(unit[i]) != each.from_unit(start[i]))
      return false;
  }
  return true;
}

}  // namespace

void run_local(const OptimiserInfo& info, Ledger& ledger, const OptimiseRequest& request,
               const std::vector<double>& start, bool keeps_integers) {
  constexpr double kCoarse = 1e-4, kFine = 1e-5;
  // A gradient has four runs for each variable: some of them have to fit in.
  const auto least = static_cast<std::int64_t>(80 * request.variables.size());
  const std::int64_t allowed = ledger.allowed(), left = allowed - ledger.evaluations();
  // Near a constraint: with linear models, or with ever steeper penalties around the method.
  const bool creeps = is_constrained(request) && (info.name == "cobyla" || !info.constraints);
  if ((!creeps && info.name != "slsqp") || left < least) {
    run_nlopt(info, ledger, request, start, {.keeps_integers = keeps_integers});
    return;
  }
  // What creeps is to come near only: where that takes long, slopes are the faster way.
  ledger.allow(ledger.evaluations() + (info.name == "cobyla" ? left / 4 : 3 * left / 4));
  try {
    run_nlopt(info, ledger, request, start,
              {.tolerance = creeps ? std::max(kCoarse, request.tolerance) : 0,
               .keeps_integers = keeps_integers});
  } catch (const SearchEnded& ended) {
    if (ended.status == SearchStatus::kCancelled || ledger.best().empty()) throw;
  }
  ledger.allow(allowed);
  if (!has_same_whole_numbers(request, ledger.best(), start)) return;
  if (ledger.best().empty()) return;
  if (!ledger.is_feasible()) {
    ledger.allow(ledger.evaluations() + (allowed - ledger.evaluations()) / 4);
    const bool is_stuck = approach_constraints(ledger, request, ledger.best());
    ledger.allow(allowed);
    if (is_stuck && !ledger.is_feasible()) return;  // there is no way from here
  }
  NloptEnd end{false, ledger.best()};
  bool has_ended = true;
  // Newton's method needs few evaluations, but some.
  if (is_constrained(request)) ledger.allow(allowed - left / 8);
  try {
    end = run_nlopt(find_optimiser("slsqp"), ledger, request, ledger.best(),
                    {.keeps_integers = keeps_integers, .exact_slopes = true});
  } catch (const SearchEnded& ended) {
    if (ended.status != SearchStatus::kLimit || !is_constrained(request)) throw;
    has_ended = false;
  }
  ledger.allow(allowed);
  if (is_constrained(request)) {
    if (const std::optional<KktPoint> exact = polish_constrained(ledger, request, ledger.best())) {
      if (ledger.settle_on(exact->unit, exact->gain)) return;
    }
  }
  if (!has_ended) throw SearchEnded{SearchStatus::kLimit};
  if (!end.content && creeps) {
    // Slopes do not help, or there are no more digits.
    run_nlopt(info, ledger, request, ledger.best(),
              {.first_step = 10 * kFine, .keeps_integers = keeps_integers});
  }
  constexpr double kMostMultiplier = 10;
  if (is_constrained(request))
    ledger.settle_on(end.unit, kMostMultiplier * request.constraint_tolerance *
                                   (1 + std::abs(ledger.best_value())));
}

}  // namespace arges
