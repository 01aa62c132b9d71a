// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The rules of SharedMemory.hpp, one function each.
#include "SharedMemory.hpp"

#include "SmallMap.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace teamsan::model {

namespace {

constexpr std::uint64_t lanes_below(std::uint32_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// Rule 1: lanes that could be served at once.
std::uint32_t group_width(Device const& device, std::uint32_t bytes) {
  std::uint32_t const row = device.banks * device.bank_width;
  return std::clamp(row / std::max(bytes, device.bank_width), 1u, device.warp_width);
}

/// AMD reads 16 bytes for lanes 0-3 with 20-23, 4-7 with 16-19, 8-11 with 28-31, 12-15 with 24-27, and so on
/// from 32.
std::uint64_t amd_read_b128_group(std::uint32_t index) {
  std::uint32_t const half = index / 4 * 32, quad = index % 4;
  return (std::uint64_t{0xf} << (half + quad * 4)) | (std::uint64_t{0xf} << (half + (quad ^ 5) * 4));
}

std::uint64_t group_lanes(Device const& device, WarpAccess const& access, std::uint32_t index,
                          std::uint32_t width) {
  bool const split = device.vendor == Vendor::amd && device.warp_width == 64 && access.bytes_per_lane == 16 &&
                     access.operation == Operation::load;
  return split ? amd_read_b128_group(index) : lanes_below(width) << (index * width);
}

/// Rule 3's condition: no active lane has an active neighbour lane^distance with another address. Distance 1
/// or 2.
bool neighbours_agree(WarpAccess const& access, std::uint64_t active, std::uint32_t distance) {
  // Lanes whose neighbour above is active too: each pair once.
  constexpr std::uint64_t lower[] = {0, 0x5555555555555555, 0x3333333333333333};
  for (std::uint64_t rest = active & active >> distance & lower[distance]; rest != 0; rest &= rest - 1) {
    std::size_t const lane = static_cast<std::size_t>(std::countr_zero(rest));
    if (access.addresses[lane] != access.addresses[lane + distance]) return false;
  }
  return true;
}

bool groups_merge(Device const& device, WarpAccess const& access, std::uint64_t active) {
  return device.vendor == Vendor::nvidia && access.operation == Operation::load &&
         (neighbours_agree(access, active, 1) || neighbours_agree(access, active, 2));
}

template <class Visit>
void for_each_lane(std::uint64_t lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<std::uint32_t>(std::countr_zero(lanes)));
}

/// The address bits above a row of banks, over all bytes of an access: what two lanes share if they lie in
/// one row.
bool within_one_row(Device const& device, WarpAccess const& access, std::uint64_t lanes) {
  int const shift = std::countr_zero(device.banks * device.bank_width);
  std::uint64_t const row = access.addresses[static_cast<std::size_t>(std::countr_zero(lanes))] >> shift;
  std::uint64_t differ = 0;
  for_each_lane(lanes, [&](std::uint32_t lane) {
    std::uint64_t const address = access.addresses[lane];
    differ |= (address >> shift ^ row) | ((address + access.bytes_per_lane - 1) >> shift ^ row);
  });
  return differ == 0;
}

/// Rules 2 and 4: the fullest bank, by words or by lanes.
std::uint32_t group_wavefronts(Device const& device, WarpAccess const& access, std::uint64_t lanes) {
  bool const by_lanes = access.operation == Operation::atomic;
  // One row has one word for each bank: the common case needs no counting.
  if (!by_lanes && within_one_row(device, access, lanes)) return 1;

  // 32 lanes at most are served at once, and a misaligned access of 16 bytes touches 5 words.
  Impl::SmallMap<256> words;
  std::array<std::uint8_t, 64> in_bank{};
  std::uint32_t fullest = 0;
  int const shift = std::countr_zero(device.bank_width);
  std::uint64_t const bank_mask = device.banks - 1;
  for_each_lane(lanes, [&](std::uint32_t lane) {
    std::uint64_t const address = access.addresses[lane];
    std::uint64_t const last = (address + access.bytes_per_lane - 1) >> shift;
    for (std::uint64_t word = address >> shift; word <= last; ++word)
      if (by_lanes || words.insert(word))
        fullest = std::max<std::uint32_t>(fullest, ++in_bank[word & bank_mask]);
  });
  return fullest;
}

/// Rules 1 and 3 for the lanes in `active`, all of which are of the device's warp: visits those of each group that has
/// any, in order.
template <class Visit>
void for_each_group(Device const& device, WarpAccess const& access, std::uint64_t active, Visit visit) {
  std::uint32_t const width = group_width(device, access.bytes_per_lane);
  std::uint32_t const groups = device.warp_width / width;
  bool const merge = groups > 1 && groups_merge(device, access, active);
  for (std::uint32_t i = 0; i < groups; i += merge ? 2 : 1) {
    std::uint64_t group = group_lanes(device, access, i, width);
    if (merge) group |= group_lanes(device, access, i + 1, width);
    if ((group & active) != 0) visit(group & active);
  }
}

std::uint64_t active_lanes(Device const& device, WarpAccess const& access) {
  auto const lanes = std::min<std::uint32_t>(device.warp_width, static_cast<std::uint32_t>(access.addresses.size()));
  return access.active & lanes_below(lanes);
}

/// Rules 1 to 4.
SharedCounts count_once(Device const& device, WarpAccess const& access, std::uint64_t active) {
  SharedCounts counts;
  for_each_group(device, access, active, [&](std::uint64_t group) {
    std::uint32_t const wavefronts = group_wavefronts(device, access, group);
    counts.wavefronts += wavefronts;
    counts.bank_conflicts += wavefronts - 1;
  });
  return counts;
}

/// Rule 6, one round's attempt of one group: of each bank the lowest lane tries, and succeeds unless a lane
/// of `done` was there before it. Returns the lanes that succeed.
std::uint64_t swapped_lanes(Device const& device, WarpAccess const& access, std::uint64_t group,
                            std::uint64_t done) {
  int const shift = std::countr_zero(device.bank_width);
  std::uint64_t tried = 0, swapped = 0;
  for_each_lane(group, [&](std::uint32_t lane) {
    std::uint64_t const address = access.addresses[lane];
    std::uint64_t const bank = std::uint64_t{1} << (address >> shift & (device.banks - 1));
    if ((tried & bank) != 0) return;
    tried |= bank;
    bool late = false;
    for_each_lane(done, [&](std::uint32_t other) { late = late || access.addresses[other] == address; });
    if (!late) swapped |= std::uint64_t{1} << lane;
  });
  return swapped;
}

/// Rule 6.
SharedCounts count_loop(Device const& device, WarpAccess const& access, std::uint64_t active) {
  SharedCounts counts;
  WarpAccess load = access;
  load.operation = Operation::load;
  std::uint32_t const width = group_width(device, access.bytes_per_lane);
  while (active != 0) {
    SharedCounts const read = count_once(device, load, active);
    counts.wavefronts += read.wavefronts;
    counts.bank_conflicts += read.bank_conflicts;
    std::uint64_t done = 0;
    for (std::uint32_t i = 0; i < device.warp_width / width; ++i) {
      std::uint64_t const group = group_lanes(device, load, i, width) & active;
      if (group == 0) continue;
      counts.wavefronts += 2;
      done |= swapped_lanes(device, access, group, done);
    }
    active &= ~done;
  }
  return counts;
}

/// How NVIDIA's chips do an atomic on shared memory.
enum class Means : std::uint8_t { one_instruction, swap_instruction, loop };

Means means_of(Device const& device, WarpAccess const& access) {
  if (device.vendor != Vendor::nvidia || access.operation != Operation::atomic) return Means::one_instruction;
  switch (access.atomic) {
    case AtomicKind::integer_add:
      return access.bytes_per_lane > 4 ? Means::loop : Means::one_instruction;
    case AtomicKind::floating_add:
      return Means::loop;
    case AtomicKind::exchange:
      return Means::one_instruction;
    case AtomicKind::compare_exchange:
      return Means::swap_instruction;
  }
  return Means::one_instruction;
}

Evidence evidence_of(Device const& device, WarpAccess const& access) {
  if (access.operation != Operation::atomic) return device.evidence;
  bool const wide = access.bytes_per_lane == 8 && access.atomic != AtomicKind::exchange;
  bool const recorded = device.evidence == Evidence::measured && (access.bytes_per_lane == 4 || wide);
  return recorded ? Evidence::measured : Evidence::assumed;
}

}  // namespace

SharedCounts count_shared(Device const& device, WarpAccess const& access) {
  std::uint64_t const active = active_lanes(device, access);
  Means const means = means_of(device, access);
  SharedCounts counts =
      means == Means::loop ? count_loop(device, access, active) : count_once(device, access, active);
  if (means == Means::swap_instruction) counts.wavefronts *= 2;
  counts.evidence = evidence_of(device, access);
  return counts;
}

std::vector<std::uint64_t> lanes_served_together(Device const& device, WarpAccess const& access) {
  std::vector<std::uint64_t> groups;
  for_each_group(device, access, active_lanes(device, access), [&](std::uint64_t group) { groups.push_back(group); });
  return groups;
}

}  // namespace teamsan::model
