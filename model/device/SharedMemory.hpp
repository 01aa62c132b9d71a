/// How often a team's scratch (shared memory, LDS, SLM) must be visited for one warp access. Decides from the
/// lanes' addresses alone; cannot see other warps, nor what a compiler would have merged into a wider access.
///
/// The rule, in words. A wavefront gives each bank once: `banks * bank_width` bytes, 128 on NVIDIA and AMD.
///  1. Groups. Lanes are served in groups that could fill one wavefront: a warp of 32 for up to 4 bytes per
///  lane, halves
///     for 8, quarters for 16. Groups without an active lane cost nothing.
///  2. Banks. A group of loads or stores takes as many wavefronts as the fullest bank has distinct words;
///  lanes on the
///     same word share it (broadcast, or one store wins). Bytes and half-words count by the word they lie in.
///  3. Merging, NVIDIA loads of 8 and 16 bytes only. If every active lane agrees with its neighbour lane^1,
///  or every
///     active lane agrees with lane^2, the groups are served two at a time: two halves at once for 8 bytes,
///     first with second quarter and third with fourth for 16. To agree is to have the same address, or an
///     inactive neighbour. Rule 2 then holds for the union.
///  4. Atomics. As rule 2, but every lane counts for itself: lanes on one word wait for each other like lanes
///  on one
///     bank. A group takes as many wavefronts as the fullest bank has lanes.
///  Bank conflicts are the wavefronts beyond one per (merged) group: what the chip's conflict counter says.
///
/// What is measured. On an H100, traces/hardware/h100_shared_memory.csv: rules 1 to 4 give wavefronts and
/// conflicts of all 1,144 rows (loads and stores of 1 to 16 bytes, 4-byte atomic additions). Chosen on every
/// second row, the rules held on the other half. The rows reject: merging of stores; merging by lane^4 or
/// beyond; merging whenever at most half as many addresses are distinct; ignoring the active mask; and, for
/// 16 bytes, deciding for each half by itself when lane^2 may be inactive (two rows). What is conjecture.
/// That lane^2 may be inactive at all; that a warp part of which agrees by lane^1 and the rest by lane^2 is
/// not merged; atomics of other widths; that the A100 and V100 do the same. AMD: documented. 32 banks of 4
/// bytes, a wavefront of 64 in halves of 32 lanes (4 bytes), 16 lanes (8 bytes) and 8 lanes (16 bytes);
/// ds_read_b128 pairs each four lanes with the four at lane^20, ds_write_b128 takes eight in a row (ROCm
/// documentation, CK Tile, LDS bank conflicts). Its atomics: assumed as rule 4. Intel: rules 1 and 2 for 16
/// banks.
#pragma once

#include <teamsan/model/device/Device.hpp>
#include <teamsan/model/device/WarpAccess.hpp>

#include <cstdint>
#include <vector>

namespace teamsan::model {

struct SharedCounts {
  std::uint32_t wavefronts = 0;      ///< passes over the banks
  std::uint32_t bank_conflicts = 0;  ///< of these, beyond what the width of the access needs
  Evidence evidence = Evidence::assumed;

  /// Wavefronts of the same lanes without any conflict.
  std::uint32_t ideal() const { return wavefronts - bank_conflicts; }
  bool operator==(SharedCounts const&) const = default;
};

/// Preconditions: banks and bank_width of the device are powers of two, banks at most 64 (a test holds the
/// table to it). A warp wider than the device's is cut off. No lane active: no wavefront.
SharedCounts count_shared(Device const& device, WarpAccess const& access);

/// The groups of rules 1 and 3, in the order in which they are served: of each, the active lanes as a mask. Groups
/// without one are left out. For pictures of an access; the same preconditions.
std::vector<std::uint64_t> lanes_served_together(Device const& device, WarpAccess const& access);

}  // namespace teamsan::model
