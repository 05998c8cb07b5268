// What is counted and written down of an instant: the part of the Simulator that makes the event
// log.

#include <algorithm>
#include <cmath>

#include "arges/hybrid/context_changes.h"
#include "arges/hybrid/mode_runtime.h"

namespace arges {

namespace {

// Each mode has its own copy of a discrete variable around its blocks: what one copy loses and
// another gets is one variable, from the value of the first to that of the second.
void join_copies(std::vector<EventChange>& changes) {
  for (std::size_t i = 0; i < changes.size();) {
    EventChange& lost = changes[i];
    const auto got = std::find_if(changes.begin(), changes.end(), [&](const EventChange& other) {
      return std::isnan(lost.after) && std::isnan(other.before) && other.name == lost.name;
    });
    if (got == changes.end()) {
      ++i;
      continue;
    }
    lost.after = got->after;
    const bool same = lost.before == lost.after;
    const auto at = got - changes.begin();
    changes.erase(got);
    if (at < static_cast<std::ptrdiff_t>(i)) --i;
    if (same) changes.erase(changes.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

bool visibly_changed(const std::vector<VariableInfo>& variables, const std::vector<double>& before,
                     const std::vector<double>& after) {
  std::vector<EventChange> changes;
  note(variables, before, after, changes);
  return !changes.empty();
}

}  // namespace

// An event or timer that is due counts only when it changes something.
bool Simulator::needs_effect(const Due& due) const {
  const Schema& schema = system_.schema();
  return due.is_timer ? schema.timers[due.index].needs_effect
                      : schema.events[due.index].needs_effect;
}

// The first `done` of what was due has acted. A relation that is only there so that something can
// become true again has no effect when it does: no one would count that.
void Simulator::count_and_log(std::size_t done, bool effect) {
  for (std::size_t i = 0; sink_ != nullptr && i < done; ++i) {
    EventRecord& other = records_[listed_under(i, done)];
    if (!other.changes.empty() || records_[i].changes.empty()) continue;
    other.changes = std::move(records_[i].changes);
    other.kind = records_[i].kind;
  }
  for (std::size_t i = 0; i < done; ++i) {
    const Due& due = due_[i];
    const bool bookkeeping = !due.is_timer && system_.schema().events[due.index].bookkeeping;
    if (bookkeeping || (needs_effect(due) && !effect)) continue;
    if (listed_under(i, done) != i) continue;
    ++result_.events;
    if (sink_ != nullptr) sink_->event(records_[i]);
  }
}

// Relations on one expression that cross together are one event: that of the first that becomes
// true, or of the first of all.
std::size_t Simulator::listed_under(std::size_t due, std::size_t done) const {
  const auto expression = [&](std::size_t i) {
    return due_[i].is_timer ? -1 : system_.schema().events[due_[i].index].expression;
  };
  if (expression(due) < 0) return due;
  std::size_t first = done;
  for (std::size_t i = 0; i < done; ++i) {
    if (expression(i) != expression(due)) continue;
    if (due_[i].rising) return i;
    first = std::min(first, i);
  }
  return first;
}

// Something has changed since then that is not internal.
bool Simulator::has_effect(const Context& since) const {
  if (since.mode != context_.mode || since.solver != context_.solver ||
      !same(since.x, context_.x) || !same(since.p, context_.p) || !same(since.u, context_.u))
    return true;
  const auto& discretes = system_.schema().discretes;
  for (std::size_t i = 0; i < discretes.size(); ++i) {
    if (since.z[i] != context_.z[i] && !discretes[i].internal) return true;
  }
  return false;
}

void Simulator::note_changes(const Context& before, const Context& after,
                             EventRecord& record) const {
  const Schema& schema = system_.schema();
  const ModeInfo& old_mode = schema.modes[before.mode.index];
  const ModeInfo& new_mode = schema.modes[after.mode.index];
  const auto kind = [&](EventKind added) {
    if (record.kind.find(to_string(added)) != std::string::npos) return;
    if (!record.kind.empty()) record.kind += '+';
    record.kind += to_string(added);
  };
  const bool same_variables = old_mode.state_space == new_mode.state_space;
  if (before.mode != after.mode) {
    kind(same_variables ? EventKind::kFunction : EventKind::kStructure);
    record.changes.push_back(
        {"mode", static_cast<double>(before.mode.index), static_cast<double>(after.mode.index)});
  }
  if (before.solver != after.solver) kind(EventKind::kAlgorithm);
  if (visibly_changed(schema.parameters, before.p, after.p)) kind(EventKind::kParameter);
  if (!same(before.u, after.u)) kind(EventKind::kInput);
  // Another structure has its own discrete variables: that they differ says nothing more.
  if (same_variables && !same(before.z, after.z)) kind(EventKind::kFunction);
  if (same_variables && !same(before.x, after.x)) kind(EventKind::kState);
  note(schema.parameters, before.p, after.p, record.changes);
  note(schema.inputs, before.u, after.u, record.changes);
  note(schema.discretes, before.z, after.z, record.changes);
  if (schema.shares_names && before.mode != after.mode) join_copies(record.changes);
  if (same_variables) note(new_mode.states, before.x, after.x, record.changes);
  if (record.kind.empty()) kind(EventKind::kOutput);
}

}  // namespace arges
