// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What lives in the arena's global memory: every allocation with its label, and to whom each 256-byte granule belongs.
/// Freed memory stays known, so that a late access can name it, until its addresses are used again.
///
/// Lanes and host threads ask while other host threads allocate and free: who asks takes no lock, and while somebody holds
/// the records (AllocationsHeld; a launch does) one that was found stays as it is but for `live` and `freed_in`.
#pragma once

#include "../../traces/Site.hpp"
#include "Shape.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace teamsan {

class SharedPages;

enum class Space : std::uint8_t {
  device,      ///< the GPU's own memory: a host access is a wrong-space finding
  shared,      ///< migrates: host and lanes may touch it
  host_pinned  ///< host memory that lanes may touch
};

/// Kinds of USM allocations, numbered as in model/usm/Kind.hpp. `none`: no USM allocation.
enum class UsmKind : std::uint8_t { none, device, host, shared, system };

/// Contexts of USM allocations, see host/Usm.hpp.
inline constexpr std::uint32_t default_context = 0;
inline constexpr std::uint32_t no_context = ~std::uint32_t{0};

/// Thrown when an allocation does not fit; what() is one sentence that names the size asked for, what is left, and
/// the option that shrinks it.
struct OutOfMemory : std::runtime_error {
  explicit OutOfMemory(std::string const& sentence);
};

/// True once an OutOfMemory was made: a program that aborts over it does so for want of memory, not by a bug of its own.
bool was_out_of_memory() noexcept;

struct Allocation {
  std::uintptr_t begin = 0;       ///< of what the caller got, header included
  std::size_t header_bytes = 0;
  std::size_t bytes = 0;          ///< header included
  std::size_t reserved = 0;       ///< whole granules
  Space space = Space::device;
  std::atomic<bool> live = false;
  std::atomic<std::uint64_t> freed_in = 0;  ///< number of the launch that ran meanwhile; 0: none did, or it is live
  std::uint64_t serial = 0;
  std::string label;
  Shape shape;                    ///< of the View it was made for; not known: none, or no View
  std::vector<Site> calls;  ///< the host's to its allocation: return addresses, innermost first
  UsmKind usm = UsmKind::none;    ///< none: a View's, or kokkos_malloc's
  std::uint32_t context = no_context;  ///< that it is valid in; no_context: in all
  bool host_only = false;         ///< a system allocation on a device that lacks the aspect
  std::atomic<bool> unseen_store = false;      ///< somebody stores there whom nobody sees, see UnseenStore.hpp
  mutable std::atomic<std::uint64_t> written_at = 0;   ///< moment of the latest known write there: DeviceWrites.hpp
  std::shared_ptr<SharedPages> pages = nullptr;  ///< of shared memory, see Migration.hpp
  /// May no lane of a kernel in that context touch it?
  bool closed_to(std::uint32_t kernel_context) const {
    return host_only || (context != no_context && context != kernel_context);
  }
  std::uintptr_t data() const { return begin + header_bytes; }
  std::uintptr_t end() const { return begin + bytes; }
};

/// All of them by number, from 1. Never moved: while some are made, others are read without a lock.
class AllocationTable {
 public:
  static constexpr std::uint32_t per_chunk = 1024;
  Allocation& operator[](std::uint32_t number) const { return m_chunks[number / per_chunk][number % per_chunk]; }
  /// The number of a new one.
  std::uint32_t add();

 private:
  std::array<std::unique_ptr<Allocation[]>, 65536> m_chunks;
  std::uint32_t m_next = 1;
};

/// While one exists, no record is given to another allocation: what was found can be read.
class AllocationsHeld {
 public:
  explicit AllocationsHeld(std::uint64_t launch = 0);
  ~AllocationsHeld();
  AllocationsHeld(AllocationsHeld const&) = delete;
  AllocationsHeld& operator=(AllocationsHeld const&) = delete;

 private:
  std::uint64_t m_launch;
};

/// So many were freed: what was found before the number changed may be gone.
std::uint64_t freed_allocations() noexcept;

/// The allocation (live or freed) that owns the granule of this global address, or nullptr.
Allocation const* find_allocation(std::uintptr_t address) noexcept;

/// The allocation nearest to an address that is nobody's, for "past the end of" and "before".
Allocation const* nearest_allocation(std::uintptr_t address) noexcept;

/// The allocation that owns the address holds what nobody was seen to store; does it?
void note_unseen_store(std::uintptr_t address);
bool has_unseen_store(std::uintptr_t address);

/// Kernels that nobody watches may write to whatever is allocated by now: it is not known of any of it that nobody has.
void assume_written();
/// May they have written there? True of what no allocation owns, once they may have written at all.
bool may_be_written_unseen(std::uintptr_t address);

/// Calls f(allocation) for each live one.
void for_each_allocation(void (*f)(Allocation const&, void*), void* context);

}  // namespace teamsan
