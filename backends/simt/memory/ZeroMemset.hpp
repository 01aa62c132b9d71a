// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clearing a View's bytes on the simulated GPU. They count as initialised afterwards.
#pragma once

#include "../spaces/ExecutionSpace.hpp"

#include <impl/Kokkos_ZeroMemset_fwd.hpp>

#include "../../../sim/host/Launch.hpp"

#include <cstddef>

namespace teamsan::simt {

inline void zero(Simt const& space, void* destination, std::size_t bytes) {
  teamsan::zero(destination, bytes);
  pend_write(space.impl_instance_id(), destination, bytes, AsyncWork::fill);
}

}  // namespace teamsan::simt

namespace Kokkos {

template <class, class...>
class View;

namespace Impl {

#if __has_include(<Kokkos_TypeInfo.hpp>)  // since 4.5, as the template of one parameter
template <>
struct ZeroMemset<teamsan::Simt> {
  ZeroMemset(teamsan::Simt const& space, void* destination, std::size_t bytes) {
    teamsan::simt::zero(space, destination, bytes);
  }
};
#else
template <class T, class... P>
struct ZeroMemset<teamsan::Simt, View<T, P...>> {
  ZeroMemset(teamsan::Simt const& space, View<T, P...> const& view) {
    teamsan::simt::zero(space, view.data(), view.size() * sizeof(typename View<T, P...>::value_type));
  }
};
#endif

}  // namespace Impl

}  // namespace Kokkos
