// What makes events becomes variables.

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "arges/base/index.h"
#include "arges/causalize/firing.h"
#include "arges/causalize/passes.h"
#include "arges/causalize/past_readers.h"
#include "arges/causalize/roles.h"
#include "arges/expr/relations.h"
#include "arges/expr/walk.h"
#include "arges/flat/print.h"

namespace arges {

namespace {

class EventLowering {
 public:
  explicit EventLowering(CausalModel& model)
      : model_(model),
        flat_(model.flat),
        pool_(flat_.pool),
        with_events_(pool_, replacer(Events::kMade), enterer()),
        without_events_(pool_, replacer(Events::kNone)),
        by_events_(pool_, replacer(Events::kAsMade), enterer()) {}

  void run() {
    const std::size_t given = flat_.variables.size();
    derivative_.assign(given, VarId{});
    is_derivative_.assign(given, 0);
    std::erase_if(flat_.equations, [&](const FlatEquation& e) {
      return !e.defines && (names_derivative(e.lhs, e.rhs) || names_derivative(e.rhs, e.lhs));
    });
    for (const FlatEquation& e : flat_.equations)
      model_.equations.push_back({with_events_(e.lhs), with_events_(e.rhs), e.origin, 0, e.defines,
                                  mixes_types(pool_, e)});
    lower_whens();
    for (const FlatAssert& a : flat_.asserts) {
      const ExprId holds = with_events_(a.condition);
      model_.checks.push_back(
          {pool_.make(Op::kNot, {holds}), by_events_(a.message), a.level, a.origin, a.terminates});
    }
    for (const FlatEquation& e : flat_.initial_equations)
      model_.initial_equations.push_back({without_events_(e.lhs), without_events_(e.rhs), e.origin,
                                          0, false, mixes_types(pool_, e)});
    for (FlatFunction& f : flat_.functions) {  // none of them is called any more
      if (f.is_model_operator()) f.external.clear();
    }
    set_roles(model_);
  }

 private:
  VarId new_variable(std::string name, ScalarType type, ExprId start) {
    FlatVariable v;
    v.name = std::move(name);
    v.type = type;
    v.variability = FlatVariability::kDiscrete;
    v.start = start;
    v.hidden = true;
    return flat_.add(std::move(v));
  }

  // v = der(x): v is the derivative of x, with all that the text says about it, and no equation is
  // left. Not when v has that part already, or when x = der(v) by others: v is known from x then.
  bool names_derivative(ExprId variable, ExprId rate) {
    if (pool_[variable].op != Op::kVar || pool_[rate].op != Op::kDer) return false;
    const VarId v = pool_.var(variable), x = pool_.var(rate);
    for (const VarId each : {v, x}) {
      if (flat_[each].variability != FlatVariability::kContinuous ||
          flat_[each].causality == Causality::kInput)
        return false;
    }
    if (is_derivative_[at(v.index)] || derivative_[at(x.index)].valid()) return false;
    for (VarId next = v; next.valid(); next = derivative_[at(next.index)]) {
      if (next == x) return false;
    }
    is_derivative_[at(v.index)] = 1;
    derivative_[at(x.index)] = v;
    model_.states.push_back({x, v});
    return true;
  }

  VarId derivative(VarId x) {
    derivative_.resize(flat_.variables.size());
    VarId d = derivative_[at(x.index)];
    if (d.valid()) return d;
    d = new_variable("der(" + flat_[x].name + ")", ScalarType::kReal, {});
    flat_[d].variability = FlatVariability::kContinuous;
    flat_[d].hidden = false;
    derivative_.resize(flat_.variables.size());
    derivative_[at(x.index)] = d;
    model_.states.push_back({x, d});
    return d;
  }

  VarId pre(VarId v) { return left_limit(v).pre; }

  PreLink& left_limit(VarId v) {
    link_of_.resize(flat_.variables.size(), 0);
    if (link_of_[at(v.index)] == 0) {
      const VarId p = new_variable("pre(" + flat_[v].name + ")", flat_[v].type, flat_[v].start);
      model_.pres.push_back({p, v, flat_[v].variability == FlatVariability::kContinuous});
      link_of_[at(v.index)] = model_.pres.size();
    }
    return model_.pres[link_of_[at(v.index)] - 1];
  }

