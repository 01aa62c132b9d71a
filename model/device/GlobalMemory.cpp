/// The rules of GlobalMemory.hpp, one function each.
#include <teamsan/model/device/GlobalMemory.hpp>

#include <teamsan/model/device/SmallMap.hpp>

#include <algorithm>
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

/// Rule 3: what the H100 compares to tell whether two lanes of an atomic are on the same word. The five bits
/// of the word in its line, and three that fold bits of the line's number.
std::uint64_t atomic_pass_class(std::uint64_t address) {
  std::uint64_t const word = address >> 2 & 31;
  std::uint64_t const line = address >> 7;
  std::uint64_t const a = (line ^ line >> 4 ^ line >> 8) & 1;
  std::uint64_t const b = line >> 1 & 1;
  std::uint64_t const c = (line >> 3 ^ line >> 5) & 1;
  return word | a << 5 | b << 6 | c << 7;
}

/// Rules 2 and 3.
std::uint32_t atomic_sectors(Device const& device, WarpAccess const& access, std::uint64_t active) {
  int const shift = std::countr_zero(device.sector_bytes);
  SectorMap lanes_before;
  SectorMap sent;
  for_each_lane(active, [&](std::uint32_t lane) {
    std::uint64_t const address = access.addresses[lane];
    std::uint64_t const target = device.vendor == Vendor::nvidia ? atomic_pass_class(address) : address;
    std::uint64_t const pass = lanes_before[target]++;
    std::uint64_t const sector = address >> shift;
    sent.insert(sector << 6 | pass);
  });
  return sent.size();
}

Evidence evidence_of(Device const& device, WarpAccess const& access) {
  if (access.operation != Operation::atomic) return device.evidence;
  return device.vendor == Vendor::nvidia && access.bytes_per_lane == 4 ? device.evidence : Evidence::assumed;
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
