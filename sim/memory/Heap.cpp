// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Heap.hpp"

#include "../base/Arena.hpp"
#include "../base/LaneTable.hpp"
#include "../base/PatientMutex.hpp"
#include "AddressSpace.hpp"
#include "GlobalShadow.hpp"
#include "Migration.hpp"
#include "OwnerTable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace teamsan {

namespace {

constexpr std::size_t granule = arena::granule_bytes;

std::atomic<bool> g_out_of_memory = false;

/// All allocations whose addresses were not used again, and where new ones go.
class Heap {
 public:
  Heap() {
    arena::reserve();
    __teamsan_lane_table.allocations = &m_records;
  }

  Allocation& allocate(AllocationRequest const& request, std::function<void(Allocation const&)> const& made) {
    std::lock_guard const lock(m_mutex);
    std::size_t bytes = request.bytes;
    std::size_t const payload = bytes - request.header_bytes;
    // One granule of nobody's land behind each block, so that running past the end meets no neighbour.
    std::size_t const reserved = (bytes + granule - 1) / granule * granule + granule;
    AddressSpace& addresses = m_addresses[static_cast<int>(request.space)];
    std::uintptr_t const used = addresses.used_until();
    std::uintptr_t const begin = bytes < arena::global_bytes ? addresses.take(reserved) : 0;
    if (begin == 0)
      throw OutOfMemory(fmt::format("teamsan: the simulated address space is used up: {} bytes asked for \"{}\"", bytes,
                                    request.label));
    keep_in_core_files(request.space, begin + reserved);
    forget({begin, begin + reserved});
    std::uint32_t const index = take_record();
    Allocation& a = m_records[index];
    a.begin = begin;
    a.reserved = reserved;
    m_by_begin.emplace(begin, index);
    a.header_bytes = request.header_bytes;
    a.shape = request.shape;
    // Kokkos rounds up to 8 bytes; a View ends with its last element.
    if (a.shape.known()) bytes = a.header_bytes + a.shape.span() * a.shape.element_bytes;
    a.bytes = bytes;
    a.space = request.space;
    a.live = true;
    a.freed_in = 0;
    a.serial = m_serial.fetch_add(1, std::memory_order_relaxed) + 1;
    a.label = request.label;
    a.calls = request.calls;
    a.usm = request.system ? UsmKind::system : UsmKind::none;
    a.context = no_context;
    a.host_only = a.unseen_store = false;
    a.written_at = 0;
    a.pages = a.space == Space::shared ? migration::pages_of_new(a.label, payload) : nullptr;
    if (!request.system) m_space_bytes[static_cast<int>(a.space)] += bytes;
    made(a);
    if (begin < used) {
      if (request.zeroed) make_zero(begin, begin + reserved);
      global_shadow::reset(a.begin, bytes);
    }
    // The last granule is nobody's: an access there is past the end of this block.
    owner_table::set(begin, begin + reserved, index);
    return a;
  }

  bool deallocate(void* pointer, std::function<void(Allocation const*)> const& freed) {
    std::lock_guard const lock(m_mutex);
    auto const found = m_by_begin.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (found == m_by_begin.end() || !m_records[found->second].live) {
      freed(nullptr);
      return false;
    }
    Allocation& a = m_records[found->second];
    freed(&a);
    a.freed_in = m_launch;
    a.live = false;
    m_freed.fetch_add(1, std::memory_order_release);
    if (a.usm != UsmKind::system) m_space_bytes[static_cast<int>(a.space)] -= a.bytes;
    AddressSpace& addresses = m_addresses[static_cast<int>(a.space)];
    AddressRange const block{a.begin, a.begin + a.reserved};
    addresses.give_back(block);
    // Its pages go back to the system, in units of which nobody has any: the first and the last may be shared with neighbours.
    std::uintptr_t first = block.begin / unit * unit, last = (block.end + unit - 1) / unit * unit;
    bool const all_of_first = addresses.is_idle({first, first + unit}), all_of_last = addresses.is_idle({last - unit, last});
    if (!all_of_first) first += unit;
    if (!all_of_last) last -= unit;
    if (first >= last) return true;
    if (block.bytes() >= AddressSpace::large)
      discard({first, last});
    else
      discard_later({first, last});
    return true;
  }

  std::size_t taken(Space space) {
    std::lock_guard const lock(m_mutex);
    return m_space_bytes[static_cast<int>(space)];
  }

