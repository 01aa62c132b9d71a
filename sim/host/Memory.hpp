/// The simulated GPU's memory as the host sees it: allocate, free, copy, clear. All addresses lie in one arena
/// (Arena.hpp), so that a lane's access is classified by one subtraction and a compare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace teamsan {

enum class Space : std::uint8_t {
  device,      ///< the GPU's own memory: a host access is a wrong-space finding
  shared,      ///< migrates: host and lanes may touch it
  host_pinned  ///< host memory that lanes may touch
};

/// Thrown when an allocation does not fit; what() is one sentence that names the size asked for, what is left, and
/// the option that shrinks it.
struct OutOfMemory : std::runtime_error {
  explicit OutOfMemory(std::string const& sentence);
};

/// True once an OutOfMemory was made: a program that aborts over it does so for want of memory, not by a bug of its own.
bool was_out_of_memory() noexcept;

/// `header_bytes` at the start belong to the caller (Kokkos' allocation header) and are out of bounds for lanes.
/// The result is aligned to 256 bytes plus `header_bytes`' own size.
void* allocate(Space space, std::size_t bytes, std::size_t header_bytes, std::string_view label);

/// Frees what allocate returned. The bytes stay poisoned: a later access is a use-after-free finding.
/// Freeing anything else is a finding, not a crash.
void deallocate(void* pointer);

/// Copies between any two spaces, host included. Whether a byte is initialised travels with it.
void copy(void* destination, void const* source, std::size_t bytes);

/// Clears to zero; the bytes count as initialised.
void zero(void* destination, std::size_t bytes);

/// allocate's question: does the modelled device, or the machine for pinned memory, have that much more? Throws
/// OutOfMemory, with a finding, if not.
void check_memory_limit(Space space, std::size_t bytes, std::string_view label);

/// What copies and fills leave known of device memory, without touching it.
void note_copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);
void note_initialised(std::uintptr_t to, std::size_t bytes);

/// True for addresses in the arena's device, shared or pinned memory.
bool is_device_address(void const* pointer) noexcept;

}  // namespace teamsan
