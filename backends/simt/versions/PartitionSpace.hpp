// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kokkos::Experimental::partition_space() gives parts of the simulated GPU that are instances of their own. Until 4.6 it is a
/// template that a backend overloads; since 4.7 it calls impl_partition_space() by its qualified name, so that no overload of
/// ours would be found: that one is specialised for the types that weights have.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#if __has_include(<impl/Kokkos_PartitionSpace.hpp>)
#include <impl/Kokkos_PartitionSpace.hpp>

namespace Kokkos::Experimental::Impl {

#define TEAMSAN_PARTITION(WEIGHT)                                                \
  template <>                                                                    \
  inline std::vector<teamsan::Simt> impl_partition_space<teamsan::Simt, WEIGHT>( \
      teamsan::Simt const&, std::vector<WEIGHT> const& weights) {                \
    return teamsan::simt::partition(weights.size());                             \
  }

TEAMSAN_PARTITION(int)
TEAMSAN_PARTITION(unsigned)
TEAMSAN_PARTITION(long)
TEAMSAN_PARTITION(unsigned long)
TEAMSAN_PARTITION(long long)
TEAMSAN_PARTITION(unsigned long long)
TEAMSAN_PARTITION(float)
TEAMSAN_PARTITION(double)

#undef TEAMSAN_PARTITION

}  // namespace Kokkos::Experimental::Impl

#else

namespace Kokkos::Experimental {

template <class... Weights>
std::vector<teamsan::Simt> partition_space(teamsan::Simt const&, Weights...) {
  static_assert((... && std::is_arithmetic_v<Weights>), "Kokkos Error: partitioning arguments must be integers or floats");
  return teamsan::simt::partition(sizeof...(Weights));
}

template <class Weight>
std::vector<teamsan::Simt> partition_space(teamsan::Simt const&, std::vector<Weight> const& weights) {
  static_assert(std::is_arithmetic_v<Weight>, "Kokkos Error: partitioning arguments must be integers or floats");
  return teamsan::simt::partition(weights.size());
}

}  // namespace Kokkos::Experimental

#endif