  // The condition of a when has become true. Not so at the start.
  ExprId fire(VarId condition) {
    PreLink& left = left_limit(condition);
    left.held_at_start = true;
    const ExprId was_not = pool_.make(Op::kNot, {flat_.ref(left.pre)});
    model_.when_fires.push_back(pool_.make(Op::kAnd, {flat_.ref(condition), was_not}));
    return model_.when_fires.back();
  }

  // Whether the expression (already lowered) changes between events.
  bool is_continuous(ExprId root) {
    continuous_.resize(static_cast<std::size_t>(pool_.size()), -1);
    if (continuous_[at(root.index)] >= 0) return continuous_[at(root.index)] != 0;
    for (const ExprId e : walker_.nodes(root)) {
      auto& known = continuous_[at(e.index)];
      if (known >= 0) continue;
      const ExprNode& node = pool_[e];
      known = node.op == Op::kTime ? 1 : 0;
      if (node.op == Op::kVar) {
        const FlatVariable& v = flat_.variables[at(node.index)];
        known = v.variability == FlatVariability::kContinuous && v.causality != Causality::kInput;
      }
      for (const ExprId a : pool_.args(e)) known = known || continuous_[at(a.index)];
    }
    return continuous_[at(root.index)] != 0;
  }

  // What a relation (or a floor) in an expression is: one that makes events; what it is by numbers
  // alone; or, where it makes no events but others do by the same relation, what they have made it:
  // at the instant of `time > 0.5` that holds. kAsFired: only those that fire the present branch.
  enum class Events { kMade, kNone, kAsMade, kAsFired };

  ExprRewriter::Replace replacer(Events events) {
    return
        [this, events](ExprId e, std::span<const ExprId> args) { return lower(e, args, events); };
  }
  // noEvent and smooth switch to the other rewriter for what is in them.
  ExprRewriter::Enter enterer() {
    return [this](ExprId e) {
      const ExprNode node = pool_[e];
      if (node.op == Op::kNoEvent) return without_events_(pool_.arg(e, 0));
      if (node.op == Op::kSmooth) {
        const ExprId order = pool_.arg(e, 0);
        if (pool_.is_constant(order) && pool_.value(order) >= 1)
          return without_events_(pool_.arg(e, 1));
      }
      return ExprId{};
    };
  }

