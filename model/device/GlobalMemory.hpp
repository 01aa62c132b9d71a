/// How many sectors one warp access moves between a multiprocessor and global memory. Decides from the lanes'
/// addresses alone; cannot see caches, other warps, nor the few percent of arbitration that a full chip's
/// store counters include.
///
/// The rule, in words. A warp access is one request, whatever its width, if any lane is active.
///  1. Loads and stores move each distinct sector that an active lane touches once, whatever lane, order or
///  width.
///  2. Atomics are sent in passes. In a pass there is at most one lane for each word, so lanes on one word go
///  one after
///     the other, in lane order; each pass moves its own distinct sectors.
///  3. NVIDIA: the chip tells words apart by a few bits only (atomic_pass_class in GlobalMemory.cpp), so that
///  now and
///     then a lane waits for another one's different word and its sector is moved again.
///
/// What is measured. On an H100, traces/hardware/h100_global_memory.csv: requests and sectors of all 936 rows
/// (loads and stores of 1, 4, 8, 16 bytes, 4-byte atomic additions). Rule 1 holds for all 832 loads and
/// stores without exception. Rule 2 alone holds for 101 of the 104 atomics; all three others have one sector
/// more. What is conjecture. Which bits rule 3 looks at: three rows cannot tell. The class here keeps the
/// five bits of the word in its line and folds the line's number to three; it is one of about 1,600 such
/// linear folds that explain all 104 rows, found by trying all 4 million with three or four bits, and
/// predicts little: take sectors of an atomic whose lanes share sectors across more than 512 bytes as exact
/// to one or two. The same search finds no fold that works in descending lane order. Atomics of 8 bytes and
/// those that return a value are taken to be the same; 2-byte loads and stores follow from rule 1. Other
/// vendors: rule 1 with the device's sector is documented; rule 2 is assumed, rule 3 does not apply.
#pragma once

#include <teamsan/model/device/Device.hpp>
#include <teamsan/model/device/WarpAccess.hpp>

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
