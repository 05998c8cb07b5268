#include "arges/compile/compiled_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/causalize/passes.h"
#include "arges/compile/idle_branches.h"
#include "arges/compile/workspace_lease.h"
#include "arges/expr/evaluate.h"
#include "arges/flat/print.h"
#include "arges/hybrid/update.h"

namespace arges {

namespace {

// Of a variable that no text has: `$relation1.band`, or `block.$when1`.
bool has_made_name(const FlatVariable& v) {
  return v.name.starts_with('$') || v.name.find(".$") != std::string::npos;
}

ValueType value_type(ScalarType type) {
  switch (type) {
    case ScalarType::kBoolean:
      return ValueType::kBoolean;
    case ScalarType::kInteger:
    case ScalarType::kEnumeration:
      return ValueType::kInteger;
    default:
      return ValueType::kReal;
  }
}

}  // namespace

CompiledSystem::CompiledSystem(CausalModel model,
                               std::shared_ptr<const external::SharedLibraries> libraries,
                               std::shared_ptr<external::Environment> environment)
    : HybridSystem(model.flat.name, model.flat.description),
      model_(std::move(model)),
      code_(compile(model_, std::move(libraries), std::move(environment))) {
  declare();
}

CompiledSystem::~CompiledSystem() = default;

std::unique_ptr<CompiledSystem> compile_system(FlatModel flat) {
  return std::make_unique<CompiledSystem>(causalize_taken_branches(std::move(flat)));
}

void CompiledSystem::set_tier(Tier tier) {
  idle_.clear();
  native_.reset();
  if (tier == Tier::kVm) return;
  native_ = std::make_unique<vm::NativeTier>(tier, native_input(code_));
}

DiscreteId CompiledSystem::discrete(VarId v) const {
  return DiscreteId{
      static_cast<std::int32_t>(code_.slot[static_cast<std::size_t>(v.index)] - code_.discrete_at)};
}

void CompiledSystem::declare() {
  vm::Workspace defaults(code_.tables);
  try {
    defaults.run(code_.parameter_program);
    defaults.run(code_.start_program);
  } catch (const EvaluationError& error) {
    throw UserError(fmt::format("the parameters of '{}' cannot be computed: {}", model_.flat.name,
                                error.what()));
  }
  declare_variables(defaults);

  iterates_ =
      std::ranges::any_of(code_.tables.loops, [](const vm::Loop& loop) { return !loop.linear; });
  const ExprNames names = model_.names_to_read();
  std::map<std::pair<std::int32_t, std::int32_t>, int> expressions;
  for (const Relation& r : model_.relations) {
    const EventId event =
        declare_event(to_text(model_.flat.pool, r.exact, names), Direction::kBoth);
    EventInfo& info = schema_.events[static_cast<std::size_t>(event.index)];
    info.needs_effect = true;
    info.latch = discrete(r.var);
    const auto compared = model_.flat.pool.args(r.exact);
    info.expression =
        expressions.emplace(std::minmax(compared[0].index, compared[1].index), event.index)
            .first->second;
    has_guards_ = has_guards_ || r.matters.valid();
    const Op op = model_.flat.pool[r.exact].op;
    holds_at_zero_.push_back(op == Op::kGreaterEqual || op == Op::kLessEqual);
  }
  for (const FloorMemory& f : model_.floors) {
    const std::string text = to_text(model_.flat.pool, f.argument, names);
    for (const char* roots : {"even", "odd"}) {  // see FloorPhase
      const EventId event =
          declare_event(fmt::format("{} passes an {} number", text, roots), Direction::kBoth);
      schema_.events[static_cast<std::size_t>(event.index)].needs_effect = true;
    }
  }
  for (const SampleTimer& s : model_.samples) {
    declare_timer(fmt::format("sample({}, {})", to_text(model_.flat.pool, s.start, names),
                              to_text(model_.flat.pool, s.interval, names)),
                  std::numeric_limits<double>::infinity());
  }
  for (const TimeRelation& r : model_.time_relations) {
    const TimerId timer = declare_timer(fmt::format("time {} {}", r.reached.valid() ? ">" : ">=",
                                                    to_text(model_.flat.pool, r.threshold, names)),
                                        std::numeric_limits<double>::infinity());
    TimerInfo& info = schema_.timers[static_cast<std::size_t>(timer.index)];
    info.needs_effect = true;
    info.acts_after = r.reached.valid();
  }
  for (std::size_t k = 0; k < model_.delays.size(); ++k) {
    declare_timer(fmt::format("delay({})", names.variable(model_.delays[k].input)),
                  std::numeric_limits<double>::infinity());
  }
  declare_invariants();
  schema_.watches = iterates_ || !code_.watched.empty();
  schema_.has_memory = !model_.delays.empty() || !model_.transports.empty();
  if (!schema_.has_memory) declare_slices();
  schema_.acts_at_end = model_.terminal_flag.valid();
  for (const PreLink& p : model_.pres) {
    if (model_.role_of(p.of) == Role::kAlgebraic) algebraic_pres_.push_back(p);
  }
  ExperimentInfo experiment;
  const FlatExperiment& given = model_.flat.experiment;
  experiment.start_time = given.start_time.value_or(0);
  experiment.stop_time = given.stop_time.value_or(experiment.start_time + 1);
  experiment.rtol = given.tolerance.value_or(1e-6);
  experiment.interval = given.interval.value_or(0);
  declare_experiment(experiment);
}

double CompiledSystem::nominal_value(ExprId e, const std::function<double(VarId)>& value_of,
                                     double otherwise) const {
  const ExprPool& pool = model_.flat.pool;
  if (!e.valid()) return otherwise;
  const double value = evaluate(pool, e, [&](ExprId leaf) {
    return pool[leaf].op == Op::kVar ? value_of(pool.var(leaf)) : 0.0;
  });
  return value != 0 && std::isfinite(value) ? std::abs(value) : otherwise;
}

// Over parameters, which may be others than those that were declared.
void CompiledSystem::scale_nominal(const Point& p, std::vector<double>& nominal) const {
  if (!nominal_varies_) return;
  const auto parameter = [&](VarId v) {
    const std::size_t slot = code_.slot[static_cast<std::size_t>(v.index)];
    return model_.role_of(v) == Role::kParameter ? p.p[slot - code_.parameter_at]
                                                 : std::numeric_limits<double>::quiet_NaN();
  };
  for (std::size_t i = 0; i < code_.states.size(); ++i) {
    const ExprId e = model_.flat[code_.states[i]].nominal;
    nominal[i] = nominal_value(e, parameter, nominal[i]);
  }
}

// What results and their readers want to know of a variable of the text. (Limits over parameters
// would have to follow them.)
void CompiledSystem::describe(VariableInfo& info, VarId v) const {
  const FlatVariable& variable = model_.flat[v];
  info.hides_result = variable.hide_result;
  if (variable.type != ScalarType::kReal && variable.type != ScalarType::kInteger) return;
  const auto limit = [&](ExprId e, double none) {
    return e.valid() && model_.flat.pool.is_constant(e) ? model_.flat.pool.value(e) : none;
  };
  info.range_min = limit(variable.min, info.range_min);
  info.range_max = limit(variable.max, info.range_max);
}

void CompiledSystem::declare_variables(vm::Workspace& defaults) {
  const FlatModel& flat = model_.flat;
  for (const VarId v : code_.parameters) {
    const ParameterId id =
        declare_parameter(flat[v].name, at(defaults, v), flat[v].unit, flat[v].description);
    VariableInfo& info = schema_.parameters[static_cast<std::size_t>(id.index)];
    info.type = value_type(flat[v].type);
    info.hidden = flat[v].type == ScalarType::kString || (flat[v].hidden && has_made_name(flat[v]));
    info.hides_result = flat[v].hide_result;
    // A number says nothing of a String: it is given as text.
    info.settable = !flat[v].evaluate && !flat[v].structural &&
                    flat[v].type != ScalarType::kString &&
                    flat[v].variability != FlatVariability::kConstant;
    const auto limit = [&](ExprId e, double none) {
      return e.valid() && flat.pool.is_constant(e) ? flat.pool.value(e) : none;
    };
    info.min = limit(flat[v].min, info.min);
    info.max = limit(flat[v].max, info.max);
    if (flat[v].enumeration >= 0) {
      const auto& literals =
          flat.enumerations[static_cast<std::size_t>(flat[v].enumeration)].literals;
      info.min = std::max(info.min, 1.0);
      info.max = std::min(info.max, static_cast<double>(literals.size()));
    }
  }
  for (const VarId v : code_.inputs) {
    const ExprId given = flat[v].binding.valid() ? flat[v].binding : flat[v].start;
    const double value = given.valid() && flat.pool.is_constant(given) ? flat.pool.value(given) : 0;
    const InputId id = declare_input(flat[v].name, value, flat[v].unit, flat[v].description);
    describe(schema_.inputs[static_cast<std::size_t>(id.index)], v);
  }
  const auto start = [&](VarId v) {
    return defaults[code_.start_slot[static_cast<std::size_t>(v.index)]];
  };
  for (const VarId v : code_.states) {
    default_start_.push_back(start(v));
    const double nominal = nominal_value(
        flat[v].nominal, [&](VarId of) { return at(defaults, of); }, 1);
    declare_state(flat[v].name, start(v), flat[v].unit, flat[v].description, nominal);
    describe(schema_.modes[0].states.back(), v);
    nominal_varies_ =
        nominal_varies_ || (flat[v].nominal.valid() && !flat.pool.is_constant(flat[v].nominal));
  }
  no_states_ = code_.states.empty();
  if (no_states_) {
    declare_state("$dummy", 0);
    schema_.modes[0].states[0].hidden = true;
  }
  const std::vector<char> internal = internal_variables(model_);
  for (const VarId v : code_.discretes) {
    default_start_.push_back(start(v));
    const DiscreteId id =
        declare_discrete(flat[v].name, start(v), value_type(flat[v].type), flat[v].description);
    VariableInfo& info = schema_.discretes[static_cast<std::size_t>(id.index)];
    // What the passes have made; protected variables of the text are shown as continuous ones are.
    info.hidden = flat[v].type == ScalarType::kString ||
                  (flat[v].hidden && (has_made_name(flat[v]) || flat[v].name.starts_with("pre(")));
    describe(info, v);
    info.internal = internal[static_cast<std::size_t>(v.index)] != 0;
  }
  // The kernel itself shows der(x); the text may have another name for it.
  std::vector<char> is_rate(flat.variables.size(), 0);
  for (const StateLink& s : model_.states) {
    is_rate[static_cast<std::size_t>(s.derivative.index)] =
        flat[s.derivative].name == "der(" + flat[s.state].name + ")";
  }
  for (const VarId v : code_.others) {
    // What goes into a delay, say: made by the passes.
    const bool is_made = flat[v].hidden && has_made_name(flat[v]);
    if (is_made || is_rate[static_cast<std::size_t>(v.index)] ||
        flat[v].type == ScalarType::kString)
      continue;
    const OutputId id = declare_output(flat[v].name, flat[v].unit, flat[v].description);
    VariableInfo& info = schema_.outputs[static_cast<std::size_t>(id.index)];
    info.type = value_type(flat[v].type);
    describe(info, v);
    output_slots_.push_back(code_.slot[static_cast<std::size_t>(v.index)]);
  }
  if (code_.has_sparsity && code_.states.size() > 1) {
    std::vector<std::pair<StateId, StateId>> entries;
    for (const auto& [row, column] : code_.sparsity)
      entries.emplace_back(StateId{row}, StateId{column});
    declare_sparsity(entries);
  }
  if (code_.jacobian_program.empty() || no_states_) return;
  declare_jacobian();
  const int n = static_cast<int>(code_.states.size());
  const auto& pattern = schema_.modes[0].sparsity;
  for (const ModelCode::JacobianSlot& e : code_.jacobian) {
    jacobian_at_.push_back(e.column == n ? -1
                           : pattern     ? pattern->find(e.row, e.column)
                                         : e.row + std::ptrdiff_t{n} * e.column);
  }
}

void CompiledSystem::place(vm::Workspace& w, const Point& p) const {
  w.watch(p.interrupt);
  double* r = w.registers();
  // Back in time: the step that led here was too long. Where its loops have gone to another
  // solution, they would not find the way back.
  if (iterates_ && p.t < r[0]) w.forget_trial();
  r[0] = p.t;
  std::copy_n(p.p, code_.parameters.size(), r + code_.parameter_at);
  std::copy_n(p.u, code_.inputs.size(), r + code_.input_at);
  std::copy_n(p.z, code_.discretes.size(), r + code_.discrete_at);
  std::copy_n(p.x, code_.states.size(), r + code_.state_at);
}

bool CompiledSystem::run_direct(const vm::Program& program, const Point& p, double* rates) const {
  const vm::NativeImage* image = native_ ? native_->image() : nullptr;
  if (image == nullptr || program.native < 0) return false;
  const vm::NativeProgram& native = image->programs[static_cast<std::size_t>(program.native)];
  if (native.needs_host || native.parts.empty()) return false;
  // The discretes are read only here; other programs of the same form write them.
  const vm::Workspace::Inputs inputs{p.t, p.p, p.u, const_cast<double*>(p.z), p.x, rates};
  if (!native.needs_work) {
    for (const vm::NativePart part : native.parts)
      part(inputs.time, inputs.p, inputs.x, inputs.rates, inputs.u, inputs.z, nullptr);
    return true;
  }
  Lease w(*this);
  (*w).run_native(native, inputs);
  return true;
}

// Of small models the way to the code is most of the work: this becomes a jump.
void CompiledSystem::derivatives(const Point& p, Rates xdot) const {
  const vm::NativePart direct = native_ ? native_->direct() : nullptr;
  if (direct != nullptr && constraints_ == nullptr) [[likely]] {
    direct(p.t, p.p, p.x, xdot.data(), p.u, const_cast<double*>(p.z), nullptr);
    return;
  }
  if (selects()) return compute_constrained_rates(p, xdot);
  compute_rates(p, xdot);
}

void CompiledSystem::compute_rates(const Point& p, Rates xdot) const {
  if (!no_states_ && run_direct(code_.rate_program, p, xdot.data())) return;
  Lease w(*this);
  load(*w, p);
  try {
    (*w).run(code_.rate_program);
  } catch (const EvaluationError&) {
    // A trial step that was too long may have led the loops to another solution, from which there
    // is no way back: try once more from the last row of the results.
    (*w).back_to_start();
    load(*w, p);
    (*w).run(code_.rate_program);
  }
  std::copy_n((*w).registers() + code_.rate_at, code_.states.size(), xdot.data());
  if (no_states_) xdot.data()[0] = 0;
}

// Of a few states all rates together cost less than the way to a single one.
void CompiledSystem::declare_slices() {
  constexpr std::size_t kMany = 32;
  if (code_.states.size() < kMany || !schema_.modes[0].sparsity || constraints_) return;
  slices_ = vm::RowSlices(code_.rate_program, code_.rate_at, static_cast<int>(code_.states.size()),
                          code_.constant_at, code_.constant_end);
  if (slices_.empty()) return;
  declare_rows(RowAccess::kRows);
  const auto reads_time = [&](int row) {
    const auto inputs = slices_.inputs(row);
    return !inputs.empty() && inputs.front() == 0;
  };
  for (int row = 0; row < static_cast<int>(code_.states.size()); ++row) {
    if (reads_time(row)) return;
  }
  if (schema_.events.empty()) declare_autonomous();  // else the conditions may depend on time
}

void CompiledSystem::derivatives_of(std::span<const int> rows, const Point& p, double* f) const {
  const std::size_t n = code_.states.size();
  if (slices_.empty() || 2 * rows.size() > n) {
    std::vector<double> all(std::max<std::size_t>(n, 1));
    derivatives(p, Rates(all.data()));
    for (std::size_t k = 0; k < rows.size(); ++k) f[k] = all[static_cast<std::size_t>(rows[k])];
    return;
  }
  const auto value = [&](std::uint32_t input) {
    if (input >= code_.state_at) return p.x[input - code_.state_at];
    if (input >= code_.discrete_at) return p.z[input - code_.discrete_at];
    if (input >= code_.input_at) return p.u[input - code_.input_at];
    return input >= code_.parameter_at ? p.p[input - code_.parameter_at] : p.t;
  };
  Lease w(*this);
  double* r = (*w).registers();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const std::uint32_t input : slices_.inputs(rows[k])) r[input] = value(input);
    (*w).run(slices_.program(rows[k]));
    f[k] = r[code_.rate_at + static_cast<std::uint32_t>(rows[k])];
  }
}