  ExprId lower(ExprId e, std::span<const ExprId> args, Events events) {
    const ExprNode node = pool_[e];
    const VarId v{node.index};
    // Integers change when they do: what is computed from them has no events of its own, and is
    // not kept while an algorithm changes them.
    const bool of_integers =
        node.type == ScalarType::kInteger &&
        std::ranges::all_of(args, [&](ExprId a) { return pool_[a].type == ScalarType::kInteger; });
    if (of_integers && (node.op == Op::kDivInt || node.op == Op::kMod || node.op == Op::kRem))
      events = Events::kNone;
    switch (node.op) {
      case Op::kDer:
        if (flat_[v].variability <= FlatVariability::kDiscrete) return pool_.real(0);
        if (flat_[v].causality == Causality::kInput) {
          throw ModelError(
              diag::Code::kInputDerivative,
              fmt::format("the derivative of input '{}' is not known; give it to the model as "
                          "another input",
                          flat_[v].name),
              {place_in_text(pool_, flat_[v].origin, "")});
        }
        return flat_.ref(derivative(v));
      case Op::kPre:
        if (flat_[v].variability <= FlatVariability::kParameter) return flat_.ref(v);
        return flat_.ref(pre(v));
      case Op::kEdge:
        if (flat_[v].name.starts_with("$when")) return fire(v);
        return pool_.make(Op::kAnd, {flat_.ref(v), pool_.make(Op::kNot, {flat_.ref(pre(v))})});
      case Op::kChange:
        return pool_.make(Op::kNotEqual, {flat_.ref(v), flat_.ref(pre(v))});
      case Op::kInitial:
        return flag(model_.initial_flag, "$initial", e);
      case Op::kTerminal:
        return flag(model_.terminal_flag, "$terminal", e);
      case Op::kNoEvent:
        return args[0];
      case Op::kSmooth:
        return args[1];
      case Op::kSemiLinear: {
        const ExprId positive = relation(Op::kGreaterEqual, args[0], pool_.real(0), events);
        return pool_.mul(pool_.if_else(positive, args[1], args[2]), args[0]);
      }
      case Op::kDelay:
        return delay(args);
      case Op::kResult: {
        const FlatFunction& f = flat_.functions[at(pool_[args[0]].index)];
        if (!f.is_model_operator()) return {};
        return outlet(args[0], static_cast<std::size_t>(node.index));
      }
      case Op::kSample:
        return flat_.ref(sample(e, args[0], args[1]));
      case Op::kLess:
      case Op::kLessEqual:
      case Op::kGreater:
      case Op::kGreaterEqual:
        return relation(node.op, args[0], args[1], events);
      case Op::kFloor:
      case Op::kToInteger:
        return floor(args[0], events);
      case Op::kCeil:
        return pool_.neg(floor(pool_.neg(args[0]), events));
      case Op::kDivInt:
        return quotient(args[0], args[1], events);
      case Op::kMod:
        return pool_.sub(args[0], pool_.mul(floor(pool_.div(args[0], args[1]), events), args[1]));
      case Op::kRem:
        return pool_.sub(args[0], pool_.mul(quotient(args[0], args[1], events), args[1]));
      default:
        return {};
    }
  }

  ExprId flag(VarId& v, const char* name, ExprId stands_for) {
    if (!v.valid()) v = new_variable(name, ScalarType::kBoolean, pool_.boolean(false));
    model_.written[v.index] = stands_for;
    return flat_.ref(v);
  }

  // A continuous variable that equals an expression.
  VarId named(std::string name, ExprId value) {
    const VarId v = new_variable(std::move(name), ScalarType::kReal, {});
    flat_[v].variability = FlatVariability::kContinuous;
    model_.equations.push_back({flat_.ref(v), value, {}, 0});
    return v;
  }

  // Where the past of the present run is kept.
  ExprId memory() {
    if (!model_.memory.valid())
      model_.memory = new_variable("$memory", ScalarType::kReal, pool_.real(0));
    return flat_.ref(model_.memory);
  }

  // One end of what spatialDistribution() moves: what enters there, or what comes out.
  ExprId outlet(ExprId call, std::size_t end) {
    const auto known = transports_.find(call.index);
    const std::size_t k = known != transports_.end() ? known->second : transport(call);
    const Transport& t = model_.transports[k];
    const ExprId forward = flat_.ref(t.forward), enters = flat_.ref(t.ends[end]);
    return end == 0 ? pool_.if_else(forward, enters, t.outlets[0])
                    : pool_.if_else(forward, t.outlets[1], enters);
  }

