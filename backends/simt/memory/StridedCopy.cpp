// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StridedCopy.hpp"

#include "../../../sim/detect/MissingFence.hpp"
#include "../../../sim/host/Memory.hpp"

#include <array>

namespace teamsan::simt {
namespace {

constexpr int most = 8;

struct Runs {
  std::array<CopiedDimension, most> dimensions;  ///< those that runs are repeated over, the fastest first
  int rank = 0;
  std::size_t length = 1;  ///< in elements
  bool empty = false;
};

Runs runs_of(CopiedDimension const* dimensions, int rank) {
  std::array<CopiedDimension, most> sorted{};
  for (std::size_t i = 0; i != static_cast<std::size_t>(rank); ++i) {
    std::size_t at = i;
    for (; at != 0 && dimensions[i].to_stride < sorted[at - 1].to_stride; --at) sorted[at] = sorted[at - 1];
    sorted[at] = dimensions[i];
  }
  Runs runs;
  for (int i = 0; i != rank; ++i) {
    CopiedDimension const& one = sorted[static_cast<std::size_t>(i)];
    runs.empty = runs.empty || one.extent == 0;
    if (one.extent <= 1) continue;
    if (runs.rank == 0 && one.to_stride == runs.length && one.from_stride == runs.length)
      runs.length *= one.extent;
    else
      runs.dimensions[static_cast<std::size_t>(runs.rank++)] = one;
  }
  return runs;
}

}  // namespace

bool copy_in_runs(void* to, void const* from, CopiedDimension const* dimensions, int rank, std::size_t element_bytes) {
  if (rank > most || !is_device_address(to) || !is_device_address(from)) return false;
  if (detect::may_pend(to) || detect::may_pend(from)) return false;
  Runs const runs = runs_of(dimensions, rank);
  if (runs.empty) return true;
  if (runs.length == 1 && runs.rank != 0) return false;
  auto* const first_to = static_cast<char*>(to);
  auto const* const first_from = static_cast<char const*>(from);
  std::array<std::size_t, most> index{};
  for (;;) {
    std::size_t to_offset = 0, from_offset = 0;
    for (std::size_t i = 0; i != static_cast<std::size_t>(runs.rank); ++i) {
      to_offset += index[i] * runs.dimensions[i].to_stride;
      from_offset += index[i] * runs.dimensions[i].from_stride;
    }
    teamsan::copy(first_to + to_offset * element_bytes, first_from + from_offset * element_bytes, runs.length * element_bytes);
    std::size_t next = 0;
    while (next != static_cast<std::size_t>(runs.rank) && ++index[next] == runs.dimensions[next].extent) index[next++] = 0;
    if (next == static_cast<std::size_t>(runs.rank)) return true;
  }
}

}  // namespace teamsan::simt
