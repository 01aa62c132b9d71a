// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the tests of the kernel vocabulary share: Kokkos for the whole program, team sizes that every backend has, and the
/// way from a View to host values.
#pragma once

#include <Kokkos_Core.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <type_traits>

namespace workgroup_tests {

using Space = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::TeamPolicy<Space>;
using Member = Policy::member_type;

constexpr bool on_gpu = !std::is_same_v<Space::memory_space, Kokkos::HostSpace>;

/// As many threads as wanted, or as the backend's teams have: one on OpenMP.
inline int threads(int wanted) { return on_gpu ? wanted : 1; }
/// Vector lanes: a request that hosts do not refuse.
inline int lanes(int wanted) { return on_gpu ? wanted : 1; }

struct KokkosGuard {
  KokkosGuard() { Kokkos::initialize(); }
  ~KokkosGuard() { Kokkos::finalize(); }
};

template <class View>
auto on_host(View const& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

}  // namespace workgroup_tests
