// Which rates depend on which states, and the evaluation of some of them: the part of the
// ContinuousPart by which a change costs what its neighbours do.

#include "arges/hybrid_devs/continuous_part.h"

namespace arges::hybrid_devs {

void ContinuousPart::prepare_rows() {
  source_entry_.resize(inputs_.size());
  source_output_.resize(inputs_.size());
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    entry_of_row_.insert(entry_of_row_.end(), entry.x_count, i);
    const auto& ports = entry.model->ports(devs::PortSide::kOut);
    bool is_read = true;
    for (std::size_t p = 0; p < ports.size(); ++p) {
      const Targets& targets = targets_[entry.first_output + p];
      is_read = is_read && (targets.begin < targets.end || !is_continuous(ports[p]));
      for (std::uint32_t k = targets.begin; k < targets.end; ++k) {
        source_entry_[target_inputs_[k]] = i;
        source_output_[target_inputs_[k]] = static_cast<std::uint32_t>(entry.first_output + p);
      }
    }
    if (!is_read) unread_.push_back(i);
  }
  outputs_of_call_.resize(entries_.size());
  rates_of_call_.resize(entries_.size());
  rates_.resize(x_count_);
}

// f(entry) once for each entry whose states reach the rates of this one: itself, those that drive
// its inputs, and those that drive the inputs of Mealy ones among them.
template <class F>
void ContinuousPart::for_each_dependency(std::uint32_t reader, const F& f) const {
  ++call_;
  outputs_of_call_[reader] = call_;
  f(entries_[reader]);
  open_.assign(1, reader);
  while (!open_.empty()) {
    const Entry& entry = entries_[open_.back()];
    open_.pop_back();
    for (std::uint32_t k = inputs_begin(entry); k < inputs_end(entry); ++k) {
      const std::uint32_t source = source_entry_[k];
      if (outputs_of_call_[source] == call_) continue;
      outputs_of_call_[source] = call_;
      f(entries_[source]);
      if (entries_[source].behaviour->mealy) open_.push_back(source);
    }
  }
}

void ContinuousPart::declare_dependencies() {
  declare_rows(RowAccess::kRows);
  const auto entry_count = static_cast<std::uint32_t>(entries_.size());
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < entry_count; ++i) {
    if (entries_[i].x_count == 0) continue;  // it has no rows
    for_each_dependency(
        i, [&](const Entry& source) { count += entries_[i].x_count * source.x_count; });
  }
  if (2 * count > x_count_ * x_count_) return;  // dense is what it is
  std::vector<std::pair<StateId, StateId>> all;
  all.reserve(count);
  for (std::uint32_t i = 0; i < entry_count; ++i) {
    if (entries_[i].x_count == 0) continue;  // it has no rows
    for_each_dependency(i, [&](const Entry& source) {
      for (std::size_t row = 0; row < entries_[i].x_count; ++row) {
        for (std::size_t column = 0; column < source.x_count; ++column) {
          all.emplace_back(StateId{static_cast<int>(entries_[i].first_x + row)},
                           StateId{static_cast<int>(source.first_x + column)});
        }
      }
    });
  }
  declare_sparsity(all);
}

// The outputs of an entry, and before them those on which they depend, if that has not been done in
// this call. (Without recursion: Mealy components may form long chains.)
void ContinuousPart::bring_outputs(std::uint32_t of, double t, const double* x) const {
  open_.assign(1, of);
  while (!open_.empty()) {
    const std::uint32_t i = open_.back();
    const Entry& entry = entries_[i];
    if (outputs_of_call_[i] == call_) {
      open_.pop_back();
      continue;
    }
    const std::size_t before = open_.size();
    if (loop_of_[i] != devs::kNone) {
      const Loop& loop = loops_[loop_of_[i]];
      for (const std::uint32_t member : loop.members) {
        for (std::uint32_t k = inputs_begin(entries_[member]); k < inputs_end(entries_[member]);
             ++k) {
          const std::uint32_t source = source_entry_[k];
          const bool outside = loop_of_[source] != loop_of_[i];
          if (outside && outputs_of_call_[source] != call_) open_.push_back(source);
        }
      }
      if (open_.size() > before) continue;
      solve(loop, t, x);
      for (const std::uint32_t member : loop.members) outputs_of_call_[member] = call_;
      continue;
    }
    if (entry.behaviour->mealy) {
      for (std::uint32_t k = inputs_begin(entry); k < inputs_end(entry); ++k) {
        if (outputs_of_call_[source_entry_[k]] != call_) open_.push_back(source_entry_[k]);
        inputs_[k] = values_[source_output_[k]];
      }
      if (open_.size() > before) continue;
    }
    compute_outputs(entry, t, x);
    outputs_of_call_[i] = call_;
    open_.pop_back();
  }
}

void ContinuousPart::bring_inputs(const Entry& entry, double t, const double* x) const {
  for (std::uint32_t k = inputs_begin(entry); k < inputs_end(entry); ++k) {
    if (outputs_of_call_[source_entry_[k]] != call_) bring_outputs(source_entry_[k], t, x);
    inputs_[k] = values_[source_output_[k]];
  }
}

void ContinuousPart::derivatives_of(std::span<const int> rows, const Point& point,
                                    double* f) const {
  const std::lock_guard guard(evaluates_);
  ++call_;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto row = static_cast<std::size_t>(rows[k]);
    const std::uint32_t i = entry_of_row_[row];
    if (rates_of_call_[i] != call_) {
      const Entry& entry = entries_[i];
      bring_inputs(entry, point.t, point.x);
      compute_rates(entry, point.t, point.x, {rates_.data() + entry.first_x, entry.x_count});
      rates_of_call_[i] = call_;
    }
    f[k] = is_still(row, point) ? 0 : rates_[row];
  }
}

void ContinuousPart::look_at_unread(const Point& point) const {
  const std::lock_guard guard(evaluates_);
  ++call_;
  for (const std::uint32_t i : unread_) bring_outputs(i, point.t, point.x);
}

}  // namespace arges::hybrid_devs
