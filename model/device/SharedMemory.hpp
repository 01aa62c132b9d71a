// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
///  4. Atomics in one instruction: 4-byte integers, and exchanges. As rule 2, but every lane counts for
///  itself: lanes on
///     one word wait for each other like lanes on one bank. A group takes as many wavefronts as the fullest
///     bank has lanes.
///  5. Compare-exchange, NVIDIA: rule 4, each wavefront twice (two operands). Its conflicts are counted once.
///  6. Floating-point additions, and all additions of 8 bytes, NVIDIA: a loop that the compiler writes. Each
///  round loads the
///     words of the lanes that are not yet done (rules 1 to 3, conflicts and all), then makes one attempt in
///     each group (a warp for 4 bytes, a half for 8) that has such lanes, 2 wavefronts. In an attempt the
///     lowest lane of each bank swaps its word in; it fails, and tries again next round, if a lower group
///     has changed the word in this round. Conflicts are those of the loads.
///  Bank conflicts are the wavefronts beyond one per (merged) group: what the chip's conflict counter says.
///
/// What is measured. On an H100, all 1,144 rows of traces/hardware/h100_shared_memory.csv and all 1,392 of
/// h100_shared_memory_more.csv, wavefronts and conflicts: rules 1 to 3 for loads and stores of 1 to 16 bytes
/// with full and partial masks; 4 for additions, fetching additions and exchanges of 4 bytes; 5 for 4 and 8
/// bytes; 6 for float, double and 64-bit integers. Rules 1 to 4 were found on the first file and then held on
/// every load, store and 4-byte integer row of the second without a change. Rules 5 and 6 were found on 100
/// of its rows, and held on the 165 others of these kinds, which were recorded afterwards. The rows reject:
/// merging of stores; merging by lane^4 or beyond; merging whenever at most half as many addresses are
/// distinct; ignoring the active mask; in rule 6, an attempt that passes over a lane bound to fail. What is
/// conjecture. Integer minima, maxima and bit operations are taken as additions, of 8 bytes as a loop;
/// exchanges of 8 bytes as rule 4 by halves; that the A100 and V100 do the same. Rule 6 is how lanes that run
/// together meet: a loop in which they part may take more rounds, and another compiler may write another
/// loop.
///
/// AMD: documented. 32 banks of 4 bytes, a wavefront of 64 in halves of 32 lanes (4 bytes), 16 lanes (8
/// bytes) and 8 lanes (16 bytes); ds_read_b128 pairs each four lanes with the four at lane^20,
/// ds_write_b128 takes eight in a row (ROCm documentation, CK Tile, LDS bank conflicts). Its atomics: all
/// assumed as rule 4. Intel: rules 1 and 2 for 16 banks, atomics as rule 4, assumed.
#pragma once

#include "Device.hpp"
#include "WarpAccess.hpp"

#include <cstdint>
#include <vector>

namespace teamsan::model {

struct SharedCounts {
  std::uint32_t wavefronts = 0;      ///< passes over the banks
  std::uint32_t bank_conflicts = 0;  ///< of these, beyond what the width of the access needs
  Evidence evidence = Evidence::assumed;

  /// Wavefronts without the counted conflicts. (Lanes that wait for one word: conflicts by rule 4, not by 6.)
  std::uint32_t ideal() const { return wavefronts - bank_conflicts; }
  bool operator==(SharedCounts const&) const = default;
};

/// Preconditions: banks and bank_width of the device are powers of two, banks at most 64 (a test holds the
/// table to it). A warp wider than the device's is cut off. No lane active: no wavefront.
SharedCounts count_shared(Device const& device, WarpAccess const& access);

/// The groups of rules 1 and 3, in the order in which they are served: of each, the active lanes as a mask.
/// Groups without one are left out. For pictures of an access; the same preconditions.
std::vector<std::uint64_t> lanes_served_together(Device const& device, WarpAccess const& access);

}  // namespace teamsan::model