  Allocation const* owner(std::uintptr_t address) const {
    if (!arena::contains(arena::global, arena::global_bytes, address)) return nullptr;
    std::uint32_t const index = owner_table::of(address);
    return index == 0 ? nullptr : &m_records[index];
  }

  Allocation const* nearest(std::uintptr_t address) {
    std::lock_guard const lock(m_mutex);
    auto const after = m_by_begin.upper_bound(address);
    Allocation const* const above = after == m_by_begin.end() ? nullptr : &m_records[after->second];
    Allocation const* const below = after == m_by_begin.begin() ? nullptr : &m_records[std::prev(after)->second];
    if (below != nullptr && address < below->begin + below->reserved) return below;
    if (above == nullptr || below == nullptr) return above != nullptr ? above : below;
    return above->data() - address < address - below->end() ? above : below;
  }

  void hold(std::uint64_t launch) {
    std::lock_guard const lock(m_mutex);
    ++m_holders;
    if (launch != 0) m_launch = launch;
  }

  void let_go(std::uint64_t launch) {
    std::lock_guard const lock(m_mutex);
    if (launch != 0) m_launch = 0;
    if (--m_holders != 0) return;
    m_spare.insert(m_spare.end(), m_replaced.begin(), m_replaced.end());
    m_replaced.clear();
  }

  void note_unseen_store(std::uintptr_t address) {
    std::lock_guard const lock(m_mutex);
    if (std::uint32_t const index = owner_table::of(address); index != 0) m_records[index].unseen_store = true;
  }

  void for_each(void (*f)(Allocation const&, void*), void* context) {
    std::lock_guard const lock(m_mutex);
    for (auto const& [begin, index] : m_by_begin)
      if (m_records[index].live) f(m_records[index], context);
  }

  void assume_written() { m_written_until.store(m_serial.load(std::memory_order_relaxed), std::memory_order_relaxed); }
  bool may_be_written_unseen(std::uintptr_t address) const {
    std::uint64_t const until = m_written_until.load(std::memory_order_relaxed);
    if (until == 0) return false;
    Allocation const* const a = owner(address);
    return a == nullptr || a->serial <= until;
  }

  std::uint64_t freed() const { return m_freed.load(std::memory_order_acquire); }

 private:
  /// The addresses are about to be used again: allocations that had some of them are forgotten.
  void forget(AddressRange range) {
    auto known = m_by_begin.lower_bound(range.begin);
    if (known != m_by_begin.begin()) {
      Allocation const& below = m_records[std::prev(known)->second];
      if (below.begin + below.reserved > range.begin) --known;
    }
    while (known != m_by_begin.end() && known->first < range.end) {
      Allocation const& old = m_records[known->second];
      owner_table::set(old.begin, old.begin + old.reserved, 0);
      (m_holders == 0 ? m_spare : m_replaced).push_back(known->second);  // somebody may be reading what was there
      known = m_by_begin.erase(known);
    }
  }

  /// Memory that is new holds zeros: that is how stores which nobody saw are known. Of memory that was used before, what fills
  /// a whole unit went back to the system when it was freed, or is to go.
  void make_zero(std::uintptr_t begin, std::uintptr_t end) {
    std::uintptr_t const first = std::min(end, (begin + unit - 1) / unit * unit), last = std::max(first, end / unit * unit);
    std::memset(reinterpret_cast<void*>(begin), 0, first - begin);
    std::memset(reinterpret_cast<void*>(last), 0, end - last);
    auto const kept_until = m_idle_units.lower_bound(last);
    for (auto kept = m_idle_units.lower_bound(first); kept != kept_until; kept = m_idle_units.erase(kept))
      std::memset(reinterpret_cast<void*>(*kept), 0, unit);
  }

  static void discard(AddressRange range) {
    arena::discard(range.begin, range.bytes());
    global_shadow::discard(range.begin, range.bytes());
  }

  /// A program that makes and frees small allocations without end would have the system bring the same pages again and again.
  void discard_later(AddressRange units) {
    for (std::uintptr_t u = units.begin; u < units.end; u += unit) m_idle_units.insert(u);
    if (m_idle_units.size() < most_idle_units) return;
    for (std::uintptr_t const u : std::exchange(m_idle_units, {})) {
      AddressRange const range{u, u + unit};
      auto const has = [u](std::size_t space) { return begins[space] <= u && u < ends[space]; };
      std::size_t const space = has(0) ? 0 : has(1) ? 1 : 2;
      if (m_addresses[space].is_idle(range)) discard(range);
    }
  }

