#include "arges/compile/watched_checks.h"

#include <algorithm>

#include "arges/expr/walk.h"

namespace arges {

namespace {

// Their places in CausalModel::checks.
std::vector<std::uint32_t> watched_checks(const CausalModel& model) {
  const FlatModel& flat = model.flat;
  ExprWalker walker(flat.pool);
  const auto moves = [&](ExprId e) {
    const Op op = flat.pool[e].op;
    return op == Op::kTime || op == Op::kDer ||
           (op == Op::kVar && flat[flat.pool.var(e)].variability == FlatVariability::kContinuous);
  };
  std::vector<std::uint32_t> watched;
  for (std::uint32_t i = 0; i < model.checks.size(); ++i) {
    const CheckAction& check = model.checks[i];
    if (!check.terminates && std::ranges::any_of(walker.nodes(check.violated), moves))
      watched.push_back(i);
  }
  return watched;
}

std::vector<std::uint32_t> start_checks(const CausalModel& model) {
  const FlatModel& flat = model.flat;
  ExprWalker walker(flat.pool);
  std::vector<std::uint32_t> list;
  for (std::uint32_t i = 0; model.initial_flag.valid() && i < model.checks.size(); ++i) {
    const bool asks = std::ranges::any_of(walker.nodes(model.checks[i].violated), [&](ExprId e) {
      return flat.pool[e].op == Op::kVar && flat.pool.var(e) == model.initial_flag;
    });
    if (asks) list.push_back(i);
  }
  return list;
}

vm::Program watch_program(const CausalModel& model, const std::vector<std::uint32_t>& watched,
                          const std::vector<std::uint32_t>& violated, vm::CodeBase& base) {
  vm::ProgramBuilder b(base, vm::Region::kOuter);
  for (const std::uint32_t i : watched) b.announce(model.checks[i].violated);
  for (const std::uint32_t i : watched) b.assign(model.checks[i].violated, violated[i]);
  return b.finish();
}

}  // namespace

void add_watch_programs(const CausalModel& model, ModelCode& code, vm::CodeBase& base) {
  code.watched = watched_checks(model);
  code.watch_program = watch_program(model, code.watched, code.check_violated, base);
  code.start_checks = start_checks(model);
  code.start_check_program = watch_program(model, code.start_checks, code.check_violated, base);
}

}  // namespace arges
