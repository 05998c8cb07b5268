#include "arges/compile/model_code.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arges/base/index.h"
#include "arges/compile/builder.h"
#include "arges/compile/derivative_loops.h"
#include "arges/compile/loop_description.h"
#include "arges/compile/loop_guesses.h"
#include "arges/compile/loop_unknowns.h"
#include "arges/compile/sparsity.h"
#include "arges/compile/symbolic_jacobian.h"
#include "arges/compile/term_sizes.h"
#include "arges/compile/watched_checks.h"
#include "arges/expr/walk.h"
#include "arges/linear/colouring.h"

namespace arges {

namespace {

using vm::ProgramBuilder;
using vm::Region;

class ModelCompiler {
 public:
  ModelCompiler(CausalModel& model, std::shared_ptr<const external::SharedLibraries> libraries,
                std::shared_ptr<external::Environment> environment)
      : model_(model), flat_(model.flat), walker_(flat_.pool) {
    base_.flat = &flat_;
    if (environment) base_.tables.environment = std::move(environment);
    base_.tables.libraries = std::move(libraries);
  }

  ModelCode run() {
    lay_out();
    // Before the functions, to which it may add derivatives.
    const auto derivatives = differentiate_rates(model_, rates_needed());
    for (std::int32_t i = 0; derivatives && i < derivatives->variables; ++i)
      base_.slot.push_back(extra_register());
    for (const FlatFunction& f : flat_.functions)
      base_.tables.functions.push_back(vm::compile_function(base_, f));
    parameters();
    starts();
    code_.rate_program = slice(rates_needed(), false, [&](ProgramBuilder& b, bool announce) {
      for (std::size_t i = 0; i < model_.states.size(); ++i) {
        const VarId d = model_.states[i].derivative;
        if (model_.role_of(d) == Role::kState) {
          const ExprId e = ref(d);
          announce ? b.announce(e) : b.assign(e, code_.rate_at + static_cast<std::uint32_t>(i));
        }
      }
    });
    conditions();
    everything();
    initial();
    samples();
    thresholds();
    constraints();
    find_sparsity(model_, blocks_of_, code_);
    if (derivatives) jacobian(*derivatives);
    link();
    return std::move(code_);
  }

 private:
  ExprId ref(VarId v) { return flat_.ref(v); }

  void lay_out() {
    const std::size_t n = flat_.variables.size();
    code_.slot.assign(n, 0);
    std::vector<char> is_rate(n, 0);
    for (const StateLink& s : model_.states) code_.states.push_back(s.state);
    for (std::size_t i = 0; i < n; ++i) {
      const VarId v{static_cast<std::int32_t>(i)};
      switch (model_.role[i]) {
        case Role::kParameter:
          code_.parameters.push_back(v);
          break;
        case Role::kInput:
          code_.inputs.push_back(v);
          break;
        case Role::kDiscrete:
          code_.discretes.push_back(v);
          break;
        case Role::kAlgebraic:
        case Role::kAlias:
          code_.others.push_back(v);
          break;
        case Role::kState:
        case Role::kAbsent:
          break;
      }
    }
    std::uint32_t next = 1;
    const auto place = [&](const std::vector<VarId>& list) {
      const std::uint32_t first = next;
      for (const VarId v : list) code_.slot[at(v.index)] = next++;
      return first;
    };
    code_.parameter_at = place(code_.parameters);
    code_.input_at = place(code_.inputs);
    code_.discrete_at = place(code_.discretes);
    code_.state_at = place(code_.states);
    // The derivative of a state lies in its row of the rates, unless it is a state itself.
    code_.rate_at = next;
    for (const StateLink& s : model_.states) {
      if (model_.role_of(s.derivative) != Role::kState) {
        code_.slot[at(s.derivative.index)] = next;
        is_rate[at(s.derivative.index)] = 1;
      }
      ++next;
    }
    code_.other_at = next;
    for (const VarId v : code_.others) {
      if (!is_rate[at(v.index)]) code_.slot[at(v.index)] = next++;
    }
    code_.lambda = next++;
    base_.slot = code_.slot;
    base_.time_slot = 0;
    code_.start_slot.assign(n, 0);
    for (const auto* list : {&code_.states, &code_.discretes}) {
      for (const VarId v : *list) code_.start_slot[at(v.index)] = next++;
    }
    for (const EntrySystem& entry : model_.entries) {
      for (const VarId v : entry.given) {
        if (code_.start_slot[at(v.index)] != 0) continue;
        code_.start_slot[at(v.index)] = next++;
        code_.given_others.push_back(v);
      }
    }
    base_.start_slot = code_.start_slot;
    base_.lambda_slot = code_.lambda;
    variables_end_ = next;
    blocks_of_.assign(n, -1);
    for (std::size_t k = 0; k < model_.blocks.size(); ++k) {
      const Block& block = model_.blocks[k];
      for (const auto& a : block.inner) blocks_of_[at(a.var.index)] = static_cast<std::int32_t>(k);
      for (const VarId v : block.tears) blocks_of_[at(v.index)] = static_cast<std::int32_t>(k);
    }
  }

