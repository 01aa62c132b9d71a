// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A thread's vector lanes that run as one (Lane::folded).
#include "Lane.hpp"

#include "../memory/Hot.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace teamsan {

namespace {

std::atomic<bool> told_apart{false};

struct Room {
  static constexpr std::size_t least = 4096;
  struct Free {
    void operator()(void* at) const { ::operator delete(at, std::align_val_t(folded_values_alignment)); }
  };
  std::unique_ptr<void, Free> at;
  std::size_t bytes;
};

/// Of the worker, whose lanes stay on its thread: rooms in use lie before those that are free.
struct Rooms {
  std::vector<Room> all;
  std::size_t used = 0;
};
Rooms& rooms_of_this_thread() {
  thread_local Rooms rooms;
  return rooms;
}

}  // namespace

bool tell_vector_lanes_apart() noexcept {
  told_apart.store(true, std::memory_order_relaxed);
  return true;
}
bool vector_lanes_are_told_apart() noexcept { return told_apart.load(std::memory_order_relaxed); }

void* take_folded_values(std::size_t bytes) {
  RuntimeScope const scope;
  Rooms& rooms = rooms_of_this_thread();
  for (std::size_t i = rooms.used; i != rooms.all.size(); ++i)
    if (rooms.all[i].bytes >= bytes) {
      std::swap(rooms.all[i], rooms.all[rooms.used]);
      return rooms.all[rooms.used++].at.get();
    }
  std::size_t const room = std::max(bytes, Room::least);
  void* const made = ::operator new(room, std::align_val_t(folded_values_alignment));
  rooms.all.push_back({std::unique_ptr<void, Room::Free>(made), room});
  std::swap(rooms.all.back(), rooms.all[rooms.used]);
  return rooms.all[rooms.used++].at.get();
}

void give_back_folded_values(void* values) {
  RuntimeScope const scope;
  Rooms& rooms = rooms_of_this_thread();
  for (std::size_t i = rooms.used; i != 0; --i)
    if (rooms.all[i - 1].at.get() == values) {
      std::swap(rooms.all[i - 1], rooms.all[--rooms.used]);
      return;
    }
}

}  // namespace teamsan
