// Clocks to when-clauses.

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "arges/causalize/clock_partitions.h"
#include "arges/causalize/clock_rows.h"
#include "arges/causalize/clock_stages.h"
#include "arges/causalize/clock_text.h"
#include "arges/causalize/model_error.h"
#include "arges/causalize/passes.h"
#include "arges/causalize/solve_for.h"
#include "arges/expr/walk.h"

namespace arges {

namespace {

constexpr int kContinuous = -1;  // all partitions without clock

// Every clocked partition becomes one when-clause, whose condition is true at its ticks:
//
//   the base clock:   sample(start, interval), or the edge of a condition (time >= next, where the
//                     interval changes and each tick sets the next one); a counter of its ticks,
//                     at the common measure of all clocks made from it, so that ticks at the same
//                     instant are one event
//   a clock of it:    base ticks, and mod(counter - first, period) = 0
//
// In the clause: the equations, each solved for the variable that a matching gives it. Those of
// algebraic loops, and those that cannot be solved for their variable, stay equations from the
// first tick on, and their Real variables algebraic ones: they do not change between ticks. Besides
//
//   sample(u)        s = pre(u)                    the left limit
//   previous(x)      p = pre(m), m = x
//   hold(u)          h = u                         read by everybody
//   subSample(u) and the like, noClock(u):         d = h of u
//   firstTick()      f = not pre(ticked), ticked = true
//   time             t = time
class ClockLowering {
 public:
  explicit ClockLowering(FlatModel& flat) : flat_(flat), pool_(flat.pool), partitions_(flat) {}

  void run() {
    if (!partitions_.any()) return;
    ClockedText text = take_apart(flat_, partitions_);
    rows_ = std::move(text.rows);
    asserts_ = std::move(text.asserts);
    when_nodes_ = std::move(text.when_nodes);
    partitions_.solve();
    flat_.equations.clear();
    flat_.asserts.clear();
    make_bases();
    rewrite_whens();
    for (const ClockedRow& row : rows_) {
      const int root = context(row.node);
      const ExprId lhs = rewrite(row.lhs, root), rhs = rewrite(row.rhs, root);
      if (root == kContinuous) {
        flat_.equations.push_back({lhs, rhs, row.origin, row.defines});
      } else {
        clauses_[root].rows.push_back({lhs, rhs, row.origin, row.defines, root});
      }
    }
    for (const auto& [a, node] : asserts_) {
      FlatAssert made = a;
      const int root = context(node);
      made.condition = rewrite(a.condition, root);
      made.message = rewrite(a.message, root);
      if (root == kContinuous) {
        flat_.asserts.push_back(made);
      } else {
        WhenAction action;
        action.kind = made.terminates ? WhenAction::Kind::kTerminate : WhenAction::Kind::kAssert;
        action.value = made.terminates ? pool_.make(Op::kNot, {made.condition}) : made.condition;
        action.message = made.message;
        action.level = made.level;
        action.origin = made.origin;
        clauses_[root].actions.push_back(action);
      }
    }
    for (FlatEquation& e : flat_.initial_equations) {
      e.lhs = rewrite(e.lhs, kContinuous);
      e.rhs = rewrite(e.rhs, kContinuous);
    }
    finish();
  }

 private:
  struct Base {
    Ratio measure{0, 1};
    ExprId pulse, interval;  // interval: of the base clock; invalid: that of an event clock
    VarId counter;
  };
  struct Clause {
    std::vector<ClockedRow> rows;
    std::vector<WhenAction> actions;
    std::vector<ClockStages::State> states;  // of a solver with stages
    std::unordered_map<std::int32_t, ClockStages::Input> inputs;
    VarId ticked, first, interval;
  };

  int context(int node) {
    const int root = partitions_.root(node);
    return partitions_.is_clocked(root) ? root : kContinuous;
  }

  // The measure of a base clock is that of all partitions that tick with clocks made from it.
  void make_bases() {
    bases_.resize(partitions_.bases().size());
    std::set<int> roots;
    for (std::size_t i = 0; i < flat_.variables.size(); ++i) {
      const VarId v{static_cast<std::int32_t>(i)};
      if (partitions_.varies(v)) roots.insert(partitions_.root_of(v));
    }
    for (const ClockedRow& row : rows_) roots.insert(partitions_.root(row.node));
    for (const int root : roots) {
      if (!partitions_.is_clocked(root)) continue;
      const ClockSystem::Position at = partitions_.position(root);
      Ratio& measure = bases_[static_cast<std::size_t>(at.base)].measure;
      measure = common_measure(common_measure(measure, at.period), at.start);
    }
    for (std::size_t i = 0; i < bases_.size(); ++i) {
      if (bases_[i].measure.numerator != 0) make_base(i);
    }
  }

