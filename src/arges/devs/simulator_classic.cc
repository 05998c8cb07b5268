// The step of classic DEVS.

#include <algorithm>

#include "arges/devs/simulator.h"
#include "arges/devs/structure.h"

namespace arges::devs {

// One of those that are due is activated; what it sends arrives message by message. Atomics come
// before executives, and inner executives before outer ones, which may remove them. Messages from
// outside arrive in a step of their own: they may change what is due.
void Simulator::classic_step() {
  if (imminent_.size() > 1 && !network_.selects_by_number()) {
    std::sort(imminent_.begin(), imminent_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return network_.is_selected_before(a, b); });
  }
  // All but the chosen one stay due at this time.
  const bool from_outside = !router_.receivers().empty();
  for (std::size_t i = from_outside ? 0 : 1; i < imminent_.size(); ++i) {
    Component& c = components_[imminent_[i]];
    c.flags = static_cast<std::uint8_t>((c.flags & ~kQueued) | kNow);
    now_.push_back(imminent_[i]);
  }
  const std::uint32_t chosen = imminent_.empty() || from_outside ? kNone : imminent_.front();
  if (chosen != kNone) {
    Component& c = components_[chosen];
    c.flags = static_cast<std::uint8_t>(c.flags & ~(kQueued | kNow));
    active_ = chosen;
    Output y(router_, *c.model, chosen, c.first_list);
    c.behaviour->output(*c.model, c.state, y);
  }
  for (const std::uint32_t id : router_.receivers()) {
    if (components_[id].flags & kExecutive) {
      executives_.push_back(id);
    } else {
      receive_one_by_one(id);
    }
  }
  if (chosen != kNone) {
    if (components_[chosen].flags & kExecutive) {
      executives_.push_back(chosen);
    } else {
      classic_transition(chosen, nullptr);
    }
  }
  sort_executives();
  for (const std::uint32_t id : executives_) {
    receive_one_by_one(id);
    if (id == chosen) classic_transition(id, nullptr);
  }
  executives_.clear();
}

void Simulator::receive_one_by_one(std::uint32_t id) {
  while (router_.has_bag(id)) {
    const Bag x = router_.take_first(id, *components_[id].model);
    classic_transition(id, &x);
  }
}

// External with a message, else internal.
void Simulator::classic_transition(std::uint32_t id, const Bag* x) {
  const Component c = components_[id];  // a copy: an executive may add components
  active_ = id;
  Structure structure(*this, network_.component(id).node, id);
  Structure* own = c.flags & kExecutive ? &structure : nullptr;
  const double elapsed = clock_ - c.last;
  const double advance = x != nullptr ? c.behaviour->external(*c.model, c.state, elapsed, *x, own)
                                      : c.behaviour->internal(*c.model, c.state, own);
  ++(x != nullptr ? statistics_.external : statistics_.internal);
  active_ = id;
  if (components_[id].flags & kNow) unschedule(id);
  schedule(id, advance);
  if (observer_ != nullptr) {
    report(id, x != nullptr ? Transition::kExternal : Transition::kInternal, elapsed);
  }
}

}  // namespace arges::devs
