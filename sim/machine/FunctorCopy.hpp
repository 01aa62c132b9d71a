// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where a call of a kernel's function for many lanes keeps its copy of the functor (backends/simt/launch/UserCode.hpp): on the
/// stack, among what else these lanes may write. It says that it makes one, and memcpy tells where: were the address told, a
/// compiler would take every call for one that changes the copy.
#pragma once

#include "../../traces/Site.hpp"

#include <cstddef>
#include <cstdint>

namespace teamsan {

/// Of the running lane, by OS thread; of lanes that take turns, the latest one that was made.
struct FunctorCopy {
  bool expected = false;  ///< the next memcpy out of a functor makes one
  bool told = false;      ///< that a lane changes it
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::uintptr_t functor = 0;  ///< what it is a copy of
  bool has(std::uintptr_t address) const { return address - begin < bytes; }
};

extern thread_local constinit FunctorCopy functor_copy [[gnu::tls_model("initial-exec")]];

/// The running lane has made one there.
void begin_functor_copy(std::uintptr_t place, std::uintptr_t functor, std::size_t bytes);

/// The running lane stores to it: a write to the functor. Defined in check/Access.cpp, as is the next.
[[gnu::cold]] void note_functor_store(std::uintptr_t address, std::uint32_t bytes, Site site);
/// It was changed by a store that nobody saw.
[[gnu::cold]] void note_changed_functor();

}  // namespace teamsan
