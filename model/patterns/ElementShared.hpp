// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Data of a finite element that its integration points share: the `num_ip` threads of an element are
/// neighbours, and all of them name data[item / num_ip]. Reading it is a broadcast. Writing it is a race,
/// unless one of them does it alone or all of them do it atomically: `+=` on the reference loses what others
/// add at the same time.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace teamsan::patterns {

/// Shape: items / num_ip, rounded up.
template <class T>
class ElementShared {
 public:
  static std::string pattern() { return "element data, shared"; }
  static constexpr std::size_t extent(std::size_t items, std::size_t num_ip) {
    return (items + num_ip - 1) / num_ip;
  }

  ElementShared() = default;
  ElementShared(T* data, std::size_t num_ip) : m_data(data), m_num_ip(num_ip) {}

  /// Of the element that the item belongs to. To be written by one thread alone.
  KOKKOS_INLINE_FUNCTION T& operator()(std::size_t item) const { return m_data[item / m_num_ip]; }

  /// What all of its threads may do at once.
  KOKKOS_INLINE_FUNCTION void atomic_add(std::size_t item, T value) const {
    Kokkos::atomic_add(&(*this)(item), value);
  }

  /// Is the item the first of its element: the one to write for all?
  KOKKOS_INLINE_FUNCTION bool is_first(std::size_t item) const { return item % m_num_ip == 0; }

 private:
  T* m_data = nullptr;
  std::size_t m_num_ip = 1;
};

}  // namespace teamsan::patterns
