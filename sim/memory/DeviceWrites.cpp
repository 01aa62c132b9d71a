// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeviceWrites.hpp"

#include "../base/Arena.hpp"

#include <atomic>

namespace teamsan::device_writes {

namespace {
std::atomic<std::uint64_t> now{1}, all_written_at{1};
}  // namespace

std::uint64_t moment() { return now.load(); }

void note(std::uintptr_t begin, std::uintptr_t end) {
  if (begin >= end || begin >= arena::device + arena::device_bytes || end <= arena::device) return;
  AllocationsHeld const held;
  Allocation const* const a = find_allocation(begin);
  // Views of one allocation lie between its ends; whatever does not is rare.
  if (a == nullptr || begin < a->begin || end > a->begin + a->reserved) return note_all();
  a->written_at.store(now.fetch_add(1) + 1);
}

void note_host(std::uintptr_t begin, std::size_t bytes) {
  if (begin >= arena::device + arena::device_bytes || begin + bytes <= arena::device) return;
  all_written_at.store(~std::uint64_t{0});
}

void note_all() {
  std::uint64_t const moment = now.fetch_add(1) + 1;
  std::uint64_t latest = all_written_at.load();
  while (latest < moment && !all_written_at.compare_exchange_weak(latest, moment)) {}
}

bool is_as_it_was(Allocation const& a, std::uint64_t since) {
  return a.live && a.written_at.load() <= since && all_written_at.load() <= since;
}

}  // namespace teamsan::device_writes
