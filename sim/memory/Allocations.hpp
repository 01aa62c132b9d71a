/// What lives in the arena's global memory: every allocation with its label, and to whom each 256-byte granule belongs.
/// Freed memory stays known, so that a late access can name it, until its addresses are used again.
#pragma once

#include <teamsan/sim/memory/Memory.hpp>
#include <teamsan/sim/memory/Shape.hpp>
#include <teamsan/sim/memory/Usm.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace teamsan {

class SharedPages;

struct Allocation {
  std::uintptr_t begin = 0;       ///< of what the caller got, header included
  std::size_t header_bytes = 0;
  std::size_t bytes = 0;          ///< header included
  std::size_t reserved = 0;       ///< whole granules
  Space space = Space::device;
  bool live = false;
  std::uint64_t serial = 0;
  std::string label;
  Shape shape;                    ///< of the View it was made for; not known: none, or no View
  UsmKind usm = UsmKind::none;    ///< none: a View's, or kokkos_malloc's
  std::uint32_t context = no_context;  ///< that it is valid in; no_context: in all
  bool host_only = false;         ///< a system allocation on a device that lacks the aspect
  bool unseen_store = false;      ///< somebody stores there whom nobody sees, see UnseenStore.hpp
  std::shared_ptr<SharedPages> pages = nullptr;  ///< of shared memory, see Migration.hpp
  /// May no lane of a kernel in that context touch it?
  bool closed_to(std::uint32_t kernel_context) const {
    return host_only || (context != no_context && context != kernel_context);
  }
  std::uintptr_t data() const { return begin + header_bytes; }
  std::uintptr_t end() const { return begin + bytes; }
};

/// The allocation (live or freed) that owns the granule of this global address, or nullptr.
Allocation const* find_allocation(std::uintptr_t address) noexcept;

/// The allocation nearest below the address, for "past the end of".
Allocation const* nearest_allocation(std::uintptr_t address) noexcept;

/// The allocation that owns the address holds what nobody was seen to store; does it?
void note_unseen_store(std::uintptr_t address);
bool has_unseen_store(std::uintptr_t address);

/// Calls f(allocation) for each live one.
void for_each_allocation(void (*f)(Allocation const&, void*), void* context);

}  // namespace teamsan
