#include "arges/flat/differentiate_function.h"

#include <algorithm>
#include <memory>
#include <set>

#include "arges/expr/walk.h"

namespace arges {

namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

// f_der has the inputs of f, then one derivative for each Real input; its outputs are the
// derivatives of the Real outputs. The statements of f are kept, each assignment of a Real preceded
// by that of its derivative (which may use the old value).
class FunctionDerivative {
 public:
  FunctionDerivative(FlatModel& model, FunctionId f) : model_(model), id_(f) {}

  FunctionId make() {
    // A copy: the list of functions grows.
    const FlatFunction f = model_.functions[at(id_.index)];
    if (!f.external.empty() || f.impure) return {};
    FlatFunction g;
    g.name = "$der_" + f.name;
    g.origin = f.origin;
    const std::int32_t n = static_cast<std::int32_t>(f.locals.size());
    place_.assign(at(n), -1);
    dplace_.assign(at(n), -1);
    const auto copy = [&](std::int32_t i) {
      place_[at(i)] = static_cast<std::int32_t>(g.locals.size());
      g.locals.push_back(f.locals[at(i)]);
    };
    std::set<std::string> names;
    for (const FlatLocal& local : f.locals) names.insert(local.name);
    const auto derivative = [&](std::int32_t i) {
      if (f.locals[at(i)].type != ScalarType::kReal) return;
      dplace_[at(i)] = static_cast<std::int32_t>(g.locals.size());
      FlatLocal d = f.locals[at(i)];
      do {  // f may be a derivative itself
        d.name = "$der_" + d.name;
      } while (!names.insert(d.name).second);
      d.initial = {};
      d.initial_elements.clear();
      g.locals.push_back(d);
    };
    for (std::int32_t i = 0; i < f.inputs; ++i) copy(i);
    for (std::int32_t i = 0; i < f.inputs; ++i) derivative(i);
    g.inputs = static_cast<std::int32_t>(g.locals.size());
    for (std::int32_t i = f.inputs; i < f.inputs + f.outputs; ++i) derivative(i);
    g.outputs = static_cast<std::int32_t>(g.locals.size()) - g.inputs;
    for (std::int32_t i = f.inputs; i < n; ++i) copy(i);
    for (std::int32_t i = f.inputs + f.outputs; i < n; ++i) derivative(i);
    const FunctionId id{static_cast<std::int32_t>(model_.functions.size())};
    model_.functions.push_back(g);
    model_.functions[at(id_.index)].derivative = id;  // before the body: it may call itself
    for (std::int32_t i = f.inputs; i < n; ++i) {
      // Values are there from the beginning, as others may begin with them; the body gives them
      // once more, with their derivatives. (Assignments may add locals.)
      FlatLocal& local = g.locals[at(place_[at(i)])];
      const ExprId initial = local.initial;
      const std::vector<ExprId> elements = local.initial_elements;
      if (initial.valid()) local.initial = moved(initial);
      for (ExprId& e : local.initial_elements) e = moved(e);
      if (initial.valid()) {
        Statement s;
        s.local = LocalId{i};
        s.value = initial;
        assign(s, g.body);
      }
      // Tables of numbers have no derivatives. What functions give counts as a table, too: of
      // external ones (coefficients from linear equations) there are none.
      if (std::ranges::none_of(elements, [&](ExprId e) { return varies(e); })) continue;
      const auto dims = g.locals[at(place_[at(i)])].dims;
      for (std::size_t k = 0; k < elements.size(); ++k) {
        Statement s;
        s.local = LocalId{i};
        s.value = elements[k];
        s.subscripts.resize(dims.size());
        auto rest = static_cast<std::int32_t>(k);
        for (std::size_t d = dims.size(); d-- > 0;) {
          s.subscripts[d] = model_.pool.integer(rest % dims[d] + 1);
          rest /= dims[d];
        }
        assign(s, g.body);
      }
    }
    statements(f.body, g.body);
    g.derivative = {};
    const FunctionId further = model_.functions[at(id.index)].derivative;
    model_.functions[at(id.index)] = std::move(g);
    model_.functions[at(id.index)].derivative = further;
    return id;
  }