  std::size_t transport(ExprId call) {
    const std::vector<ExprId> args(pool_.args(call).begin(), pool_.args(call).end());
    const std::size_t k = model_.transports.size();
    if (!transport_function_.valid())
      transport_function_ =
          add_reader(flat_, "spatialDistribution", "$transported",
                     {"past", "profile", "position", "front", "forward", "value"});
    Transport t;
    t.ends[0] = named(fmt::format("$in0_{}", k + 1), args[0]);
    t.ends[1] = named(fmt::format("$in1_{}", k + 1), args[1]);
    t.position = named(fmt::format("$position{}", k + 1), args[2]);
    t.forward =
        new_variable(fmt::format("$forward{}", k + 1), ScalarType::kBoolean, pool_.boolean(true));
    model_.equations.push_back({flat_.ref(t.forward), args[3], {}, 0, true});
    t.front = new_variable(fmt::format("$front{}", k + 1), ScalarType::kReal, pool_.real(0));
    const std::size_t points = (args.size() - 4) / 2;
    t.points.assign(args.begin() + 4, args.begin() + 4 + static_cast<std::ptrdiff_t>(points));
    t.initial.assign(args.begin() + 4 + static_cast<std::ptrdiff_t>(points), args.end());
    const ExprId x = flat_.ref(t.position), front = flat_.ref(t.front);
    const ExprId travelled = pool_.if_else(flat_.ref(t.forward), x, pool_.neg(x));
    t.reached = pool_.var(relation(Op::kGreaterEqual, travelled, front, Events::kMade));
    // The place of the front in the profile.
    const ExprId places[2] = {front, pool_.sub(pool_.real(1), front)};
    for (std::size_t end = 0; end < 2; ++end) {
      const ExprId read[] = {memory(), pool_.real(static_cast<double>(k)), x, places[end],
                             pool_.real(end == 1 ? 1 : 0)};
      t.outlets[end] = pool_.result(pool_.call(transport_function_, read), 0, ScalarType::kReal);
    }
    model_.transports.push_back(std::move(t));
    transports_[call.index] = k;
    return k;
  }

  // A fourth argument is the number of the past (ModeSplitter).
  ExprId delay(std::span<const ExprId> args) {
    const ExprId duration = args[1], longest = args[std::min<std::size_t>(args.size() - 1, 2)];
    if (pool_.is_value(duration, 0)) return args[0];
    const bool is_numbered = args.size() == 4;
    const std::int32_t number = is_numbered ? static_cast<std::int32_t>(pool_.value(args[3]))
                                            : static_cast<std::int32_t>(model_.delays.size());
    for (const DelayLine& known : model_.delays) {
      if (is_numbered && known.history == number) return known.value;
    }
    if (!delay_function_.valid())
      delay_function_ =
          add_reader(flat_, "delay", "$delay", {"past", "line", "at", "passed", "value"});
    DelayLine line;
    line.history = number;
    line.input = named(fmt::format("$delayed{}", number + 1), args[0]);
    const auto mark = [&](const char* name, double start) {
      return new_variable(fmt::format("{}{}", name, number + 1), ScalarType::kReal,
                          pool_.real(start));
    };
    line.passed = mark("$passed", -std::numeric_limits<double>::max());
    line.broken = mark("$broken", -std::numeric_limits<double>::max());
    line.duration = duration;
    line.longest = longest;
    line.fixed = !is_continuous(duration);
    const ExprId read_at = pool_.sub(pool_.time(), duration);
    if (!line.fixed) {
      line.next = mark("$next", DelayLine::kNever);
      line.back = mark("$back", -DelayLine::kNever);
      line.reached =
          pool_.var(relation(Op::kGreaterEqual, read_at, flat_.ref(line.next), Events::kMade));
      line.returned = pool_.var(relation(Op::kLess, read_at, flat_.ref(line.back), Events::kMade));
    }
    const ExprId call_args[] = {memory(), pool_.real(number), read_at, flat_.ref(line.passed)};
    line.value = pool_.result(pool_.call(delay_function_, call_args), 0, ScalarType::kReal);
    model_.delays.push_back(line);
    return line.value;
  }

  // time + c for a discrete c: -c is where it passes zero. Invalid for anything else.
  ExprId offset_of_time(ExprId e) {
    const Op op = pool_[e].op;
    if (op == Op::kTime) return pool_.real(0);
    if (op != Op::kAdd && op != Op::kSub) return {};
    const ExprId l = pool_.arg(e, 0), r = pool_.arg(e, 1);
    if (pool_[l].op == Op::kTime && !is_continuous(r)) return op == Op::kAdd ? r : pool_.neg(r);
    if (op == Op::kAdd && pool_[r].op == Op::kTime && !is_continuous(l)) return l;
    return {};
  }

