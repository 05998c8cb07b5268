#pragma once
// One idle object for each thread.

#include <array>
#include <atomic>
#include <cstddef>

namespace arges {

// Objects that a call borrows and gives back. Threads have places of their own, in different cache
// lines: runs beside each other do not wait. Two threads may share a place when there are many;
// then the place is empty for the second one, which makes an object of its own. Thread safe.
template <class T>
class ThreadPlaces {
 public:
  ThreadPlaces() = default;
  ~ThreadPlaces() { clear(); }
  ThreadPlaces(const ThreadPlaces&) = delete;
  ThreadPlaces& operator=(const ThreadPlaces&) = delete;

  // Null: make one.
  T* take() { return place().exchange(nullptr); }
  void give_back(T* object) { delete place().exchange(object); }
  void clear() {
    for (Place& p : places_) delete p.object.exchange(nullptr);
  }

 private:
  static constexpr std::size_t kPlaces = 16;
  struct alignas(64) Place {
    std::atomic<T*> object{nullptr};
  };
  std::atomic<T*>& place() {
    static std::atomic<std::size_t> threads = 0;
    thread_local const std::size_t number = threads++ % kPlaces;
    return places_[number].object;
  }
  std::array<Place, kPlaces> places_;
};

}  // namespace arges
