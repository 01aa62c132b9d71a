#include <teamsan/sim/memory/Allocations.hpp>
#include <teamsan/sim/memory/AddressSpace.hpp>
#include <teamsan/sim/base/Arena.hpp>
#include <teamsan/sim/memory/GlobalShadow.hpp>
#include <teamsan/sim/memory/MemoryLimit.hpp>
#include <teamsan/sim/memory/Migration.hpp>
#include <teamsan/sim/host/Outputs.hpp>
#include <teamsan/sim/memory/OwnerTable.hpp>
#include <teamsan/sim/host/HostMisuse.hpp>
#include <teamsan/sim/host/Limit.hpp>
#include <teamsan/sim/detect/MissingFence.hpp>
#include <teamsan/sim/base/LaneTable.hpp>
#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/memory/Hot.hpp>
#include <teamsan/sim/trace/Fields.hpp>
#include <teamsan/sim/trace/Recorder.hpp>

#include <teamsan/model/device/Device.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace teamsan {

namespace {

constexpr std::size_t granule = arena::granule_bytes;

std::atomic<bool> g_out_of_memory = false;
thread_local bool next_is_system = false;

/// All allocations whose addresses were not used again, and where new ones go.
class Heap {
 public:
  Heap() {
    arena::reserve();
    __teamsan_lane_table.allocations = &m_records;
  }

  void* allocate(Space space, std::size_t bytes, std::size_t header_bytes, std::string_view label) {
    bool const system = std::exchange(next_is_system, false);
    if (!system && !trace::replaying()) check_limit(space, bytes - header_bytes, label);
    memory_limit::check(label);
    RuntimeScope const scope;
    std::lock_guard const lock(m_mutex);
    std::size_t const asked = bytes;
    // One granule of nobody's land behind each block, so that running past the end meets no neighbour.
    std::size_t const reserved = (bytes + granule - 1) / granule * granule + granule;
    AddressSpace& addresses = m_addresses[static_cast<int>(space)];
    std::uintptr_t const used = addresses.end();
    std::uintptr_t const begin = bytes < arena::global_bytes ? addresses.take(reserved) : 0;
    if (begin == 0)
      throw OutOfMemory(fmt::format("teamsan: the simulated address space is used up: {} bytes asked for \"{}\"", bytes,
                                    label));
    keep_in_core_files(space, begin + reserved);
    forget({begin, begin + reserved});
    std::uint32_t const index = take_record();
    Allocation& a = m_records[index];
    a.begin = begin;
    a.reserved = reserved;
    m_by_begin.emplace(begin, index);
    a.header_bytes = header_bytes;
    a.shape = take_next_shape(bytes - header_bytes);
    // Kokkos rounds up to 8 bytes; a View ends with its last element.
    if (a.shape.known()) bytes = header_bytes + a.shape.span() * a.shape.element_bytes;
    a.bytes = bytes;
    a.space = space;
    a.live = true;
    a.freed_in = 0;
    a.serial = ++m_serial;
    a.label = label;
    a.usm = system ? UsmKind::system : UsmKind::none;
    a.context = no_context;
    a.host_only = a.unseen_store = false;
    a.pages = space == Space::shared ? migration::pages_of_new(a.label, bytes - header_bytes) : nullptr;
    if (!system) m_space_bytes[static_cast<int>(space)] += bytes;
    trace::record(traces::AllocateRecord{static_cast<std::uint8_t>(space), a.begin, asked, header_bytes, a.label,
                                         trace::fields_of(a.shape), system});
    if (begin < used && !trace::replaying()) make_zero(begin, begin + reserved);
    global_shadow::reset(a.begin, bytes);
    // The last granule is nobody's: an access there is past the end of this block.
    owner_table::set(begin, begin + reserved, index);
    return reinterpret_cast<void*>(a.begin);
  }

