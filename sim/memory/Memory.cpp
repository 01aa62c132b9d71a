#include <teamsan/sim/memory/Allocations.hpp>
#include <teamsan/sim/memory/Arena.hpp>
#include <teamsan/sim/memory/GlobalShadow.hpp>
#include <teamsan/sim/memory/Migration.hpp>
#include <teamsan/sim/memory/Outputs.hpp>
#include <teamsan/sim/detect/HostMisuse.hpp>
#include <teamsan/sim/detect/Limit.hpp>
#include <teamsan/sim/detect/MissingFence.hpp>
#include <teamsan/sim/machine/LaneTable.hpp>
#include <teamsan/sim/Options.hpp>
#include <teamsan/sim/runtime/Hot.hpp>
#include <teamsan/sim/trace/Fields.hpp>
#include <teamsan/sim/trace/Recorder.hpp>

#include <teamsan/model/device/Device.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace teamsan {

namespace {

constexpr std::size_t granule = arena::granule_bytes;
/// Freed blocks rest until this much was freed after them, so that late accesses are seen.
constexpr std::size_t quarantine_bytes = 64 * arena::MiB;
/// Pages of larger blocks go back at once; small ones share pages.
constexpr std::size_t own_pages_bytes = 64 * 1024;

std::atomic<bool> g_out_of_memory = false;
thread_local bool next_is_system = false;

struct Region {
  std::uintptr_t begin;
  std::uintptr_t end;
  std::uintptr_t next;
  std::uintptr_t kept = begin;  ///< in core files, up to here
};

/// All allocations ever made and where new ones go. Addresses depend on the sequence of calls alone.
class Heap {
 public:
  Heap() {
    arena::reserve();
    m_records.emplace_back();  // index 0 means: no owner
    __teamsan_lane_table.allocations = &m_records;
  }

  void* allocate(Space space, std::size_t bytes, std::size_t header_bytes, std::string_view label) {
    bool const system = std::exchange(next_is_system, false);
    if (!system && !trace::replaying()) check_limit(space, bytes - header_bytes, label);
    std::lock_guard const lock(m_mutex);
    std::size_t const asked = bytes;
    // One granule of nobody's land behind each block, so that running past the end meets no neighbour.
    std::size_t const reserved = (bytes + granule - 1) / granule * granule + granule;
    check_budget(bytes, label);
    std::uint32_t index = reuse(space, reserved);
    bool const reused = index != 0;
    if (!reused) index = extend(space, reserved, bytes, label);
    Allocation& a = m_records[index];
    a.header_bytes = header_bytes;
    a.shape = take_next_shape(bytes - header_bytes);
    // Kokkos rounds up to 8 bytes; a View ends with its last element.
    if (a.shape.known()) bytes = header_bytes + a.shape.span() * a.shape.element_bytes;
    a.bytes = bytes;
    a.space = space;
    a.live = true;
    a.serial = ++m_serial;
    a.label = label;
    a.usm = system ? UsmKind::system : UsmKind::none;
    a.context = no_context;
    a.host_only = a.unseen_store = false;
    a.pages = space == Space::shared ? migration::pages_of_new(a.label, bytes - header_bytes) : nullptr;
    m_live_bytes += bytes;
    if (!system) m_space_bytes[static_cast<int>(space)] += bytes;
    trace::record(traces::AllocateRecord{static_cast<std::uint8_t>(space), a.begin, asked, header_bytes, a.label,
                                         trace::fields_of(a.shape), system});
    // Memory that is new holds zeros: that is how stores which nobody saw are known.
    if (reused && a.reserved < own_pages_bytes && !trace::replaying())
      std::memset(reinterpret_cast<void*>(a.begin), 0, a.reserved);
    // Host code writes shared and pinned memory in places that are not instrumented; call it initialised.
    global_shadow::reset(a.begin, bytes, space != Space::device);
    return reinterpret_cast<void*>(a.begin);
  }