  // A relation of time with something that changes at events only.
  ExprId time_relation(Op op, ExprId a, ExprId b) {
    if (!is_continuous(a)) {
      std::swap(a, b);
      op = mirrored(op);
    }
    const ExprId offset = is_continuous(b) ? ExprId{} : offset_of_time(a);
    if (!offset.valid()) return {};
    const ExprId threshold = pool_.sub(b, offset);
    const bool strict = op == Op::kGreater || op == Op::kLessEqual;
    const bool negative = op == Op::kLess || op == Op::kLessEqual;
    VarId& v = time_relations_[{threshold.index, strict}];
    if (!v.valid()) {
      const std::size_t number = model_.time_relations.size() + 1;
      const auto flag = [&](const char* name) {
        return new_variable(fmt::format("{}{}", name, number), ScalarType::kBoolean,
                            pool_.boolean(false));
      };
      v = flag("$time");
      TimeRelation r{v, {}, threshold};
      ExprId holds = model_.written[v.index] =
          pool_.make(Op::kGreaterEqual, {pool_.time(), threshold});
      if (strict) {
        r.reached = flag("$reached");
        const ExprId later = model_.written[v.index] =
            pool_.make(Op::kGreater, {pool_.time(), threshold});
        holds = pool_.make(Op::kOr, {later, pool_.make(Op::kAnd, {holds, flat_.ref(r.reached)})});
      }
      model_.time_relations.push_back(r);
      model_.equations.push_back({flat_.ref(v), holds, {}, 0, true});
    }
    return negative ? pool_.make(Op::kNot, {flat_.ref(v)}) : flat_.ref(v);
  }

  ExprId relation(Op op, ExprId a, ExprId b, Events events) {
    const ExprId exact = pool_.make(op, {a, b});
    if (events == Events::kNone || pool_.is_constant(exact) ||
        (!is_continuous(a) && !is_continuous(b)))
      return exact;
    if (events != Events::kMade) return as_made(op, a, b, events);
    if (const auto it = known_.find(exact.index); it != known_.end()) return it->second;
    if (const ExprId by_time = time_relation(op, a, b); by_time.valid())
      return known_[exact.index] = by_time;
    const VarId v = new_variable(fmt::format("$relation{}", model_.relations.size() + 1),
                                 ScalarType::kBoolean, pool_.boolean(false));
    const bool rises = op == Op::kGreater || op == Op::kGreaterEqual;
    const ExprId scale = pool_.add(pool_.make(Op::kAbs, {a}), pool_.make(Op::kAbs, {b}));
    model_.relations.push_back(
        {v, rises ? pool_.sub(a, b) : pool_.sub(b, a), exact, hysteresis(v, scale)});
    model_.written[v.index] = exact;
    return known_[exact.index] = flat_.ref(v);
  }

  // Also in other words (b < a, not a <= b).
  ExprId as_made(Op op, ExprId a, ExprId b, Events events) {
    const auto find = [&](Op other, ExprId l, ExprId r) {
      const auto it = known_.find(pool_.make(other, {l, r}).index);
      return it == known_.end() || !counts(it->second, events) ? ExprId{} : it->second;
    };
    for (const ExprId same : {find(op, a, b), find(mirrored(op), b, a)}) {
      if (same.valid()) return same;
    }
    for (const ExprId opposite : {find(negated(op), a, b), find(mirrored(negated(op)), b, a)}) {
      if (opposite.valid()) return pool_.make(Op::kNot, {opposite});
    }
    return pool_.make(op, {a, b});
  }

  bool counts(ExprId made, Events events) {
    if (events != Events::kAsFired) return true;
    if (pool_[made].op == Op::kNot) made = pool_.arg(made, 0);
    return firing_.contains(made);
  }

  Hysteresis hysteresis(VarId v, ExprId scale) {
    const std::string name = flat_[v].name;
    const VarId band = new_variable(name + ".band", ScalarType::kReal, pool_.real(0));
    const VarId switched = new_variable(name + ".switched", ScalarType::kReal, pool_.real(-1e300));
    const VarId gap = new_variable(name + ".gap", ScalarType::kReal, pool_.real(1e300));
    return {band, switched, gap, scale};
  }

