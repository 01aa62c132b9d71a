// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the objects of warp_cub share: each of warp_cub_case.cpp registers one number of items of one type,
/// since compiling all in one would take many minutes.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>

#define WARP_CUB_STRING_OF(text) #text
#define WARP_CUB_STRING(text) WARP_CUB_STRING_OF(text)

struct WarpCubCase {
  /// Measures arrays of `bytes`, prints a line for each case, and says whether both wrote the same.
  using Run = bool (*)(std::size_t bytes, int repetitions);

  WarpCubCase(Run run, int items, int element_bytes);

  Run run;
  int items, element_bytes;
};