  void make_base(std::size_t i) {
    Base& base = bases_[i];
    const ClockPartitions::BaseClock& given = partitions_.bases()[i];
    if (given.kind == ClockOperator::kEvent || given.kind == ClockOperator::kVarying) {
      if (base.measure.denominator != 1 && given.kind == ClockOperator::kEvent)
        throw UserError(
            "the clock of an event has no ticks between its ticks: superSample(), or shiftSample() "
            "and backSample() by a fraction, need a clock with an interval");
      base.measure = {1, base.measure.denominator};
      const VarId ticks =
          new_variable(fmt::format("$ticks{}", i + 1), ScalarType::kBoolean, pool_.boolean(false));
      const ExprId condition = given.kind == ClockOperator::kEvent
                                   ? rewrite(given.condition, kContinuous)
                                   : next_tick(given, base, ticks);
      flat_.equations.push_back({flat_.ref(ticks), condition, {}, true});
      base.pulse = pool_.edge(ticks);
      return;
    }
    const bool rational = given.kind == ClockOperator::kRational;
    base.interval = rational ? pool_.real(given.period.value()) : given.interval;
    const ExprId step = rational ? pool_.real((given.period * base.measure).value())
                                 : pool_.mul(pool_.real(base.measure.value()), given.interval);
    const double start = flat_.experiment.start_time.value_or(0);
    base.pulse = pool_.make(Op::kSample, {pool_.real(start), step});
  }

  // Intervals are added up as they are given, counters without rounding: due = pre(due) + interval
  // at each tick, time >= began + pre(due)/resolution. The first tick is where the run begins,
  // which is not always the start of the experiment. Where the clock is made q times faster, the
  // tick j after the last of the clock itself is at last + (due - last) j/q.
  ExprId next_tick(const ClockPartitions::BaseClock& given, const Base& base, VarId ticks) {
    const int root = partitions_.root_of_fragment(given.interval);
    const ScalarType type = pool_[given.interval].type;
    const bool counts = type == ScalarType::kInteger;
    const VarId began =
        new_variable(fmt::format("$began{}", ++made_), ScalarType::kReal, pool_.real(0));
    WhenClause at_start;
    at_start.branches.push_back({{pool_.make(Op::kInitial, {})}, {assign(began, pool_.time())}});
    flat_.whens.push_back(std::move(at_start));
    const VarId due = new_variable(fmt::format("$due{}", ++made_), type,
                                   counts ? pool_.integer(0) : pool_.real(0));
    const ExprId interval = rewrite(given.interval, root), last = pool_.pre(due, type);
    const auto instant = [&](ExprId passed) {
      return pool_.add(pool_.pre(began, ScalarType::kReal), pool_.div(passed, given.resolution));
    };
    clauses_[root].actions.push_back(assign(due, pool_.add(last, interval)));
    const ExprId zero = counts ? pool_.integer(0) : pool_.real(0);
    const ExprId parts = pool_.integer(base.measure.denominator);
    ExprId next = last, first_part = interval;
    if (base.measure.denominator > 1) {
      const VarId from = new_variable(fmt::format("$from{}", made_), type, zero);
      const VarId part = new_variable(fmt::format("$part{}", made_), ScalarType::kInteger, parts);
      clauses_[root].actions.push_back(assign(from, last));
      const ExprId j = pool_.pre(part, ScalarType::kInteger), begin = pool_.pre(from, type);
      WhenClause count;
      const ExprId is_whole = pool_.make(Op::kGreaterEqual, {j, parts});
      count.branches.push_back({{pool_.edge(ticks)},
                                {assign(part, pool_.if_else(is_whole, pool_.integer(1),
                                                            pool_.add(j, pool_.integer(1))))}});
      flat_.whens.push_back(std::move(count));
      next = pool_.add(begin, pool_.div(pool_.mul(pool_.sub(last, begin), j), parts));
      first_part = pool_.div(interval, parts);
    }
    check(root, pool_.make(Op::kGreater, {interval, zero}),
          "the interval of a clock is not positive");
    check(
        root, pool_.make(Op::kGreater, {instant(pool_.add(last, first_part)), pool_.time()}),
        "the interval of a clock is too small: in the floating-point numbers of time the next tick "
        "is not later than this one");
    return pool_.make(Op::kAnd, {pool_.make(Op::kNot, {pool_.make(Op::kInitial, {})}),
                                 pool_.make(Op::kGreaterEqual, {pool_.time(), instant(next)})});
  }

