// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the variables of a workgroup lie, at compile time: names, types, offsets, bytes; against a device's
/// limit.
///
///   using Layout = teamsan::workgroup_layout<teamsan::variable<"tile", float[256]>,
///                                            teamsan::variable<"normals", teamsan::vec4f[64]>,
///                                            teamsan::variable<"count", teamsan::atomic<unsigned>>>;
///   static_assert(Layout::bytes == 2064 && Layout::offset<"normals"> == 1024);
///   static_assert(Layout::fits(teamsan::limits::webgpu_minimum));
///   policy.set_scratch_size(0, Kokkos::PerTeam(Layout::scratch_bytes));
///
/// A member may also be a type alone (`workgroup_layout<float[256], atomic<unsigned>>`), asked for by its
/// position. Members are arrays of up to 8 dimensions, or single values, of trivially destructible types;
/// each starts at a multiple of 16 bytes, so that `bytes` is what WebGPU counts against
/// maxComputeWorkgroupStorageSize (WebGPU, "validating GPUProgrammableStage": the sum of every variable's
/// size rounded up to 16).
///
/// A limit that the compiler does not know is asked at run time: workgroup_limit<ExecutionSpace>(). A launch
/// over it is refused in Kokkos' words; on the simulated GPU that is the finding `limit`, which names devices
/// that would accept it.
#pragma once

#include "cxx20.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace teamsan {

/// Bytes of workgroup memory that one team may have. Layout::fits compares with them; Kokkos' backends keep a
/// little for themselves, which workgroup_limit leaves out.
namespace limits {
/// WebGPU, maxComputeWorkgroupStorageSize: every device grants it.
inline constexpr std::size_t webgpu_minimum = 16384;
/// Vulkan, maxComputeSharedMemorySize: required of every device.
inline constexpr std::size_t vulkan_minimum = 16384;
/// CUDA C++ Programming Guide, compute capabilities: every NVIDIA GPU without opting in.
inline constexpr std::size_t cuda_without_opt_in = 49152;
/// The same, compute capability 7.0, 8.0 and 9.0, with opt-in, which Kokkos does.
inline constexpr std::size_t v100 = 98304;
inline constexpr std::size_t a100 = 166912;
inline constexpr std::size_t h100 = 232448;
/// CDNA 2 and 3 instruction set documents: LDS of a workgroup.
inline constexpr std::size_t amd = 65536;
}  // namespace limits

/// A string as template argument.
template <std::size_t N>
struct fixed_string {
  char text[N];
  constexpr fixed_string(char const (&literal)[N]) { std::copy_n(literal, N, text); }
  constexpr std::string_view view() const { return {text, N - 1}; }
  friend constexpr bool operator==(fixed_string const&, fixed_string const&) = default;
};

namespace Impl {
struct NamedVariable {};
}  // namespace Impl

/// A named member of a layout.
template <fixed_string Name, class T>
struct variable : Impl::NamedVariable {
  using type = T;
  static constexpr auto name = Name;
};

namespace Impl {

/// A member given by its type alone.
template <class T>
struct Variable {
  using type = T;
  static constexpr fixed_string name = "";
};
template <class Named>
requires(std::is_base_of_v<NamedVariable, Named>) struct Variable<Named> : Named {
};

template <class T>
constexpr bool is_workgroup_type =
    std::is_object_v<T>&& std::is_trivially_destructible_v<std::remove_all_extents_t<T>>&&
        std::is_trivially_default_constructible_v<std::remove_all_extents_t<T>>;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace Impl

template <class... Members>
struct workgroup_layout {
  static_assert((Impl::is_workgroup_type<typename Impl::Variable<Members>::type> && ...),
                "a workgroup variable is of a type that is trivially made and destroyed: its memory is not "
                "initialised");

  static constexpr std::size_t count = sizeof...(Members);
  static constexpr std::size_t unit = 16;  ///< every member starts at a multiple of it
  static constexpr std::size_t alignment =
      std::max({std::size_t{8}, alignof(typename Impl::Variable<Members>::type)...});
  static_assert(alignment <= unit, "no workgroup variable may want more than 16 bytes of alignment");

  static constexpr std::array<std::size_t, count> sizes = {sizeof(typename Impl::Variable<Members>::type)...};
  static constexpr std::array<std::string_view, count> names = {Impl::Variable<Members>::name.view()...};
  static constexpr std::array<std::size_t, count> offsets = [] {
    std::array<std::size_t, count> result{};
    std::size_t next = 0;
    for (std::size_t i = 0; i != count; ++i) {
      result[i] = next;
      next += Impl::round_up(sizes[i], unit);
    }
    return result;
  }();
  static_assert(
      [] {
        for (std::size_t i = 0; i != count; ++i)
          for (std::size_t j = 0; j != i; ++j)
            if (!names[i].empty() && names[i] == names[j]) return false;
        return true;
      }(),
      "workgroup_layout: two variables have the same name");
  template <std::size_t I>
  static constexpr std::size_t offset_at = offsets[I];
  /// Of all members.
  static constexpr std::size_t bytes =
      (std::size_t{0} + ... + Impl::round_up(sizeof(typename Impl::Variable<Members>::type), unit));
  /// For set_scratch_size(0, PerTeam(...)): Kokkos aligns the start of scratch to 8 bytes.
  static constexpr std::size_t scratch_bytes = bytes + alignment - 8;

  static constexpr bool fits(std::size_t limit) { return bytes <= limit; }

  /// How many members have that name.
  template <fixed_string Name>
  static constexpr std::size_t count_of = (std::size_t{0} + ... +
                                           (Impl::Variable<Members>::name.view() == Name.view()));

  /// The position of the member of that name.
  template <fixed_string Name>
  static constexpr std::size_t index = [] {
    static_assert(count_of<Name> == 1, "the layout has no member of this name, or two");
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), Name.view()) - names.begin());
  }();

  template <fixed_string Name>
  static constexpr std::size_t offset = offsets[index<Name>];

  template <std::size_t I>
  using type_at = typename std::tuple_element_t<I, std::tuple<Impl::Variable<Members>...>>::type;
  template <fixed_string Name>
  using type_of = type_at<index<Name>>;
};

/// Bytes of level 0 scratch that a team may have on this backend, on this device (on the simulated GPU: on
/// the modelled one), the most that Kokkos takes in set_scratch_size. A host function; Kokkos is initialised.
template <class ExecutionSpace = Kokkos::DefaultExecutionSpace>
std::size_t workgroup_limit() {
  return static_cast<std::size_t>(Kokkos::TeamPolicy<ExecutionSpace>::scratch_size_max(0));
}

}  // namespace teamsan
