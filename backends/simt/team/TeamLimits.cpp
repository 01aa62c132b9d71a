// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TeamLimits.hpp"

#include "../../../model/device/Device.hpp"
#include "../../../sim/base/Options.hpp"
#include "../../../sim/host/Limit.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace teamsan::simt {
namespace {

model::Device const& device() { return options().model(); }

// Kokkos steps down by a CUDA warp, whatever the device.
constexpr int block_step = 32;
// CUDA: a block takes part in an occupancy tie only from this size up.
constexpr int least_tied_block = 128;
// CUDA, compute capability 7.0 to 9.0 (but 8.x with 1536 lanes): two full blocks, 32 blocks at most.
constexpr std::size_t full_blocks_per_unit = 2;
constexpr std::size_t blocks_per_unit = 32;

struct Deduction {
  int first_fit = 0;
  int recommended = 0;
};

Deduction deduce_block_size(BlockScratch const& scratch, LaunchBounds bounds) {
  auto const limit = device().max_team_lanes;
  auto const most = static_cast<int>(bounds.max_lanes == 0 ? limit : std::min(limit, bounds.max_lanes));
  std::size_t const least_blocks = std::max(1u, bounds.min_blocks);
  std::size_t const unit_lanes = full_blocks_per_unit * limit;
  // A multiprocessor has the scratch of its largest block and a little more; the little is left out.
  std::size_t const unit_scratch = device().scratch_opt_in;
  Deduction found;
  std::size_t best_lanes = 0;
  for (int lanes = most; lanes > 0; lanes -= block_step) {
    std::size_t const bytes = scratch(lanes);
    if (bytes > block_scratch_max()) continue;
    std::size_t blocks = std::min(blocks_per_unit, unit_lanes / static_cast<std::size_t>(lanes));
    if (bytes > 0) blocks = std::min(blocks, unit_scratch / bytes);
    if (blocks < least_blocks) continue;
    if (found.first_fit == 0) found.first_fit = lanes;
    std::size_t const running = blocks * static_cast<std::size_t>(lanes);
    if (running > best_lanes || (lanes >= least_tied_block && running == best_lanes)) {
      found.recommended = lanes;
      best_lanes = running;
    }
  }
  return found;
}

[[noreturn]] void refuse(LimitKind kind, LaunchConfig const& config, std::size_t requested,
                         std::size_t maximum, std::string const& message) {
  report_limit(kind, config, requested, maximum, message);
  throw std::runtime_error(message);
}

std::string requested_maximum(std::size_t requested, std::size_t maximum) {
  return " Requested: " + std::to_string(requested) + ", Maximum: " + std::to_string(maximum);
}

std::string pattern_name(std::string_view pattern) { return "Kokkos::" + std::string(pattern) + "<Simt>: "; }

}  // namespace

std::uint32_t warp_width() { return device().warp_width; }

int vector_length_max() { return static_cast<int>(device().max_vector_length); }

int vector_length(int requested) {
  return static_cast<int>(
      std::bit_floor(static_cast<unsigned>(std::clamp(requested, 1, vector_length_max()))));
}

int scratch_size_max(int level) {
  return static_cast<int>(level == 0 ? model::scratch_level0_max(device()) : device().scratch_level1);
}

std::size_t block_scratch_max() { return device().scratch_opt_in - device().scratch_reserved; }

int block_size_max(BlockScratch const& scratch, LaunchBounds bounds) {
  return deduce_block_size(scratch, bounds).first_fit;
}

int block_size_recommended(BlockScratch const& scratch, LaunchBounds bounds) {
  return deduce_block_size(scratch, bounds).recommended;
}

void check_league_size(LaunchConfig const& config) {
  if (config.league_size < device().max_league) return;
  refuse(LimitKind::league_size, config, config.league_size, device().max_league,
         "Requested too large league_size for TeamPolicy on Simt execution space.");
}

void check_policy_team_size(LaunchConfig const& config) {
  std::size_t const lanes = std::size_t{config.team_size} * config.vector_length;
  if (lanes <= device().max_team_lanes) return;
  std::size_t const maximum = device().max_team_lanes / config.vector_length;
  refuse(LimitKind::team_size, config, config.team_size, maximum,
         "Kokkos::TeamPolicy<Simt>: Requested too large team size." +
             requested_maximum(config.team_size, maximum));
}

void check_team_size(LaunchConfig const& config, std::string_view pattern, int maximum) {
  if (static_cast<std::int64_t>(config.team_size) <= maximum) return;
  refuse(LimitKind::team_size, config, config.team_size, static_cast<std::size_t>(maximum),
         pattern_name(pattern) + "Requested too large team size." +
             requested_maximum(config.team_size, static_cast<std::size_t>(maximum)));
}

void check_scratch_level0(LaunchConfig const& config, std::string_view pattern, std::size_t requested,
                          std::size_t reserved) {
  if (requested + reserved <= block_scratch_max()) return;
  std::string const words = pattern_name(pattern) + "Requested too much scratch memory on level 0.";
  if (reserved > block_scratch_max())  // for what a reduction keeps of each thread, whatever else is asked for
    refuse(LimitKind::team_reduction, config, requested + reserved, block_scratch_max(),
           words + requested_maximum(requested + reserved, block_scratch_max()));
  std::size_t const maximum = block_scratch_max() - reserved;
  refuse(LimitKind::scratch_level0, config, requested, maximum,
         words + requested_maximum(requested, maximum));
}

void check_scratch_level1(LaunchConfig const& config, std::string_view pattern, std::size_t requested) {
  std::size_t const maximum = device().scratch_level1;
  if (requested <= maximum) return;
  refuse(LimitKind::scratch_level1, config, requested, maximum,
         pattern_name(pattern) + "Requested too much scratch memory on level 1." +
             requested_maximum(requested, maximum));
}

void check_array_reduction(LaunchConfig const& config, std::size_t bytes) {
  std::string const prefix = "Kokkos::parallel_reduce with a TeamPolicy using a ";
  bool const by_warps = device().vendor == model::Vendor::nvidia || device().vendor == model::Vendor::amd;
  if (by_warps && config.vector_length > 1) {
    refuse(LimitKind::vector_length, config, config.vector_length, 1,
           prefix +
               "vector length of greater than 1 is not currently supported for Simt for dynamic sized "
               "reduction types.");
  }
  if (by_warps && config.team_size < device().warp_width) {
    refuse(LimitKind::team_size, config, config.team_size, device().max_team_lanes,
           prefix + "team_size smaller than " + std::to_string(device().warp_width) +
               " is not currently supported with Simt for dynamic sized reduction types.");
  }
  if (by_warps && !std::has_single_bit(config.team_size)) {
    refuse(LimitKind::team_size, config, config.team_size, std::bit_floor(config.team_size),
           "Kokkos::Impl::ParallelReduce< Simt > bad team size");
  }
  if (bytes > options().stack_size / 4) {
    throw std::runtime_error(
        "Kokkos::parallel_reduce<Simt>: a reduction value of " + std::to_string(bytes) +
        " bytes is too large for a lane's stack of " + std::to_string(options().stack_size) +
        " bytes; set the TeamSan option stack_size to at least " + std::to_string(4 * bytes));
  }
}

}  // namespace teamsan::simt