  std::uint32_t extra_register() { return variables_end_++; }
  std::vector<std::uint32_t> extra_registers(std::size_t n) {
    std::vector<std::uint32_t> list(n);
    for (auto& r : list) r = extra_register();
    return list;
  }

  bool is_discrete(const Block& block) const {
    return block.tears.empty() && model_.role_of(block.inner[0].var) == Role::kDiscrete;
  }

  void add_block(ProgramBuilder& b, const Block& block, bool announce, bool homotopy,
                 std::vector<std::int32_t>& loop_numbers,
                 const std::vector<CausalEquation>& equations) {
    if (block.tears.empty()) {
      announce ? b.announce(block.inner[0].value)
               : b.assign(block.inner[0].value, block.inner[0].var);
      return;
    }
    if (announce) return;
    std::int32_t& number = loop_numbers[static_cast<std::size_t>(&block - first_block_)];
    if (number < 0) number = add_loop(block, homotopy, equations);
    b.emit(vm::Code::kSolve, 0, static_cast<std::uint32_t>(number));
  }

  std::int32_t add_loop(const Block& block, bool homotopy,
                        const std::vector<CausalEquation>& equations) {
    vm::Loop loop;
    loop.linear = block.linear;
    const int n = static_cast<int>(block.tears.size());
    loop.residuals = extra_registers(at(n));
    loop.entries = extra_registers(block.jacobian.size());
    set_unknowns(flat_, block, equations, code_.slot, loop);
    const auto inner = [&](ProgramBuilder& b) {
      for (const auto& a : block.inner) b.announce(a.value);
      return [&] {
        for (const auto& a : block.inner) b.assign(a.value, a.var);
      };
    };
    {
      ProgramBuilder b(base_, Region::kInner, homotopy);
      const auto assign = inner(b);
      for (const ExprId r : block.residuals) b.announce(r);
      assign();
      for (int i = 0; i < n; ++i) b.assign(block.residuals[at(i)], loop.residuals[at(i)]);
      loop.residual = b.finish();
    }
    if (!block.jacobian.empty()) {
      ProgramBuilder b(base_, Region::kInner, homotopy);
      std::vector<std::pair<int, int>> entries;
      for (const auto& e : block.jacobian) {
        b.announce(e.value);
        entries.emplace_back(e.row, e.column);
      }
      for (std::size_t k = 0; k < block.jacobian.size(); ++k)
        b.assign(block.jacobian[k].value, loop.entries[k]);
      loop.jacobian = b.finish();
      loop.pattern = SparsityPattern::from_entries(n, std::move(entries));
      for (const auto& e : block.jacobian)
        loop.position.push_back(loop.pattern.find(e.row, e.column));
      if (block.linear) sizes_of_terms(block, homotopy, loop);
    }
    loop.guesses = compile_guesses(base_, block.guesses, homotopy);
    loop.relation_guesses = compile_guesses(base_, block.relation_guesses, homotopy);
    loop.description = describe_loop(model_, block, equations);
    base_.tables.loops.push_back(std::move(loop));
    return static_cast<std::int32_t>(base_.tables.loops.size()) - 1;
  }

  void sizes_of_terms(const Block& block, bool homotopy, vm::Loop& loop) {
    // Of larger ones the rank is not looked at either.
    constexpr std::size_t kMostEntries = 100;
    TermSizes size(flat_.pool);
    if (block.jacobian.size() > kMostEntries ||
        std::ranges::none_of(block.jacobian,
                             [&](const auto& e) { return size.may_cancel(e.value); }))
      return;
    ProgramBuilder b(base_, Region::kInner, homotopy);
    std::vector<ExprId> sizes;
    for (const auto& e : block.jacobian) {
      sizes.push_back(size(e.value));
      b.announce(sizes.back());
    }
    loop.entry_sizes = extra_registers(sizes.size());
    for (std::size_t k = 0; k < sizes.size(); ++k) b.assign(sizes[k], loop.entry_sizes[k]);
    loop.sizes = b.finish();
  }