  void check(int root, ExprId condition, const char* message) {
    WhenAction action;
    action.kind = WhenAction::Kind::kAssert;
    action.value = condition;
    action.message = pool_.string(message);
    clauses_[root].actions.push_back(action);
  }

  // interval() at the first tick, where it changes: what the start values give, and what is sampled
  // then.
  ExprId first_interval(const ClockPartitions::BaseClock& given, int root) {
    if (given.kind == ClockOperator::kEvent) return given.interval;
    ExprRewriter at_start(
        pool_, [](ExprId, std::span<const ExprId>) { return ExprId{}; },
        [this, root](ExprId e) {
          const ClockOperator what = partitions_.operation(e);
          if (what == ClockOperator::kPrevious) return start_of(partitions_.arguments(e)[0]);
          if (what != ClockOperator::kNone) return rewrite(e, root);
          return pool_[e].op == Op::kVar ? start_of(e) : ExprId{};
        });
    return pool_.div(at_start(given.interval), given.resolution);
  }
  ExprId start_of(ExprId e) {
    const VarId v = pool_.var(e);
    return partitions_.varies(v) ? start_value(v) : e;
  }
  ExprId start_value(VarId v) {
    const FlatVariable& of = flat_[v];
    if (of.start.valid()) return of.start;
    switch (of.type) {
      case ScalarType::kReal:
        return pool_.real(0);
      case ScalarType::kBoolean:
        return pool_.boolean(false);
      case ScalarType::kString:
        return pool_.string("");
      default:
        return pool_.integer(of.type == ScalarType::kEnumeration ? 1 : 0);
    }
  }

  // True at the ticks of a partition.
  ExprId ticks(int root) {
    const ClockSystem::Position at = partitions_.position(root);
    Base& base = bases_[static_cast<std::size_t>(at.base)];
    const std::int64_t first = (at.start / base.measure).numerator;
    const std::int64_t period = (at.period / base.measure).numerator;
    if (first == 0 && period == 1) return base.pulse;
    if (!base.counter.valid()) {
      base.counter = new_variable(fmt::format("$count{}", at.base + 1), ScalarType::kInteger,
                                  pool_.integer(0));
      WhenClause count;
      count.branches.push_back({{base.pulse}, {}});
      const ExprId next =
          pool_.add(pool_.pre(base.counter, ScalarType::kInteger), pool_.integer(1));
      count.branches[0].actions.push_back(assign(base.counter, next));
      flat_.whens.push_back(std::move(count));
    }
    const ExprId passed =
        pool_.sub(pool_.pre(base.counter, ScalarType::kInteger), pool_.integer(first));
    ExprId condition = base.pulse;
    if (first > 0)
      condition = pool_.make(
          Op::kAnd, {condition, pool_.make(Op::kGreaterEqual, {passed, pool_.integer(0)})});
    if (period > 1) {
      const ExprId rest = pool_.make(Op::kMod, {passed, pool_.integer(period)});
      condition =
          pool_.make(Op::kAnd, {condition, pool_.make(Op::kEqual, {rest, pool_.integer(0)})});
    }
    return condition;
  }

  VarId new_variable(std::string name, ScalarType type, ExprId start) {
    FlatVariable v;
    v.name = std::move(name);
    v.type = type;
    v.variability = FlatVariability::kDiscrete;
    v.start = start;
    v.hidden = true;
    return flat_.add(std::move(v));
  }

  static WhenAction assign(VarId target, ExprId value, const Origin& origin = {}) {
    WhenAction a;
    a.target = target;
    a.value = value;
    a.origin = origin;
    return a;
  }

  // A variable that gets this value at the ticks of a partition.
  VarId at_ticks(int root, const char* prefix, ScalarType type, ExprId start, ExprId value) {
    const VarId v = new_variable(fmt::format("${}{}", prefix, ++made_), type, start);
    clauses_[root].actions.push_back(assign(v, value));
    return v;
  }

