#include "arges/devs/calendar_queue.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace arges::devs {

namespace {
// What a pop may cost on average, in buckets and events looked at, before the width is chosen anew.
constexpr std::uint64_t kWorkPerPop = 8;
constexpr std::size_t kSample = 256;  // of the earliest events, for the width
constexpr double kEventsPerDay = 1.5;
}  // namespace

void CalendarQueue::set(std::uint32_t id, double time) {
  if (id >= nodes_.size()) [[unlikely]] {
    nodes_.resize(std::max<std::size_t>(id + 1, 2 * nodes_.size()));
  }
  if (nodes_[id].next != kAbsent) {
    unlink(id);
  } else {
    ++size_;
  }
  insert(id, time);
  if (size_ > 2 * size_at_rebuild_ + 64) [[unlikely]]
    rebuild();
}

void CalendarQueue::erase(std::uint32_t id) {
  unlink(id);
  nodes_[id].next = kAbsent;
  --size_;
}

inline void CalendarQueue::insert(std::uint32_t id, double time) {
  const std::uint64_t day = day_of(time);
  if (day <= today_) {
    insert_today(id, time);
    return;
  }
  std::uint32_t& head = buckets_[day & mask_];
  nodes_[id] = {time, head};
  head = id;
}

inline void CalendarQueue::insert_today(std::uint32_t id, double time) {
  std::uint32_t* link = &first_;
  while (*link != kNil && nodes_[*link].time < time) {
    link = &nodes_[*link].next;
    ++work_;
  }
  nodes_[id] = {time, *link};
  *link = id;
}

// Looks for the id in the list of its day.
void CalendarQueue::unlink(std::uint32_t id) {
  const std::uint64_t day = day_of(nodes_[id].time);
  std::uint32_t* link = day <= today_ ? &first_ : &buckets_[day & mask_];
  while (*link != id) {
    link = &nodes_[*link].next;
    ++work_;
  }
  *link = nodes_[id].next;
}

// Moves the events of today out of their bucket into the sorted list.
inline void CalendarQueue::take_day(std::uint32_t bucket) {
  std::uint32_t* link = &buckets_[bucket];
  for (int taken = 0; *link != kNil;) {
    const std::uint32_t id = *link;
    ++work_;
    if (day_of(nodes_[id].time) > today_) {  // of a later year
      link = &nodes_[id].next;
      continue;
    }
    if (++taken > 8) {
      take_long_day(bucket);
      return;
    }
    *link = nodes_[id].next;
    insert_today(id, nodes_[id].time);
  }
}

void CalendarQueue::take_long_day(std::uint32_t bucket) {
  scratch_.clear();
  for (std::uint32_t id = first_; id != kNil; id = nodes_[id].next) {
    scratch_.push_back({nodes_[id].time, id});
  }
  std::uint32_t* link = &buckets_[bucket];
  while (*link != kNil) {
    const std::uint32_t id = *link;
    ++work_;
    if (day_of(nodes_[id].time) > today_) {
      link = &nodes_[id].next;
    } else {
      scratch_.push_back({nodes_[id].time, id});
      *link = nodes_[id].next;
    }
  }
  std::sort(scratch_.begin(), scratch_.end(),
            [](const Entry& a, const Entry& b) { return a.time < b.time; });
  std::uint32_t* last = &first_;
  for (const Entry& entry : scratch_) {
    *last = entry.id;
    last = &nodes_[entry.id].next;
  }
  *last = kNil;
}

// The first events of coming days: their nodes, nearer ones' objects, and what these point to.
inline void CalendarQueue::fetch_ahead() const {
  constexpr std::uint64_t kFar = 12, kNear = 7, kNext = 3;
  const std::uint32_t far = buckets_[(today_ + kFar) & mask_];
  if (far != kNil) __builtin_prefetch(&nodes_[far]);
  if (objects_.size == 0) return;
  const std::uint32_t near = buckets_[(today_ + kNear) & mask_];
  if (near != kNil) __builtin_prefetch(objects_.first + near * objects_.size);
  const std::uint32_t next = buckets_[(today_ + kNext) & mask_];
  if (next != kNil) {
    const void* more;
    std::memcpy(&more, objects_.first + next * objects_.size + objects_.pointer, sizeof more);
    __builtin_prefetch(more);
  }
}

