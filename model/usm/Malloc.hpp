// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Allocation and freeing of the four kinds, and questions about pointers and devices (SYCL 2020, 4.8.3).
#pragma once

#include "Context.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>

namespace teamsan::usm {

/// The aspects of the device that Space runs on. Asked once.
template <class Space = Kokkos::DefaultExecutionSpace>
Aspects const& aspects() {
  static Aspects const known = Backend<Space>::aspects();
  return known;
}

template <class Space = Kokkos::DefaultExecutionSpace>
bool has(Aspect aspect) {
  return aspects<Space>().has(aspect);
}

namespace Impl {

/// Alignment that every allocation has.
inline constexpr std::size_t alignment = 64;

template <class T, class Space>
T* allocate(Kind kind, Aspect needed, std::size_t count, BasicContext<Space> context, char const* label) {
  static_assert(alignof(T) <= alignment, "usm: a type may ask for an alignment of 64 bytes at most");
  if (kind != Kind::system && !has<Space>(needed))
    throw std::runtime_error(std::string("teamsan::usm: the device does not have the aspect usm_") +
                             name(kind) + "_allocations, which malloc_" + name(kind) + "(\"" + label +
                             "\") needs");
  if (count > ~std::size_t{0} / sizeof(T))
    throw std::runtime_error("teamsan::usm: the size exceeds the address space");
  if (count == 0) return nullptr;
  return static_cast<T*>(Backend<Space>::allocate(kind, context.id(), count * sizeof(T), label));
}

}  // namespace Impl

/// `count` elements that kernels of the context may touch and the host may not. nullptr for none. The label
/// is what reports and Kokkos Tools call it. Throws std::runtime_error when the device has no such memory, or
/// not enough.
template <class T, class Space = Kokkos::DefaultExecutionSpace>
T* malloc_device(std::size_t count, BasicContext<Space> context = {}, char const* label = "usm device") {
  return Impl::allocate<T>(Kind::device, Aspect::device_allocations, count, context, label);
}

/// `count` elements of the host's pinned memory, for both sides. Otherwise like malloc_device.
template <class T, class Space = Kokkos::DefaultExecutionSpace>
T* malloc_host(std::size_t count, BasicContext<Space> context = {}, char const* label = "usm host") {
  return Impl::allocate<T>(Kind::host, Aspect::host_allocations, count, context, label);
}

/// `count` elements that move to whoever touches them. The host must not touch what an unfenced kernel
/// writes, and nothing of the allocation while a kernel works on it unless has(Aspect::concurrent_access).
/// Otherwise like malloc_device.
template <class T, class Space = Kokkos::DefaultExecutionSpace>
T* malloc_shared(std::size_t count, BasicContext<Space> context = {}, char const* label = "usm shared") {
  return Impl::allocate<T>(Kind::shared, Aspect::shared_allocations, count, context, label);
}

/// `count` elements of the host's own memory, which belongs to no context. Kernels may touch it if
/// has(Aspect::system_allocations). Throws std::runtime_error when there is none left.
template <class T, class Space = Kokkos::DefaultExecutionSpace>
T* malloc_system(std::size_t count, BasicContext<Space> context = {}, char const* label = "usm system") {
  return Impl::allocate<T>(Kind::system, Aspect::system_allocations, count, context, label);
}

/// Of that kind; `unknown` throws std::invalid_argument.
template <class T, class Space = Kokkos::DefaultExecutionSpace>
T* malloc(std::size_t count, Kind kind, BasicContext<Space> context = {}, char const* label = "usm") {
  switch (kind) {
    case Kind::device:
      return malloc_device<T>(count, context, label);
    case Kind::host:
      return malloc_host<T>(count, context, label);
    case Kind::shared:
      return malloc_shared<T>(count, context, label);
    case Kind::system:
      return malloc_system<T>(count, context, label);
    case Kind::unknown:
      break;
  }
  throw std::invalid_argument("teamsan::usm: no allocation is of unknown kind");
}

/// Frees what one of the above returned, in its own context; nullptr is fine. Waits for the device, as Kokkos
/// does. In production a pointer that is not the start of a live allocation throws std::invalid_argument; on
/// the simulated GPU it is a finding.
template <class Space = Kokkos::DefaultExecutionSpace>
void free(void* pointer, BasicContext<Space> context = {}) {
  if (pointer != nullptr) Backend<Space>::free(pointer, context.id());
}

/// The kind of the live allocation of that context that holds the address; inner addresses count. SYCL's
/// get_pointer_type, which says `unknown` for system allocations too.
template <class Space = Kokkos::DefaultExecutionSpace>
Kind kind_of(void const* pointer, BasicContext<Space> context = {}) {
  return Backend<Space>::kind_of(pointer, context.id());
}

}  // namespace teamsan::usm
