// What makes events becomes variables.

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "arges/causalize/passes.h"
#include "arges/expr/walk.h"
#include "arges/flat/print.h"

namespace arges {

namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

class EventLowering {
 public:
  explicit EventLowering(CausalModel& model)
      : model_(model),
        flat_(model.flat),
        pool_(flat_.pool),
        with_events_(pool_, replacer(true), enterer()),
        without_events_(pool_, replacer(false)),
        in_message_(pool_, [this](ExprId e, std::span<const ExprId> args) {
          const ExprId exact = lower(e, args, false);
          const auto known = exact.valid() ? known_.find(exact.index) : known_.end();
          return known != known_.end() ? known->second : exact;
        }) {}

  void run() {
    const std::size_t given = flat_.variables.size();
    derivative_.assign(given, VarId{});
    pre_.assign(given, VarId{});
    is_derivative_.assign(given, 0);
    std::vector<FlatEquation> others;
    for (const FlatEquation& e : flat_.equations) {
      if (e.defines || (!names_derivative(e.lhs, e.rhs) && !names_derivative(e.rhs, e.lhs)))
        others.push_back(e);
    }
    flat_.equations = std::move(others);
    for (const FlatEquation& e : flat_.equations)
      add(model_.equations, with_events_(e.lhs), with_events_(e.rhs), e.origin, e.defines);
    lower_whens();
    for (const FlatAssert& a : flat_.asserts) {
      const ExprId holds = with_events_(a.condition);
      model_.checks.push_back(
          {pool_.make(Op::kNot, {holds}), in_message_(a.message), a.level, a.origin, false});
    }
    for (const FlatEquation& e : flat_.initial_equations)
      add(model_.initial_equations, without_events_(e.lhs), without_events_(e.rhs), e.origin);
    for (FlatFunction& f : flat_.functions) {  // none of them is called any more
      if (f.is_model_operator()) f.external.clear();
    }
    set_roles();
  }

