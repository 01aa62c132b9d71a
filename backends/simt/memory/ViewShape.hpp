// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Extents, strides and element type of Views, for reports. Kokkos asks its customisation point
/// allocation_size_from_mapping_and_accessor for the size of each View's memory just before it allocates; for the
/// simulated GPU's spaces it comes here (argument-dependent lookup finds the space's namespace). Scratch Views are not
/// asked about: teamsan::name tells of those. Kokkos 4 is another matter (versions/LegacyView.hpp).
#pragma once

#include "../Macros.hpp"
#include "../DynamicRank.hpp"
#include "../spaces/MemorySpaces.hpp"
#include "../versions/Accepts.hpp"
#include "../versions/LegacyView.hpp"
#include "../versions/TypeName.hpp"

#include "../../../sim/host/NextAllocation.hpp"
#include "../../../sim/machine/Lane.hpp"
#include "../../../sim/memory/Shape.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace Kokkos::Impl {

template <class MemorySpace, class NestedAccessor>
struct SpaceAwareAccessor;  // not in a Kokkos 4 without mdspan

}  // namespace Kokkos::Impl

namespace teamsan {

namespace simt {

/// Kokkos' name of an mdspan layout, by the layout's own: layout_left, layout_left_padded, ...
inline std::string_view layout_name(std::string_view layout) {
  if (layout.find("left") != std::string_view::npos) return "LayoutLeft";
  if (layout.find("right") != std::string_view::npos) return "LayoutRight";
  if (layout.find("stride") != std::string_view::npos) return "LayoutStride";
  return {};
}

template <class Element, class Mapping>
TEAMSAN_NO_INSTRUMENT Shape shape_of(Mapping const& mapping) {
  Shape shape;
  if constexpr (Mapping::extents_type::rank() <= Shape::max_rank && Mapping::is_always_strided()) {
    shape.type = type_name<std::remove_const_t<Element>>();
    shape.layout = layout_name(type_name<typename Mapping::layout_type>());
    shape.element_bytes = sizeof(Element);
    shape.rank = static_cast<std::uint32_t>(Mapping::extents_type::rank());
    if constexpr (Mapping::extents_type::rank() != 0) {
      for (std::uint32_t i = 0; i != shape.rank; ++i) {
        shape.extents[i] = static_cast<std::uint64_t>(mapping.extents().extent(i));
        shape.strides[i] = static_cast<std::uint64_t>(mapping.stride(i));
      }
      drop_unused_dimensions(shape);
    }
  }
  return shape;
}

template <class ViewType>
TEAMSAN_NO_INSTRUMENT Shape shape_of_view(ViewType const& view) {
  using Element = typename ViewType::value_type;
  if constexpr (accepts<ViewType const&>([](auto& with) -> decltype(void(with.mapping())) {}))
    return shape_of<Element>(view.mapping());
  else
    return legacy_shape<Element, typename ViewType::array_layout>(ViewType::rank, view,
                                                                  [&](std::uint32_t i) { return view.extent(i); });
}

}  // namespace simt

/// More special than Kokkos' own in its second argument; the size is the same.
template <class Mapping, class MemorySpace, class Nested>
TEAMSAN_NO_INSTRUMENT std::enable_if_t<simt::is_simt_space_v<MemorySpace>, std::size_t>
allocation_size_from_mapping_and_accessor(Mapping const& mapping,
                                          Kokkos::Impl::SpaceAwareAccessor<MemorySpace, Nested> const&) {
  if (!in_kernel()) shape_next_allocation(simt::shape_of<typename Nested::element_type>(mapping));
  return static_cast<std::size_t>(mapping.required_span_size());
}

/// Says what a View in team or thread scratch is called, and how its elements lie, so that reports name it:
///   Kokkos::View<double**, Scratch> tile(member.team_scratch(0), 16, 16);
///   teamsan::name(tile, "tile");
/// To be called by every lane that obtains it, or by one. Does nothing for other Views, whose label says it, and on the
/// host. In code that is also built without TeamSan, put it between #ifdef TEAMSAN_OVERLAY and #endif.
template <class ViewType>
TEAMSAN_NO_INSTRUMENT void name(ViewType const& view, char const* what) {
  if (!in_kernel()) return;
  name_scratch(view.data(), what, simt::shape_of_view(view));
}

}  // namespace teamsan
