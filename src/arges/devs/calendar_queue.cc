#include "arges/devs/calendar_queue.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "arges/devs/cache.h"

namespace arges::devs {

namespace {
// What a pop may cost on average, in buckets and events looked at, before the width is chosen anew.
constexpr std::uint64_t kWorkPerPop = 8;
constexpr std::size_t kSample = 256;  // of the earliest events, for the width
constexpr double kEventsPerDay = 2;

constexpr auto kLatestFirst = [](const EventQueue::Entry& a, const EventQueue::Entry& b) {
  return a.time > b.time;
};
}  // namespace

void CalendarQueue::insert(std::uint32_t id, double time) {
  ++size_;
  put(id, time);
  if (size_ > 2 * size_at_rebuild_ + 64) [[unlikely]]
    rebuild();
}

void CalendarQueue::move(std::uint32_t id, double from, double to) {
  take_out(id, from);
  put(id, to);
}

void CalendarQueue::erase(std::uint32_t id, double time) {
  take_out(id, time);
  --size_;
}

inline void CalendarQueue::put(std::uint32_t id, double time) {
  const std::uint64_t day = day_of(time);
  if (day <= today_) {
    put_today(id, time);
    return;
  }
  if (day < today_ + kSoon) {
    put_later(id, time, day);
    return;
  }
  // The line is not in the cache: ask for it, and write when it is there.
  fetch_into_cache(&buckets_[day & mask_]);
  Waiting& oldest = waiting_[next_waiting_];
  if (oldest.day != 0) put_later(oldest.id, oldest.time, oldest.day);
  oldest = {time, day, id};
  next_waiting_ = (next_waiting_ + 1) % kWaiting;
  first_waiting_day_ = std::min(first_waiting_day_, day);
}

inline void CalendarQueue::put_later(std::uint32_t id, double time, std::uint64_t day) {
  Bucket& bucket = buckets_[day & mask_];
  if (bucket.used == Bucket::kCapacity) [[unlikely]]
    make_room(bucket);
  bucket.time[bucket.used] = time;
  bucket.id[bucket.used] = id;
  bucket.used = bucket.used + 1;
}

void CalendarQueue::write_waiting() {
  for (Waiting& waiting : waiting_) {
    if (waiting.day != 0) put_later(waiting.id, waiting.time, waiting.day);
    waiting = {};
  }
  first_waiting_day_ = kNever;
}

inline void CalendarQueue::put_today(std::uint32_t id, double time) {
  std::size_t at = today_list_.size();
  today_list_.push_back({time, id});
  for (; at > 0 && today_list_[at - 1].time < time; --at) {
    today_list_[at] = today_list_[at - 1];
    ++work_;
  }
  today_list_[at] = {time, id};
}

// Moves the full line into the spill.
void CalendarQueue::make_room(Bucket& bucket) {
  if (free_spill_.empty()) {
    if (spill_.empty()) spill_.emplace_back();
    free_spill_.push_back(static_cast<std::uint32_t>(spill_.size()));
    spill_.emplace_back();
  }
  const std::uint32_t line = free_spill_.back();
  free_spill_.pop_back();
  spill_[line] = bucket;
  bucket.used = 0;
  bucket.next = line;
}

// Looks for the id in its day.
void CalendarQueue::take_out(std::uint32_t id, double time) {
  write_waiting();
  const std::uint64_t day = day_of(time);
  if (day <= today_) {
    const auto found = std::find_if(today_list_.rbegin(), today_list_.rend(),
                                    [&](const Entry& entry) { return entry.id == id; });
    work_ += static_cast<std::uint64_t>(found - today_list_.rbegin());
    today_list_.erase(std::next(found).base());
    return;
  }
  Bucket* bucket = &buckets_[day & mask_];
  for (;; bucket = &spill_[bucket->next]) {
    ++work_;
    for (std::uint32_t i = 0; i < bucket->used; ++i) {
      if (bucket->id[i] != id) continue;
      const std::uint32_t last = bucket->used - 1;
      bucket->time[i] = bucket->time[last];
      bucket->id[i] = bucket->id[last];
      bucket->used = last;
      return;
    }
  }
}

// Moves the events of today out of their bucket into the sorted list, which is empty.
inline void CalendarQueue::take_day(Bucket& bucket) {
  Bucket* line = &bucket;
  for (;;) {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < line->used; ++i) {
      if (day_of(line->time[i]) > today_) {  // of a later year
        line->time[kept] = line->time[i];
        line->id[kept++] = line->id[i];
      } else {
        today_list_.push_back({line->time[i], line->id[i]});
      }
    }
    work_ += line->used;
    line->used = kept;
    // Empty lines of the spill go.
    while (line->next != 0) {
      Bucket& next = spill_[line->next];
      const bool later = std::any_of(next.time, next.time + next.used,
                                     [&](double time) { return day_of(time) > today_; });
      if (later) break;
      for (std::uint32_t i = 0; i < next.used; ++i) {
        today_list_.push_back({next.time[i], next.id[i]});
      }
      work_ += next.used;
      free_spill_.push_back(line->next);
      line->next = next.next;
    }
    if (line->next == 0) break;
    line = &spill_[line->next];
  }
  if (today_list_.size() > 8) {
    std::sort(today_list_.begin(), today_list_.end(), kLatestFirst);
    return;
  }
  for (std::size_t i = 1; i < today_list_.size(); ++i) {
    const Entry entry = today_list_[i];
    std::size_t at = i;
    for (; at > 0 && today_list_[at - 1].time < entry.time; --at) {
      today_list_[at] = today_list_[at - 1];
    }
    today_list_[at] = entry;
  }
}

