// Sizes of arguments against those that the inputs of a function are declared with.

#include "arges/flatten/evaluator.h"

namespace arges::lang {

using diag::Code;

namespace {

std::vector<const Expr*> declared_sizes(const Slot& input) {
  const ExprList own = input.component->subscripts;
  const ExprList clause = input.element->components->subscripts;
  std::vector<const Expr*> all(own.begin(), own.end());
  all.insert(all.end(), clause.begin(), clause.end());
  return all;
}

}  // namespace

// The inputs with their arguments: what sizes such as `size(a, 1)` or `n` refer to.
Instance& Evaluator::input_frame(Instance& function,
                                 const std::vector<std::optional<Value>>& arguments) {
  Instance& frame = instances_.make(function.cls, World::kValue, nullptr, {});
  instances_.expand(frame);
  const std::vector<Slot*> own = inputs(frame);
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (!arguments[i]) continue;
    try {
      if (Instance* const input = instances_.component(frame, *own[i])) give(*input, *arguments[i]);
    } catch (const Failure&) {
      continue;  // its size depends on what is not known yet
    }
  }
  return frame;
}

// Equal for calls whose arguments have the same sizes and values.
std::string Evaluator::call_key(const Instance& function,
                                const std::vector<std::optional<Value>>& arguments) {
  const bool plain = function.cls.environment.empty();
  std::string key = std::to_string(reinterpret_cast<std::uintptr_t>(function.cls.node)) + "/" +
                    std::to_string(reinterpret_cast<std::uintptr_t>(
                        plain ? function.cls.enclosing.instance : &function));
  for (const std::optional<Value>& v : arguments) {
    key += ";";
    if (!v || v->kind == Value::Kind::kFunction) continue;
    key += shape_key(*v);
    if (v->is_scalar() && v->type != ScalarType::kReal)
      key += "=" + std::to_string(v->scalar().index);
  }
  return key;
}

void Evaluator::check_argument_sizes(Instance& function,
                                     const std::vector<std::optional<Value>>& arguments,
                                     const std::vector<diag::Span>& places, diag::Span where) {
  const std::vector<Slot*> formal = inputs(function);
  Instance* frame = nullptr;
  std::string key;
  for (std::size_t i = 0; i < formal.size(); ++i) {
    if (!arguments[i] || arguments[i]->kind == Value::Kind::kFunction ||
        arguments[i]->kind == Value::Kind::kRunTime) {
      continue;
    }
    const Dims& dims = arguments[i]->dims;
    const std::vector<const Expr*> sizes = declared_sizes(*formal[i]);
    const diag::Span at = i < places.size() && places[i].file != nullptr ? places[i] : where;
    const std::string input =
        "the input " + in_quotes(formal[i]->name) + " of " + in_quotes(function.cls.node->path());
    if (dims.size() < sizes.size() && (dims.empty() || count(dims) > 0)) {
      fail(Code::kSizeMismatch,
           input + " has " + std::to_string(sizes.size()) +
               (sizes.size() == 1 ? " dimension" : " dimensions") + ", this is " + size_text(dims),
           at);
    }
    for (std::size_t d = 0; d < sizes.size() && d < dims.size(); ++d) {
      if (sizes[d]->kind == ExprKind::kColon) continue;
      if (frame == nullptr && sizes[d]->kind != ExprKind::kInteger) {
        if (key.empty()) key = call_key(function, arguments);
        if (calls_that_fit_.contains(key)) continue;
        frame = &input_frame(function, arguments);
      }
      int needed = 0;
      try {
        needed = dimension(*sizes[d], {frame == nullptr ? &function : frame, formal[i]->part});
      } catch (const Failure&) {
        continue;  // it depends on a value that is known only during the run
      }
      if (needed == dims[d]) continue;
      fail(Code::kSizeMismatch,
           input + " has the size " + std::to_string(needed) +
               (sizes.size() > 1 ? " in dimension " + std::to_string(d + 1) : "") +
               ", this one has " + std::to_string(dims[d]),
           at);
    }
  }
  if (frame != nullptr) calls_that_fit_.insert(std::move(key));
}

}  // namespace arges::lang