  // A program of the marked blocks of the run, in order, and what `more` adds.
  template <class More>
  vm::Program slice(const std::vector<char>& needed, bool discrete, More more) {
    if (main_loops_.empty()) main_loops_.assign(model_.blocks.size(), -1);
    first_block_ = model_.blocks.data();
    ProgramBuilder b(base_, Region::kOuter);
    for (const bool announce : {true, false}) {
      for (std::size_t k = 0; k < model_.blocks.size(); ++k) {
        if (!needed[k] || (!discrete && is_discrete(model_.blocks[k]))) continue;
        add_block(b, model_.blocks[k], announce, false, main_loops_, model_.equations);
      }
      more(b, announce);
    }
    return b.finish();
  }

  // Marks the continuous blocks on which expressions and variables depend.
  class Need {
   public:
    explicit Need(const ModelCompiler& c)
        : c_(c), walker_(c.flat_.pool), needed(c.model_.blocks.size(), 0) {}
    void expression(ExprId e) {
      for (const ExprId n : walker_.new_nodes(std::span<const ExprId>(&e, 1))) {
        if (c_.flat_.pool[n].op == Op::kVar) variable(VarId{c_.flat_.pool[n].index});
      }
    }
    void variable(VarId v) {
      if (at(v.index) >= c_.blocks_of_.size()) return;  // of the Jacobian
      const std::int32_t k = c_.blocks_of_[at(v.index)];
      if (k < 0 || needed[at(k)] || c_.is_discrete(c_.model_.blocks[at(k)])) return;
      needed[at(k)] = 1;
    }
    // Blocks only need earlier ones.
    std::vector<char> finish() {
      for (std::size_t k = needed.size(); k-- > 0;) {
        if (!needed[k]) continue;
        const Block& block = c_.model_.blocks[k];
        for (const auto& a : block.inner) expression(a.value);
        for (const ExprId r : block.residuals) expression(r);
      }
      return std::move(needed);
    }

   private:
    const ModelCompiler& c_;
    ExprWalker walker_;

   public:
    std::vector<char> needed;
  };

  std::vector<char> rates_needed() {
    Need need(*this);
    for (const StateLink& s : model_.states) need.variable(s.derivative);
    return need.finish();
  }

  void parameters() {
    ProgramBuilder b(base_, Region::kOuter);
    for (const VarId v : model_.parameter_order) b.announce(flat_[v].binding);
    for (const VarId v : model_.parameter_order) {
      code_.computed.push_back(extra_register());
      const std::uint32_t value = extra_register();
      b.assign(flat_[v].binding, value);
      b.emit(vm::Code::kMoveIf, code_.slot[at(v.index)], code_.computed.back(), value);
    }
    code_.parameter_program = b.finish();
  }

  // Start values over parameters and other start values (as far as these come first: constants do).
  void starts() {
    ProgramBuilder b(base_, Region::kOuter);
    for (const bool announce : {true, false}) {
      for (std::size_t i = 0; i < flat_.variables.size(); ++i) {
        const Role role = model_.role[i];
        const FlatVariable& v = flat_.variables[i];
        const bool free_parameter =
            role == Role::kParameter && !v.binding.valid() && v.start.valid();
        const bool is_text = v.type == ScalarType::kString && role != Role::kDiscrete;
        if (!v.start.valid() || is_text || role == Role::kAlias || role == Role::kInput ||
            role == Role::kAbsent || (role == Role::kParameter && !free_parameter))
          continue;
        const std::uint32_t dst = code_.start_slot[i] != 0 ? code_.start_slot[i] : code_.slot[i];
        announce ? b.announce(v.start) : b.assign(v.start, dst);
      }
    }
    code_.start_program = b.finish();
  }

  // A subscript may be out of range while a condition says that its element does not matter.
  ExprId only_if(ExprId condition, ExprId e, ExprId otherwise) {
    if (!condition.valid()) return e;
    for (const ExprId n : walker_.nodes(e)) {
      if (flat_.pool[n].op == Op::kIndex) return flat_.pool.if_else(condition, e, otherwise);
    }
    return e;
  }

