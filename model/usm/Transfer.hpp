// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Explicit copies, and hints about where shared allocations had best lie (SYCL 2020, 4.9.4: memcpy, fill,
/// prefetch, mem_advise). Each is asynchronous in its execution space instance: in order with the instance's
/// kernels, done once the instance is fenced. Ranges must lie within one allocation of the instance's
/// context, or in host memory.
#pragma once

#include "Backend.hpp"

#include <cstddef>
#include <type_traits>

namespace teamsan::usm {

/// `count` elements from one place to another; device, host, shared, system and the host's other memory
/// alike.
template <class Space, class T>
void copy(Space const& instance, T const* from, T* to, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>, "usm::copy copies bytes");
  if (count != 0) Backend<Space>::copy(instance, to, from, count * sizeof(T));
}

/// In the default instance, and waits for it.
template <class T>
void copy(T const* from, T* to, std::size_t count) {
  Kokkos::DefaultExecutionSpace const instance;
  copy(instance, from, to, count);
  instance.fence("teamsan::usm::copy: fence after copy");
}

/// Sets all bytes of `count` elements.
template <class Space, class T>
void fill_bytes(Space const& instance, T* to, unsigned char value, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>, "usm::fill_bytes sets bytes");
  if (count != 0) Backend<Space>::fill(instance, to, value, count * sizeof(T));
}

/// A hint: the pages of a shared allocation move to the device before the instance's next kernels touch them.
template <class Space, class T>
void prefetch(Space const& instance, T const* pointer, std::size_t count) {
  if (count != 0) Backend<Space>::prefetch(instance, pointer, count * sizeof(T), true);
}

/// A hint: the same, to the host, once the instance's kernels so far are done.
template <class Space, class T>
void prefetch_to_host(Space const& instance, T const* pointer, std::size_t count) {
  if (count != 0) Backend<Space>::prefetch(instance, pointer, count * sizeof(T), false);
}

/// A hint that may be ignored, and is by all backends but CUDA's and HIP's.
template <class Space, class T>
void advise(Space const& instance, T const* pointer, std::size_t count, Advice advice) {
  if (count != 0) Backend<Space>::advise(instance, pointer, count * sizeof(T), advice);
}

}  // namespace teamsan::usm
