#include "arges/causalize/clock_partitions.h"

#include <unordered_set>

#include <fmt/format.h>

#include "arges/causalize/model_error.h"

namespace arges {

namespace {

ClockOperator operator_named(std::string_view name) {
  constexpr std::pair<std::string_view, ClockOperator> kNames[] = {
      {"sample", ClockOperator::kSample},           {"hold", ClockOperator::kHold},
      {"previous", ClockOperator::kPrevious},       {"subSample", ClockOperator::kSubSample},
      {"superSample", ClockOperator::kSuperSample}, {"shiftSample", ClockOperator::kShiftSample},
      {"backSample", ClockOperator::kBackSample},   {"noClock", ClockOperator::kNoClock},
      {"interval", ClockOperator::kInterval},       {"firstTick", ClockOperator::kFirstTick},
      {"inferredClock", ClockOperator::kInferred},  {"rationalClock", ClockOperator::kRational},
      {"periodicClock", ClockOperator::kPeriodic},  {"eventClock", ClockOperator::kEvent},
      {"varyingClock", ClockOperator::kVarying},    {"solverClock", ClockOperator::kSolver},
  };
  for (const auto& [known, op] : kNames) {
    if (known == name) return op;
  }
  return ClockOperator::kNone;
}

}  // namespace

ClockPartitions::ClockPartitions(FlatModel& flat) : flat_(flat) {
  for (const FlatFunction& f : flat.functions) {
    operator_of_.push_back(
        f.is_model_operator()
            ? operator_named(std::string_view(f.external).substr(kModelOperator.size()))
            : ClockOperator::kNone);
    any_ = any_ || operator_of_.back() != ClockOperator::kNone;
  }
  for (const FlatVariable& v : flat.variables) any_ = any_ || v.is_clock;
  for (std::size_t i = 0; i < flat.variables.size(); ++i) new_node();
}

ClockOperator ClockPartitions::operation(ExprId result) const {
  const ExprPool& pool = flat_.pool;
  if (pool[result].op != Op::kResult) return ClockOperator::kNone;
  const auto function = static_cast<std::size_t>(pool[pool.arg(result, 0)].index);
  return function < operator_of_.size() ? operator_of_[function] : ClockOperator::kNone;
}

std::vector<ExprId> ClockPartitions::arguments(ExprId result) const {
  const auto args = flat_.pool.args(flat_.pool.arg(result, 0));
  return {args.begin(), args.end()};
}

bool ClockPartitions::is_clock(ExprId e) const {
  if (flat_.pool[e].op == Op::kVar) return flat_[flat_.pool.var(e)].is_clock;
  switch (operation(e)) {
    case ClockOperator::kInferred:
    case ClockOperator::kRational:
    case ClockOperator::kPeriodic:
    case ClockOperator::kEvent:
    case ClockOperator::kVarying:
    case ClockOperator::kSolver:
      return true;
    case ClockOperator::kSubSample:
    case ClockOperator::kSuperSample:
    case ClockOperator::kShiftSample:
    case ClockOperator::kBackSample:
      return is_clock(arguments(e)[0]);
    default:
      return false;
  }
}

bool ClockPartitions::varies(VarId v) const {
  return flat_[v].variability > FlatVariability::kParameter && !flat_[v].is_clock;
}

int ClockPartitions::new_node() {
  parent_.push_back(static_cast<int>(parent_.size()));
  return parent_.back();
}

int ClockPartitions::root(int node) {
  while (parent_[static_cast<std::size_t>(node)] != node) {
    int& up = parent_[static_cast<std::size_t>(node)];
    up = parent_[static_cast<std::size_t>(up)];
    node = up;
  }
  return node;
}

void ClockPartitions::join(VarId v, int node) {
  if (varies(v)) parent_[static_cast<std::size_t>(root(v.index))] = root(node);
}

void ClockPartitions::scan(ExprId top, int node) {
  std::vector<ExprId> stack{top};
  std::unordered_set<std::int32_t> seen;
  while (!stack.empty()) {
    const ExprId e = stack.back();
    stack.pop_back();
    if (!seen.insert(e.index).second) continue;
    const ExprNode n = flat_.pool[e];
    if (n.op == Op::kVar || n.op == Op::kDer || n.op == Op::kPre || n.op == Op::kEdge ||
        n.op == Op::kChange) {
      join(VarId{n.index}, node);
      continue;
    }
    if (const ClockOperator op = operation(e); op != ClockOperator::kNone) {
      scan_operator(op, e, node);
      continue;
    }
    for (const ExprId a : flat_.pool.args(e)) stack.push_back(a);
  }
}

std::optional<std::pair<Ratio, Ratio>> ClockPartitions::change(ClockOperator op,
                                                               ExprId result) const {
  const std::vector<ExprId> args = arguments(result);
  const auto number = [&](std::size_t i) {
    return static_cast<std::int64_t>(flat_.pool.value(args[i]));
  };
  switch (op) {
    case ClockOperator::kSubSample:
      if (number(1) == 0) return std::nullopt;
      return std::pair{Ratio::of(number(1), 1), Ratio{0, 1}};
    case ClockOperator::kSuperSample:
      if (number(1) == 0) return std::nullopt;
      return std::pair{Ratio::of(1, number(1)), Ratio{0, 1}};
    case ClockOperator::kShiftSample:
      return std::pair{Ratio{1, 1}, Ratio::of(number(1), number(2))};
    default:
      return std::pair{Ratio{1, 1}, Ratio::of(-number(1), number(2))};
  }
}

void ClockPartitions::scan_operator(ClockOperator op, ExprId result, int node) {
  const std::vector<ExprId> args = arguments(result);
  if (op != ClockOperator::kHold) clocked_nodes_.push_back(node);
  switch (op) {
    case ClockOperator::kSample:
      fragment(args[0]);
      if (args.size() > 1) associate(node, clock_of(args[1]));
      return;
    case ClockOperator::kHold:
    case ClockOperator::kNoClock:
      clocked_nodes_.push_back(fragment(args[0]));
      return;
    case ClockOperator::kPrevious:
    case ClockOperator::kInterval:
    case ClockOperator::kFirstTick:
      for (const ExprId a : args) {
        if (is_clock(a)) {
          associate(node, clock_of(a));  // firstTick(c)
        } else {
          scan(a, node);
        }
      }
      return;
    case ClockOperator::kSubSample:
    case ClockOperator::kSuperSample:
    case ClockOperator::kShiftSample:
    case ClockOperator::kBackSample: {
      const int from = fragment(args[0]);
      clocked_nodes_.push_back(from);
      if (const auto changed = change(op, result))
        links_.push_back({from, node, changed->first, changed->second});
      return;
    }
    default:
      throw UserError(
          "a clock stands where a value is needed: Clock() gives the times at which "
          "something happens, no number");
  }
}

int ClockPartitions::fragment(ExprId u) {
  const auto it = fragments_.find(u.index);
  if (it != fragments_.end()) return it->second;
  const int node = new_node();
  fragments_[u.index] = node;
  scan(u, node);
  return node;
}

void ClockPartitions::associate(int node, int clock) {
  clocked_nodes_.push_back(node);
  associations_.emplace_back(node, clock);
}

int ClockPartitions::clock_of(ExprId e) {
  const bool is_variable = flat_.pool[e].op == Op::kVar;
  const std::int32_t key = is_variable ? flat_.pool[e].index : -1 - e.index;
  const auto it = clock_ids_.find(key);
  if (it != clock_ids_.end()) return it->second;
  if (!is_clock(e)) throw UserError("a clock is needed here: Clock(), or a variable of that type");
  const int id = clocks_.add();
  const ClockOperator op = operation(e);
  if (op == ClockOperator::kInferred) return id;
  clock_ids_[key] = id;
  if (is_variable) return id;
  const std::vector<ExprId> args = arguments(e);
  BaseClock base;
  base.kind = op;
  switch (op) {
    case ClockOperator::kRational:
      base.period = Ratio::of(static_cast<std::int64_t>(flat_.pool.value(args[0])),
                              static_cast<std::int64_t>(flat_.pool.value(args[1])));
      break;
    case ClockOperator::kPeriodic:
      base.interval = args[0];
      break;
    case ClockOperator::kEvent:
      base.condition = args[0];
      base.interval = args[1];
      fragment(args[0]);
      break;
    case ClockOperator::kVarying:
      base.interval = args[0];
      base.resolution = args[1];
      associate(fragment(args[0]), id);
      break;
    case ClockOperator::kSolver:
      clocks_.equal(clock_of(args[0]), id);
      solvers_.emplace_back(id, static_cast<ClockSolver>(flat_.pool.value(args[1])));
      return id;
    default: {
      const int from = clock_of(args[0]);
      if (const auto changed = change(op, e))
        clocks_.relate(from, id, changed->first, changed->second);
      return id;
    }
  }
  for (std::size_t i = 0; i < bases_.size(); ++i) {  // the same times: the same clock
    if (op != ClockOperator::kRational || bases_[i].kind != op) continue;
    if (!(bases_[i].period == base.period)) continue;
    clocks_.define(id, static_cast<int>(i));
    return id;
  }
  clocks_.define(id, static_cast<int>(bases_.size()));
  bases_.push_back(base);
  return id;
}

void ClockPartitions::solve() {
  for (const int node : clocked_nodes_) {
    const int r = root(node);
    if (!is_clocked(r)) clock_of_root_[r] = clocks_.add();
  }
  for (const auto& [node, clock] : associations_)
    clocks_.equal(clock_of_root_.at(root(node)), clock);
  for (const Link& l : links_)
    clocks_.relate(clock_of_root_.at(root(l.from)), clock_of_root_.at(root(l.to)), l.factor,
                   l.shift);
  clocks_.solve();
}

ClockSolver ClockPartitions::solver(int r) {
  const int base = position(r).base;
  ClockSolver found = ClockSolver::kNone;
  for (const auto& [clock, solver] : solvers_) {
    if (!clocks_[clock] || clocks_[clock]->base != base) continue;
    if (found != ClockSolver::kNone && found != solver)
      throw UserError("clocks made from one base clock have different solvers");
    found = solver;
  }
  return found;
}

ClockSystem::Position ClockPartitions::position(int r) {
  const auto& known = clocks_[clock_of_root_.at(r)];
  if (known) {
    if (known->start.numerator < 0)
      throw UserError("backSample() goes back before the first tick of the base clock");
    return *known;
  }
  std::string name = "an expression";
  for (std::size_t i = 0; i < flat_.variables.size(); ++i) {
    const VarId v{static_cast<std::int32_t>(i)};
    if (varies(v) && root_of(v) == r) {
      name = "'" + flat_[v].name + "'";
      break;
    }
  }
  throw UserError(fmt::format(
      "the clock of {} cannot be inferred: give it with sample(u, c) or `when c then`", name));
}

}  // namespace arges
