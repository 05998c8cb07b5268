// A system that has changed its structure: what the monitor of the old one knows goes on.

#include <algorithm>

#include "arges/hybrid/event_monitor.h"

namespace arges {

namespace {

template <class T>
void take_over(const std::vector<T>& from, std::span<const int> place, std::vector<T>& to) {
  for (std::size_t k = 0; k < place.size(); ++k) {
    if (place[k] >= 0) to[k] = from[place[k]];
  }
}

}  // namespace

void EventMonitor::adopt(const EventMonitor& other, std::span<const int> event_of,
                         std::span<const int> state_of, const ModeEquations& equations, double t,
                         const double* x) {
  reset(other.window_, other.rtol_, other.atol_);
  equations_ = &equations;
  activate(equations.point(t, x).mode);
  if (active_.empty()) return;
  for (const auto member :
       {&EventMonitor::fresh_, &EventMonitor::sank_, &EventMonitor::hardly_left_,
        &EventMonitor::fired_, &EventMonitor::waits_, &EventMonitor::rests_,
        &EventMonitor::was_moved_, &EventMonitor::moved_away_, &EventMonitor::located_,
        &EventMonitor::thrown_back_, &EventMonitor::turned_back_})
    take_over(other.*member, event_of, this->*member);
  for (const auto member :
       {&EventMonitor::agreed_g_, &EventMonitor::fresh_from_, &EventMonitor::arrival_,
        &EventMonitor::slack_, &EventMonitor::seen_at_, &EventMonitor::peak_,
        &EventMonitor::last_peak_, &EventMonitor::swing_, &EventMonitor::rest_error_})
    take_over(other.*member, event_of, this->*member);
  take_over(other.side_, event_of, side_);
  take_over(other.too_long_, event_of, too_long_);
  std::copy(x, x + equations.size(), event_state_.begin());
  take_over(other.event_state_, state_of, event_state_);
  any_rests_ = other.any_rests_;
  influence_.bind(equations.sparsity(), equations.size());
  evaluate(t, x, g_.data());
  measure_rounding(t, x);
}

}  // namespace arges
