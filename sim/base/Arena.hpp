// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One virtual range for all that the simulated GPU knows, so that classifying an address is a subtraction and a
/// compare, and its shadow a linear map. The base is fixed: addresses, and so reports, are the same in every run. It lies
/// where Linux puts nothing, however it lays out a process: programs and what they load lie above 0x2aaaaaaaa000, or, when
/// the stack is unlimited, below 0x155555555000.
///
///   front      nothing: where an index below the start of the first allocation leads
///   global     device, shared and pinned memory                        (shadow: GlobalShadow.hpp)
///   scratch    slots that teams take in turn (ScratchSlots.hpp), and more for those that run while all before them wait
///   constant   the kernel object of the running launches
///   stacks     lanes' stacks, each between guard pages
///   shadows    of global and scratch memory
///   report     what is allocated while a crash is reported (base/ReportMemory.hpp)
///
/// Pages cost memory only once touched.
#pragma once

#include <cstddef>
#include <cstdint>

namespace teamsan {

/// Addresses [begin, end).
struct AddressRange {
  std::uintptr_t begin = 0, end = 0;
  std::size_t bytes() const { return end - begin; }
  friend bool operator==(AddressRange const&, AddressRange const&) = default;
};

namespace arena {

#ifdef TEAMSAN_SMALL_ARENA
// For systems whose addresses have 39 bits (aarch64's Linux may be built so), which put nothing below a third of that, and for
// ThreadSanitizer (tests/tsan), which leaves programs no more fixed addresses than those below 512 GiB.
inline constexpr std::uintptr_t base = 0x1'0000'0000;
inline constexpr unsigned part = 32;
inline constexpr std::uintptr_t programs = 0x2a'aaaa'a000;
#else
inline constexpr std::uintptr_t base = 0x1600'0000'0000;
inline constexpr unsigned part = 1;
inline constexpr std::uintptr_t programs = 0x2aaa'aaaa'a000;
#endif
inline constexpr std::size_t GiB = std::size_t{1} << 30;
inline constexpr std::size_t MiB = std::size_t{1} << 20;

/// Mapped where it can be: a lane that runs there by a negative index is told so, and goes on.
inline constexpr std::size_t front_bytes = part == 1 ? 64 * GiB : GiB;
inline constexpr std::uintptr_t front = base - front_bytes;

inline constexpr std::uintptr_t device = base;
inline constexpr std::size_t device_bytes = 256 * GiB / part;
inline constexpr std::uintptr_t shared = device + device_bytes;
inline constexpr std::size_t shared_bytes = 128 * GiB / part;
inline constexpr std::uintptr_t pinned = shared + shared_bytes;
inline constexpr std::size_t pinned_bytes = 128 * GiB / part;
inline constexpr std::uintptr_t global = device;
inline constexpr std::size_t global_bytes = device_bytes + shared_bytes + pinned_bytes;

inline constexpr std::uint32_t scratch_slots = part == 1 ? 128 : 32;  ///< that teams take in turn
inline constexpr std::uint32_t all_scratch_slots = 2048 / part;
inline constexpr std::size_t scratch_slot_bytes = part == 1 ? 256 * MiB : 64 * MiB;
/// So far in front of a team's first piece an index below its start may lead: no team has pieces so late in its slot.
inline constexpr std::size_t scratch_front_bytes = scratch_slot_bytes / 4;
inline constexpr std::size_t scratch_level1_offset = 8 * MiB;
inline constexpr std::uintptr_t scratch = global + global_bytes;
inline constexpr std::size_t scratch_bytes = all_scratch_slots * scratch_slot_bytes;

inline constexpr std::uintptr_t constant = scratch + scratch_bytes;
inline constexpr std::size_t constant_bytes = 8 * GiB;

inline constexpr std::uintptr_t stacks = constant + constant_bytes;
inline constexpr std::size_t stacks_bytes = part == 1 ? 4096 * GiB : 32 * GiB;

/// Where programs may point: everything from here on, up to the shadows.
inline constexpr std::uintptr_t program = front;
inline constexpr std::size_t program_bytes = stacks + stacks_bytes - program;

inline constexpr std::uintptr_t global_cells = stacks + stacks_bytes;
inline constexpr std::size_t global_cells_bytes = global_bytes * 2;
inline constexpr std::uintptr_t global_extras = global_cells + global_cells_bytes;
inline constexpr std::size_t global_extras_bytes = global_bytes;
inline constexpr std::uintptr_t scratch_cells = global_extras + global_extras_bytes;
inline constexpr std::size_t scratch_cells_bytes = scratch_bytes * 4;
inline constexpr std::uintptr_t scratch_seconds = scratch_cells + scratch_cells_bytes;
inline constexpr std::size_t scratch_seconds_bytes = scratch_bytes * 4;
inline constexpr std::uintptr_t granule_owners = scratch_seconds + scratch_seconds_bytes;
inline constexpr std::size_t granule_bytes = 256;  ///< allocations start and end on these
inline constexpr std::size_t granule_owners_bytes = global_bytes / granule_bytes * 4;
inline constexpr std::uintptr_t chunk_owners = granule_owners + granule_owners_bytes;
inline constexpr std::size_t chunk_bytes = 2 * MiB;
inline constexpr std::size_t chunk_owners_bytes = global_bytes / chunk_bytes * 4;
inline constexpr std::uintptr_t global_ticks = chunk_owners + chunk_owners_bytes;
inline constexpr std::size_t global_ticks_bytes = global_bytes;
inline constexpr std::uintptr_t flat_holds = global_ticks + global_ticks_bytes;
inline constexpr std::size_t flat_stretch_bytes = 4096;
inline constexpr std::size_t flat_holds_bytes = device_bytes / flat_stretch_bytes * 8;
inline constexpr std::uintptr_t report = flat_holds + flat_holds_bytes;
inline constexpr std::size_t report_bytes = part == 1 ? 64 * GiB : 8 * GiB;
inline constexpr std::uintptr_t end = report + report_bytes;
static_assert(end <= programs);

/// Reserves the range once; a failure is one sentence on standard error and exit status 3.
void reserve();

/// Those of a range.
AddressRange whole_pages(std::uintptr_t begin, std::size_t bytes);

/// Gives the pages of a range back to the system; they read as zero afterwards.
void discard(std::uintptr_t begin, std::size_t bytes);

/// The arena is left out of core files but for what was given here: stacks, memory that was handed out. Never the shadow.
void keep_in_core_files(std::uintptr_t begin, std::size_t bytes);
/// `begin` on a page.
void leave_out_of_core_files(std::uintptr_t begin, std::size_t bytes);
/// Of each slot's start, from the beginning.
inline constexpr std::size_t scratch_kept_in_core_files = MiB;

constexpr bool contains(std::uintptr_t begin, std::size_t bytes, std::uintptr_t address) {
  return address - begin < bytes;
}

}  // namespace arena
}  // namespace teamsan