  // A rewriter is not asked again while it is at work: what is in an operator has its own.
  ExprId rewrite(ExprId e, int root) {
    auto& rewriter = rewriters_[{root, depth_}];
    if (!rewriter) {
      rewriter = std::make_unique<ExprRewriter>(
          pool_, [](ExprId, std::span<const ExprId>) { return ExprId{}; },
          [this, root](ExprId x) { return enter(x, root); });
    }
    ++depth_;
    const ExprId made = (*rewriter)(e);
    --depth_;
    return made;
  }

  ExprId enter(ExprId e, int root) {
    const auto known = entered_.find({root, e.index});
    if (known != entered_.end()) return known->second;
    const ExprId made = replacement(e, root);
    if (made.valid()) entered_[{root, e.index}] = made;
    return made;
  }

  ExprId replacement(ExprId e, int root) {
    const Op op = pool_[e].op;
    const bool clocked = root != kContinuous;
    if (clocked && op == Op::kTime)
      return input(root, "time", ScalarType::kReal, {}, e, ClockStages::Input::kLinear);
    if (clocked && op == Op::kDer) return rate(VarId{pool_[e].index}, root);
    const ClockOperator what = partitions_.operation(e);
    if (what == ClockOperator::kNone) return {};
    const std::vector<ExprId> args = partitions_.arguments(e);
    if (what == ClockOperator::kHold) return flat_.ref(held(args[0]));
    if (!clocked) throw UserError("an operator of clocks stands where there is no clock");
    switch (what) {
      case ClockOperator::kSample:
        return input(root, "sampled", pool_[e].type, {}, left_limit(args[0]),
                     is_smooth(args[0]) ? ClockStages::Input::kLinear : ClockStages::Input::kHeld);
      case ClockOperator::kPrevious:
        return previous(args[0], root);
      case ClockOperator::kInterval:
        return interval(root);
      case ClockOperator::kFirstTick:
        return first_tick(root);
      default: {
        const VarId h = held(args[0]);
        const ExprId start = flat_[h].start;
        return input(root, "taken", pool_[e].type, start, flat_.ref(h), ClockStages::Input::kHeld);
      }
    }
  }

  // What comes into a partition from outside.
  ExprId input(int root, const char* prefix, ScalarType type, ExprId start, ExprId value,
               ClockStages::Input kind) {
    const VarId v = at_ticks(root, prefix, type, start, value);
    clauses_[root].inputs[v.index] = kind;
    return flat_.ref(v);
  }

  bool is_smooth(ExprId u) {
    if (pool_[u].type != ScalarType::kReal) return false;
    ExprWalker walker(pool_);
    return std::ranges::any_of(walker.nodes(u), [this](ExprId e) {
      return pool_[e].op == Op::kTime ||
             (pool_[e].op == Op::kVar && pool_[e].type == ScalarType::kReal &&
              flat_[pool_.var(e)].variability == FlatVariability::kContinuous);
    });
  }

  // der(x) among equations that tick: a variable, and the method of the clock gives x.
  ExprId rate(VarId x, int root) {
    const ClockSolver solver = partitions_.solver(root);
    if (solver == ClockSolver::kNone) {
      throw ModelError(
          diag::Code::kNotSupported,
          fmt::format("der({}) is in equations that tick with a clock that has no solver: give "
                      "one with Clock(c, solverMethod = \"ExplicitEuler\")",
                      flat_[x].name),
          {place_in_text(pool_, flat_[x].origin, "")});
    }
    const VarId d = new_variable(fmt::format("der({})", flat_[x].name), ScalarType::kReal, {});
    added_[d.index] = root;
    const ExprId start = start_value(x);
    if (solver == ClockSolver::kMidPoint2 || solver == ClockSolver::kRungeKutta4) {
      clauses_[root].states.push_back({x, d, start});
      return flat_.ref(d);
    }
    ExprId used = flat_.ref(d);
    if (solver == ClockSolver::kExplicitEuler) used = previous(flat_.ref(d), root);
    if (solver == ClockSolver::kTrapezoid)
      used = pool_.mul(pool_.real(0.5), pool_.add(previous(flat_.ref(d), root), used));
    const ExprId next = pool_.add(previous(flat_.ref(x), root), pool_.mul(interval(root), used));
    clauses_[root].rows.push_back(
        {flat_.ref(x), pool_.if_else(first_tick(root), start, next), flat_[x].origin, true, root});
    return flat_.ref(d);
  }