// The objects of the events of a coming day, and what those of a nearer one point to.
inline void CalendarQueue::fetch_ahead() const {
  constexpr std::uint64_t kFar = 32, kNear = 16, kNext = 8;
  fetch_into_cache(&buckets_[(today_ + kFar) & mask_]);
  if (objects_.size == 0) return;
  const Bucket& near = buckets_[(today_ + kNear) & mask_];
  for (std::uint32_t i = 0; i < near.used; ++i) {
    fetch_into_cache(objects_.first + near.id[i] * objects_.size);
  }
  const Bucket& next = buckets_[(today_ + kNext) & mask_];
  for (std::uint32_t i = 0; i < next.used; ++i) {
    const void* more;
    std::memcpy(&more, objects_.first + next.id[i] * objects_.size + objects_.pointer, sizeof more);
    fetch_into_cache(more);
  }
}

// To the next day with events; there are some.
void CalendarQueue::next_day() {
  for (std::uint64_t looked = 0; today_list_.empty(); ++looked) {
    if (looked > mask_) {
      jump_to_earliest();
      return;
    }
    ++today_;
    ++work_;
    if (today_ + kSoon / 2 > first_waiting_day_) write_waiting();
    fetch_ahead();
    Bucket& bucket = buckets_[today_ & mask_];
    if (bucket.used + bucket.next > 0) take_day(bucket);
  }
}

template <class Visit>
void CalendarQueue::for_each_later(const Visit& visit) const {
  for (const Bucket& bucket : buckets_) {
    for (const Bucket* line = &bucket;; line = &spill_[line->next]) {
      for (std::uint32_t i = 0; i < line->used; ++i) visit(Entry{line->time[i], line->id[i]});
      if (line->next == 0) break;
    }
  }
}

// A year without events: look at all of them.
void CalendarQueue::jump_to_earliest() {
  write_waiting();
  std::uint64_t earliest = std::numeric_limits<std::uint64_t>::max();
  for_each_later([&](const Entry& entry) {
    earliest = std::min(earliest, day_of(entry.time));
    ++work_;
  });
  today_ = earliest;
  take_day(buckets_[today_ & mask_]);
}

double CalendarQueue::min_time() {
  if (today_list_.empty()) {
    if (size_ == 0) return std::numeric_limits<double>::infinity();
    next_day();
  }
  return today_list_.back().time;
}

void CalendarQueue::pop_until(double last, std::vector<std::uint32_t>& due) {
  while (min_time() <= last) {
    due.push_back(today_list_.back().id);
    today_list_.pop_back();
    --size_;
    ++pops_;
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
  write_waiting();
  entries.insert(entries.end(), today_list_.begin(), today_list_.end());
  for_each_later([&](const Entry& entry) { entries.push_back(entry); });
  today_list_.clear();
  spill_.clear();
  free_spill_.clear();
  std::fill(buckets_.begin(), buckets_.end(), Bucket{});
  size_ = 0;
}

void CalendarQueue::rebuild() {
  std::vector<Entry> entries;
  entries.reserve(size_);
  drain(entries);
  size_ = size_at_rebuild_ = entries.size();
  pops_ = work_ = 0;
  const std::size_t sample = std::min(kSample, entries.size());
  if (sample > 0) {
    const auto last = entries.begin() + static_cast<std::ptrdiff_t>(sample - 1);
    std::nth_element(entries.begin(), last, entries.end(),
                     [](const Entry& a, const Entry& b) { return a.time < b.time; });
    base_ = std::max_element(entries.begin(), last + 1, kLatestFirst)->time;
    double width = kEventsPerDay * (last->time - base_) / static_cast<double>(sample);
    // Many ties: any width that is not too small for counting days.
    const double least = std::max(std::abs(base_) * 1e-14, 1e-300);
    width = std::max(width, least);
    per_day_ = 1 / width;
    std::sort(entries.begin(), last + 1, kLatestFirst);  // the present day's list begins with them
  }
  today_ = 0;
  const std::size_t count = std::bit_ceil(std::max<std::size_t>(entries.size(), 64));
  buckets_.assign(count, Bucket{});
  mask_ = count - 1;
  for (const Entry& entry : entries) put(entry.id, entry.time);
  work_ = 0;
}

}  // namespace arges::devs
