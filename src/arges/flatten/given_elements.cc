// Values for single elements of arrays of parameters, from outside of the text: p[2] = 5.

#include "arges/flatten/evaluator.h"

namespace arges::lang {

using diag::Code;

namespace {

std::string element_name(const Instance& i, std::size_t at) {
  std::string index;
  for (std::size_t d = i.dims.size(); d-- > 0;) {
    const auto n = static_cast<std::size_t>(i.dims[d]);
    if (!index.empty()) index.insert(0, ",");
    index.insert(0, std::to_string(at % n + 1));
    at /= n;
  }
  return Instances::full_name(i) + (index.empty() ? "" : "[" + index + "]");
}

}  // namespace

std::map<std::size_t, ExprId> Evaluator::given_of(Instance& i) {
  std::map<std::size_t, ExprId> found;
  if (given_elements.empty() || i.world != World::kModel) return found;
  for (std::size_t k = 0; k < count(i.dims); ++k) {
    const auto it = given_elements.find(element_name(i, k));
    if (it == given_elements.end()) continue;
    GivenElement& given = it->second;
    given.used = true;
    const diag::Span where = instances_.span(given.scope, given.range);
    if (i.prefix.variability != Variability::kParameter) {
      fail(Code::kNotAParameter, in_quotes(it->first) + " is no parameter: only those can be given",
           where);
    }
    bool is_final = instances_.binding(i).is_final;
    for (const Instance* p = &i; p != nullptr; p = p->parent) is_final = is_final || p->is_final;
    if (is_final) {
      fail(Code::kFinalModified, in_quotes(it->first) + " is final and cannot be modified", where);
    }
    if (i.is_protected) {
      fail(Code::kProtectedAccess,
           in_quotes(it->first) + " is protected and cannot be modified from outside", where);
    }
    Context c;
    c.scope = given.scope;
    found[k] =
        fitted(eval_constant(*given.value, c), {}, false, i.type, where, i.enumeration).scalar();
  }
  return found;
}

void Evaluator::check_given() {
  for (const auto& [name, given] : given_elements) {
    if (given.used) continue;
    fail(Code::kUnknownModifier, "there is no " + in_quotes(name) + " to modify",
         instances_.span(given.scope, given.range));
  }
}

}  // namespace arges::lang