  ExprId left_limit(ExprId u) {
    const ExprId e = rewrite(u, kContinuous);
    if (pool_[e].op == Op::kTime || solver_.depends_on_parameters_only(e)) return e;
    if (pool_[e].op == Op::kVar) return pool_.pre(pool_.var(e), pool_[e].type);
    const VarId v = new_variable(fmt::format("$input{}", ++made_), pool_[e].type, {});
    if (pool_[e].type == ScalarType::kReal) flat_[v].variability = FlatVariability::kContinuous;
    flat_.equations.push_back({flat_.ref(v), e, {}, pool_[e].type != ScalarType::kReal});
    return pool_.pre(v, pool_[e].type);
  }

  VarId held(ExprId u) {
    const auto it = held_.find(u.index);
    if (it != held_.end()) return it->second;
    const int root = partitions_.root_of_fragment(u);
    ExprId start;
    if (pool_[u].op == Op::kVar) start = flat_[pool_.var(u)].start;
    const VarId v = new_variable(fmt::format("$held{}", ++made_), pool_[u].type, start);
    held_[u.index] = v;
    const ExprId value = rewrite(u, root);
    clauses_[root].actions.push_back(assign(v, value));
    return v;
  }

  ExprId previous(ExprId x, int root) {
    if (pool_[x].op != Op::kVar) throw UserError("previous() needs a variable");
    const VarId v = pool_.var(x);
    if (!partitions_.varies(v)) return x;
    const ExprId start = flat_[v].start;
    const VarId memory = at_ticks(root, "memory", flat_[v].type, start, x);
    return input(root, "previous", flat_[v].type, start, pool_.pre(memory, flat_[v].type),
                 ClockStages::Input::kHeld);
  }

  // True from the first tick on.
  VarId ticked(int root) {
    VarId& known = clauses_[root].ticked;
    if (!known.valid()) {
      known =
          at_ticks(root, "ticked", ScalarType::kBoolean, pool_.boolean(false), pool_.boolean(true));
    }
    return known;
  }

  ExprId first_tick(int root) {
    if (!clauses_[root].first.valid()) {
      const ExprId not_yet = pool_.make(Op::kNot, {pool_.pre(ticked(root), ScalarType::kBoolean)});
      const VarId first =
          at_ticks(root, "first", ScalarType::kBoolean, pool_.boolean(true), not_yet);
      clauses_[root].first = first;
    }
    return flat_.ref(clauses_[root].first);
  }

  ExprId interval(int root) {
    const ClockSystem::Position at = partitions_.position(root);
    const Base& base = bases_[static_cast<std::size_t>(at.base)];
    const ClockPartitions::BaseClock& given =
        partitions_.bases()[static_cast<std::size_t>(at.base)];
    if (given.kind == ClockOperator::kRational)
      return pool_.real((at.period * given.period).value());
    if (base.interval.valid()) return pool_.mul(pool_.real(at.period.value()), base.interval);
    if (!clauses_[root].interval.valid()) {
      if (!measuring_.insert(root).second)
        throw UserError("the interval of a clock is given by interval() of the same clock");
      const ExprId first = pool_.mul(pool_.real(at.period.value()), first_interval(given, root));
      const VarId last = at_ticks(root, "last", ScalarType::kReal, {}, pool_.time());
      const ExprId since = pool_.sub(pool_.time(), pool_.pre(last, ScalarType::kReal));
      const ExprId value = pool_.if_else(first_tick(root), first, since);
      const ExprId start = solver_.depends_on_parameters_only(first) ? first : ExprId{};
      clauses_[root].interval = at_ticks(root, "interval", ScalarType::kReal, start, value);
    }
    return flat_.ref(clauses_[root].interval);
  }

  void rewrite_whens() {
    for (std::size_t i = 0; i < flat_.whens.size() && i < when_nodes_.size(); ++i) {
      const int root = context(when_nodes_[i]);
      if (root != kContinuous)
        refuse_clocked(pool_, "ordinary `when` among equations with a clock",
                       flat_.whens[i].origin);
      WhenClause w = flat_.whens[i];
      for (WhenBranch& b : w.branches) {
        for (ExprId& c : b.conditions) c = rewrite(c, root);
        for (WhenAction& a : b.actions) {
          if (a.value.valid()) a.value = rewrite(a.value, root);
          if (a.message.valid()) a.message = rewrite(a.message, root);
        }
      }
      flat_.whens[i] = std::move(w);
    }
  }

