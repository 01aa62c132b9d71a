// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How an execution space makes the allocations of unified shared memory: Backend<Space>. This is the one for
/// every Kokkos space of the host, by Kokkos' own memory spaces; CUDA, HIP and SYCL tell aspects, copy and prefetch in
/// their own way (Backend_Cuda.hpp, Backend_HIP.hpp, Backend_SYCL.hpp). The simulated GPU has one in
/// <TeamSan_Usm_Backend.hpp>, which lies beside the headers that make it the default execution space: a production build does
/// not see it.
///
/// In production a context is a name alone: CUDA, HIP and the host have one for the whole process. That an
/// allocation is used in its own context is what the simulated GPU checks.
#pragma once

#include "Kind.hpp"
#include "Registry.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace teamsan::usm {

/// All sizes in bytes; `context` is Context::id(). A new backend derives from KokkosBackend and hides what
/// differs.
template <class Space>
struct KokkosBackend {
  using Execution = Space;
  using DeviceSpace = typename Space::memory_space;

  /// A host's execution space can do all.
  static Aspects aspects() { return Aspects::all(); }

  /// Uninitialised memory, aligned to 64 bytes at least. Throws std::runtime_error when there is none left.
  static void* allocate(Kind kind, std::uint32_t context, std::size_t bytes, char const* label) {
    void* pointer = nullptr;
    switch (kind) {
      case Kind::device:
        pointer = Kokkos::kokkos_malloc<DeviceSpace>(label, bytes);
        break;
      case Kind::host:
        pointer = Kokkos::kokkos_malloc<Kokkos::SharedHostPinnedSpace>(label, bytes);
        break;
      case Kind::shared:
        pointer = Kokkos::kokkos_malloc<Kokkos::SharedSpace>(label, bytes);
        break;
      case Kind::system:
        pointer = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
        if (pointer == nullptr) throw std::runtime_error("teamsan::usm: malloc_system: out of memory");
        break;
      case Kind::unknown:
        throw std::invalid_argument("teamsan::usm: no allocation is of unknown kind");
    }
    Registry::instance().add(pointer, {kind, context, bytes});
    return pointer;
  }

  /// Throws std::invalid_argument for what allocate did not return, or was freed already.
  static void free(void* pointer, std::uint32_t /*context*/) {
    switch (Registry::instance().take(pointer).kind) {
      case Kind::device:
        return Kokkos::kokkos_free<DeviceSpace>(pointer);
      case Kind::host:
        return Kokkos::kokkos_free<Kokkos::SharedHostPinnedSpace>(pointer);
      case Kind::shared:
        return Kokkos::kokkos_free<Kokkos::SharedSpace>(pointer);
      case Kind::system:
        Kokkos::fence("teamsan::usm::free: before free");
        return std::free(pointer);
      case Kind::unknown:
        return;
    }
  }

  static Kind kind_of(void const* pointer, std::uint32_t context) {
    return Registry::instance().kind_of(pointer, context);
  }

  /// An instance whose kernels belong to the context. Kokkos' own instances belong to the default one.
  static Space make_instance(std::uint32_t /*context*/) {
    return Kokkos::Experimental::partition_space(Space(), 1).front();
  }

  /// In order with the instance's kernels; may return before it is done.
  static void copy(Space const& instance, void* to, void const* from, std::size_t bytes) {
    instance.fence("teamsan::usm::copy: fence before copy");
    std::memmove(to, from, bytes);
  }
  static void fill(Space const& instance, void* to, unsigned char value, std::size_t bytes) {
    instance.fence("teamsan::usm::fill: fence before fill");
    std::memset(to, value, bytes);
  }

  /// Hints: nothing to do where nothing moves.
  static void prefetch(Space const&, void const*, std::size_t, bool /*to_device*/) {}
  static void advise(Space const&, void const*, std::size_t, Advice) {}
};

template <class Space>
struct Backend : KokkosBackend<Space> {
  static_assert(Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible,
                "teamsan::usm knows CUDA, HIP, SYCL and the host's backends: nobody here copies this space's memory");
};

}  // namespace teamsan::usm

#ifdef KOKKOS_ENABLE_CUDA
#include "Backend_Cuda.hpp"
#endif
#ifdef KOKKOS_ENABLE_HIP
#include "Backend_HIP.hpp"
#endif
#ifdef KOKKOS_ENABLE_SYCL
#include "Backend_SYCL.hpp"
#endif
#if __has_include(<TeamSan_Usm_Backend.hpp>)
#include <TeamSan_Usm_Backend.hpp>
#endif
