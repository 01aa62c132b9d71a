// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// ScatterView on the simulated GPU, as on CUDA: one copy of the data, added to with atomics. The overlay
/// reads this after Kokkos_ScatterView.hpp; it cannot come earlier, since it opens a namespace
/// (Kokkos::Impl::Experimental) that hides the one Kokkos_Graph.hpp means. Programs without the overlay
/// include it themselves.
#pragma once

#include "../Fwd.hpp"

#include "../../../sim/host/ClearedSums.hpp"

#include <Kokkos_ScatterView.hpp>

#include <cstddef>
#include <string>

namespace teamsan::simt {

/// The host asks for it.
template <class Value>
Value* about_to_clear(Value* values, std::size_t count) {
  note_cleared(values, count * sizeof(Value));
  return values;
}

}  // namespace teamsan::simt

namespace Kokkos::Impl::Experimental {

template <>
struct DefaultDuplication<teamsan::Simt> {
  using type = Kokkos::Experimental::ScatterNonDuplicated;
};
template <>
struct DefaultContribution<teamsan::Simt, Kokkos::Experimental::ScatterNonDuplicated> {
  using type = Kokkos::Experimental::ScatterAtomic;
};
template <>
struct DefaultContribution<teamsan::Simt, Kokkos::Experimental::ScatterDuplicated> {
  using type = Kokkos::Experimental::ScatterAtomic;
};

/// As Kokkos' own; what it is to clear is told of first.
template <class Value, class Op>
struct ResetDuplicates<teamsan::Simt, Value, Op> : ResetDuplicatesBase<teamsan::Simt, Value, Op> {
  using Base = ResetDuplicatesBase<teamsan::Simt, Value, Op>;
  ResetDuplicates(teamsan::Simt const& space, Value* values, std::size_t count, std::string const& name)
      : Base(space, teamsan::simt::about_to_clear(values, count), count, name) {}
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::size_t i) const {
    ScatterValue<Value, Op, teamsan::Simt, Kokkos::Experimental::ScatterNonAtomic> value(Base::data[i]);
    value.reset();
  }
};

}  // namespace Kokkos::Impl::Experimental
