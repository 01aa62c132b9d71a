// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shapes of Views, for reports, where Kokkos has no customisation point for them: the View that is not made of an mdspan, the
/// only one until 4.6 and on request (Kokkos_ENABLE_IMPL_VIEW_LEGACY) in 4.7. Its constructor calls
/// allocate_shared(properties, layout, ...) of its mapping; overlay/View/Kokkos_ViewLegacy.hpp has that call pass by here.
#pragma once

#include "../Fwd.hpp"
#include "../Macros.hpp"
#include "../DynamicRank.hpp"
#include "TypeName.hpp"

#include "../../../sim/host/NextAllocation.hpp"
#include "../../../sim/memory/Shape.hpp"

#include <Kokkos_Layout.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace teamsan::simt {

template <class Space>
inline constexpr bool has_shapes_v = std::is_same_v<Space, SimtSpace> || std::is_same_v<Space, SimtSharedSpace> ||
                                     std::is_same_v<Space, SimtHostPinnedSpace>;

template <class Layout>
constexpr std::string_view legacy_layout_name() {
  if (std::is_same_v<Layout, Kokkos::LayoutLeft>) return "LayoutLeft";
  if (std::is_same_v<Layout, Kokkos::LayoutRight>) return "LayoutRight";
  if (std::is_same_v<Layout, Kokkos::LayoutStride>) return "LayoutStride";
  return {};
}

/// `lies.stride(array)` and `extent(i)` as a View and its mapping's offset have them.
template <class Element, class Layout, class Strided, class Extent>
TEAMSAN_NO_INSTRUMENT Shape legacy_shape(std::size_t rank, Strided const& lies, Extent const& extent) {
  Shape shape;
  if (legacy_layout_name<Layout>().empty()) return shape;
  shape.type = type_name<std::remove_const_t<Element>>();
  shape.layout = legacy_layout_name<Layout>();
  shape.element_bytes = sizeof(Element);
  shape.rank = static_cast<std::uint32_t>(rank);
  std::uint64_t strides[Shape::max_rank + 1] = {};  // Kokkos adds the span
  lies.stride(strides);
  for (std::uint32_t i = 0; i != shape.rank; ++i) {
    shape.extents[i] = extent(i);
    shape.strides[i] = strides[i];
  }
  drop_unused_dimensions(shape);
  return shape;
}

/// The View of these traits that is allocated next will have `layout`, which is returned.
template <class Traits, class Properties>
TEAMSAN_NO_INSTRUMENT typename Traits::array_layout const& announce(Properties const&,
                                                                    typename Traits::array_layout const& layout) {
  if constexpr (has_shapes_v<typename Traits::memory_space> && std::is_void_v<typename Traits::specialize>) {
    using Element = typename Traits::value_type;
    using Layout = typename Traits::array_layout;
    using Offset = Kokkos::Impl::ViewOffset<typename Traits::dimension, Layout, void>;
    Offset const offset(std::integral_constant<unsigned, Properties::allow_padding ? sizeof(Element) : 0>(), layout);
    shape_next_allocation(legacy_shape<Element, Layout>(Traits::dimension::rank, offset,
                                                        [&](std::uint32_t i) { return offset.m_dim.extent(i); }),
                          offset.span());
  }
  return layout;
}

}  // namespace teamsan::simt
