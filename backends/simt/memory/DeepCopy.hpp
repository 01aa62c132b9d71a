// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Copies between the simulated GPU's spaces and the host's: all pairs that name one of ours go through
/// teamsan::copy, which carries along what is initialised. Another execution space's pending work is fenced
/// first, as CUDA does; a copy on an instance of ours is pending until that is fenced.
#pragma once

#include "../spaces/ExecutionSpace.hpp"

#include "../../../sim/host/Launch.hpp"

#include <cstddef>
#include <string>
#include <type_traits>

namespace Kokkos::Impl {

template <class Destination, class Source, class ExecutionSpace>
struct DeepCopy<
    Destination, Source, ExecutionSpace,
    std::enable_if_t<teamsan::simt::is_simt_space_v<Destination> || teamsan::simt::is_simt_space_v<Source>>> {
  DeepCopy(void* destination, void const* source, std::size_t bytes) {
    teamsan::copy(destination, source, bytes);
  }
  DeepCopy(ExecutionSpace const& space, void* destination, void const* source, std::size_t bytes) {
    if constexpr (!std::is_same_v<ExecutionSpace, teamsan::Simt>) {
      space.fence(std::string("Kokkos::Impl::DeepCopy<") + Destination::name() + ", " + Source::name() +
                  ">: fence before copy");
    }
    teamsan::copy(destination, source, bytes);
    if constexpr (std::is_same_v<ExecutionSpace, teamsan::Simt>) {
      teamsan::pend_read(space.impl_instance_id(), source, bytes);
      teamsan::pend_write(space.impl_instance_id(), destination, bytes, teamsan::AsyncWork::copy);
    }
  }
};

}  // namespace Kokkos::Impl
