// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over Kokkos' header of this name, which stays the host's under whatever name a program is checked (as/).
#pragma once
#pragma GCC system_header

#include <Kokkos_Core.hpp>

#include "../as/Hide.hpp"
// An entry of a pool's locks is one that atomics alone touch (libraries/Random.hpp). With one argument it is no entry.
#define locks_(state, ...) __VA_OPT__(::teamsan::simt::PoolLock{) locks_(state __VA_OPT__(, ) __VA_ARGS__) __VA_OPT__(})
#include_next <Kokkos_Random.hpp>
#undef locks_
#include "../as/Show.hpp"
