#include "arges/flat/statement_derivative.h"

#include <algorithm>
#include <memory>
#include <set>

#include "arges/base/error.h"
#include "arges/base/index.h"
#include "arges/expr/walk.h"
#include "arges/flat/active_locals.h"
#include "arges/flat/differentiate_function.h"

namespace arges {

namespace {

// FlatFunction::derivative where making it has failed.
constexpr FunctionId kHasNone{-2};

// f_der has the inputs of f, then one derivative for each Real input; its outputs are the
// derivatives of the Real outputs. The statements of f are kept, each assignment of a Real preceded
// by that of its derivative (which may use the old value).
class FunctionDerivative {
 public:
  // By the inputs that vary. A name: it is found by that, and is not FlatFunction::derivative.
  FunctionDerivative(FlatModel& model, FunctionId f, const std::vector<bool>& varies,
                     std::string name = {})
      : model_(model), id_(f), name_(std::move(name)) {
    active_ = active_locals(model, model.functions[at(f.index)], varies);
  }

  // Invalid when there is none.
  FunctionId make() {
    const std::size_t first = model_.functions.size();
    try {
      return made();
    } catch (const UserError&) {
      // Others that were made meanwhile may call the one that is not finished.
      for (FlatFunction& f : model_.functions) {
        if (f.derivative.valid() && at(f.derivative.index) >= first) f.derivative = {};
      }
      model_.functions.resize(first);
      if (name_.empty()) model_.functions[at(id_.index)].derivative = kHasNone;
      return {};
    }
  }

 private:
  FunctionId made() {
    // A copy: the list of functions grows.
    const FlatFunction f = model_.functions[at(id_.index)];
    FlatFunction g;
    g.name = name_.empty() ? "$der_" + f.name : name_;
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
    for (FlatLocal& local : g.locals) {
      for (ExprId& e : local.sizes) e = moved(e);
    }
    const FunctionId id{static_cast<std::int32_t>(model_.functions.size())};
    model_.functions.push_back(g);
    // Before the body: it may call itself.
    if (name_.empty()) model_.functions[at(id_.index)].derivative = id;
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
      if (!active_[at(i)]) continue;
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
    const FlatFunction& f = model_.functions[at(id_.index)];
    // An array that is an argument as a whole has a derivative in any case, if of zeros.
    const auto d_place = [&](std::int32_t place, Op op) {
      for (std::size_t i = 0; i < place_.size(); ++i) {
        const bool is_whole = op == Op::kLocal && i < f.locals.size() && !f.locals[i].sizes.empty();
        if (place_[i] == place) return active_[i] || is_whole ? dplace_[i] : -1;
      }
      return -1;
    };
    Differentiator d(
        pool,
        [&](ExprId leaf) {
          const ExprNode node = pool[leaf];
          if (node.op != Op::kLocal && node.op != Op::kElement) return ExprId{};
          const std::int32_t place = d_place(node.index, node.op);
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
    if (d >= 0 && active_[at(s.local.index)]) {
      Statement ds = copy;
      ds.local = LocalId{d};
      ds.value = derived(s.value);
      out.push_back(std::move(ds));
    }
    copy.local = LocalId{place_[at(s.local.index)]};
    out.push_back(std::move(copy));
  }

  // A Real one changes as its first value does, through all turns.
  void loop_variable(const Statement& loop, std::vector<Statement>& out) {
    if (!model_.pool.is_value(derived(loop.step), 0)) throw UserError("the step of a loop varies");
    Statement d;
    d.local = LocalId{dplace_[at(loop.local.index)]};
    d.value = derived(loop.first);
    out.push_back(std::move(d));
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
      if (s.kind == Statement::Kind::kFor && active_[at(s.local.index)]) loop_variable(s, out);
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
  std::string name_;
  std::vector<std::int32_t> place_, dplace_;  // old local -> its place, that of its derivative
  std::vector<bool> active_;                  // old local: may have a derivative other than 0
  std::unique_ptr<ExprRewriter> mover_;
};

}  // namespace

FunctionId statement_derivative(FlatModel& model, FunctionId id, const std::vector<bool>& varies) {
  const FlatFunction& f = model.functions[at(id.index)];
  if (f.derivative.valid()) return f.derivative;
  if (!f.external.empty() || f.impure) return {};
  const std::vector<bool> all(varies.size(), true);
  if (f.derivative != kHasNone) {
    const FunctionId g = FunctionDerivative(model, id, all).make();
    if (g.valid()) return g;
  }
  std::string name =
      "$der_" + model.functions[at(id.index)].name + "$" + std::to_string(id.index) + "$";
  for (const bool v : varies) name += v ? '1' : '0';
  const auto known = std::ranges::find(model.functions, name, &FlatFunction::name);
  if (known == model.functions.end()) return FunctionDerivative(model, id, varies, name).make();
  return FunctionId{static_cast<std::int32_t>(known - model.functions.begin())};
}

}  // namespace arges
