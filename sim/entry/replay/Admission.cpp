// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Admission.hpp"

#include "../../base/Arena.hpp"
#include "../../findings/Finding.hpp"
#include "../../host/Limit.hpp"
#include "../../machine/LaneSet.hpp"
#include "../../memory/Allocations.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <cstdlib>
#include <cstring>

namespace teamsan::trace {

using namespace traces;

namespace {

constexpr std::uint64_t looks_after_bytes = 16 * arena::MiB, looks_after_steps = 1 << 14;
constexpr std::uint64_t most_of_an_access = 1 << 30;  ///< bytes; Access counts 32 bits

/// Of the word for a range that is no part of what it begins in.
void in_global_memory(char const* what, std::uint64_t address, std::uint64_t bytes) {
  if (address - arena::global < arena::global_bytes && bytes <= arena::global + arena::global_bytes - address) return;
  throw TraceError(fmt::format("{} of {} bytes at {:#x}, where the simulated GPU has no such memory", what, bytes, address));
}

std::uint64_t bytes_of(Space space) {
  switch (space) {
    case Space::device: return arena::device_bytes;
    case Space::shared: return arena::shared_bytes;
    case Space::host_pinned: return arena::pinned_bytes;
  }
  return 0;
}

template <class Enum>
void one_of(char const* what, std::uint8_t value, Enum last) {
  if (value > static_cast<std::uint8_t>(last)) throw TraceError(fmt::format("{} number {}, which there is not", what, value));
}

void check_words(LaunchConfigFields const& c) {
  one_of("a pattern of", c.pattern, Pattern::parallel_scan);
  one_of("a policy of", c.policy, Policy::work_graph);
}

}  // namespace

Admission::Admission(TraceReader& reader)
    : m_reader(reader), m_statistics(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC)) {}

Admission::~Admission() {
  if (m_statistics >= 0) ::close(m_statistics);
}

void Admission::look_at_memory(std::uint64_t coming) {
  m_coming = m_steps = 0;
  char text[128] = {};
  if (m_statistics < 0 || ::pread(m_statistics, text, sizeof text - 1, 0) <= 0) return;
  char const* const second = std::strchr(text, ' ');
  if (second == nullptr) return;
  static std::uint64_t const page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::uint64_t const resident = std::strtoull(second, nullptr, 10) * page, most = m_reader.limits().memory;
  if (resident <= most && coming <= most - resident) return;
  throw TraceLimitError(fmt::format("asks for more than {} MiB of memory, which is much for a file of its size; if it is your "
                                    "own, --no-limits takes what it needs",
                                    most / arena::MiB));
}

void Admission::touch(std::uint64_t bytes, std::uint64_t memory_per_byte) {
  // No sum of these overflows: what is asked for lies in the arena.
  m_reader.spend(bytes / 64);
  std::uint64_t const memory = bytes * memory_per_byte;
  m_coming += memory;
  if (m_coming >= looks_after_bytes) look_at_memory(memory);
}

void Admission::spend(std::uint64_t steps) {
  m_reader.spend(steps);
  m_steps += steps;
  if (m_steps >= looks_after_steps) look_at_memory(0);
}

void Admission::check(AllocateRecord const& a) {
  one_of("an allocation in a space of", a.space, Space::host_pinned);
  if (a.header_bytes > a.bytes || a.bytes > bytes_of(static_cast<Space>(a.space)))
    throw TraceError(fmt::format("an allocation of {} bytes, {} of them its header", a.bytes, a.header_bytes));
  if (a.address == 0) return;
  // What the host may touch counts as initialised; of the device's own, the list of owners is written alone.
  touch(a.space == static_cast<std::uint8_t>(Space::device) ? a.bytes / 32 : a.bytes, 2);
}

void Admission::check(CopyRecord const& c) {
  in_global_memory("a copy", c.to, c.bytes);
  if (c.from - arena::global < arena::global_bytes) in_global_memory("a copy", c.from, c.bytes);
  touch(c.bytes, 2);
}

void Admission::check(InitialisedRecord const& i) {
  in_global_memory("a fill", i.address, i.bytes);
  touch(i.bytes, 2);
}

void Admission::check(PendingRecord const& p) {
  if (p.address - arena::global >= arena::global_bytes) return;
  in_global_memory("a copy", p.address, p.bytes);
  touch(p.bytes, 4);  // a footprint for each line
}

void Admission::check(HostAccessRecord const& a) {
  one_of("an access of", a.kind, teamsan::AccessKind::atomic_write);
  if (a.bytes > most_of_an_access) throw TraceError(fmt::format("a host access of {} bytes", a.bytes));
  if (a.address - arena::global < arena::global_bytes) in_global_memory("a host access", a.address, a.bytes);
  touch(a.bytes, 0);
}

void Admission::check(UsmAllocationRecord const& u) {
  one_of("unified shared memory of a kind of", u.kind, UsmKind::system);
  Allocation const* const a = find_allocation(u.address);
  if (a == nullptr || !a->live || a->begin != u.address)
    throw TraceError(fmt::format("unified shared memory at {:#x}, where nothing was allocated", u.address));
}

void Admission::check(PrefetchRecord const& p) { in_global_memory("a prefetch", p.address, p.bytes); }

void Admission::check(HostTouchRecord const& t) { in_global_memory("a touch by the host", t.address, t.bytes); }

void Admission::check(LimitRecord const& l) {
  one_of("a limit of", l.kind, LimitKind::reduction);
  check_words(l.config);
}

void Admission::check(LaunchRecord const& l, std::uint64_t number) {
  if (l.number != number)
    throw TraceError(fmt::format("launch number {} stands where number {} should", l.number, number));
  check_words(l.config);
  LaunchConfigFields const& c = l.config;
  if (c.vector_length > 64 || !std::has_single_bit(c.vector_length))
    throw TraceError(fmt::format("a vector length of {}", c.vector_length));
  if (std::uint64_t{c.team_size} * c.vector_length > LaneSet::most)
    throw TraceError(fmt::format("a team of {} lanes", std::uint64_t{c.team_size} * c.vector_length));
}

void Admission::check_range(std::uintptr_t address, std::uint64_t bytes) {
  if (bytes > most_of_an_access) throw TraceError(fmt::format("an access to {} bytes", bytes));
  if (address - arena::global < arena::global_bytes) {
    in_global_memory("an access", address, bytes);
    return touch(bytes, 12);  // the team's own shadow of a line
  }
  std::uintptr_t const in_slot = (address - arena::scratch) % arena::scratch_slot_bytes;
  if (address - arena::scratch < arena::scratch_bytes && bytes > arena::scratch_slot_bytes - in_slot)
    throw TraceError(fmt::format("an access to {} bytes of scratch, more than there are", bytes));
  touch(bytes, 8);
}

void Admission::check_scope(std::uint32_t detail) const {
  if (detail > static_cast<std::uint32_t>(Scope::kernel))
    throw TraceError(fmt::format("a scope of number {}, which there is not", detail));
}

void Admission::check_scratch(ScratchRequest const& r, std::uint32_t team_size) {
  constexpr std::uint64_t most = arena::scratch_slot_bytes;
  if (r.level < 0 || r.level > 1 || r.thread >= team_size || r.bytes > most || r.begin > most || r.alignment > most ||
      (r.per_thread && r.thread * r.bytes > most))
    throw TraceError(fmt::format("{} bytes of scratch of level {}, aligned to {}, for thread {}", r.bytes, r.level,
                                 r.alignment, r.thread));
  touch(r.bytes, 8);
}

}  // namespace teamsan::trace
