// Mealy components that depend on each other in a circle: the part of the ContinuousPart that finds
// such loops, and computes the outputs in them.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "arges/base/error.h"
#include "arges/hybrid_devs/continuous_part.h"

namespace arges::hybrid_devs {

// The strongly connected components among `open`, those that are read first: Tarjan's algorithm,
// without recursion, for chains may be long.
void ContinuousPart::sort_loops(const std::vector<std::uint32_t>& open) {
  constexpr std::uint32_t kNew = 0, kSettled = 0xffffffff;
  struct Visit {
    std::uint32_t entry, next_input;
  };
  std::vector<std::uint32_t> number(entries_.size(), kSettled), low(entries_.size()), stack;
  for (const std::uint32_t i : open) number[i] = kNew;
  std::vector<Visit> visits;
  std::uint32_t count = 0;
  const auto begin = [&](std::uint32_t i) {
    number[i] = low[i] = ++count;
    stack.push_back(i);
    visits.push_back({i, inputs_begin(entries_[i])});
  };
  for (const std::uint32_t root : open) {
    if (number[root] != kNew) continue;
    begin(root);
    while (!visits.empty()) {
      const std::uint32_t i = visits.back().entry;
      if (visits.back().next_input < inputs_end(entries_[i])) {
        const std::uint32_t source = source_entry_[visits.back().next_input++];
        if (number[source] == kNew) {
          begin(source);
        } else if (number[source] != kSettled) {
          low[i] = std::min(low[i], number[source]);
        }
        continue;
      }
      visits.pop_back();
      if (!visits.empty()) low[visits.back().entry] = std::min(low[visits.back().entry], low[i]);
      if (low[i] != number[i]) continue;
      std::vector<std::uint32_t> members;
      do {
        members.push_back(stack.back());
        number[stack.back()] = kSettled;
        stack.pop_back();
      } while (members.back() != i);
      add_block(std::move(members));
    }
  }
}

// One that stands alone, or a loop. Outputs of which there is a guess are unknowns. The members are
// computed next that lack the fewest inputs; what they lack then are the other unknowns.
void ContinuousPart::add_block(std::vector<std::uint32_t> members) {
  std::sort(members.begin(), members.end());
  const std::uint32_t first = members.front();
  bool is_loop = members.size() > 1;
  for (std::uint32_t k = inputs_begin(entries_[first]); k < inputs_end(entries_[first]); ++k)
    is_loop = is_loop || source_entry_[k] == first;
  if (!is_loop) return order_.push_back(first);

  const auto number = static_cast<std::uint32_t>(loops_.size());
  for (const std::uint32_t member : members) loop_of_[member] = number;
  std::vector<std::uint32_t> order, unknowns;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> readers;  // of outputs
  std::unordered_map<std::uint32_t, std::size_t> lacking;
  std::set<std::pair<std::size_t, std::uint32_t>> open;  // (inputs that are lacking, member)
  for (const std::uint32_t member : members) {
    for (std::uint32_t k = inputs_begin(entries_[member]); k < inputs_end(entries_[member]); ++k) {
      if (loop_of_[source_entry_[k]] != number) continue;
      readers[source_output_[k]].push_back(member);
      ++lacking[member];
    }
    open.emplace(lacking[member], member);
  }
  const auto make_known = [&](std::uint32_t output) {
    const auto found = readers.find(output);
    if (found == readers.end()) return;
    for (const std::uint32_t reader : found->second) {
      std::size_t& count = lacking[reader];
      if (open.erase({count, reader}) > 0) open.emplace(count - 1, reader);
      --count;
    }
    readers.erase(found);
  };
  for (const std::uint32_t output : guess(members)) {
    if (!readers.contains(output)) continue;
    unknowns.push_back(output);
    make_known(output);
  }
  while (!open.empty()) {
    const std::uint32_t next = open.begin()->second;
    const Entry& entry = entries_[next];
    for (std::uint32_t k = inputs_begin(entry); k < inputs_end(entry); ++k) {
      if (!readers.contains(source_output_[k])) continue;
      unknowns.push_back(source_output_[k]);
      make_known(source_output_[k]);
    }
    open.erase({lacking[next], next});
    const std::size_t ports = entry.model->ports(devs::PortSide::kOut).size();
    for (std::size_t p = 0; p < ports; ++p)
      make_known(static_cast<std::uint32_t>(entry.first_output + p));
    order.push_back(next);
    order_.push_back(next);
  }
  FixedPoint solver(unknowns.size());
  loops_.push_back({std::move(order), std::move(unknowns), std::move(solver)});
}

// The outputs that members guess; where they begin to be looked for is in anchors_ then.
std::vector<std::uint32_t> ContinuousPart::guess(const std::vector<std::uint32_t>& members) {
  std::vector<std::uint32_t> guessed;
  std::vector<double> values;
  for (const std::uint32_t member : members) {
    const Entry& entry = entries_[member];
    values.assign(entry.model->ports(devs::PortSide::kOut).size(),
                  std::numeric_limits<double>::quiet_NaN());
    call(entry, [&] {
      entry.behaviour->guess(*entry.model, entry.state, ContinuousValues(values.data()));
    });
    for (std::size_t p = 0; p < values.size(); ++p) {
      if (!std::isfinite(values[p])) continue;
      anchors_[entry.first_output + p] = values[p];
      guessed.push_back(static_cast<std::uint32_t>(entry.first_output + p));
    }
  }
  return guessed;
}

// The outputs of the members, from the unknowns in values_. The largest number that is finite;
// infinity, when an unknown is not.
double ContinuousPart::go_round(const Loop& loop, double t, const double* x) const {
  double largest = 0;
  const auto look = [&](double value) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  };
  for (const std::uint32_t member : loop.members) {
    const Entry& entry = entries_[member];
    for (std::uint32_t k = inputs_begin(entry); k < inputs_end(entry); ++k) {
      inputs_[k] = values_[source_output_[k]];
      look(inputs_[k]);
    }
    compute_outputs(entry, t, x);
    const std::size_t ports = entry.model->ports(devs::PortSide::kOut).size();
    for (std::size_t p = 0; p < ports; ++p) look(values_[entry.first_output + p]);
  }
  for (const std::uint32_t output : loop.unknowns) {
    if (!std::isfinite(values_[output])) return devs::kInfinity;
  }
  return largest;
}