 private:
  // Without calls, and not constant.
  bool varies(ExprId e) {
    if (model_.pool.is_constant(e)) return false;
    ExprWalker walker(model_.pool);
    for (const ExprId node : walker.nodes(e)) {
      const Op op = model_.pool[node].op;
      if (op == Op::kCall || op == Op::kResult) return false;
    }
    return true;
  }
  ExprId moved(ExprId e) {
    if (!e.valid()) return e;
    if (!mover_) {
      mover_ = std::make_unique<ExprRewriter>(
          model_.pool, [this](ExprId x, std::span<const ExprId> args) {
            const ExprNode node = model_.pool[x];
            if (node.op == Op::kLocal)
              return model_.pool.local(LocalId{place_[at(node.index)]}, node.type);
            if (node.op == Op::kElement)
              return model_.pool.element(LocalId{place_[at(node.index)]}, args, node.type);
            return ExprId{};
          });
    }
    return (*mover_)(e);
  }

  // The derivative of an expression over the old locals, over the new ones.
  ExprId derived(ExprId e) {
    const ExprId over_new = moved(e);
    ExprPool& pool = model_.pool;
    const auto d_place = [&](std::int32_t place) {
      for (std::size_t i = 0; i < place_.size(); ++i) {
        if (place_[i] == place) return dplace_[i];
      }
      return -1;
    };
    Differentiator d(
        pool,
        [&](ExprId leaf) {
          const ExprNode node = pool[leaf];
          if (node.op != Op::kLocal && node.op != Op::kElement) return ExprId{};
          const std::int32_t place = d_place(node.index);
          if (place < 0) return ExprId{};
          if (node.op == Op::kLocal) return pool.local(LocalId{place}, node.type);
          return pool.element(LocalId{place}, pool.args(leaf), node.type);
        },
        call_derivative(model_, DerivativeBy::kVariable));
    return d(over_new);
  }

  void assign(const Statement& s, std::vector<Statement>& out) {
    Statement copy = s;
    for (ExprId& e : copy.subscripts) e = moved(e);
    copy.value = moved(s.value);
    const std::int32_t d = dplace_[at(s.local.index)];
    if (d >= 0) {
      Statement ds = copy;
      ds.local = LocalId{d};
      ds.value = derived(s.value);
      out.push_back(std::move(ds));
    }
    copy.local = LocalId{place_[at(s.local.index)]};
    out.push_back(std::move(copy));
  }

  void statements(const std::vector<Statement>& body, std::vector<Statement>& out) {
    for (const Statement& s : body) {
      if (s.kind == Statement::Kind::kAssign) {
        assign(s, out);
        continue;
      }
      Statement copy = s;
      copy.branches.clear();
      for (ExprId* e : {&copy.value, &copy.message, &copy.first, &copy.step, &copy.last})
        *e = moved(*e);
      if (copy.local.valid()) copy.local = LocalId{place_[at(s.local.index)]};
      for (const auto& b : s.branches) {
        Statement::Branch branch;
        for (const ExprId c : b.conditions) branch.conditions.push_back(moved(c));
        statements(b.body, branch.body);
        copy.branches.push_back(std::move(branch));
      }
      out.push_back(std::move(copy));
    }
  }

  FlatModel& model_;
  FunctionId id_;
  std::vector<std::int32_t> place_, dplace_;  // old local -> its place, that of its derivative
  std::unique_ptr<ExprRewriter> mover_;
};

}  // namespace

