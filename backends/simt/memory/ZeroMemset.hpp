/// Clearing a View's bytes on the simulated GPU. They count as initialised afterwards.
#pragma once

#include <teamsan/simt/spaces/ExecutionSpace.hpp>

#include <impl/Kokkos_ZeroMemset_fwd.hpp>

#include <teamsan/sim/host/Launch.hpp>

#include <cstddef>

namespace Kokkos::Impl {

template <>
struct ZeroMemset<teamsan::Simt> {
  ZeroMemset(teamsan::Simt const& space, void* destination, std::size_t bytes) {
    teamsan::zero(destination, bytes);
    teamsan::pend_write(space.impl_instance_id(), destination, bytes, teamsan::AsyncWork::copy);
  }
};

}  // namespace Kokkos::Impl
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
