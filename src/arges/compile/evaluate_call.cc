#include "arges/compile/evaluate_call.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "arges/base/error.h"
#include "arges/compile/builder.h"
#include "arges/external/registry.h"

namespace arges {

namespace {

constexpr std::chrono::seconds kLongest(1);

bool only_computes(const FlatFunction& f) {
  const bool has_object =
      std::any_of(f.locals.begin(), f.locals.end(), [](const FlatLocal& v) { return v.is_object; });
  if (f.impure || has_object || f.is_model_operator()) return false;
  if (f.external.empty()) return true;
  const external::Entry* entry = external::find_builtin(f.external);
  return entry != nullptr && entry->pure;
}

}  // namespace

struct CallEvaluator::State {
  const FlatModel& flat;
  vm::CodeBase code;
  std::vector<char> compiled;  // 1: compiled, 2: cannot be called
};

CallEvaluator::CallEvaluator(const FlatModel& flat) : state_(new State{flat, {}, {}}) {
  state_->code.flat = &flat;
}

CallEvaluator::~CallEvaluator() = default;

external::Environment& CallEvaluator::environment() { return *state_->code.tables.environment; }

// Compiles f and all that it calls.
bool CallEvaluator::compile(FunctionId f) {
  State& s = *state_;
  s.compiled.resize(s.flat.functions.size(), 0);
  s.code.tables.functions.resize(s.flat.functions.size());
  std::vector<std::size_t> open{static_cast<std::size_t>(f.index)}, seen;
  while (!open.empty()) {
    const std::size_t i = open.back();
    open.pop_back();
    if (std::find(seen.begin(), seen.end(), i) != seen.end()) continue;
    seen.push_back(i);
    if (s.compiled[i] == 0) {
      s.compiled[i] = 2;
      if (!only_computes(s.flat.functions[i])) return false;
      s.code.tables.functions[i] = vm::compile_function(s.code, s.flat.functions[i]);
      s.compiled[i] = 1;
    }
    if (s.compiled[i] == 2) return false;
    for (const vm::Call& call : s.code.tables.functions[i].calls) open.push_back(call.function);
  }
  return true;
}

std::optional<std::vector<double>> CallEvaluator::operator()(FunctionId f,
                                                             const std::vector<double>& arguments) {
  try {
    if (!compile(f)) return std::nullopt;
    vm::Tables& tables = state_->code.tables;
    const vm::FunctionCode& code = tables.functions[static_cast<std::size_t>(f.index)];
    if (arguments.size() != code.inputs) return std::nullopt;
    tables.registers = arguments;
    tables.registers.resize(arguments.size() + code.outputs, 0);
    // One instruction: the call.
    vm::Call call{static_cast<std::uint32_t>(f.index), std::vector<std::uint32_t>(arguments.size()),
                  static_cast<std::uint32_t>(arguments.size())};
    std::iota(call.arguments.begin(), call.arguments.end(), 0U);
    tables.calls = {call};
    vm::Program program;
    program.push_back({vm::Code::kCall, call.results, 0, 0});
    program.push_back({vm::Code::kEnd, 0, 0, 0});
    const Interrupt limit(nullptr, std::chrono::steady_clock::now() + kLongest);
    vm::Workspace workspace(tables);
    workspace.watch(&limit);
    workspace.run(program);
    const double* results = workspace.registers() + call.results;
    return std::vector<double>(results, results + code.outputs);
  } catch (const EvaluationError&) {
    return std::nullopt;
  } catch (const UserError&) {
    return std::nullopt;
  }
}

}  // namespace arges
