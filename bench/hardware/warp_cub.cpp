// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp_store and warp_load against cub::WarpStore and cub::WarpLoad on a GPU: gigabytes a second of a kernel
// in which every warp stores (loads) a tile of 32 * ITEMS elements, and whether both wrote the same.
//   warp_cub [MEBIBYTES [REPETITIONS]]      (512, 36)
// CUB is measured twice: in a plain CUDA kernel, and in a Kokkos kernel as warp_store is, which tells the
// cost of the algorithm from that of launching blocks through Kokkos. Prints CSV, a line a case. Bandwidths
// are those of the median of the repetitions; a ratio above 1: TeamSan is faster. Ends with 1 if results
// differ.
#include "warp_cub.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

std::vector<WarpCubCase>& cases() {
  static std::vector<WarpCubCase> all;
  return all;
}

}  // namespace

WarpCubCase::WarpCubCase(Run run, int items, int element_bytes)
    : run(run), items(items), element_bytes(element_bytes) {
  cases().push_back(*this);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  std::size_t const bytes = (argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 512) << 20;
  int const repetitions = argc > 2 ? std::max(1, std::atoi(argv[2])) : 36;
  std::sort(cases().begin(), cases().end(), [](WarpCubCase const& a, WarpCubCase const& b) {
    return a.element_bytes != b.element_bytes ? a.element_bytes < b.element_bytes : a.items < b.items;
  });
  std::printf(
      "operation,type,items,algorithm,cub_GB_s,cub_in_kokkos_GB_s,teamsan_GB_s,ratio_to_cub,ratio_to_cub_in_"
      "kokkos\n");
  bool right = true;
  for (WarpCubCase const& one : cases()) right = one.run(bytes, repetitions) && right;
  return right ? 0 : 1;
}
