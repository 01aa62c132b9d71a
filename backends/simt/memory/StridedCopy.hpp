// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Copies between Views that are not contiguous as wholes, or not in the same way: run by run, as deep_copy does it for whole
/// Views, in the place of Kokkos' kernel with a lane for each element (policies/ParallelFor_ViewCopy.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace teamsan::simt {

/// One dimension of both Views: strides in elements.
struct CopiedDimension {
  std::size_t extent;
  std::size_t to_stride, from_stride;
};

/// Copies `rank` dimensions of elements of so many bytes each. False: nothing was done, since no run is longer than an element,
/// or since what is done there may be pending (detect/MissingFence.hpp), which is a kernel's to tell.
bool copy_in_runs(void* to, void const* from, CopiedDimension const* dimensions, int rank, std::size_t element_bytes);

}  // namespace teamsan::simt
