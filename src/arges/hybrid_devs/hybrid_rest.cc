// Components at rest, where their events would accumulate: the policy `stick` of hybrid DEVS. The
// rules are those of the kernel (hybrid/sliding.h); but only the component itself stands still, not
// what drives it.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "arges/hybrid/exit_search.h"
#include "arges/hybrid_devs/hybrid_simulator.h"

namespace arges::hybrid_devs {

const ContinuousPart::Entry* HybridSimulator::entry_of(const EventKey& event) const {
  for (const ContinuousPart::Entry& entry : part_->entries()) {
    if (entry.component == std::get<0>(event) && entry.model == std::get<1>(event)) return &entry;
  }
  return nullptr;
}

double HybridSimulator::search_window() const {
  const double window = (options_.stop_time - options_.start_time) / 500;
  return options_.interval > 0 ? std::min(options_.interval, window) : window;
}

std::vector<double> HybridSimulator::conditions() const {
  std::vector<double> g(part_->condition_count());
  part_->conditions(equations_->point(t_, x_.data()), Conditions(g.data()));
  return g;
}

// True: the component of the event rests from now on. False: it would not stay there.
bool HybridSimulator::begin_rest(const EventKey& event) {
  const ContinuousPart::Entry* entry = entry_of(event);
  if (entry == nullptr) return false;
  const auto& [component, model, condition, rising] = event;
  const EventId id{static_cast<int>(entry->first_g) + condition};
  Surface surface;
  surface.members.push_back({{id, rising}, 1, 0, guards_.at(event).beyond()});
  Context free = context_;
  free.t = t_;
  free.x = x_;
  free.z[static_cast<std::size_t>(part_->free().index)] = 1;
  Sliding(*part_, free, {}, 1e-2 * search_window()).prepare_rest(t_, x_.data(), surface);
  const auto first = surface.frozen.begin() + static_cast<std::ptrdiff_t>(entry->first_x);
  const std::vector<std::uint8_t> own(first, first + static_cast<std::ptrdiff_t>(entry->x_count));
  const std::span<const double> x(x_.data() + entry->first_x, entry->x_count);
  rests_.push_back({event,
                    surface.members.front(),
                    own,
                    {x.begin(), x.end()},
                    conditions()[static_cast<std::size_t>(id.index)]});
  hold();
  std::vector<double> margins(static_cast<std::size_t>(resting_->margin_count()));
  resting_->margins(t_, x_.data(), margins.data());
  if (margins[margins.size() - 2] >= 0 && margins.back() >= 0) {
    needs_start_ = true;
    return true;
  }
  monitor_->suppress(id, false);
  rests_.pop_back();
  hold();
  return false;
}

// Tells all who are concerned what rests.
void HybridSimulator::hold() {
  resting_.reset();
  std::vector<Surface> surfaces;
  std::vector<std::uint8_t> still(rests_.empty() ? 0 : x_.size());
  for (const Rest& rest : rests_) {
    const ContinuousPart::Entry& entry = *entry_of(rest.event);
    Surface& surface = surfaces.emplace_back();
    surface.members.push_back(rest.member);
    surface.frozen.assign(x_.size(), 0);
    std::copy(rest.own.begin(), rest.own.end(),
              surface.frozen.begin() + static_cast<std::ptrdiff_t>(entry.first_x));
    for (std::size_t i = 0; i < still.size(); ++i) still[i] |= surface.frozen[i];
    monitor_->suppress(rest.member.crossing.event, true);
  }
  part_->hold_still(std::move(still));
  if (rests_.empty()) return;
  Context free = context_;
  free.t = t_;
  free.x = x_;
  free.z[static_cast<std::size_t>(part_->free().index)] = 1;
  resting_ = std::make_unique<Sliding>(*part_, free, surfaces, 1e-2 * search_window());
}

// After the continuous parts have been collected anew.
void HybridSimulator::hold_again() {
  std::erase_if(rests_, [&](const Rest& rest) {
    const ContinuousPart::Entry* entry = entry_of(rest.event);
    return entry == nullptr || entry->x_count != rest.own.size();
  });
  for (Rest& rest : rests_) {
    rest.member.crossing.event =
        EventId{static_cast<int>(entry_of(rest.event)->first_g) + std::get<2>(rest.event)};
  }
  hold();
}

// A transition has moved what stands still, or the condition.
bool HybridSimulator::is_disturbed(const Rest& rest) const {
  constexpr double kTolerance = 1e-7;
  const double* x = x_.data() + entry_of(rest.event)->first_x;
  double size = 1;
  for (std::size_t i = 0; i < rest.own.size(); ++i) {
    if (rest.own[i] != 0 && x[i] != rest.x[i]) return true;
    size = std::max(size, std::abs(x[i]));
  }
  const double g = conditions()[static_cast<std::size_t>(rest.member.crossing.event.index)];
  return !(std::abs(g - rest.g) <= kTolerance * size);
}

// Before the solver begins: who rests goes on doing so, unless something has happened to it.
void HybridSimulator::review_rests() {
  if (rests_.empty()) return;
  const std::size_t before = rests_.size();
  for (std::size_t i = rests_.size(); i-- > 0;) {
    if (!is_disturbed(rests_[i])) continue;
    monitor_->suppress(rests_[i].member.crossing.event, false);
    released_.push_back(rests_[i].member);
    rests_.erase(rests_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (rests_.size() < before) hold();
  if (!rests_.empty()) leave_rests(false);
}

// Lets those go whose motion lifts them.
void HybridSimulator::leave_rests(bool at_least_one) {
  std::vector<double> margins(static_cast<std::size_t>(resting_->margin_count()));
  resting_->margins(t_, x_.data(), margins.data());
  // Rounding may have put the exit a little further.
  const double least = *std::ranges::min_element(margins);
  const double limit = at_least_one && least >= 0 ? least : -std::numeric_limits<double>::min();
  bool any = false;
  for (std::size_t i = rests_.size(); i-- > 0;) {
    const Rest& rest = rests_[i];
    if (std::min(margins[2 * i], margins[2 * i + 1]) > limit) continue;
    if (margins[2 * i + 1] < 0) {
      const std::string path = discrete_.path(std::get<0>(rest.event));
      return fail(RunReason::kZeno,
                  fmt::format("{} rests on its condition {}, which begins to move with what drives "
                              "it at t = {:.12g}: `stick` can rest on one that stands only",
                              path, std::get<2>(rest.event) + 1, t_),
                  path);
    }
    any = true;
    monitor_->suppress(rest.member.crossing.event, false);
    released_.push_back(rest.member);
    rests_.erase(rests_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (!any) return;
  hold();
  needs_start_ = true;
}

// The first time in the last step at which one is lifted; infinity: none.
double HybridSimulator::exit_time() {
  if (resting_ == nullptr) return std::numeric_limits<double>::infinity();
  const std::vector<double> anchors = part_->anchors();
  const double exit = find_exit(*resting_, *stepper_, search_window());
  part_->set_anchors(anchors);
  part_->forget_non_finite();
  return exit;
}

}  // namespace arges::hybrid_devs
