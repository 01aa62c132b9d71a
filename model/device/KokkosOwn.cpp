// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KokkosOwn.hpp"

#include <algorithm>
#include <bit>

namespace teamsan::model {

namespace {

/// A team as the backend sees it. Both backends are one source in this, but for their figures.
struct Shape {
  std::uint64_t threads, threads_of_warp, warps, results;
};

bool is_modelled(Device const& device) { return device.vendor == Vendor::nvidia || device.vendor == Vendor::amd; }

Shape shape_of(Device const& device, std::uint32_t team_size, std::uint32_t vector_length) {
  std::uint64_t const width = device.warp_width, lanes = std::uint64_t{team_size} * vector_length;
  // Results of warps that lie in scratch at a time: step_width in both backends.
  return {team_size, std::max<std::uint64_t>(1, width / vector_length), (lanes + width - 1) / width,
          device.vendor == Vendor::amd ? 8u : 4u};
}

std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// Two values in scratch are joined, by so many warps: both are read, one is written.
void add_joins(OwnAccesses& sum, std::uint64_t warps) {
  sum.loads += 2 * warps;
  sum.stores += warps;
}

}  // namespace

// cuda_inter_warp_reduction, hip_inter_warp_shuffle_reduction: some results in scratch, to which further warps add in rounds;
// then all read them. A round counts for each warp, or if it is a branch for those whose turn it is.
OwnAccesses team_reduce_accesses(Device const& device, std::uint32_t team_size, std::uint32_t vector_length,
                                 ReducedValue value) {
  if (!is_modelled(device)) return {};
  Shape const shape = shape_of(device, team_size, vector_length);
  bool const nvcc = device.vendor == Vendor::nvidia;
  std::uint64_t const rounds = team_size / shape.threads_of_warp / shape.results;
  std::uint64_t const further = shape.warps - std::min(shape.warps, shape.results);
  std::uint64_t const joins = nvcc && value.branching ? further : shape.warps * rounds;
  std::uint64_t const read = std::min(divided_up(team_size, shape.threads_of_warp), shape.results);
  // Of four results nvcc reads the second and third at once, narrow ones by pairs.
  std::uint64_t const wide = value.narrow ? divided_up(read, 2) : std::min<std::uint64_t>(read, 3);
  return {.loads = joins + shape.warps * (nvcc ? wide : read), .stores = joins + shape.warps};
}

// The source's value goes to scratch, and from there to all.
OwnAccesses team_broadcast_accesses(Device const& device, std::uint32_t team_size, std::uint32_t vector_length) {
  if (!is_modelled(device)) return {};
  std::uint64_t const warps = shape_of(device, team_size, vector_length).warps;
  return {.loads = warps, .stores = warps};
}

// cuda_intra_block_reduce_scan<true>: up a tree in each 32 values, over these by the first warps, and down again, with the
// total of those before. hip_intra_block_reduce_scan<true> scans on its way up.
OwnAccesses team_scan_accesses(Device const& device, std::uint32_t team_size, std::uint32_t vector_length) {
  if (!is_modelled(device)) return {};
  Shape const shape = shape_of(device, team_size, vector_length);
  std::uint32_t const width = device.warp_width, levels = static_cast<std::uint32_t>(std::countr_zero(width));
  bool const down = device.vendor == Vendor::nvidia;
  OwnAccesses sum{.loads = shape.warps, .stores = 2 * shape.warps};  // the values and a zero are stored, prefixes read
  add_joins(sum, shape.warps * ((down ? 2 : 1) * levels + 1));
  std::uint64_t across = down ? 4 : 0;
  for (std::uint32_t s = levels; (std::uint64_t{1} << s) + 1 < std::bit_ceil(std::uint64_t{team_size}); ++s) ++across;
  add_joins(sum, across * divided_up(divided_up(team_size, width), shape.threads_of_warp));
  return sum;
}

// ParallelReduce of a RangePolicy, CudaReductionsFunctor: blocks of 8 warps. Each warp stores its value, joins five times,
// reads the sum; the first then does so for 8 values (three times), and all of it once more for the last block.
OwnAccesses range_reduce_accesses(Device const& device, std::uint64_t blocks, std::uint64_t updates) {
  if (device.vendor != Vendor::nvidia || blocks == 0) return {};
  constexpr std::uint64_t warps = 8;
  OwnAccesses block{.loads = warps + 3, .stores = 2 * warps + 2};
  add_joins(block, warps * 5 + 3);
  return {.loads = block.loads * (blocks + 1) + 1,
          .stores = block.stores * (blocks + 1) + 1 + warps * blocks + std::max(updates, warps * blocks)};
}

// ParallelScan of a RangePolicy: blocks of 4 warps, one launch for the blocks' totals, one for the scan. What a block and a
// round make was counted on an sm_90, for values of 8 bytes.
OwnAccesses range_scan_accesses(Device const& device, std::uint64_t blocks, std::uint64_t rounds, bool body_reads) {
  if (device.vendor != Vendor::nvidia || blocks == 0) return {};
  constexpr std::uint64_t warps = 4;
  return {.loads = 61 * blocks + 194 * rounds + 184,
          .stores = 32 * blocks + 71 * rounds + 68 + (body_reads ? warps * (rounds - blocks) : 0)};
}

}  // namespace teamsan::model
