// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A standard allocator for unified shared memory (SYCL 2020, 4.8.3.2): containers of the host whose elements
/// kernels may touch.
///
///     std::vector<double, usm::Allocator<double, usm::Kind::shared>> x(n);
///     double* const data = x.data();   // capture the pointer, not the container
#pragma once

#include "Malloc.hpp"

#include <cstddef>
#include <limits>
#include <new>

namespace teamsan::usm {

/// Kind: host, shared or system; the host constructs elements, so that device memory is none. Meets the C++
/// named requirement Allocator; allocators of one context and kind are equal, whatever their type.
template <class T, Kind kind, class Space = Kokkos::DefaultExecutionSpace>
class Allocator {
  static_assert(
      kind == Kind::host || kind == Kind::shared || kind == Kind::system,
      "usm::Allocator: the host constructs the elements, so that the memory must be the host's to touch");

 public:
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  template <class U>
  struct rebind {
    using other = Allocator<U, kind, Space>;
  };

  constexpr Allocator() = default;
  explicit constexpr Allocator(BasicContext<Space> context) : m_context(context) {}
  template <class U>
  constexpr Allocator(Allocator<U, kind, Space> const& other) : m_context(other.context()) {}

  /// `count` elements, uninitialised. Throws std::bad_alloc when there is no memory for them.
  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    try {
      // A container may ask for none, and has to get a pointer it can give back.
      return malloc<T>(count == 0 ? 1 : count, kind, m_context, "usm::Allocator");
    } catch (std::runtime_error const&) {
      throw std::bad_alloc();
    }
  }
  void deallocate(T* pointer, std::size_t) { usm::free(pointer, m_context); }

  constexpr BasicContext<Space> context() const { return m_context; }

 private:
  BasicContext<Space> m_context;
};

template <class T, class U, Kind k, class Space>
constexpr bool operator==(Allocator<T, k, Space> const& a, Allocator<U, k, Space> const& b) {
  return a.context() == b.context();
}

}  // namespace teamsan::usm
