// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>
#include <impl/Kokkos_SharedAlloc_timpl.hpp>

#include "../memory/DeepCopy.hpp"
#include "MemorySpaces.hpp"

#include <string>

namespace teamsan::simt {

void* allocate(Space space, char const* space_name, char const* label, std::size_t bytes,
               std::size_t logical_bytes) {
  std::size_t const header = logical_bytes > 0 ? bytes - logical_bytes : 0;
  void* pointer = nullptr;
  try {
    pointer = teamsan::allocate(space, bytes, header, label);
  } catch (OutOfMemory const& error) {
    Kokkos::Impl::throw_runtime_exception(std::string("Kokkos ERROR: ") + space_name + " memory space failed to allocate " +
                                          Kokkos::Impl::human_memory_size(bytes - header) + " (label=\"" + label +
                                          "\"): " + error.what());
  }
  if (Kokkos::Tools::profileLibraryLoaded()) {
    Kokkos::Tools::allocateData(Kokkos::Tools::make_space_handle(space_name), label, pointer, bytes - header);
  }
  return pointer;
}

void deallocate(char const* space_name, char const* label, void* pointer, std::size_t bytes,
                std::size_t logical_bytes) {
  if (!pointer) return;
  if (Kokkos::Tools::profileLibraryLoaded()) {
    Kokkos::Tools::deallocateData(Kokkos::Tools::make_space_handle(space_name), label, pointer,
                                  logical_bytes > 0 ? logical_bytes : bytes);
  }
  teamsan::deallocate(pointer);
}

}  // namespace teamsan::simt

KOKKOS_IMPL_HOST_INACCESSIBLE_SHARED_ALLOCATION_RECORD_EXPLICIT_INSTANTIATION(teamsan::SimtSpace);
KOKKOS_IMPL_SHARED_ALLOCATION_RECORD_EXPLICIT_INSTANTIATION(teamsan::SimtSharedSpace);
KOKKOS_IMPL_SHARED_ALLOCATION_RECORD_EXPLICIT_INSTANTIATION(teamsan::SimtHostPinnedSpace);