  void deallocate(void* pointer) {
    std::unique_lock lock(m_mutex);
    trace::record(traces::FreeRecord{reinterpret_cast<std::uintptr_t>(pointer)});
    auto const found = m_by_begin.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (found == m_by_begin.end() || !m_records[found->second].live) {
      lock.unlock();
      detect::bad_free(pointer);
      return;
    }
    Allocation& a = m_records[found->second];
    note_freed(a);
    a.freed_in = m_launch;
    a.live = false;
    if (a.usm != UsmKind::system) m_space_bytes[static_cast<int>(a.space)] -= a.bytes;
    AddressSpace& addresses = m_addresses[static_cast<int>(a.space)];
    AddressRange const block{a.begin, a.begin + a.reserved};
    addresses.give_back(block);
    // Its pages go back to the system, with those of small neighbours once all of them are freed.
    constexpr std::uintptr_t unit = AddressSpace::large;
    AddressRange const idle = addresses.idle_around(a.begin);
    std::uintptr_t const first = std::max(idle.begin, block.begin / unit * unit);
    std::uintptr_t const last = std::min(idle.end, (block.end + unit - 1) / unit * unit);
    if (idle.bytes() != 0 && last - first >= unit) {
      arena::discard(first, last - first);
      global_shadow::discard(first, last - first);
    }
  }

  void check_limit(Space space, std::size_t bytes, std::string_view label) {
    std::size_t taken = 0;
    {
      std::lock_guard const lock(m_mutex);
      taken = m_space_bytes[static_cast<int>(space)];
    }
    std::size_t const limit = space == Space::device        ? device_limit()
                              : space == Space::host_pinned ? pinned_limit()
                                                            : 0;  // shared memory may exceed the device's
    if (limit == 0 || (taken <= limit && bytes <= limit - taken)) return;
    trace::record(traces::AllocateRecord{static_cast<std::uint8_t>(space), 0, bytes, 0, std::string(label), {}, false});
    throw OutOfMemory(detect::report_memory_limit(space, label, bytes, taken, limit));
  }

  Allocation const* owner(std::uintptr_t address) const {
    if (!arena::contains(arena::global, arena::global_bytes, address)) return nullptr;
    std::uint32_t const index = owner_table::of(address);
    return index == 0 ? nullptr : &m_records[index];
  }

