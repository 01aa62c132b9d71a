// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What Kokkos' own names decide: files and functions (KokkosNames.def), labels of launches and allocations, symbols.
#pragma once

#include "../../traces/Site.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace teamsan {

struct Frame;

/// What code of Kokkos' is, as far as verdicts hang on it: see KokkosNames.def.
enum class KokkosCode : std::uint8_t {
  atomic, atomic_loop, atomic_load_or_store, desul, lock, locked_update, atomic_load, gives_back, random_pool, unordered_map,
  launch
};

struct KokkosName {
  KokkosCode code;
  std::string_view file, function;  ///< parts; empty: any
};

/// The lines of KokkosNames.def.
std::span<KokkosName const> kokkos_names();

/// Is the frame in such code?
bool is_code(KokkosCode code, Frame const& frame);
/// Is one of the place's frames?
bool has_code(KokkosCode code, Site site);

/// Is it Kokkos' own launch, by its label? Algorithms, though labelled by Kokkos, run the caller's code.
bool is_kokkos_own(std::string_view label);

/// On the simulated GPU: is it more than initialising and copying Views?
bool is_kernel(std::string_view label);

/// Label of a Kokkos::MemoryPool's allocation.
inline constexpr std::string_view memory_pool_label = "Kokkos::MemoryPool";

/// Part of the symbol of the table of locks (KokkosCode::lock).
inline constexpr std::string_view lock_table_symbol = "HOST_SPACE_ATOMIC_LOCKS_DEVICE";

}  // namespace teamsan