  void conditions() {
    ExprPool& pool = flat_.pool;
    std::vector<ExprId> g, exact, scales;
    for (const Relation& r : model_.relations) {
      g.push_back(only_if(r.matters, r.g, pool.real(std::nan(""))));
      exact.push_back(only_if(r.matters, r.exact, ref(r.var)));
      scales.push_back(only_if(r.matters, r.hysteresis.scale, pool.real(0)));
    }
    for (const FloorMemory& f : model_.floors) {
      g.push_back(pool.sub(f.argument, ref(f.var)));
      g.push_back(pool.sub(f.argument, pool.add(ref(f.var), pool.real(1))));
      exact.push_back(pool.make(Op::kFloor, {f.argument}));
      scales.push_back(f.hysteresis.scale);
    }
    for (const Relation& r : model_.relations)
      g.push_back(r.matters.valid() ? r.matters : pool.boolean(true));
    const auto make = [&](const std::vector<ExprId>& list, std::vector<std::uint32_t>& registers,
                          bool all_known = false) {
      if (registers.empty()) registers = extra_registers(list.size());
      Need need(*this);
      for (std::size_t i = 0; i < list.size() && !all_known; ++i) need.expression(list[i]);
      return slice(need.finish(), false, [&](ProgramBuilder& b, bool announce) {
        for (std::size_t i = 0; i < list.size(); ++i)
          announce ? b.announce(list[i]) : b.assign(list[i], registers[i]);
      });
    };
    code_.condition_program = make(g, code_.conditions);
    code_.guard_logic = GuardLogic(model_);
    code_.guard_program = make(code_.guard_logic.inputs(), code_.guards);
    code_.relation_program = make(exact, code_.exact);
    code_.start_relation_program = make(exact, code_.exact, true);
    code_.scale_program = make(scales, code_.scales);
  }

  void everything() {
    const std::vector<char> all(model_.blocks.size(), 1);
    const auto aliases = [&](ProgramBuilder& b, bool announce) {
      for (const AliasLink& a : model_.aliases)
        announce ? b.announce(a.value) : b.assign(a.value, a.var);
    };
    code_.output_program = slice(all, false, aliases);
    code_.reinit_fires = extra_registers(model_.reinits.size());
    code_.reinit_values = extra_registers(model_.reinits.size());
    code_.check_violated = extra_registers(model_.checks.size());
    for (const CheckAction& c : model_.checks) {
      code_.check_texts.push_back(extra_register());
      ProgramBuilder b(base_, Region::kOuter);
      b.announce(c.message);
      b.assign(c.message, code_.check_texts.back());
      code_.check_messages.push_back(b.finish());
    }
    add_watch_programs(model_, code_, base_);
    code_.update_program = slice(all, true, [&](ProgramBuilder& b, bool announce) {
      aliases(b, announce);
      for (std::size_t i = 0; i < model_.reinits.size(); ++i) {
        const ReinitAction& r = model_.reinits[i];
        announce ? b.announce(r.fires) : b.assign(r.fires, code_.reinit_fires[i]);
        const ExprId value = only_if(r.fires, r.value, flat_.pool.real(0));
        announce ? b.announce(value) : b.assign(value, code_.reinit_values[i]);
      }
      for (std::size_t i = 0; i < model_.checks.size(); ++i) {
        const ExprId e = model_.checks[i].violated;
        announce ? b.announce(e) : b.assign(e, code_.check_violated[i]);
      }
    });
  }

  // A system for the start, and expressions after it.
  vm::Program start_system(const std::vector<Block>& blocks,
                           const std::vector<CausalEquation>& equations,
                           const std::vector<ExprId>& more,
                           const std::vector<std::uint32_t>& registers) {
    std::vector<std::int32_t> loops(blocks.size(), -1);
    first_block_ = blocks.data();
    ProgramBuilder b(base_, Region::kOuter, true);
    for (const bool announce : {true, false}) {
      for (const Block& block : blocks) add_block(b, block, announce, true, loops, equations);
      for (const AliasLink& a : model_.aliases)
        announce ? b.announce(a.value) : b.assign(a.value, a.var);
      for (std::size_t i = 0; i < more.size(); ++i)
        announce ? b.announce(more[i]) : b.assign(more[i], registers[i]);
    }
    return b.finish();
  }