  void deallocate(void* pointer) {
    std::unique_lock lock(m_mutex);
    auto const found = m_by_begin.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (found == m_by_begin.end() || !m_records[found->second].live) {
      lock.unlock();
      detect::bad_free(pointer);
      return;
    }
    Allocation& a = m_records[found->second];
    note_freed(a);
    a.live = false;
    m_live_bytes -= a.bytes;
    if (a.usm != UsmKind::system) m_space_bytes[static_cast<int>(a.space)] -= a.bytes;
    if (a.reserved >= own_pages_bytes) {
      arena::discard(a.begin, a.reserved);
      arena::discard(reinterpret_cast<std::uintptr_t>(global_shadow::cell(a.begin)), a.reserved * 2);
      arena::discard(reinterpret_cast<std::uintptr_t>(global_shadow::extra(a.begin)), a.reserved);
    }
    m_quarantine.push_back(found->second);
    m_quarantined += a.reserved;
    while (m_quarantined > quarantine_bytes && !m_quarantine.empty()) {
      Allocation const& old = m_records[m_quarantine.front()];
      m_quarantined -= old.reserved;
      m_free[{old.space, old.reserved}].push_back(m_quarantine.front());
      m_quarantine.pop_front();
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
    std::uint32_t const index = owner_index(address);
    return index == 0 ? nullptr : &m_records[index];
  }

  Allocation const* nearest(std::uintptr_t address) {
    std::lock_guard const lock(m_mutex);
    auto after = m_by_begin.upper_bound(address);
    return after == m_by_begin.begin() ? nullptr : &m_records[std::prev(after)->second];
  }

  /// Of the owner, under the lock.
  template <class Do>
  auto with_owner(std::uintptr_t address, Do do_it) {
    std::lock_guard const lock(m_mutex);
    return do_it(m_records[owner_index(address)]);
  }

  void for_each(void (*f)(Allocation const&, void*), void* context) {
    std::lock_guard const lock(m_mutex);
    for (auto const& [begin, index] : m_by_begin)
      if (m_records[index].live) f(m_records[index], context);
  }

 private:
  static std::uint32_t owner_index(std::uintptr_t address) { return owners()[(address - arena::global) / granule]; }
  static std::uint32_t* owners() { return reinterpret_cast<std::uint32_t*>(arena::granule_owners); }

  std::uint32_t reuse(Space space, std::size_t reserved) {
    auto const found = m_free.find({space, reserved});
    if (found == m_free.end() || found->second.empty()) return 0;
    std::uint32_t const index = found->second.front();
    found->second.pop_front();
    return index;
  }

  std::uint32_t extend(Space space, std::size_t reserved, std::size_t bytes, std::string_view label) {
    Region& region = m_regions[static_cast<int>(space)];
    if (reserved > region.end - region.next)
      throw OutOfMemory(fmt::format("teamsan: the simulated address space is used up: {} bytes asked for \"{}\"",
                                    bytes, label));
    auto const index = static_cast<std::uint32_t>(m_records.size());
    Allocation& a = m_records.emplace_back();
    a.begin = region.next;
    a.reserved = reserved;
    region.next += reserved;
    if (region.next > region.kept) {  // in steps, since each is a call to the system
      std::uintptr_t const until = std::min(region.end, region.next + 16 * arena::MiB);
      arena::keep_in_core_files(region.kept, until - region.kept);
      region.kept = until;
    }
    m_by_begin.emplace(a.begin, index);
    // The last granule is nobody's: an access there is past the end of this block.
    std::uint32_t* const first = owners() + (a.begin - arena::global) / granule;
    std::fill(first, first + reserved / granule, index);
    return index;
  }

  static std::size_t device_limit() {
    return options().device_memory != 0 ? options().device_memory : options().model().memory_bytes;
  }

  static std::size_t pinned_limit() {
    static std::size_t const machine =
        static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return options().pinned_memory != 0 ? options().pinned_memory : machine;
  }

  /// Data and shadow together are at most four bytes for each byte of device memory.
  void check_budget(std::size_t bytes, std::string_view label) {
    std::size_t const limit = budget();
    std::size_t const need = bytes > limit / 4 ? limit + 1 : (m_live_bytes + bytes) * 4;
    if (need <= limit) return;
    throw OutOfMemory(fmt::format(
        "teamsan: out of memory: \"{}\" asks for {:.1f} MiB of device memory, {:.1f} MiB with its shadow, but {:.1f} MiB "
        "are allowed and {:.1f} MiB taken; use a smaller problem, or memory_limit=BYTES to allow more",
        label, bytes / 1048576., bytes / 262144., limit / 1048576., m_live_bytes / 262144.));
  }

  std::size_t budget() {
    if (options().memory_limit != 0) return options().memory_limit;
    if (m_budget == 0) m_budget = machine_memory();
    return m_budget;
  }

  /// What this process may come to hold: the machine's free memory now, or its control group's limit.
  static std::size_t machine_memory() {
    std::size_t available = ~std::size_t{0};
    std::ifstream meminfo("/proc/meminfo");
    for (std::string key, unit; meminfo >> key;) {
      std::size_t value = 0;
      meminfo >> value >> std::ws;
      std::getline(meminfo, unit);
      if (key == "MemAvailable:") available = value * 1024;
    }
    std::size_t group = 0;
    if (std::ifstream("/sys/fs/cgroup/memory.max") >> group) available = std::min(available, group);
    rlimit as{};
    if (getrlimit(RLIMIT_DATA, &as) == 0 && as.rlim_cur != RLIM_INFINITY)
      available = std::min<std::size_t>(available, as.rlim_cur);
    return available;
  }

  std::mutex m_mutex;
  std::deque<Allocation> m_records;
  std::map<std::uintptr_t, std::uint32_t> m_by_begin;
  std::map<std::pair<Space, std::size_t>, std::deque<std::uint32_t>> m_free;
  std::deque<std::uint32_t> m_quarantine;
  std::size_t m_quarantined = 0;
  std::size_t m_live_bytes = 0;
  std::size_t m_space_bytes[3] = {0, 0, 0};
  std::size_t m_budget = 0;
  std::uint64_t m_serial = 0;
  Region m_regions[3] = {{arena::device, arena::device + arena::device_bytes, arena::device + granule},
                         {arena::shared, arena::shared + arena::shared_bytes, arena::shared + granule},
                         {arena::pinned, arena::pinned + arena::pinned_bytes, arena::pinned + granule}};
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
  trace::record(traces::FreeRecord{reinterpret_cast<std::uintptr_t>(pointer)});
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

bool is_device_address(void const* pointer) noexcept { return is_global(reinterpret_cast<std::uintptr_t>(pointer)); }

Allocation const* find_allocation(std::uintptr_t address) noexcept { return heap().owner(address); }

void note_unseen_store(std::uintptr_t address) {
  heap().with_owner(address, [](Allocation& a) { a.unseen_store = true; });
}
bool has_unseen_store(std::uintptr_t address) {
  return heap().with_owner(address, [](Allocation const& a) { return a.unseen_store; });
}

Allocation const* nearest_allocation(std::uintptr_t address) noexcept { return heap().nearest(address); }

void for_each_allocation(void (*f)(Allocation const&, void*), void* context) { heap().for_each(f, context); }

}  // namespace teamsan
