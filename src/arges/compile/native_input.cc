#include "arges/compile/model_code.h"
#include "arges/compile/native_tier.h"

namespace arges {

namespace {
constexpr std::size_t kLarge = 20'000;  // instructions
}

vm::NativeInput native_input(ModelCode& code) {
  vm::NativeInput input;
  input.tables = &code.tables;
  input.host = vm::Workspace::native_host();
  input.math = vm::native_math();
  vm::Segments& s = input.segments;
  s.parameter_at = code.parameter_at;
  s.input_at = code.input_at;
  s.discrete_at = code.discrete_at;
  s.state_at = code.state_at;
  s.rate_at = code.rate_at;
  s.other_at = code.other_at;
  s.constant_at = s.variable_end = code.constant_at;
  s.constant_end = code.constant_end;

  const auto add = [&](vm::Program& program, std::vector<std::uint32_t> live_out,
                       bool all_variables = false) {
    program.native = static_cast<std::int32_t>(input.programs.size());
    input.programs.push_back({&program, std::move(live_out), all_variables});
  };
  std::vector<std::uint32_t> rates;
  for (std::uint32_t i = 0; i < code.states.size(); ++i) rates.push_back(code.rate_at + i);
  add(code.rate_program, std::move(rates));
  add(code.condition_program, code.conditions);
  std::vector<std::uint32_t> entries;
  for (const ModelCode::JacobianSlot& entry : code.jacobian) entries.push_back(entry.slot);
  add(code.jacobian_program, std::move(entries));
  for (vm::Loop& loop : code.tables.loops) {
    add(loop.residual, {}, true);
    add(loop.jacobian, loop.entries);
  }
  for (vm::Program* p : {&code.output_program, &code.update_program})
    if (p->size() < kLarge) add(*p, {}, true);
  if (code.relation_program.size() < kLarge) add(code.relation_program, code.exact);
  return input;
}

}  // namespace arges
