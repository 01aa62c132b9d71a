// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Data of which each thread has its own part: scalars, tensors of six components, blocks of history
/// variables, 3x3 matrices. Views over flat arrays that somebody else owns, to be captured by kernels; a copy
/// names the same array. `item` is the thread's number, from 0 to items - 1; nothing is checked here (the
/// simulated GPU checks bounds).
#pragma once

#include "Order.hpp"

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace teamsan::patterns {

/// data[item]. Shape: items.
template <class T>
class PerThreadScalar {
 public:
  static std::string pattern() { return "scalar"; }
  static constexpr std::size_t extent(std::size_t items) { return items; }

  PerThreadScalar() = default;
  explicit PerThreadScalar(T* data) : m_data(data) {}
  KOKKOS_INLINE_FUNCTION T& operator()(std::size_t item) const { return m_data[item]; }

 private:
  T* m_data = nullptr;
};

/// Several components of one thread's, in a lane's registers.
template <class T, int components>
struct Components {
  T value[components];
  KOKKOS_INLINE_FUNCTION constexpr T& operator[](int c) { return value[c]; }
  KOKKOS_INLINE_FUNCTION constexpr T const& operator[](int c) const { return value[c]; }
};

/// A symmetric tensor: xx, yy, zz, xy, yz, zx.
template <class T>
using Tensor6 = Components<T, 6>;

/// Row by row.
template <class T>
using Matrix3 = Components<T, 9>;

namespace Impl {

/// A fixed number of components of each item.
template <class T, int components, class Order>
class PerThreadComponents {
 public:
  using value_type = std::remove_const_t<T>;
  static constexpr std::size_t extent(std::size_t items) { return components * items; }

  PerThreadComponents() = default;
  PerThreadComponents(T* data, std::size_t items) : m_data(data), m_items(items) {}

  KOKKOS_INLINE_FUNCTION T& operator()(std::size_t item, int component) const {
    return m_data[Order::at(item, static_cast<std::size_t>(component), m_items, components)];
  }
  KOKKOS_INLINE_FUNCTION Components<value_type, components> load(std::size_t item) const {
    Components<value_type, components> all;
    for (int c = 0; c < components; ++c) all[c] = (*this)(item, c);
    return all;
  }
  KOKKOS_INLINE_FUNCTION void store(std::size_t item, Components<value_type, components> const& all) const {
    for (int c = 0; c < components; ++c) (*this)(item, c) = all[c];
  }

 private:
  T* m_data = nullptr;
  std::size_t m_items = 0;
};

}  // namespace Impl

/// Symmetric tensors. Shape: 6 * items. AoS: data[6 * item + c]; Strided: data[items * c + item].
template <class T, class Order>
class PerThreadTensor : public Impl::PerThreadComponents<T, 6, Order> {
 public:
  using Impl::PerThreadComponents<T, 6, Order>::PerThreadComponents;
  static std::string pattern() { return std::string("tensor, ") + Order::name; }
};

/// 3x3 matrices, always strided: data[stride * i + item], i = 3 * row + column, stride at least the number of
/// items. Shape: 9 * stride.
template <class T>
class StridedMatrix3 : public Impl::PerThreadComponents<T, 9, Strided> {
 public:
  using Impl::PerThreadComponents<T, 9, Strided>::PerThreadComponents;
  static std::string pattern() { return "3x3 matrix, strided"; }
};

/// A block of `num_history` variables for each item. Shape: num_history * items. AoS: data[num_history * item
/// + h]; Strided: data[items * h + item].
template <class T, class Order>
class PerThreadHistory {
 public:
  static std::string pattern() { return std::string("history, ") + Order::name; }
  static constexpr std::size_t extent(std::size_t items, std::size_t num_history) {
    return num_history * items;
  }

  PerThreadHistory() = default;
  PerThreadHistory(T* data, std::size_t items, std::size_t num_history)
      : m_data(data), m_items(items), m_num_history(num_history) {}
  KOKKOS_INLINE_FUNCTION T& operator()(std::size_t item, std::size_t h) const {
    return m_data[Order::at(item, h, m_items, m_num_history)];
  }
  KOKKOS_INLINE_FUNCTION std::size_t num_history() const { return m_num_history; }

 private:
  T* m_data = nullptr;
  std::size_t m_items = 0, m_num_history = 0;
};

/// "stress (tensor, strided)": a label by which reports tell an array's pattern.
template <class Pattern>
std::string label(char const* name) {
  return std::string(name) + " (" + Pattern::pattern() + ")";
}

}  // namespace teamsan::patterns
