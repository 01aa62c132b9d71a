// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Vendor.hpp"

#include <Kokkos_Core.hpp>

#include "../spaces/ExecutionSpace.hpp"

#include "../../../sim/host/Memory.hpp"
#include "../../../sim/memory/Allocations.hpp"
#include "../../../sim/places/StaticData.hpp"

#include <algorithm>

namespace teamsan::simt::vendor {

bool note_constants(void const* begin, void const* end) noexcept {
  auto const bytes = static_cast<std::size_t>(static_cast<char const*>(end) - static_cast<char const*>(begin));
  note_device_variable(begin, bytes, DeviceVariable::constant);
  return true;
}

void note_variable(void const* begin, std::size_t bytes) noexcept {
  note_device_variable(begin, bytes, DeviceVariable::variable);
}

void copy(void* to, void const* from, std::size_t bytes) {
  fence_all();
  teamsan::copy(to, from, bytes);
}

std::uint32_t new_instance() { return Simt::create_instance().impl_number(); }

void fence(std::uint32_t instance) { Simt::impl_of_number(instance).fence("a stream or queue is waited for"); }

void fence_all() { Simt::impl_static_fence("the device is waited for"); }

Memory memory() {
  std::size_t taken = 0;
  for_each_allocation(
      [](Allocation const& allocation, void* sum) {
        if (allocation.space == Space::device) *static_cast<std::size_t*>(sum) += allocation.bytes;
      },
      &taken);
  std::size_t const total = device_properties().totalGlobalMem;
  return {total - std::min(taken, total), total};
}

}  // namespace teamsan::simt::vendor
