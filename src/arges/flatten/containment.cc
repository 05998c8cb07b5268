// Classes that contain themselves.

#include <algorithm>

#include "arges/flatten/instances.h"

namespace arges::lang {

using diag::Code;

namespace {

// Whether two elements are modified by the same text. (What the text refers to may have other
// values, which decide about conditions and sizes of arrays only.)
bool is_same_text(const Environment& a, const Environment& b) {
  return std::ranges::equal(a, b, [](const Layer& x, const Layer& y) {
    return x.arguments.data() == y.arguments.data() && x.arguments.size() == y.arguments.size() &&
           x.dotted == y.dotted && x.offset == y.offset && x.value == y.value;
  });
}

// Whether a value decides if the component is there.
bool depends_on_values(const Instance& i) {
  return (i.slot != nullptr && i.slot->component != nullptr &&
          i.slot->component->condition != nullptr) ||
         !i.dims.empty() || !i.index.empty();
}

}  // namespace

// A component that would be the same as one around it, and is there whatever the values are, goes
// on without end. Each class on the way is then known to do so, and is not entered again.
void Instances::check_containment(const Instance& owner, const Slot& slot, const ClassRef& ref) {
  if (slot.component->condition != nullptr || !slot.component->subscripts.empty() ||
      !slot.element->components->subscripts.empty() || !ref.dims.empty())
    return;
  std::string path(slot.name);
  for (const Instance* at = &owner; at != nullptr; at = at->parent) {
    if (at->cls.node == ref.node && is_same_text(at->cls.environment, ref.environment)) {
      for (const Instance* lap = &owner; lap != at; lap = lap->parent)
        endless_.insert(lap->cls.node);
      endless_.insert(ref.node);
      fail(Code::kRecursiveModel,
           in_quotes(ref.node->path()) + " contains itself: its component " + in_quotes(path) +
               " is one again",
           span({const_cast<Instance*>(&owner), slot.part}, slot.component->range));
    }
    if (depends_on_values(*at)) return;
    path.insert(0, std::string(at->name) + ".");
  }
}

// Where conditions and sizes should have ended it, and do not. True: that was told before.
bool Instances::is_too_deep(const Instance& owner, const Slot& slot) {
  if (owner.depth <= kMaxDepth) return false;
  if (endless_.contains(owner.cls.node)) return true;
  for (const Instance* at = &owner; at != nullptr; at = at->parent) endless_.insert(at->cls.node);
  fail(Code::kRecursiveModel,
       in_quotes(owner.cls.node->path()) + " is nested " + std::to_string(kMaxDepth) +
           " deep: a class on the way contains itself without end",
       span({const_cast<Instance*>(&owner), slot.part}, slot.component->range));
}

}  // namespace arges::lang