// What drives the loop, and the states of its members: not finite, there is nothing to solve, and
// it is not the loop's fault.
bool ContinuousPart::is_driven(const Loop& loop, const double* x) const {
  for (const std::uint32_t member : loop.members) {
    const Entry& entry = entries_[member];
    for (std::size_t i = entry.first_x; i < entry.first_x + entry.x_count; ++i) {
      if (!std::isfinite(x[i])) return false;
    }
    for (std::uint32_t k = inputs_begin(entry); k < inputs_end(entry); ++k) {
      const bool outside = loop_of_[source_entry_[k]] != loop_of_[member];
      if (outside && !std::isfinite(values_[source_output_[k]])) return false;
    }
  }
  return true;
}

// The outputs of all members. Those outside of the loop that drive it have been computed.
void ContinuousPart::solve(const Loop& loop, double t, const double* x) const {
  const auto each_output = [&](const auto& f) {
    for (const std::uint32_t member : loop.members) {
      const Entry& entry = entries_[member];
      const std::size_t ports = entry.model->ports(devs::PortSide::kOut).size();
      for (std::size_t p = entry.first_output; p < entry.first_output + ports; ++p) f(p);
    }
  };
  if (!is_driven(loop, x)) {
    each_output([&](std::size_t p) { values_[p] = std::numeric_limits<double>::quiet_NaN(); });
    return;
  }
  const std::vector<std::uint32_t>& unknowns = loop.unknowns;
  const NonFinite seen = non_finite_;  // guesses do not count
  const auto put = [&](const std::vector<double>& z) {
    for (std::size_t k = 0; k < z.size(); ++k) values_[unknowns[k]] = z[k];
  };
  const auto go = [&](const std::vector<double>& z, std::vector<double>& g) {
    put(z);
    try {
      const double largest = go_round(loop, t, x);
      for (std::size_t k = 0; k < g.size(); ++k) g[k] = values_[unknowns[k]];
      return largest;
    } catch (const EvaluationError& error) {
      if (!error.recoverable()) throw;
      return devs::kInfinity;
    }
  };
  std::vector<double> z;
  for (const std::uint32_t output : unknowns) z.push_back(anchors_[output]);
  const auto outcome =
      motion_ == Motion::kNone ? loop.solver.search(go, z) : loop.solver.follow(go, z);
  non_finite_ = seen;
  if (outcome != FixedPoint::Outcome::kFound) fail_to_solve(loop, outcome, t);
  put(z);
  go_round(loop, t, x);
  if (motion_ != Motion::kSteps) each_output([&](std::size_t p) { anchors_[p] = values_[p]; });
}

void ContinuousPart::fail_to_solve(const Loop& loop, FixedPoint::Outcome outcome, double t) const {
  constexpr std::size_t kNamed = 10;
  std::vector<std::uint32_t> members = loop.members;
  std::sort(members.begin(), members.end());
  std::string names;
  for (std::size_t i = 0; i < std::min(members.size(), kNamed); ++i)
    names += (i == 0 ? "" : ", ") + paths_[members[i]];
  if (members.size() > kNamed) names += fmt::format(" and {} more", members.size() - kNamed);
  broken_ = paths_[members.front()];
  throw EvaluationError(
      outcome == FixedPoint::Outcome::kSingular
          ? fmt::format("the algebraic loop of {} is singular at t = {:.17g}: infinitely many "
                        "outputs fulfil it, or none; give one of them a state, so that its output "
                        "does not depend on its input at once",
                        names, t)
          : fmt::format("no solution found for the algebraic loop of {} at t = {:.17g}: is there "
                        "one, and does it change without jumps? A state in one of them cuts the "
                        "loop",
                        names, t));
}

void ContinuousPart::set_motion(Motion motion) const {
  if (loops_.empty()) return;
  const std::lock_guard guard(evaluates_);
  motion_ = motion;
}

void ContinuousPart::follow(const Point& point) const {
  if (loops_.empty()) return;
  const std::lock_guard guard(evaluates_);
  const Motion motion = std::exchange(motion_, Motion::kMoves);
  ++call_;
  for (const Loop& loop : loops_) bring_outputs(loop.members.front(), point.t, point.x);
  motion_ = motion;
}

void ContinuousPart::begin_loops_as(const ContinuousPart& before) {
  if (loops_.empty()) return;
  std::map<std::pair<std::uint32_t, const devs::Model*>, const Entry*> old;
  for (const Entry& entry : before.entries_) old.insert({{entry.component, entry.model}, &entry});
  for (const Entry& entry : entries_) {
    const auto found = old.find({entry.component, entry.model});
    if (found == old.end()) continue;
    const auto old_number = static_cast<std::size_t>(found->second - before.entries_.data());
    if (before.loop_of_[old_number] == devs::kNone) continue;  // nothing was solved
    const std::size_t ports = entry.model->ports(devs::PortSide::kOut).size();
    for (std::size_t p = 0; p < ports; ++p)
      anchors_[entry.first_output + p] = before.anchors_[found->second->first_output + p];
  }
}

}  // namespace arges::hybrid_devs
