// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The rules of GlobalMemory.hpp, one function each.
#include "GlobalMemory.hpp"

#include "SmallMap.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace teamsan::model {

namespace {

/// 64 lanes at most, each of which touches 2 sectors at most: half full.
using SectorMap = Impl::SmallMap<256>;

std::uint64_t active_lanes(Device const& device, WarpAccess const& access) {
  std::size_t const lanes =
      std::min<std::size_t>({device.warp_width, access.addresses.size(), max_warp_width});
  return access.active & (lanes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1);
}

template <class Visit>
void for_each_lane(std::uint64_t active, Visit visit) {
  for (; active != 0; active &= active - 1) visit(static_cast<std::uint32_t>(std::countr_zero(active)));
}

/// Rule 1.
std::uint32_t distinct_sectors(Device const& device, WarpAccess const& access, std::uint64_t active) {
  int const shift = std::countr_zero(device.sector_bytes);
  SectorMap sectors;
  std::uint64_t previous = ~std::uint64_t{0};
  for_each_lane(active, [&](std::uint32_t lane) {
    std::uint64_t const first = access.addresses[lane] >> shift;
    std::uint64_t const last = (access.addresses[lane] + access.bytes_per_lane - 1) >> shift;
    // Neighbours mostly share a sector: skip the look-up then.
    if (first != previous) sectors.insert(first);
    if (last != first) sectors.insert(last);
    previous = last;
  });
  return sectors.size();
}

/// Rule 3: which of the four tag banks a line of 128 bytes lies in: two parities of its number. Measured for
/// the 27 bits that address bits 7 to 33 hold; further bits are left out.
std::uint32_t tag_bank(std::uint64_t line) {
  constexpr std::uint64_t low = 0x5ef7ab5, high = 0x6bad5da;
  return static_cast<std::uint32_t>((std::popcount(line & low) & 1) | (std::popcount(line & high) & 1) << 1);
}

/// Rule 3, one step of one tag bank: takes the lowest lane of `waiting` and the lanes that may go with it.
struct TagStep {
  std::uint64_t taken = 0;
  std::uint32_t sectors = 0;
};

TagStep tag_step(Device const& device, WarpAccess const& access, std::uint64_t waiting, int piece_shift) {
  std::uint64_t const words_of_line = device.cache_line_bytes / 4 - 1;
  int const sector_shift = std::countr_zero(device.sector_bytes);
  std::uint64_t const piece =
      access.addresses[static_cast<std::size_t>(std::countr_zero(waiting))] >> piece_shift;
  TagStep step;
  std::uint64_t words = 0, sectors = 0;
  for_each_lane(waiting, [&](std::uint32_t lane) {
    std::uint64_t const address = access.addresses[lane];
    std::uint64_t const word = std::uint64_t{1} << (address >> 2 & words_of_line);
    if (address >> piece_shift == piece && (words & word) == 0) {
      step.taken |= std::uint64_t{1} << lane;
      sectors |= std::uint64_t{1} << (address >> sector_shift & 63);
    }
    words |= word;
  });
  step.sectors = static_cast<std::uint32_t>(std::popcount(sectors));
  return step;
}

/// Rule 3.
std::uint32_t nvidia_atomic_sectors(Device const& device, WarpAccess const& access, std::uint64_t active) {
  int const line_shift = std::countr_zero(device.cache_line_bytes);
  int const piece_shift = line_shift - (access.atomic == AtomicKind::compare_exchange ? 1 : 0);
  std::array<std::uint64_t, 4> waiting{};
  for_each_lane(active, [&](std::uint32_t lane) {
    waiting[tag_bank(access.addresses[lane] >> line_shift)] |= std::uint64_t{1} << lane;
  });
  std::uint32_t sectors = 0;
  for (std::uint64_t& lanes : waiting)
    while (lanes != 0) {
      TagStep const step = tag_step(device, access, lanes, piece_shift);
      sectors += step.sectors;
      lanes &= ~step.taken;
    }
  return sectors;
}

/// Rule 2.
std::uint32_t atomic_sectors(Device const& device, WarpAccess const& access, std::uint64_t active) {
  if (device.vendor == Vendor::nvidia) return nvidia_atomic_sectors(device, access, active);
  int const shift = std::countr_zero(device.sector_bytes);
  SectorMap lanes_before;
  SectorMap sent;
  for_each_lane(active, [&](std::uint32_t lane) {
    std::uint64_t const address = access.addresses[lane];
    std::uint64_t const pass = lanes_before[address]++;
    sent.insert(address >> shift << 6 | pass);
  });
  return sent.size();
}

Evidence evidence_of(Device const& device, WarpAccess const& access) {
  if (access.operation != Operation::atomic) return device.evidence;
  bool const wide = access.bytes_per_lane == 8 && access.atomic != AtomicKind::exchange;
  bool const recorded = device.evidence == Evidence::measured && (access.bytes_per_lane == 4 || wide);
  return recorded ? Evidence::measured : Evidence::assumed;
}

}  // namespace

GlobalCounts count_global(Device const& device, WarpAccess const& access) {
  std::uint64_t const active = active_lanes(device, access);
  GlobalCounts counts{.evidence = evidence_of(device, access)};
  if (active == 0) return counts;
  counts.requests = 1;
  counts.sectors = access.operation == Operation::atomic ? atomic_sectors(device, access, active)
                                                         : distinct_sectors(device, access, active);
  return counts;
}

std::uint32_t ideal_sectors(Device const& device, WarpAccess const& access) {
  SectorMap addresses;
  for_each_lane(active_lanes(device, access),
                [&](std::uint32_t lane) { addresses.insert(access.addresses[lane]); });
  return (addresses.size() * access.bytes_per_lane + device.sector_bytes - 1) / device.sector_bytes;
}

}  // namespace teamsan::model
