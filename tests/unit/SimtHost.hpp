// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the tests of ranges, reductions, spaces and containers share: Kokkos for the whole program, and the
/// way from a View to host values.
#pragma once

#include <Kokkos_Core.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

namespace simt_host {

using Space = teamsan::Simt;

/// Kokkos from the first test to the last. Use: BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard).
struct KokkosGuard {
  KokkosGuard() { Kokkos::initialize(); }
  ~KokkosGuard() { Kokkos::finalize(); }
};

/// Of the calling lane, asked of the simulator and not of Kokkos. Its record of a lane is host memory, which
/// only uninstrumented code may read.
TEAMSAN_NO_INSTRUMENT inline int lane() { return static_cast<int>(teamsan::this_lane().index); }
TEAMSAN_NO_INSTRUMENT inline int block() { return static_cast<int>(teamsan::this_lane().league_rank); }
TEAMSAN_NO_INSTRUMENT inline int blocks() { return static_cast<int>(teamsan::this_lane().league_size); }
TEAMSAN_NO_INSTRUMENT inline int block_lanes() {
  return static_cast<int>(teamsan::this_lane().team_size * teamsan::this_lane().vector_length);
}

template <class View>
auto on_host(View const& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// How many elements of a rank-1 View differ from `expected(i)`.
template <class View, class Expected>
int differences(View const& view, Expected const& expected) {
  auto const values = on_host(view);
  int count = 0;
  for (std::size_t i = 0; i < values.extent(0); ++i) count += !(values(i) == expected(i));
  return count;
}

}  // namespace simt_host