  ExprId floor(ExprId a, Events events) {
    const ExprId exact = pool_.make(Op::kFloor, {a});
    if (events == Events::kNone || pool_.is_constant(exact) || !is_continuous(a)) return exact;
    const auto it = floors_.find(a.index);
    if (it != floors_.end() && counts(flat_.ref(it->second), events)) return flat_.ref(it->second);
    if (events != Events::kMade) return exact;
    const VarId v = new_variable(fmt::format("$floor{}", model_.floors.size() + 1),
                                 ScalarType::kReal, pool_.real(0));
    const ExprId scale = pool_.add(pool_.make(Op::kAbs, {a}), pool_.real(1));
    model_.floors.push_back({v, a, hysteresis(v, scale)});
    model_.written[v.index] = exact;
    floors_[a.index] = v;
    return flat_.ref(v);
  }

  // a / b, truncated.
  ExprId quotient(ExprId a, ExprId b, Events events) {
    if (events == Events::kNone || (!is_continuous(a) && !is_continuous(b)))
      return pool_.make(Op::kDivInt, {a, b});
    const ExprId q = pool_.div(a, b);
    return pool_.if_else(relation(Op::kGreaterEqual, q, pool_.real(0), events), floor(q, events),
                         pool_.neg(floor(pool_.neg(q), events)));
  }

  VarId sample(ExprId e, ExprId start, ExprId interval) {
    const auto it = samples_.find(e.index);
    if (it != samples_.end()) return it->second;
    const VarId v = new_variable(fmt::format("$sample{}", model_.samples.size() + 1),
                                 ScalarType::kBoolean, pool_.boolean(false));
    model_.samples.push_back({v, start, interval});
    model_.written[v.index] = e;
    samples_[e.index] = v;
    return v;
  }

  // The first branch that fires acts. A branch fires when one of its conditions becomes true: each
  // condition is a variable, compared with its left limit. initial() fires at the start.
  void lower_whens() {
    std::vector<std::pair<VarId, ExprId>> assigned;  // in order
    std::unordered_map<std::int32_t, std::size_t> position;
    std::vector<Origin> origins;
    int number = 0;
    std::vector<std::vector<ExprId>> fires_of, conditions_of;  // all, before what they set agrees
    for (const WhenClause& clause : flat_.whens) {
      std::vector<ExprId>& fires = fires_of.emplace_back();
      std::vector<ExprId>& conditions = conditions_of.emplace_back();
      ExprId earlier = pool_.boolean(false);
      for (const WhenBranch& branch : clause.branches) {
        ExprId any = pool_.boolean(false);
        for (const ExprId c : branch.conditions)
          any = pool_.make(Op::kOr, {any, fire(c, ++number, clause.origin)});
        fires.push_back(pool_.make(Op::kAnd, {any, pool_.make(Op::kNot, {earlier})}));
        earlier = pool_.make(Op::kOr, {earlier, any});
        conditions.push_back(any);
      }
    }
    for (const CausalEquation& e : model_.equations) {
      if (pool_[e.lhs].op == Op::kVar && !is_continuous(e.lhs))
        firing_.computed(pool_[e.lhs].index, e.rhs);
    }
    for (std::size_t c = 0; c < flat_.whens.size(); ++c) {
      const WhenClause& clause = flat_.whens[c];
      const std::vector<ExprId>& fires = fires_of[c];
      const std::vector<std::vector<ExprId>> values = fired_values(clause, conditions_of[c]);
      for (std::size_t k = clause.branches.size(); k-- > 0;) {
        for (std::size_t a = 0; a < clause.branches[k].actions.size(); ++a) {
          const WhenAction& action = clause.branches[k].actions[a];
          const ExprId value = values[k][a];
          const ExprId message = by_events_.if_valid(action.message);
          switch (action.kind) {
            case WhenAction::Kind::kAssign: {
              const auto [it, is_new] = position.try_emplace(action.target.index, assigned.size());
              if (is_new) {
                assigned.emplace_back(action.target, flat_.ref(pre(action.target)));
                origins.push_back(action.origin);
              }
              ExprId& e = assigned[it->second].second;
              e = pool_.if_else(fires[k], value, e);
              break;
            }
            case WhenAction::Kind::kReinit:
              derivative(action.target);
              model_.reinits.push_back({fires[k], action.target, value});
              break;
            case WhenAction::Kind::kAssert:
              model_.checks.push_back(
                  {pool_.make(Op::kAnd, {fires[k], pool_.make(Op::kNot, {value})}), message,
                   action.level, action.origin, false});
              break;
            case WhenAction::Kind::kTerminate:
              model_.checks.push_back(
                  {value.valid() ? pool_.make(Op::kAnd, {fires[k], value}) : fires[k], message,
                   AssertionLevel::kError, action.origin, true});
              break;
          }
        }
      }
    }
    for (std::size_t i = 0; i < assigned.size(); ++i)
      model_.equations.push_back(
          {flat_.ref(assigned[i].first), assigned[i].second, origins[i], 0, true});
  }

