#include "arges/compile/loop_unknowns.h"

#include <algorithm>
#include <cmath>

#include "arges/base/index.h"

namespace arges {

void set_unknowns(const FlatModel& flat, const Block& block,
                  const std::vector<CausalEquation>& equations,
                  const std::vector<std::uint32_t>& slot, vm::Loop& loop) {
  for (const VarId v : block.tears) {
    loop.unknowns.push_back(slot[at(v.index)]);
    const ExprId nominal = flat[v].nominal;
    const bool known =
        nominal.valid() && flat.pool.is_constant(nominal) && flat.pool.value(nominal) != 0;
    loop.nominal.push_back(known ? std::abs(flat.pool.value(nominal)) : 1);
  }
  const auto see = [&](ExprId left, ExprId right) {
    const Op op = flat.pool[right].op;
    if (flat.pool[left].op != Op::kVar || (op != Op::kAbs && op != Op::kSqrt)) return;
    const std::uint32_t x = slot[at(flat.pool[left].index)];
    if (std::ranges::find(loop.unknowns, x) != loop.unknowns.end())
      loop.never_negative.push_back(x);
  };
  if (block.linear) return;
  for (const std::int32_t number : block.equations) {
    const CausalEquation& e = equations[at(number)];
    see(e.lhs, e.rhs);
    see(e.rhs, e.lhs);
  }
}

}  // namespace arges