void CompiledSystem::jacobian(const Point& p, const double*, double, JacobianEntries J) const {
  const std::size_t n = code_.states.size();
  const auto put = [&](std::size_t k, double value) {
    const ModelCode::JacobianSlot& e = code_.jacobian[k];
    if (e.column == static_cast<int>(n))
      J.dt(StateId{e.row}) = value;
    else
      J.values()[jacobian_at_[k]] = value;
  };
  std::vector<int> differences;  // columns
  {
    Lease lease(*this);
    vm::Workspace& w = *lease;
    load(w, p);
    w.run(code_.jacobian_program);
    for (std::size_t k = 0; k < jacobian_at_.size(); ++k) {
      const ModelCode::JacobianSlot& e = code_.jacobian[k];
      const double value = w[e.slot];
      put(k, value);
      if (!std::isfinite(value)) differences.push_back(e.column);
    }
  }
  if (differences.empty()) return;
  std::vector<double> x(p.x, p.x + n), f(n), g(n);
  Point moved = p;
  moved.x = x.data();
  derivatives(p, Rates(f.data()));
  std::sort(differences.begin(), differences.end());
  differences.erase(std::unique(differences.begin(), differences.end()), differences.end());
  for (const int j : differences) {
    const bool is_time = j == static_cast<int>(n);
    const double nominal = is_time ? 1 : schema_.modes[0].nominal[static_cast<std::size_t>(j)];
    double& moving = is_time ? moved.t : x[static_cast<std::size_t>(j)];
    const double before = moving;
    moving += 1.5e-8 * std::max(std::abs(before), nominal);
    const double h = moving - before;
    derivatives(moved, Rates(g.data()));
    moving = before;
    for (std::size_t k = 0; k < jacobian_at_.size(); ++k) {
      const auto i = static_cast<std::size_t>(code_.jacobian[k].row);
      const double value = (g[i] - f[i]) / h;
      // The rate at a singular instant (the root of t - 1) counts as constant in time.
      if (code_.jacobian[k].column == j) put(k, is_time && !std::isfinite(value) ? 0 : value);
    }
  }
}

void CompiledSystem::outputs(const Point& p, Outputs y) const {
  Lease w(*this);
  load(*w, p);
  (*w).run(code_.output_program);
  if (!code_.tables.loops.empty()) (*w).remember_start();
  for (std::size_t i = 0; i < output_slots_.size(); ++i) y.data()[i] = (*w)[output_slots_[i]];
}

// The first in the order of evaluation: what comes after it only passes it on.
HybridSystem::NonFinite CompiledSystem::find_non_finite(const Point& p) const {
  Lease w(*this);
  load(*w, p);
  (*w).run(code_.output_program);
  const auto broken = [&](VarId v) {
    return model_.flat[v].type != ScalarType::kString && !std::isfinite(at(*w, v));
  };
  for (const Block& block : model_.blocks) {
    std::vector<VarId> variables = block.tears;
    for (const auto& a : block.inner) variables.push_back(a.var);
    const auto bad = std::find_if(variables.begin(), variables.end(), broken);
    if (bad == variables.end()) continue;
    return {model_.flat[*bad].name,
            model_.describe(model_.equations[static_cast<std::size_t>(block.equations[0])])};
  }
  return {};
}

}  // namespace arges