  // What the actions of each branch set. A branch fires by its own conditions and, since those must
  // not hold, by the ones of all branches before it.
  std::vector<std::vector<ExprId>> fired_values(const WhenClause& clause,
                                                const std::vector<ExprId>& conditions) {
    firing_.clear();
    std::vector<std::vector<ExprId>> values;
    for (std::size_t k = 0; k < clause.branches.size(); ++k) {
      firing_.add(conditions[k]);
      std::vector<ExprId>& of_branch = values.emplace_back();
      for (const WhenAction& action : clause.branches[k].actions)
        of_branch.push_back(as_fired(action.value));
    }
    return values;
  }

  // What a branch sets makes no events, and agrees with what has fired it.
  ExprId as_fired(ExprId value) {
    if (!value.valid()) return value;
    const ExprId exact = without_events_(value);
    const auto nodes = walker_.nodes(exact);
    const bool may_agree = std::ranges::any_of(nodes, [&](ExprId e) {
      const Op op = pool_[e].op;
      return op == Op::kLess || op == Op::kLessEqual || op == Op::kGreater ||
             op == Op::kGreaterEqual || op == Op::kFloor || op == Op::kDivInt;
    });
    if (!may_agree || firing_.empty()) return exact;
    return ExprRewriter(pool_, replacer(Events::kAsFired), enterer())(value);
  }

  ExprId fire(ExprId condition, int number, const Origin& origin) {
    const Op op = pool_[condition].op;
    if (op == Op::kInitial) return with_events_(condition);
    if (op == Op::kEdge && flat_[pool_.var(condition)].name.starts_with("$when"))
      return with_events_(condition);
    const ExprId lowered = with_events_(condition);
    if (pool_.is_constant(lowered)) return pool_.boolean(false);
    const VarId v =
        new_variable(fmt::format("$when{}", number), ScalarType::kBoolean, pool_.boolean(false));
    model_.equations.push_back({flat_.ref(v), lowered, origin, 0, true});
    return fire(v);
  }

  CausalModel& model_;
  FlatModel& flat_;
  ExprPool& pool_;
  ExprWalker walker_{pool_};
  // Messages make no events, but agree with those that there are.
  ExprRewriter with_events_, without_events_, by_events_;
  std::vector<VarId> derivative_;
  std::vector<std::size_t> link_of_;  // of variables: in CausalModel::pres, plus one; 0: none
  std::vector<char> is_derivative_;   // by the text
  std::vector<std::int8_t> continuous_;
  std::unordered_map<std::int32_t, VarId> floors_, samples_;
  // The variable of a relation, or what is made of it.
  std::unordered_map<std::int32_t, ExprId> known_;
  Firing firing_{pool_};
  FunctionId delay_function_, transport_function_;
  std::unordered_map<std::int32_t, std::size_t> transports_;       // by call
  std::map<std::pair<std::int32_t, bool>, VarId> time_relations_;  // by threshold, strict
};

}  // namespace

void lower_events(CausalModel& model) { EventLowering(model).run(); }

}  // namespace arges