  bool belongs(VarId v, int root) {
    if (v.index < given_) return partitions_.varies(v) && partitions_.root_of(v) == root;
    const auto it = added_.find(v.index);
    return it != added_.end() && it->second == root;
  }

  // Before the first tick there is nothing to solve, the start values hold: what is sampled is not
  // known yet, and the solution would be where the first tick begins to look for its own.
  FlatEquation since_first_tick(const ClockedRow& row, VarId v, int root) {
    FlatEquation made{row.lhs, row.rhs, row.origin, row.defines};
    if (!v.valid()) return made;
    const ExprId known = flat_.ref(v), is_on = flat_.ref(ticked(root));
    if (made.lhs != known) made.lhs = pool_.if_else(is_on, made.lhs, known);
    made.rhs = pool_.if_else(is_on, made.rhs, start_value(v));
    return made;
  }

  void add_stages(int root, Clause& clause) {
    ClockStages::Partition partition;
    partition.belongs = [this, root](VarId v) { return belongs(v, root); };
    partition.add = [this, root](std::string name, ScalarType type) {
      const VarId v = new_variable(std::move(name), type, {});
      added_[v.index] = root;
      return v;
    };
    partition.previous = [this, root](ExprId x) { return previous(x, root); };
    partition.interval = interval(root);
    partition.first_tick = first_tick(root);
    partition.inputs = clause.inputs;
    ClockStages stages(flat_, partition);
    const std::vector<ClockedRow> given = clause.rows;
    const std::vector<ClockStages::State> states = clause.states;
    for (ClockedRow row : stages.rows(partitions_.solver(root), states, given)) {
      row.node = root;
      clause.rows.push_back(std::move(row));
    }
  }

  void finish() {
    for (std::size_t i = 0; i < static_cast<std::size_t>(given_); ++i) {
      FlatVariable& v = flat_.variables[i];
      if (v.is_clock) {
        v.variability = FlatVariability::kConstant;
        v.binding = pool_.boolean(false);
        v.hidden = true;
        v.causality = Causality::kLocal;
      } else if (v.variability > FlatVariability::kParameter &&
                 partitions_.is_clocked(partitions_.root(static_cast<int>(i)))) {
        v.variability = FlatVariability::kDiscrete;
      }
    }
    for (auto& [root, clause] : clauses_) {
      if (!clause.states.empty()) add_stages(root, clause);
      WhenClause when;
      when.branches.push_back({{ticks(root)}, {}});
      auto& actions = when.branches[0].actions;
      const std::vector<TickingRow> solved = solve_ticking_rows(
          flat_, clause.rows, [this, at = root](VarId v) { return belongs(v, at); });
      for (std::size_t i = 0; i < clause.rows.size(); ++i) {
        const ClockedRow& row = clause.rows[i];
        if (solved[i].stays) {
          flat_.equations.push_back(since_first_tick(row, solved[i].target, root));
        } else {
          actions.push_back(assign(pool_.var(row.lhs), row.rhs, row.origin));
        }
      }
      actions.insert(actions.end(), clause.actions.begin(), clause.actions.end());
      flat_.whens.push_back(std::move(when));
    }
  }

  FlatModel& flat_;
  ExprPool& pool_;
  ClockPartitions partitions_;
  EquationSolver solver_{flat_};
  const std::int32_t given_ = static_cast<std::int32_t>(flat_.variables.size());
  std::vector<ClockedRow> rows_;
  std::vector<std::pair<FlatAssert, int>> asserts_;
  std::vector<int> when_nodes_;
  std::vector<Base> bases_;
  std::map<int, Clause> clauses_;
  std::map<std::pair<int, int>, std::unique_ptr<ExprRewriter>> rewriters_;  // partition, depth
  std::map<std::pair<int, std::int32_t>, ExprId> entered_;
  std::set<int> measuring_;  // partitions whose interval() is made
  int depth_ = 0;
  std::unordered_map<std::int32_t, int> added_;  // derivatives, with their partition
  std::unordered_map<std::int32_t, VarId> held_;
  int made_ = 0;
};

}  // namespace

void lower_clocks(FlatModel& model) { ClockLowering(model).run(); }

}  // namespace arges
