/// Clearing a View's bytes on the simulated GPU. They count as initialised afterwards.
#pragma once

#include "Kokkos_Simt_Space.hpp"

#include <impl/Kokkos_ZeroMemset_fwd.hpp>

#include <cstddef>

namespace Kokkos::Impl {

template <>
struct ZeroMemset<teamsan::Simt> {
  ZeroMemset(teamsan::Simt const&, void* destination, std::size_t bytes) {
    teamsan::zero(destination, bytes);
  }
};

}  // namespace Kokkos::Impl
