// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// teamsan::Simt, the simulated GPU as a Kokkos execution space. An instance is a number: launches of one
/// instance are ordered, launches of two are not, and the simulator keeps what is pending under that number.
/// All state is in spaces/ExecutionSpace.cpp.
#pragma once

#include "../Macros.hpp"
#include "DeviceProperties.hpp"
#include "MemorySpaces.hpp"

#include <Kokkos_Concepts.hpp>
#include <Kokkos_Layout.hpp>
#include <Kokkos_ScratchSpace.hpp>
#include <impl/Kokkos_InitializationSettings.hpp>
#include <impl/Kokkos_Profiling_Interface.hpp>

#ifdef TEAMSAN_AS_CUDA
#include "../as/cuda/cuda_runtime.h"
#endif
#ifdef TEAMSAN_AS_HIP
#include "../as/hip/hip/hip_runtime.h"
#endif
#ifdef TEAMSAN_AS_SYCL
#include "../as/sycl/sycl/sycl.hpp"
#endif

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace teamsan {

namespace simt {

/// What all copies of an instance share: when the last one goes, Kokkos fences the instance (since PR 8626 of November 2025;
/// with Kokkos 4 nothing happens). A lane's copies do not count: on a GPU they are bytes.
class InstanceLife {
 public:
  InstanceLife() = default;  ///< the default instance's, which never ends
  explicit InstanceLife(std::uint32_t instance);
  InstanceLife(InstanceLife const& other) : m_shared(other.m_shared) {
    if (m_shared != nullptr) hold();
  }
  InstanceLife& operator=(InstanceLife const& other) {
    InstanceLife copy(other);
    Shared* const mine = m_shared;
    m_shared = copy.m_shared;
    copy.m_shared = mine;
    return *this;
  }
  ~InstanceLife() {
    if (m_shared != nullptr) drop();
  }

 private:
  struct Shared;
  void hold() const;
  void drop();

  Shared* m_shared = nullptr;
};

}  // namespace simt

class Simt {
 public:
  using execution_space = Simt;
  using memory_space = SimtSpace;
  using device_type = Kokkos::Device<execution_space, memory_space>;
  using size_type = memory_space::size_type;
  using index_type = memory_space::index_type;
  using array_layout = Kokkos::LayoutLeft;
  using scratch_memory_space = Kokkos::ScratchMemorySpace<Simt>;

  /// The default instance.
  Simt();
  /// A new instance, unordered with all others.
  static Simt create_instance();

  static char const* name() { return "Simt"; }
  /// Lanes that the modelled device keeps in flight at once.
  static int concurrency();

  void fence(std::string const& name = "Kokkos::Simt::fence(): Unnamed Instance Fence") const;
  static void impl_static_fence(std::string const& name);

  void print_configuration(std::ostream& os, bool verbose = false) const;

  static void impl_initialize(Kokkos::InitializationSettings const& settings);
  static void impl_finalize();
  static bool impl_is_initialized();  // Views ask for it before 4.7
  std::uint32_t impl_instance_id() const noexcept { return m_instance; }

  /// The default instance has number 0 here, as its stream has on CUDA.
  static Simt impl_of_number(std::uintptr_t number);
  std::uint32_t impl_number() const noexcept;

  // What Kokkos' own spaces have under the names that a program may be checked as (as/).
#ifdef TEAMSAN_AS_CUDA
  explicit Simt(cudaStream_t stream) : Simt(impl_of_number(reinterpret_cast<std::uintptr_t>(stream))) {}
  cudaStream_t cuda_stream() const { return reinterpret_cast<cudaStream_t>(std::uintptr_t{impl_number()}); }
  int cuda_device() const { return 0; }
  simt::DeviceProperties const& cuda_device_prop() const { return simt::device_properties(); }
#endif
#ifdef TEAMSAN_AS_HIP
  explicit Simt(hipStream_t stream) : Simt(impl_of_number(reinterpret_cast<std::uintptr_t>(stream))) {}
  hipStream_t hip_stream() const { return reinterpret_cast<hipStream_t>(std::uintptr_t{impl_number()}); }
  int hip_device() const { return 0; }
  simt::DeviceProperties const& hip_device_prop() const { return simt::device_properties(); }
#endif
#ifdef TEAMSAN_AS_SYCL
  explicit Simt(sycl::queue const& queue) : Simt(impl_of_number(queue.impl_instance())) {}
  sycl::queue sycl_queue() const { return sycl::queue::of_instance(impl_number()); }
#endif

 private:
  explicit Simt(std::uint32_t instance) : m_instance(instance), m_life(instance) {}
  friend bool operator==(Simt const& a, Simt const& b) { return a.m_instance == b.m_instance; }
  friend bool operator!=(Simt const& a, Simt const& b) { return !(a == b); }

  std::uint32_t m_instance;
  simt::InstanceLife m_life;
};

namespace simt {

/// Registers Simt with Kokkos::initialize, once. Called at start-up by every translation unit that includes
/// this header: a registration that sat in the library alone would be dropped by the linker.
int register_space();

/// One new instance for each of `count` parts.
std::vector<Simt> partition(std::size_t count);

inline int const registered = register_space();

}  // namespace simt
}  // namespace teamsan

template <>
struct Kokkos::Tools::Experimental::DeviceTypeTraits<teamsan::Simt> {
  static constexpr DeviceType id = DeviceType::Unknown;  // Kokkos' list of devices is closed
  static int device_id(teamsan::Simt const&) { return 0; }
};

namespace Kokkos::Impl {

template <>
struct MemorySpaceAccess<teamsan::SimtSpace, teamsan::Simt::scratch_memory_space> {
  enum : bool { assignable = false };
  enum : bool { accessible = true };
  enum : bool { deepcopy = false };  // before 4.7
};

}  // namespace Kokkos::Impl

#include "../versions/PartitionSpace.hpp"
