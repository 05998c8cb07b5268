#include "arges/compile/known_values.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "arges/base/index.h"
#include "arges/compile/evaluate_call.h"
#include "arges/expr/evaluate.h"

namespace arges {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr int kMaxDepth = 100;         // bindings of bindings of ..., calls in calls
constexpr int kMaxStatements = 20000;  // of one call, with all that it calls
constexpr int kMaxOfModel = 1000000;   // of all calls
constexpr int kCopied = 16;            // elements that are copied in the time of a statement

// The function does what is not followed here, or more of it than is worth the time.
struct NotKnown {};

using Locals = std::vector<std::vector<double>>;  // of a function that runs: all elements

// What both know.
void agree(Locals& a, const Locals& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < a[i].size(); ++k) {
      if (a[i][k] != b[i][k]) a[i][k] = kUnknown;
    }
  }
}

}  // namespace

class KnownValues::State {
 public:
  explicit State(const FlatModel& flat) : flat_(flat), calls_(flat) {}

  double variable(VarId v, int depth) {
    const auto [it, is_new] = variables_.try_emplace(v.index, kUnknown);
    const FlatVariable& variable = flat_[v];
    const bool is_parameter = variable.variability <= FlatVariability::kParameter;
    if (!is_new || depth > kMaxDepth || !is_parameter || !variable.binding.valid() ||
        !variable.fixed.value_or(true) || variable.type == ScalarType::kString)
      return it->second;
    const double value = expression(variable.binding, nullptr, depth + 1);
    return variables_[v.index] = value;
  }

  // `locals`: of the function that it stands in; null outside of functions.
  double expression(ExprId e, const Locals* locals, int depth) {
    const ExprPool& pool = flat_.pool;
    std::unordered_map<std::int32_t, std::vector<double>> called;  // by call
    return evaluate_known(pool, e, [&](ExprId leaf) {
      const ExprNode& node = pool[leaf];
      if (node.op == Op::kVar) return variable(pool.var(leaf), depth);
      if (node.op == Op::kLocal && locals != nullptr) return local_value(node.index, *locals);
      if (node.op == Op::kElement && locals != nullptr) {
        const auto k = element(node.index, pool.args(leaf), *locals, depth);
        return k < 0 ? kUnknown : (*locals)[at(node.index)][at(k)];
      }
      if (node.op != Op::kResult) return kUnknown;
      // Calls outside of functions are remembered for good.
      auto& calls = locals == nullptr ? results_ : called;
      const ExprId call = pool.arg(leaf, 0);
      auto it = calls.find(call.index);
      if (it == calls.end()) {
        auto values = results(call, locals, depth);
        it = calls.emplace(call.index, std::move(values)).first;
      }
      return at(node.index) < it->second.size() ? it->second[at(node.index)] : kUnknown;
    });
  }

 private:
  // Where the elements of an array of run-time size lie is only known in a run.
  double local_value(std::int32_t local, const Locals& locals) const {
    const bool is_place = !function_->locals[at(local)].sizes.empty();
    return is_place ? kUnknown : locals[at(local)].front();
  }

