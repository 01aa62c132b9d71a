// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the headers of CUDA's, HIP's and SYCL's names (cuda/, hip/, sycl/ beside this file) ask of the simulated GPU. Includes
/// nothing of Kokkos: a source may read cuda_runtime.h before, or without, Kokkos_Core.hpp.
#pragma once

#include "../spaces/DeviceProperties.hpp"

#include <cstddef>
#include <cstdint>

/// A variable in constant memory lies in a section of this name; the header that defines the word tells where that is.
#define TEAMSAN_IN_CONSTANT_MEMORY __attribute__((section("teamsan_device")))

extern "C" {
[[gnu::weak, gnu::visibility("hidden")]] extern char __start_teamsan_device[];
[[gnu::weak, gnu::visibility("hidden")]] extern char __stop_teamsan_device[];
}

namespace teamsan::simt::vendor {

/// What lies there lanes may read: constant memory. True, for an initialiser.
bool note_constants(void const* begin, void const* end) noexcept;

/// What lies there lanes may read and write.
void note_variable(void const* begin, std::size_t bytes) noexcept;

/// Waits for what is pending in all instances, then copies; either side may be the host's or the device's.
void copy(void* to, void const* from, std::size_t bytes);

/// Instances of the simulated GPU by number: streams and queues are such. 0: the default one.
std::uint32_t new_instance();
void fence(std::uint32_t instance);
void fence_all();

/// Of the modelled device's memory, in bytes.
struct Memory {
  std::size_t free, total;
};
Memory memory();

/// In each object that may hold such variables: a library that is loaded later has its own.
inline namespace of_this_object {
[[maybe_unused]] static bool const constants_are_noted = note_constants(__start_teamsan_device, __stop_teamsan_device);
}

}  // namespace teamsan::simt::vendor