  void initial() {
    code_.redundant = extra_registers(2 * model_.redundant_initial.size());
    std::vector<ExprId> redundant;
    for (const CausalEquation& e : model_.redundant_initial) {
      redundant.push_back(e.lhs);
      redundant.push_back(e.rhs);
    }
    code_.initial_program =
        start_system(model_.initial_blocks, model_.initial_equations, redundant, code_.redundant);
    for (const EntrySystem& entry : model_.entries)
      code_.entry_programs.push_back(start_system(entry.blocks, entry.equations, {}, {}));
    if (model_.entries.empty()) return;
    std::vector<ExprId> residuals;
    Need need(*this);
    for (const CausalEquation& e : model_.invariants) {
      residuals.push_back(flat_.pool.sub(e.lhs, e.rhs));
      need.expression(residuals.back());
    }
    code_.invariants = extra_registers(residuals.size());
    code_.invariant_program = slice(need.finish(), false, [&](ProgramBuilder& b, bool announce) {
      for (std::size_t i = 0; i < residuals.size(); ++i)
        announce ? b.announce(residuals[i]) : b.assign(residuals[i], code_.invariants[i]);
    });
  }

  // Taken when it costs less than differences: one evaluation for each group of columns.
  void jacobian(const RateDerivatives& derivatives) {
    const int n = static_cast<int>(model_.states.size());
    std::vector<std::pair<int, int>> entries;
    Need need(*this);
    const std::size_t loops_before = base_.tables.loops.size();
    std::vector<JacobianStep> steps =
        derivative_loops(base_, flat_.pool, derivatives, [&] { return extra_register(); });
    for (const RateDerivative& d : derivatives.entries) {
      if (d.column < n) entries.emplace_back(d.row, d.column);
      code_.jacobian.push_back({d.row, d.column, extra_register()});
      steps.push_back({d.value, code_.jacobian.back().slot});
    }
    for (const JacobianStep& s : steps) {
      if (s.loop < 0) need.expression(s.value);
    }
    vm::Program program = slice(need.finish(), false, [&](ProgramBuilder& b, bool announce) {
      for (const JacobianStep& s : steps) {
        if (s.loop < 0)
          announce ? b.announce(s.value) : b.assign(s.value, s.target);
        else if (!announce)
          b.emit(vm::Code::kSolve, 0, static_cast<std::uint32_t>(s.loop));
      }
    });
    const auto colouring = colour_columns(SparsityPattern::from_entries(n, std::move(entries)));
    const int groups = code_.has_sparsity ? colouring.groups() : n;
    std::size_t one_evaluation = code_.rate_program.size() + 20;
    for (const std::int32_t loop : main_loops_) {
      if (loop < 0) continue;
      const vm::Loop& l = base_.tables.loops[static_cast<std::size_t>(loop)];
      one_evaluation += l.residual.size() + l.jacobian.size();
    }
    std::size_t size = program.size();
    for (std::size_t i = loops_before; i < base_.tables.loops.size(); ++i)
      size += base_.tables.loops[i].residual.size();
    if (size > static_cast<std::size_t>(groups + 1) * one_evaluation) {
      code_.jacobian.clear();
      base_.tables.loops.resize(loops_before);
      return;
    }
    code_.jacobian_program = std::move(program);
  }

  void constraints() {
    if (model_.invariants.empty()) return;
    std::vector<ExprId> values;
    for (const CausalEquation& e : model_.invariants) {
      values.push_back(flat_.pool.sub(e.lhs, e.rhs));
      code_.constraint_residuals.push_back(extra_register());
    }
    std::vector<std::uint32_t> registers = code_.constraint_residuals;
    for (const Block::Entry& e : model_.invariant_jacobian) {
      values.push_back(e.value);
      registers.push_back(extra_register());
      code_.constraint_entries.push_back({e.row, e.column, registers.back()});
    }
    Need need(*this);
    for (const ExprId e : values) need.expression(e);
    code_.constraint_program = slice(need.finish(), false, [&](ProgramBuilder& b, bool announce) {
      for (std::size_t i = 0; i < values.size(); ++i)
        announce ? b.announce(values[i]) : b.assign(values[i], registers[i]);
    });
  }

