// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many sectors one warp access moves between a multiprocessor and global memory. Decides from the lanes'
/// addresses alone; cannot see caches, other warps, nor the few percent of arbitration that a full chip's
/// store counters include.
///
/// The rule, in words. A warp access is one request, whatever its width, if any lane is active.
///  1. Loads and stores move each distinct sector that an active lane touches once, whatever lane, order or
///  width.
///  2. Atomics: lanes on one word go one after the other, in lane order, and each time their sector is moved
///  again.
///  3. Atomics on NVIDIA go in steps, and a sector is moved once for each step that has a lane in it. Each
///  line of 128
///     bytes lies in one of four tag banks (two parities of the line's number, tag_bank in GlobalMemory.cpp).
///     A tag bank steps through its lanes: the lowest lane that waits leads, and takes with it each lane of
///     its line, unless a lower waiting lane of the tag bank is on the same place in a line (address bits 2
///     to 6), on whatever line. So rule 2 holds, and now and then a lane is parted from its sector by a
///     stranger. Compare-exchanges, which carry two operands, take lanes of their half of the line only.
///
/// What is measured. On an H100, requests and sectors of all 936 rows of
/// traces/hardware/h100_global_memory.csv and all 1,602 of h100_global_memory_more.csv: rule 1 for loads and
/// stores of 1 to 16 bytes, rule 3 for additions (4 and 8 bytes, integer and floating-point, with and without
/// a result), exchanges of 4 bytes and compare-exchanges of 4 and 8. Rule 2 alone gives 87 % of the atomics'
/// rows. Rule 3 was found on the rows of one allocation, by taking lanes away from an access until its extra
/// sector went too; it then held on the 378 rows of another that were recorded afterwards. The parities come
/// from 224 accesses of three lanes over 60 GB: two lines far apart share a tag bank in 50 of them, and two
/// parities of address bits 7 to 33 explain all 224; beyond bit 33 nothing is known. They are of addresses,
/// not of offsets: an access moved by less than a large power of two may take a sector more or less, so the
/// base of an allocation matters. For four random accesses in five it does not; see traces/hardware/README.md
/// on `base`. What is conjecture. That physical addresses play no part (bases differed by run, rule 3 did
/// not). Integer minima, maxima and bit operations are taken as additions; exchanges of 8 bytes and
/// compare-exchanges of 16 as those of fewer. That the A100 and V100 do the same, with the same parities.
/// Other vendors: rule 1 with the device's sector is documented; rule 2 is assumed, rule 3 does not apply.
#pragma once

#include "Device.hpp"
#include "WarpAccess.hpp"

#include <cstdint>

namespace teamsan::model {

struct GlobalCounts {
  std::uint32_t requests = 0;  ///< 1, or 0 if no lane is active
  std::uint32_t sectors = 0;   ///< transfers of sector_bytes
  Evidence evidence = Evidence::assumed;

  bool operator==(GlobalCounts const&) const = default;
};

/// Precondition: sector_bytes is a power of two (a test holds the table to it). A warp wider than the
/// device's is cut off.
GlobalCounts count_global(Device const& device, WarpAccess const& access);

/// The least sectors in which the bytes of the active lanes would fit if they lay side by side (lanes at one
/// address count once): what a perfectly coalesced access of the same kind moves.
std::uint32_t ideal_sectors(Device const& device, WarpAccess const& access);

}  // namespace teamsan::model