// To the next day with events; there are some.
void CalendarQueue::next_day() {
  for (std::uint64_t looked = 0; first_ == kNil; ++looked) {
    if (looked > mask_) {
      jump_to_earliest();
      return;
    }
    ++today_;
    ++work_;
    fetch_ahead();
    const auto bucket = static_cast<std::uint32_t>(today_ & mask_);
    if (buckets_[bucket] != kNil) take_day(bucket);
  }
}

// A year without events: look at all of them.
void CalendarQueue::jump_to_earliest() {
  std::uint64_t earliest = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint32_t head : buckets_) {
    for (std::uint32_t id = head; id != kNil; id = nodes_[id].next) {
      earliest = std::min(earliest, day_of(nodes_[id].time));
      ++work_;
    }
  }
  today_ = earliest;
  take_day(static_cast<std::uint32_t>(today_ & mask_));
}

double CalendarQueue::min_time() {
  if (first_ == kNil) {
    if (size_ == 0) return std::numeric_limits<double>::infinity();
    next_day();
  }
  return nodes_[first_].time;
}

void CalendarQueue::pop_until(double last, std::vector<std::uint32_t>& due) {
  while (min_time() <= last) {
    const std::uint32_t id = first_;
    first_ = nodes_[id].next;
    nodes_[id].next = kAbsent;
    --size_;
    ++pops_;
    due.push_back(id);
  }
  const bool fewer = size_ + 64 < size_at_rebuild_ / 4;
  const bool costly = pops_ > 1000 + size_at_rebuild_ && work_ > kWorkPerPop * pops_;
  if (fewer || costly) {
    rebuilds_in_vain_ = costly ? rebuilds_in_vain_ + 1 : 0;
    if (rebuilds_in_vain_ > 3) uneven_ = true;
    rebuild();
  } else if (pops_ > 4 * (1000 + size_at_rebuild_)) {
    rebuilds_in_vain_ = 0;  // the width has served well
    pops_ = work_ = 0;
  }
}

void CalendarQueue::drain(std::vector<Entry>& entries) {
  const auto take = [&](std::uint32_t id) {
    while (id != kNil) {
      entries.push_back({nodes_[id].time, id});
      const std::uint32_t next = nodes_[id].next;
      nodes_[id].next = kAbsent;
      id = next;
    }
  };
  take(first_);
  for (const std::uint32_t head : buckets_) take(head);
  first_ = kNil;
  std::fill(buckets_.begin(), buckets_.end(), kNil);
  size_ = 0;
}

void CalendarQueue::rebuild() {
  std::vector<Entry> entries;
  entries.reserve(size_);
  drain(entries);
  size_ = size_at_rebuild_ = entries.size();
  pops_ = work_ = 0;
  const auto by_time = [](const Entry& a, const Entry& b) { return a.time < b.time; };
  const std::size_t sample = std::min(kSample, entries.size());
  if (sample > 0) {
    std::nth_element(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(sample - 1),
                     entries.end(), by_time);
    const auto earliest = std::min_element(
        entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(sample), by_time);
    base_ = earliest->time;
    double width = kEventsPerDay * (entries[sample - 1].time - base_) / static_cast<double>(sample);
    // Many ties: any width that is not too small for counting days.
    const double least = std::max(std::abs(base_) * 1e-14, 1e-300);
    width = std::max(width, least);
    per_day_ = 1 / width;
  }
  today_ = 0;
  const std::size_t count = std::bit_ceil(std::max<std::size_t>(2 * entries.size(), 64));
  buckets_.assign(count, kNil);
  mask_ = count - 1;
  std::sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(sample),
            [](const Entry& a, const Entry& b) { return a.time > b.time; });  // today: at the head
  for (const Entry& entry : entries) insert(entry.id, entry.time);
  work_ = 0;
}

}  // namespace arges::devs