  void samples() {
    code_.sample_start = extra_registers(model_.samples.size());
    code_.sample_interval = extra_registers(model_.samples.size());
    ProgramBuilder b(base_, Region::kOuter);
    for (const bool announce : {true, false}) {
      for (std::size_t i = 0; i < model_.samples.size(); ++i) {
        const SampleTimer& s = model_.samples[i];
        announce ? b.announce(s.start) : b.assign(s.start, code_.sample_start[i]);
        announce ? b.announce(s.interval) : b.assign(s.interval, code_.sample_interval[i]);
      }
    }
    code_.sample_program = b.finish();
  }

  void thresholds() {
    std::vector<ExprId> list;
    for (const TimeRelation& r : model_.time_relations) list.push_back(r.threshold);
    for (const DelayLine& d : model_.delays) list.push_back(d.duration);
    for (const Transport& t : model_.transports) {
      list.insert(list.end(), t.points.begin(), t.points.end());
      list.insert(list.end(), t.initial.begin(), t.initial.end());
    }
    code_.thresholds = extra_registers(list.size());
    ProgramBuilder b(base_, Region::kOuter);
    for (const ExprId e : list) b.announce(e);
    for (std::size_t i = 0; i < list.size(); ++i) b.assign(list[i], code_.thresholds[i]);
    code_.threshold_program = b.finish();
  }

  void link() {
    base_.region_size[static_cast<int>(Region::kVariables)] = variables_end_;
    base_.place_regions();
    code_.constant_at = base_.base[static_cast<int>(Region::kConstants)];
    code_.constant_end = code_.constant_at + static_cast<std::uint32_t>(base_.constants.size());
    for (vm::Program* p :
         {&code_.parameter_program, &code_.start_program, &code_.rate_program,
          &code_.output_program, &code_.condition_program, &code_.update_program,
          &code_.initial_program, &code_.relation_program, &code_.start_relation_program,
          &code_.scale_program, &code_.jacobian_program, &code_.sample_program,
          &code_.threshold_program, &code_.constraint_program, &code_.watch_program,
          &code_.start_check_program, &code_.invariant_program, &code_.guard_program})
      base_.link(*p);
    for (vm::Program& p : code_.entry_programs) base_.link(p);
    for (vm::Program& p : code_.check_messages) base_.link(p);
    for (vm::Loop& loop : base_.tables.loops) {
      base_.link(loop.residual);
      base_.link(loop.jacobian);
      base_.link(loop.sizes);
      for (auto* list : {&loop.guesses, &loop.relation_guesses}) {
        for (vm::Loop::Guess& guess : *list) base_.link(guess.value);
      }
    }
    for (vm::Call& call : base_.tables.calls) {
      for (std::uint32_t& a : call.arguments) a = base_.placed(a);
      call.results = base_.placed(call.results);
    }
    for (vm::TextOperation& t : base_.tables.texts) {
      for (std::uint32_t& o : t.operands) o = base_.placed(o);
    }
    base_.tables.registers[code_.lambda] = 1;
    code_.has_homotopy = base_.has_homotopy;
    for (const std::uint32_t r : code_.computed) base_.tables.registers[r] = 1;
    for (const VarId v : code_.parameters) {
      const ExprId given = flat_[v].binding.valid() ? flat_[v].binding : flat_[v].start;
      if (given.valid() && flat_.pool.is_constant(given))
        base_.tables.registers[code_.slot[at(v.index)]] = flat_.pool.value(given);
      if (given.valid() && flat_.pool[given].op == Op::kString)
        base_.tables.registers[code_.slot[at(v.index)]] =
            base_.string(flat_.pool.text(StringId{flat_.pool[given].index}));
    }
    code_.tables = std::move(base_.tables);
  }

  CausalModel& model_;
  FlatModel& flat_;
  ExprWalker walker_;
  vm::CodeBase base_;
  ModelCode code_;
  std::uint32_t variables_end_ = 0;
  std::vector<std::int32_t> blocks_of_;  // variable -> block
  std::vector<std::int32_t> main_loops_;
  const Block* first_block_ = nullptr;
};

}  // namespace

ModelCode compile(CausalModel& model, std::shared_ptr<const external::SharedLibraries> libraries,
                  std::shared_ptr<external::Environment> environment) {
  return ModelCompiler(model, std::move(libraries), std::move(environment)).run();
}

}  // namespace arges