 private:
  static void add(std::vector<CausalEquation>& list, ExprId lhs, ExprId rhs, const Origin& origin,
                  bool defines = false) {
    list.push_back({lhs, rhs, origin, 0, defines});
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

  VarId pre(VarId v) {
    pre_.resize(flat_.variables.size());
    VarId p = pre_[at(v.index)];
    if (p.valid()) return p;
    p = new_variable("pre(" + flat_[v].name + ")", flat_[v].type, flat_[v].start);
    pre_.resize(flat_.variables.size());
    pre_[at(v.index)] = p;
    model_.pres.push_back({p, v, flat_[v].variability == FlatVariability::kContinuous});
    return p;
  }

  // The condition of a when has become true. Not so at the start.
  ExprId fire(VarId condition) {
    const ExprId was = flat_.ref(pre(condition));
    for (PreLink& link : model_.pres)
      link.held_at_start = link.held_at_start || link.of == condition;
    const ExprId fires = pool_.make(Op::kAnd, {flat_.ref(condition), pool_.make(Op::kNot, {was})});
    model_.when_fires.push_back(fires);
    return fires;
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

  ExprRewriter::Replace replacer(bool events) {
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

  ExprId lower(ExprId e, std::span<const ExprId> args, bool events) {
    const ExprNode node = pool_[e];
    const VarId v{node.index};
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
        return flag(model_.initial_flag, "$initial");
      case Op::kTerminal:
        return flag(model_.terminal_flag, "$terminal");
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

  ExprId flag(VarId& v, const char* name) {
    if (!v.valid()) v = new_variable(name, ScalarType::kBoolean, pool_.boolean(false));
    return flat_.ref(v);
  }

  // An external function that reads what is kept of the past; the last name is its result.
  FunctionId reader(const char* function, const char* external,
                    std::initializer_list<const char*> names) {
    FlatFunction f;
    f.name = function;
    f.external = external;
    f.impure = true;
    for (const char* name : names) {
      FlatLocal local;
      local.name = name;
      f.external_arguments.push_back({LocalId{static_cast<std::int32_t>(f.locals.size())}, {}});
      f.locals.push_back(std::move(local));
    }
    f.inputs = static_cast<std::int32_t>(names.size()) - 1;
    f.outputs = 1;
    f.external_result = f.external_arguments.back().local;
    f.external_arguments.pop_back();
    flat_.functions.push_back(std::move(f));
    return FunctionId{static_cast<std::int32_t>(flat_.functions.size()) - 1};
  }

  // A continuous variable that equals an expression.
  VarId named(std::string name, ExprId value) {
    const VarId v = new_variable(std::move(name), ScalarType::kReal, {});
    flat_[v].variability = FlatVariability::kContinuous;
    add(model_.equations, flat_.ref(v), value, {});
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
      transport_function_ = reader("spatialDistribution", "$transported",
                                   {"past", "profile", "position", "front", "forward", "value"});
    Transport t;
    t.ends[0] = named(fmt::format("$in0_{}", k + 1), args[0]);
    t.ends[1] = named(fmt::format("$in1_{}", k + 1), args[1]);
    t.position = named(fmt::format("$position{}", k + 1), args[2]);
    t.forward =
        new_variable(fmt::format("$forward{}", k + 1), ScalarType::kBoolean, pool_.boolean(true));
    add(model_.equations, flat_.ref(t.forward), args[3], {}, true);
    t.front = new_variable(fmt::format("$front{}", k + 1), ScalarType::kReal, pool_.real(0));
    const std::size_t points = (args.size() - 4) / 2;
    t.points.assign(args.begin() + 4, args.begin() + 4 + static_cast<std::ptrdiff_t>(points));
    t.initial.assign(args.begin() + 4 + static_cast<std::ptrdiff_t>(points), args.end());
    const ExprId x = flat_.ref(t.position), front = flat_.ref(t.front);
    const ExprId travelled = pool_.if_else(flat_.ref(t.forward), x, pool_.neg(x));
    t.reached = pool_.var(relation(Op::kGreaterEqual, travelled, front, true));
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
      delay_function_ = reader("delay", "$delay", {"past", "line", "at", "passed", "value"});
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
      line.reached = pool_.var(relation(Op::kGreaterEqual, read_at, flat_.ref(line.next), true));
      line.returned = pool_.var(relation(Op::kLess, read_at, flat_.ref(line.back), true));
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
      op = op == Op::kLess        ? Op::kGreater
           : op == Op::kLessEqual ? Op::kGreaterEqual
           : op == Op::kGreater   ? Op::kLess
                                  : Op::kLessEqual;
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
      ExprId holds = pool_.make(Op::kGreaterEqual, {pool_.time(), threshold});
      if (strict) {
        r.reached = flag("$reached");
        const ExprId later = pool_.make(Op::kGreater, {pool_.time(), threshold});
        holds = pool_.make(Op::kOr, {later, pool_.make(Op::kAnd, {holds, flat_.ref(r.reached)})});
      }
      model_.time_relations.push_back(r);
      add(model_.equations, flat_.ref(v), holds, {}, true);
    }
    return negative ? pool_.make(Op::kNot, {flat_.ref(v)}) : flat_.ref(v);
  }

  ExprId relation(Op op, ExprId a, ExprId b, bool events) {
    const ExprId exact = pool_.make(op, {a, b});
    if (!events || pool_.is_constant(exact) || (!is_continuous(a) && !is_continuous(b)))
      return exact;
    const auto it = relations_.find(exact.index);
    if (it != relations_.end()) return flat_.ref(it->second);
    if (const ExprId by_time = time_relation(op, a, b); by_time.valid()) {
      known_[exact.index] = by_time;
      return by_time;
    }
    const VarId v = new_variable(fmt::format("$relation{}", model_.relations.size() + 1),
                                 ScalarType::kBoolean, pool_.boolean(false));
    const bool rises = op == Op::kGreater || op == Op::kGreaterEqual;
    const ExprId scale = pool_.add(pool_.make(Op::kAbs, {a}), pool_.make(Op::kAbs, {b}));
    model_.relations.push_back(
        {v, rises ? pool_.sub(a, b) : pool_.sub(b, a), exact, hysteresis(v, scale)});
    relations_[exact.index] = v;
    known_[exact.index] = flat_.ref(v);
    return flat_.ref(v);
  }

  Hysteresis hysteresis(VarId v, ExprId scale) {
    const std::string name = flat_[v].name;
    const VarId band = new_variable(name + ".band", ScalarType::kReal, pool_.real(0));
    const VarId switched = new_variable(name + ".switched", ScalarType::kReal, pool_.real(-1e300));
    const VarId gap = new_variable(name + ".gap", ScalarType::kReal, pool_.real(1e300));
    return {band, switched, gap, scale};
  }

  ExprId floor(ExprId a, bool events) {
    const ExprId exact = pool_.make(Op::kFloor, {a});
    if (!events || pool_.is_constant(exact) || !is_continuous(a)) return exact;
    const auto it = floors_.find(a.index);
    if (it != floors_.end()) return flat_.ref(it->second);
    const VarId v = new_variable(fmt::format("$floor{}", model_.floors.size() + 1),
                                 ScalarType::kReal, pool_.real(0));
    const ExprId scale = pool_.add(pool_.make(Op::kAbs, {a}), pool_.real(1));
    model_.floors.push_back({v, a, hysteresis(v, scale)});
    floors_[a.index] = v;
    return flat_.ref(v);
  }

  // a / b, truncated.
  ExprId quotient(ExprId a, ExprId b, bool events) {
    if (!events || (!is_continuous(a) && !is_continuous(b))) return pool_.make(Op::kDivInt, {a, b});
    const ExprId q = pool_.div(a, b);
    return pool_.if_else(relation(Op::kGreaterEqual, q, pool_.real(0), true), floor(q, true),
                         pool_.neg(floor(pool_.neg(q), true)));
  }

  VarId sample(ExprId e, ExprId start, ExprId interval) {
    const auto it = samples_.find(e.index);
    if (it != samples_.end()) return it->second;
    const VarId v = new_variable(fmt::format("$sample{}", model_.samples.size() + 1),
                                 ScalarType::kBoolean, pool_.boolean(false));
    model_.samples.push_back({v, start, interval});
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
    for (const WhenClause& clause : flat_.whens) {
      std::vector<ExprId> fires;
      ExprId earlier = pool_.boolean(false);
      for (const WhenBranch& branch : clause.branches) {
        ExprId any = pool_.boolean(false);
        for (const ExprId c : branch.conditions)
          any = pool_.make(Op::kOr, {any, fire(c, ++number, clause.origin)});
        fires.push_back(pool_.make(Op::kAnd, {any, pool_.make(Op::kNot, {earlier})}));
        earlier = pool_.make(Op::kOr, {earlier, any});
      }
      for (std::size_t k = clause.branches.size(); k-- > 0;) {
        for (const WhenAction& action : clause.branches[k].actions) {
          const ExprId value = without_events_.if_valid(action.value);
          const ExprId message = in_message_.if_valid(action.message);
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
                  {fires[k], message, AssertionLevel::kError, action.origin, true});
              break;
          }
        }
      }
    }
    for (std::size_t i = 0; i < assigned.size(); ++i)
      add(model_.equations, flat_.ref(assigned[i].first), assigned[i].second, origins[i], true);
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
    add(model_.equations, flat_.ref(v), lowered, origin, true);
    return fire(v);
  }

  void set_roles() {
    model_.role.assign(flat_.variables.size(), Role::kAlgebraic);
    const auto role = [&](VarId v) -> Role& { return model_.role[at(v.index)]; };
    for (std::size_t i = 0; i < flat_.variables.size(); ++i) {
      const FlatVariable& v = flat_.variables[i];
      if (v.absent) {
        model_.role[i] = Role::kAbsent;
      } else if (v.variability <= FlatVariability::kParameter) {
        model_.role[i] = Role::kParameter;
      } else if (v.causality == Causality::kInput) {
        model_.role[i] = Role::kInput;
      } else if (v.variability == FlatVariability::kDiscrete) {
        model_.role[i] = Role::kDiscrete;
      }
    }
    for (const AliasLink& a : model_.aliases) role(a.var) = Role::kAlias;
    for (const StateLink& s : model_.states) role(s.state) = Role::kState;
  }

  CausalModel& model_;
  FlatModel& flat_;
  ExprPool& pool_;
  ExprWalker walker_{pool_};
  // Messages make no events, but agree with those that there are: at the instant of
  // `time > 0.5` the condition holds in a message, too.
  ExprRewriter with_events_, without_events_, in_message_;
  std::vector<VarId> derivative_, pre_;
  std::vector<char> is_derivative_;  // by the text
  std::vector<std::int8_t> continuous_;
  std::unordered_map<std::int32_t, VarId> relations_, floors_, samples_;
  std::unordered_map<std::int32_t, ExprId> known_;  // what stands for a relation
  FunctionId delay_function_, transport_function_;
  std::unordered_map<std::int32_t, std::size_t> transports_;       // by call
  std::map<std::pair<std::int32_t, bool>, VarId> time_relations_;  // by threshold, strict
};

}  // namespace

void lower_events(CausalModel& model) { EventLowering(model).run(); }

}  // namespace arges
