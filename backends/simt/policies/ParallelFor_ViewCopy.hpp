// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kokkos' own copy of a View of rank 2 and more into another one, for Kokkos::resize and deep_copy of subviews: a kernel with
/// a lane for each element on a GPU. Where both hold runs of elements side by side it is done run by run here, on the host: no
/// lane's work can go wrong in it, and it costs a tenth. What is initialised goes along; an element that is not makes no
/// finding.
#pragma once

#include "../launch/Launch.hpp"
#include "../memory/StridedCopy.hpp"
#include "ParallelFor_MDRange.hpp"

#include <Kokkos_Core_fwd.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// The same kernel under another name: what is not copied in runs goes the way of all kernels.
template <class Copy>
struct SimtCopyByLanes {
  Copy copy;
  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index const&... index) const {
    copy(index...);
  }
};

template <class To, class From, class Layout, class Space, int rank, class Index, class... Traits>
class ParallelFor<ViewCopy<To, From, Layout, Space, rank, Index>, Kokkos::MDRangePolicy<Traits...>, teamsan::Simt> {
 public:
  using Policy = Kokkos::MDRangePolicy<Traits...>;
  using functor_type = ViewCopy<To, From, Layout, Space, rank, Index>;

  ParallelFor(functor_type const& functor, Policy const& policy) : m_functor(functor), m_policy(policy) {}

  template <typename P, typename F>
  static int max_tile_size_product(P const&, F const&) {
    return teamsan::simt::max_tile_size();
  }

  void execute() const {
    if (teamsan::simt::is_nested_launch()) return;
    if constexpr (of_plain_elements) {
      if (copy_in_runs(std::make_integer_sequence<int, rank>())) return;
    }
    using ByLanes = SimtCopyByLanes<functor_type>;
    ParallelFor<ByLanes, Policy, teamsan::Simt>(ByLanes{m_functor}, m_policy).execute();
  }

  Policy const& get_policy() const { return m_policy; }

 private:
  using Element = typename To::non_const_value_type;
  static constexpr bool of_plain_elements = std::is_same_v<Element, typename From::non_const_value_type> &&
                                            std::is_trivially_copyable_v<Element> &&
                                            std::is_same_v<decltype(std::declval<To const&>().data()), Element*> &&
                                            std::is_lvalue_reference_v<typename To::reference_type>;

  template <int... i>
  bool copy_in_runs(std::integer_sequence<int, i...>) const {
    teamsan::simt::CopiedDimension const dimensions[] = {{m_functor.a.extent(i),
                                                          static_cast<std::size_t>(m_functor.a.stride(i)),
                                                          static_cast<std::size_t>(m_functor.b.stride(i))}...};
    return teamsan::simt::copy_in_runs(m_functor.a.data(), m_functor.b.data(), dimensions, rank, sizeof(Element));
  }

  functor_type const m_functor;
  Policy const m_policy;
};

}  // namespace Kokkos::Impl
