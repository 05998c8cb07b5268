// The order in which the locals of a function get their first values.

#include <algorithm>
#include <unordered_set>

#include "arges/flatten/function_maker.h"

namespace arges::lang {

using diag::Code;

void FunctionMaker::order_initials(FlatFunction& out) {
  const ExprPool& pool = e_.pool();
  const std::size_t n = out.locals.size();
  const auto has_initial = [&](std::size_t i) {
    return out.locals[i].initial.valid() || !out.locals[i].initial_elements.empty();
  };
  std::vector<std::vector<std::size_t>> needs(n);
  bool in_order = true, has_open = false;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<ExprId> stack = out.locals[i].initial_elements;
    if (out.locals[i].initial.valid()) stack.push_back(out.locals[i].initial);
    std::unordered_set<std::int32_t> seen;
    while (!stack.empty()) {
      const ExprId e = stack.back();
      stack.pop_back();
      if (!seen.insert(e.index).second) continue;
      const ExprNode& node = pool[e];
      if (node.op == Op::kLocal || node.op == Op::kElement) {
        const auto needed = static_cast<std::size_t>(node.index);
        has_open = has_open || !out.locals[needed].sizes.empty();
        if (has_initial(needed)) needs[i].push_back(needed);
        in_order = in_order && (needed < i || !has_initial(needed));
      }
      for (const ExprId a : pool.args(e)) stack.push_back(a);
    }
  }
  // Arrays whose sizes are known only when the function runs get their place, and the values that
  // declarations give them, behind all others.
  const bool is_open =
      std::ranges::any_of(out.locals.begin() + out.inputs, out.locals.end(),
                          [](const FlatLocal& local) { return !local.sizes.empty(); });
  if (is_open && (has_open || !in_order)) {
    const ClassDef* def = e_.instances().tree().definition(*function_.cls.node);
    fail(Code::kNotSupported,
         "values of declarations that need a later declaration, or an array whose size is known "
         "only when the function runs, are not supported beside such an array",
         {e_.instances().tree().file(*function_.cls.node),
          def == nullptr ? TextRange{} : def->name.range()});
  }
  if (in_order) return;
  std::vector<std::size_t> order, open;
  std::vector<bool> done(n, false);
  const auto visit = [&](auto&& self, std::size_t i) -> void {
    if (done[i]) return;
    if (const auto at = std::find(open.begin(), open.end(), i); at != open.end()) {
      std::string through;
      for (auto k = at + 1; k != open.end(); ++k)
        through += (through.empty() ? ", through " : ", ") + in_quotes(out.locals[*k].name);
      const ClassDef* def = e_.instances().tree().definition(*function_.cls.node);
      fail(Code::kCyclicValue,
           "the value of " + in_quotes(out.locals[i].name) + " depends on itself" + through,
           {e_.instances().tree().file(*function_.cls.node),
            def == nullptr ? TextRange{} : def->name.range()});
    }
    open.push_back(i);
    for (const std::size_t needed : needs[i]) self(self, needed);
    open.pop_back();
    done[i] = true;
    if (has_initial(i)) order.push_back(i);
  };
  for (std::size_t i = 0; i < n; ++i) visit(visit, i);
  for (const std::size_t i : order) {
    FlatLocal& local = out.locals[i];
    ::arges::Statement s;
    s.local = LocalId{static_cast<std::int32_t>(i)};
    if (local.initial.valid()) {
      s.value = local.initial;
      out.body.push_back(s);
    }
    for (std::size_t k = 0; k < local.initial_elements.size(); ++k) {
      s.value = local.initial_elements[k];
      s.subscripts.assign(local.dims.size(), {});
      std::size_t rest = k;
      for (std::size_t d = local.dims.size(); d-- > 0;) {
        const auto size = static_cast<std::size_t>(local.dims[d]);
        s.subscripts[d] = e_.pool().integer(static_cast<int>(rest % size) + 1);
        rest /= size;
      }
      out.body.push_back(s);
    }
    local.initial = {};
    local.initial_elements.clear();
  }
}

}  // namespace arges::lang