  static constexpr std::uintptr_t unit = AddressSpace::large;
  static constexpr std::size_t most_idle_units = AddressSpace::small_rest / unit * 3 / 2;

  std::uint32_t take_record() {
    if (m_spare.empty()) return m_records.add();
    std::uint32_t const index = m_spare.back();
    m_spare.pop_back();
    return index;
  }

  void keep_in_core_files(Space space, std::uintptr_t end) {
    std::uintptr_t& kept = m_in_core_files[static_cast<int>(space)];
    if (end <= kept) return;
    std::uintptr_t const until = std::min(ends[static_cast<int>(space)], end + 16 * arena::MiB);  // each is a system call
    arena::keep_in_core_files(kept, until - kept);
    kept = until;
  }

  PatientMutex m_mutex;
  AllocationTable m_records;
  std::uint32_t m_holders = 0;
  std::uint64_t m_launch = 0;              ///< the running one; 0: none
  std::atomic<std::uint64_t> m_freed{0};   ///< so many were
  std::vector<std::uint32_t> m_replaced;   ///< records whose addresses are others' by now: spare once nobody holds them
  std::vector<std::uint32_t> m_spare;
  std::map<std::uintptr_t, std::uint32_t> m_by_begin;
  std::size_t m_space_bytes[3] = {0, 0, 0};
  std::atomic<std::uint64_t> m_serial{0};
  std::atomic<std::uint64_t> m_written_until{0};  ///< what has no later serial may be written unseen
  static constexpr std::uintptr_t begins[3] = {arena::device, arena::shared, arena::pinned};
  static constexpr std::uintptr_t ends[3] = {arena::device + arena::device_bytes, arena::shared + arena::shared_bytes,
                                             arena::pinned + arena::pinned_bytes};
  // No block begins where a space does: what lies just below is nobody's.
  AddressSpace m_addresses[3] = {AddressSpace({begins[0] + granule, ends[0]}), AddressSpace({begins[1] + granule, ends[1]}),
                                 AddressSpace({begins[2] + granule, ends[2]})};
  std::set<std::uintptr_t> m_idle_units;  ///< nobody has any of it; pages of small blocks, that are to go back
  std::uintptr_t m_in_core_files[3] = {begins[0], begins[1], begins[2]};
};

Heap& the_heap() {
  static Heap* const h = new Heap;  // outlives exit handlers
  return *h;
}

}  // namespace

OutOfMemory::OutOfMemory(std::string const& sentence) : std::runtime_error(sentence) { g_out_of_memory = true; }

bool was_out_of_memory() noexcept { return g_out_of_memory; }

namespace heap {

Allocation& allocate(AllocationRequest const& request, std::function<void(Allocation const&)> const& made) {
  return the_heap().allocate(request, made);
}

bool deallocate(void* pointer, std::function<void(Allocation const*)> const& freed) {
  return the_heap().deallocate(pointer, freed);
}

std::size_t taken(Space space) { return the_heap().taken(space); }

}  // namespace heap

std::uint32_t AllocationTable::add() {
  if (m_next / per_chunk == m_chunks.size())
    throw OutOfMemory(fmt::format("teamsan: more than {} allocations are live or kept in mind", m_next));
  auto& chunk = m_chunks[m_next / per_chunk];
  if (chunk == nullptr) chunk = std::make_unique<Allocation[]>(per_chunk);
  return m_next++;
}

AllocationsHeld::AllocationsHeld(std::uint64_t launch) : m_launch(launch) { the_heap().hold(launch); }
AllocationsHeld::~AllocationsHeld() { the_heap().let_go(m_launch); }

std::uint64_t freed_allocations() noexcept { return the_heap().freed(); }

Allocation const* find_allocation(std::uintptr_t address) noexcept { return the_heap().owner(address); }

void note_unseen_store(std::uintptr_t address) { the_heap().note_unseen_store(address); }
bool has_unseen_store(std::uintptr_t address) {
  Allocation const* const a = find_allocation(address);
  return a != nullptr && a->unseen_store;
}

void assume_written() { the_heap().assume_written(); }
bool may_be_written_unseen(std::uintptr_t address) { return the_heap().may_be_written_unseen(address); }

Allocation const* nearest_allocation(std::uintptr_t address) noexcept { return the_heap().nearest(address); }

void for_each_allocation(void (*f)(Allocation const&, void*), void* context) { the_heap().for_each(f, context); }

}  // namespace teamsan