  Allocation const* nearest(std::uintptr_t address) {
    std::lock_guard const lock(m_mutex);
    auto after = m_by_begin.upper_bound(address);
    return after == m_by_begin.begin() ? nullptr : &m_records[std::prev(after)->second];
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
  /// a whole `large` went back to the system when it was freed.
  static void make_zero(std::uintptr_t begin, std::uintptr_t end) {
    constexpr std::uintptr_t unit = AddressSpace::large;
    std::uintptr_t const first = std::min(end, (begin + unit - 1) / unit * unit), last = std::max(first, end / unit * unit);
    std::memset(reinterpret_cast<void*>(begin), 0, first - begin);
    std::memset(reinterpret_cast<void*>(last), 0, end - last);
  }

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

  static std::size_t device_limit() {
    return options().device_memory != 0 ? options().device_memory : options().model().memory_bytes;
  }

  static std::size_t pinned_limit() {
    static std::size_t const machine =
        static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return options().pinned_memory != 0 ? options().pinned_memory : machine;
  }

  std::mutex m_mutex;
  AllocationTable m_records;
  std::uint32_t m_holders = 0;
  std::uint64_t m_launch = 0;              ///< the running one; 0: none
  std::vector<std::uint32_t> m_replaced;   ///< records whose addresses are others' by now: spare once nobody holds them
  std::vector<std::uint32_t> m_spare;
  std::map<std::uintptr_t, std::uint32_t> m_by_begin;
  std::size_t m_space_bytes[3] = {0, 0, 0};
  std::uint64_t m_serial = 0;
  static constexpr std::uintptr_t begins[3] = {arena::device, arena::shared, arena::pinned};
  static constexpr std::uintptr_t ends[3] = {arena::device + arena::device_bytes, arena::shared + arena::shared_bytes,
                                             arena::pinned + arena::pinned_bytes};
  // No block begins where a space does: what lies just below is nobody's.
  AddressSpace m_addresses[3] = {AddressSpace({begins[0] + granule, ends[0]}), AddressSpace({begins[1] + granule, ends[1]}),
                                 AddressSpace({begins[2] + granule, ends[2]})};
  std::uintptr_t m_in_core_files[3] = {begins[0], begins[1], begins[2]};
};

Heap& heap() {
  static Heap* const h = new Heap;  // outlives exit handlers
  return *h;
}

bool is_global(std::uintptr_t address) { return arena::contains(arena::global, arena::global_bytes, address); }

}  // namespace

OutOfMemory::OutOfMemory(std::string const& sentence) : std::runtime_error(sentence) { g_out_of_memory = true; }

void check_memory_limit(Space space, std::size_t bytes, std::string_view label) { heap().check_limit(space, bytes, label); }

void usm_next_is_system() { next_is_system = true; }

bool was_out_of_memory() noexcept { return g_out_of_memory; }

void* allocate(Space space, std::size_t bytes, std::size_t header_bytes, std::string_view label) {
  return heap().allocate(space, bytes, header_bytes, label);
}

void deallocate(void* pointer) {
  detect::end_pending(~0u);  // backends wait for the whole device before they free
  heap().deallocate(pointer);
}

void copy(void* destination, void const* source, std::size_t bytes) {
  forget_next_shape();
  if (bytes == 0) return;
  RuntimeScope const scope;
  auto const to = reinterpret_cast<std::uintptr_t>(destination);
  auto const from = reinterpret_cast<std::uintptr_t>(source);
  std::memmove(destination, source, bytes);
  if (!is_global(to)) {
    if (is_global(from)) note_copy_to_host(source, bytes);
    return;
  }
  note_copied(to, from, bytes);
}

void note_copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  trace::record(traces::CopyRecord{to, from, bytes});
  if (is_global(from))
    global_shadow::copy_init(to, from, bytes);
  else
    global_shadow::mark_initialised(to, bytes);
}

void zero(void* destination, std::size_t bytes) {
  RuntimeScope const scope;
  auto const to = reinterpret_cast<std::uintptr_t>(destination);
  std::memset(destination, 0, bytes);
  if (is_global(to)) note_initialised(to, bytes);
}

void note_initialised(std::uintptr_t to, std::size_t bytes) {
  trace::record(traces::InitialisedRecord{to, bytes});
  global_shadow::mark_initialised(to, bytes);
}

std::uint32_t AllocationTable::add() {
  if (m_next / per_chunk == m_chunks.size())
    throw OutOfMemory(fmt::format("teamsan: more than {} allocations are live or kept in mind", m_next));
  auto& chunk = m_chunks[m_next / per_chunk];
  if (chunk == nullptr) chunk = std::make_unique<Allocation[]>(per_chunk);
  return m_next++;
}

AllocationsHeld::AllocationsHeld(std::uint64_t launch) : m_launch(launch) { heap().hold(launch); }
AllocationsHeld::~AllocationsHeld() { heap().let_go(m_launch); }

bool is_device_address(void const* pointer) noexcept { return is_global(reinterpret_cast<std::uintptr_t>(pointer)); }

Allocation const* find_allocation(std::uintptr_t address) noexcept { return heap().owner(address); }

void note_unseen_store(std::uintptr_t address) { heap().note_unseen_store(address); }
bool has_unseen_store(std::uintptr_t address) {
  Allocation const* const a = find_allocation(address);
  return a != nullptr && a->unseen_store;
}

Allocation const* nearest_allocation(std::uintptr_t address) noexcept { return heap().nearest(address); }

void for_each_allocation(void (*f)(Allocation const&, void*), void* context) { heap().for_each(f, context); }

}  // namespace teamsan
