// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SYCL's header of this name, for programs that are checked as SYCL: what Kokkos programs ask of it, as docs/integrating.md
/// lists it, on the simulated GPU.
#pragma once
#pragma GCC system_header

#include "../../Vendor.hpp"

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#define SYCL_EXTERNAL

namespace sycl {

namespace info {
enum class device_type { cpu, gpu, accelerator, all };
namespace device {
struct name {
  using return_type = std::string;
};
struct global_mem_size {
  using return_type = std::size_t;
};
struct local_mem_size {
  using return_type = std::size_t;
};
struct max_compute_units {
  using return_type = unsigned;
};
struct max_work_group_size {
  using return_type = std::size_t;
};
}  // namespace device
}  // namespace info

class device {
 public:
  bool is_gpu() const { return true; }
  bool is_cpu() const { return false; }
  template <class Info>
  typename Info::return_type get_info() const {
    auto const& properties = teamsan::simt::device_properties();
    if constexpr (std::is_same_v<Info, info::device::name>)
      return properties.name;
    else if constexpr (std::is_same_v<Info, info::device::global_mem_size>)
      return properties.totalGlobalMem;
    else if constexpr (std::is_same_v<Info, info::device::local_mem_size>)
      return properties.sharedMemPerBlock;
    else if constexpr (std::is_same_v<Info, info::device::max_compute_units>)
      return static_cast<unsigned>(properties.multiProcessorCount);
    else
      return static_cast<std::size_t>(properties.maxThreadsPerBlock);
  }
  static std::vector<device> get_devices(info::device_type = info::device_type::all) { return {device()}; }
};

class event {
 public:
  void wait() {}  // what it is about was waited for
  void wait_and_throw() {}
};

namespace ext::oneapi::experimental {

/// A variable of the device's: lanes may touch it, the host copies to it and from it by a queue.
template <class T>
class device_global {
 public:
  using value_type = T;
  device_global() { teamsan::simt::vendor::note_variable(this, sizeof *this); }
  template <class First, class... Rest>
  explicit device_global(First&& first, Rest&&... rest)
      : m_value(static_cast<First&&>(first), static_cast<Rest&&>(rest)...) {
    teamsan::simt::vendor::note_variable(this, sizeof *this);
  }
  device_global(device_global const&) = delete;
  device_global& operator=(device_global const&) = delete;

  T& get() noexcept { return m_value; }
  T const& get() const noexcept { return m_value; }
  operator T&() noexcept { return m_value; }
  operator T const&() const noexcept { return m_value; }
  T& operator=(T const& value) noexcept { return m_value = value; }
  template <class Pointer = T>
  auto operator->() noexcept -> decltype(std::declval<Pointer&>().operator->()) {
    return m_value.operator->();
  }
  template <class Index>
  auto& operator[](Index index) noexcept {
    return m_value[index];
  }

 private:
  T m_value{};
};

}  // namespace ext::oneapi::experimental

/// An instance of the simulated GPU. What it copies is done once the call is back, after all that was pending.
class queue {
 public:
  queue() : m_instance(teamsan::simt::vendor::new_instance()) {}
  /// Of the execution space's instance of that number.
  static queue of_instance(std::uint32_t instance) { return queue(instance); }

  template <class T>
  event memcpy(ext::oneapi::experimental::device_global<T>& to, void const* from, std::size_t bytes = sizeof(T),
               std::size_t offset = 0) {
    teamsan::simt::vendor::copy(reinterpret_cast<char*>(&to.get()) + offset, from, bytes);
    return {};
  }
  template <class T>
  event memcpy(void* to, ext::oneapi::experimental::device_global<T> const& from, std::size_t bytes = sizeof(T),
               std::size_t offset = 0) {
    teamsan::simt::vendor::copy(to, reinterpret_cast<char const*>(&from.get()) + offset, bytes);
    return {};
  }
  template <class T>
  event copy(T const* from, ext::oneapi::experimental::device_global<T>& to) {
    return memcpy(to, from, sizeof(T));
  }
  template <class T>
  event copy(ext::oneapi::experimental::device_global<T> const& from, T* to) {
    return memcpy(to, from, sizeof(T));
  }
  void wait() { teamsan::simt::vendor::fence(m_instance); }
  void wait_and_throw() { wait(); }
  device get_device() const { return {}; }
  bool is_in_order() const { return true; }
  friend bool operator==(queue const& a, queue const& b) { return a.m_instance == b.m_instance; }

  std::uint32_t impl_instance() const { return m_instance; }

 private:
  explicit queue(std::uint32_t instance) : m_instance(instance) {}
  std::uint32_t m_instance;
};

}  // namespace sycl