namespace {

std::vector<std::int32_t> first_scalars(const FlatFunction& f) {
  std::vector<std::int32_t> first;  // scalar argument of each input
  std::int32_t scalars = 0;
  for (std::int32_t i = 0; i < f.inputs; ++i) {
    first.push_back(scalars);
    scalars += f.locals[at(i)].size();
  }
  return first;
}

bool has(const std::vector<std::int32_t>& list, std::int32_t i) {
  return std::find(list.begin(), list.end(), i) != list.end();
}

// By a declared derivative that fits what varies; invalid when there is none.
ExprId declared_derivative(FlatModel& model, ExprId result, std::span<const ExprId> darguments) {
  ExprPool& pool = model.pool;
  const ExprId call = pool.arg(result, 0);
  const FlatFunction& f = model.functions[at(pool[call].index)];
  if (f.outputs != 1 || !f.locals[at(f.inputs)].dims.empty()) return {};
  const auto given = pool.args(call);
  const std::vector<std::int32_t> first = first_scalars(f);
  const auto varies = [&](std::int32_t input) {
    for (std::int32_t k = 0; k < f.locals[at(input)].size(); ++k) {
      const ExprId d = darguments[at(first[at(input)] + k)];
      if (d.valid() && !pool.is_value(d, 0)) return true;
    }
    return false;
  };
  for (const FlatDerivative& d : f.declared) {
    bool fits = d.order == 2 ? d.rates.size() == d.with.size() : d.rates.empty();
    for (std::int32_t i = 0; i < f.inputs && fits; ++i)
      fits = has(d.with, i) || has(d.rates, i) || has(d.ignored, i) || !varies(i);
    for (std::size_t k = 0; k < d.rates.size() && fits; ++k) {
      const std::int32_t rate = first[at(d.rates[k])], is = first[at(d.with[k])];
      const ExprId value = darguments[at(rate)];
      fits = f.locals[at(d.rates[k])].dims.empty() &&
             (value.valid() ? value : pool.real(0)) == given[at(is)];
    }
    if (!fits) continue;
    std::vector<ExprId> args(given.begin(), given.end());
    for (const std::int32_t i : d.with) {
      for (std::int32_t k = 0; k < f.locals[at(i)].size(); ++k) {
        const ExprId value = darguments[at(first[at(i)] + k)];
        args.push_back(value.valid() ? value : pool.real(0));
      }
    }
    return pool.result(pool.call(d.function, args), pool[result].index, ScalarType::kReal);
  }
  return {};
}

}  // namespace

bool follows_declaration(const FlatFunction& f) {
  return f.external.empty() && !f.declared.empty();
}

Differentiator::Call call_derivative(FlatModel& model, DerivativeBy by) {
  return [&model, by](ExprId result, std::span<const ExprId> darguments) {
    ExprPool& pool = model.pool;
    const ExprId call = pool.arg(result, 0);
    const FunctionId f{pool[call].index};
    const bool declared_only = follows_declaration(model.functions[at(f.index)]);
    if (by == DerivativeBy::kTime || !declared_only) {
      const ExprId d = declared_derivative(model, result, darguments);
      if (d.valid() || declared_only) return d;
    }
    FunctionId g = model.functions[at(f.index)].derivative;
    if (!g.valid()) g = FunctionDerivative(model, f).make();
    if (!g.valid()) return ExprId{};
    const FlatFunction& function = model.functions[at(f.index)];
    const auto given = pool.args(call);
    std::vector<ExprId> args(given.begin(), given.end());
    // Derivatives of the Real inputs only.
    std::size_t k = 0;
    for (std::int32_t i = 0; i < function.inputs; ++i) {
      const FlatLocal& input = function.locals[at(i)];
      for (std::int32_t j = 0; j < input.size(); ++j, ++k) {
        if (input.type != ScalarType::kReal) continue;
        args.push_back(darguments[k].valid() ? darguments[k] : pool.real(0));
      }
    }
    // The index among the Real outputs.
    std::int32_t scalar = 0, real = 0;
    for (std::int32_t i = function.inputs; i < function.inputs + function.outputs; ++i) {
      const FlatLocal& output = function.locals[at(i)];
      const std::int32_t size = output.size();
      if (pool[result].index < scalar + size) {
        if (output.type != ScalarType::kReal) return pool.real(0);
        return pool.result(pool.call(g, args), real + pool[result].index - scalar,
                           ScalarType::kReal);
      }
      scalar += size;
      if (output.type == ScalarType::kReal) real += size;
    }
    return ExprId{};
  };
}

}  // namespace arges
