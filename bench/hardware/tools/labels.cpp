// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A Kokkos Tools library that names CUDA kernels by their Kokkos labels: an NVTX range around each launch,
/// which Nsight Compute prints (`ncu --nvtx --print-nvtx-rename kernel`).
///   c++ -std=c++20 -O2 -shared -fPIC -I CUDA/include labels.cpp -o liblabels.so -ldl
///   KOKKOS_TOOLS_LIBS=liblabels.so ncu --nvtx ... app
#include <nvtx3/nvToolsExt.h>

#include <cstdint>

namespace {

std::uint64_t launches = 0;

void begin(char const* label, std::uint64_t* id) {
  *id = launches++;
  nvtxRangePushA(label);
}

}  // namespace

extern "C" {
void kokkosp_begin_parallel_for(char const* label, std::uint32_t, std::uint64_t* id) { begin(label, id); }
void kokkosp_begin_parallel_reduce(char const* label, std::uint32_t, std::uint64_t* id) { begin(label, id); }
void kokkosp_begin_parallel_scan(char const* label, std::uint32_t, std::uint64_t* id) { begin(label, id); }
void kokkosp_end_parallel_for(std::uint64_t) { nvtxRangePop(); }
void kokkosp_end_parallel_reduce(std::uint64_t) { nvtxRangePop(); }
void kokkosp_end_parallel_scan(std::uint64_t) { nvtxRangePop(); }
}