  // Which element of an array the subscripts name; -1: not known.
  std::int32_t element(std::int32_t local, std::span<const ExprId> subscripts, const Locals& locals,
                       int depth) {
    const std::vector<std::int32_t>& dims = function_->locals[at(local)].dims;
    std::int32_t k = 0;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const double s = i < subscripts.size() ? expression(subscripts[i], &locals, depth) : kUnknown;
      if (!(s >= 1 && s <= dims[i])) return -1;
      k = k * dims[i] + static_cast<std::int32_t>(s) - 1;
    }
    return k;
  }

  std::vector<double> results(ExprId call, const Locals* locals, int depth) {
    const ExprPool& pool = flat_.pool;
    const FunctionId f{pool[call].index};
    std::vector<double> arguments;
    bool known = true, has_string = false;
    for (const ExprId a : pool.args(call)) {
      const ExprNode& node = pool[a];
      const bool literal = node.op == Op::kString;
      arguments.push_back(literal ? calls_.environment().intern(pool.text(StringId{node.index}))
                                  : expression(a, locals, depth));
      const bool is_string = node.type == ScalarType::kString || literal;
      known = known && !std::isnan(arguments.back()) && (literal || !is_string);
      has_string = has_string || is_string;
    }
    if (known) {
      if (auto values = calls_(f, arguments)) return *values;
    }
    if (has_string || depth > kMaxDepth) return {};
    return run(flat_.functions[at(f.index)], arguments, depth + 1);
  }

  // The results of a function of which some arguments are not known.
  std::vector<double> run(const FlatFunction& f, const std::vector<double>& arguments, int depth) {
    if (f.impure || !f.external.empty()) return {};
    const FlatFunction* outer = std::exchange(function_, &f);
    const int granted = std::min(kMaxStatements, left_of_model_);
    if (outer == nullptr) left_ = granted;
    std::vector<double> found;
    try {
      Locals locals;
      auto given = arguments.begin();
      for (std::size_t i = 0; i < f.locals.size(); ++i) {
        const FlatLocal& local = f.locals[i];
        charge_copy(at(local.size()));
        locals.emplace_back(local.size(), 0);
        if (i < at(f.inputs)) {
          std::copy_n(given, local.size(), locals[i].begin());
          given += local.size();
        } else if (local.initial.valid()) {
          locals[i].front() = expression(local.initial, &locals, depth);
        }
        for (std::size_t k = 0; i >= at(f.inputs) && k < local.initial_elements.size(); ++k)
          locals[i][k] = expression(local.initial_elements[k], &locals, depth);
      }
      execute(f.body, locals, depth);
      for (std::size_t i = at(f.inputs); i < at(f.inputs + f.outputs); ++i)
        found.insert(found.end(), locals[i].begin(), locals[i].end());
    } catch (const NotKnown&) {
      found.clear();
    }
    function_ = outer;
    if (outer == nullptr) left_of_model_ -= granted - std::max(left_, 0);
    if (outer != nullptr && left_ < 0) throw NotKnown{};
    return found;
  }

  void execute(const std::vector<Statement>& body, Locals& locals, int depth) {
    for (const Statement& s : body) {
      if (--left_ < 0) throw NotKnown{};
      switch (s.kind) {
        case Statement::Kind::kAssign:
          assign(s, locals, depth);
          break;
        case Statement::Kind::kIf:
          choose(s.branches, 0, locals, depth);
          break;
        case Statement::Kind::kFor:
          repeat(s, locals, depth);
          break;
        case Statement::Kind::kWhile:
          for (;;) {
            if (--left_ < 0) throw NotKnown{};
            const double goes_on = expression(s.value, &locals, depth);
            if (std::isnan(goes_on)) throw NotKnown{};
            if (goes_on == 0) break;
            execute(s.branches.front().body, locals, depth);
          }
          break;
        case Statement::Kind::kAssert:
          break;  // the run will say so
        default:
          throw NotKnown{};
      }
    }
  }

  void assign(const Statement& s, Locals& locals, int depth) {
    const double value = expression(s.value, &locals, depth);
    std::vector<double>& target = locals[at(s.local.index)];
    const std::int32_t k = element(s.local.index, s.subscripts, locals, depth);
    if (k < 0)
      std::fill(target.begin(), target.end(), kUnknown);
    else
      target[at(k)] = value;
  }

  void charge_copy(std::size_t elements) {
    left_ -= static_cast<int>(std::min<std::size_t>(elements / kCopied, kMaxStatements));
    if (left_ < 0) throw NotKnown{};
  }

  // The branches from `first` on.
  void choose(const std::vector<Statement::Branch>& branches, std::size_t first, Locals& locals,
              int depth) {
    if (first == branches.size()) return;
    const Statement::Branch& branch = branches[first];
    const double holds =
        branch.conditions.empty() ? 1 : expression(branch.conditions.front(), &locals, depth);
    if (holds == 0) return choose(branches, first + 1, locals, depth);
    if (!std::isnan(holds)) return execute(branch.body, locals, depth);
    for (const std::vector<double>& local : locals) charge_copy(local.size());
    Locals others = locals;
    execute(branch.body, locals, depth);
    choose(branches, first + 1, others, depth);
    agree(locals, others);
  }

  void repeat(const Statement& s, Locals& locals, int depth) {
    const double first = expression(s.first, &locals, depth);
    const double step = s.step.valid() ? expression(s.step, &locals, depth) : 1;
    const double last = expression(s.last, &locals, depth);
    if (std::isnan(first) || std::isnan(step) || std::isnan(last) || step == 0) throw NotKnown{};
    const double turns = std::floor((last - first) / step + 1e-10);
    for (double i = 0; i <= turns; ++i) {
      if (--left_ < 0) throw NotKnown{};
      locals[at(s.local.index)].front() = first + i * step;
      execute(s.branches.front().body, locals, depth);
    }
  }

  const FlatModel& flat_;
  CallEvaluator calls_;
  const FlatFunction* function_ = nullptr;  // that runs
  int left_ = 0;                            // statements
  int left_of_model_ = kMaxOfModel;
  std::unordered_map<std::int32_t, double> variables_;
  std::unordered_map<std::int32_t, std::vector<double>> results_;  // by call
};

KnownValues::KnownValues(const FlatModel& flat) : state_(new State(flat)) {}

KnownValues::~KnownValues() = default;

double KnownValues::operator()(VarId v) { return state_->variable(v, 0); }

double KnownValues::operator()(ExprId e) { return state_->expression(e, nullptr, 0); }

}  // namespace arges
