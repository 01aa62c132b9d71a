// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What each kernel asked of memory, as plain text of at most 96 columns: requests, wavefronts and sectors
/// beside what the least would be, the bytes moved, and the source lines that cost most beyond it. The
/// figures that the HTML report shows too are made here.
#pragma once

#include "../../model/device/Device.hpp"
#include "Report.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan {

/// Bytes between a kernel and global memory.
struct MovedBytes {
  std::uint64_t moved = 0;  ///< sectors times the size of a sector
  std::uint64_t ideal = 0;  ///< the same if the lanes' bytes lay side by side
  std::uint64_t asked = 0;  ///< what the lanes read and wrote, each lane for itself
};
MovedBytes moved_bytes(ReportedTraffic const& traffic, model::Device const& device);

/// The same of one memory: "device memory", "shared memory", "host-pinned memory", "scratch level 1", which move in sectors, or
/// "scratch level 0": what its wavefronts could give, and what the least of them could.
struct SpaceBytes {
  std::string name;
  MovedBytes bytes;
};
/// Those that the kernel touches, in this order.
std::vector<SpaceBytes> bytes_by_space(ReportedTraffic const& traffic, model::Device const& device);

/// The memory side of a roofline: below how many double-precision operations a byte, and in all, the memory's rate bounds the
/// kernel; above, arithmetic does. All zero where the device's rates are not known or the kernel moves nothing.
struct MemoryRoof {
  double operations_per_byte = 0;  ///< moved
  double operations = 0;           ///< in all modelled launches
  double seconds = 0;              ///< that the bytes take at least
};
MemoryRoof memory_roof(ReportedTraffic const& traffic, model::Device const& device);
/// In words; empty: there is none.
std::string roof_sentence(ReportedTraffic const& traffic, model::Device const& device);

/// One direction of a kernel's traffic, in the order in which it is printed.
struct TrafficRow {
  bool banked;            ///< scratch of level 0, in wavefronts; otherwise global memory, in sectors
  std::string_view name;  ///< "loads"
  TrafficCounts const* counts;
  std::uint64_t cost() const { return banked ? counts->wavefronts : counts->sectors; }
  std::uint64_t ideal() const { return banked ? counts->ideal_wavefronts : counts->ideal_sectors; }
};
std::array<TrafficRow, 6> traffic_rows(ReportedTraffic const& traffic);

/// The site's part, 0 to 1, of the wavefronts or sectors of its whole kernel.
double share_of_kernel(ReportedSite const& site, ReportedTraffic const& traffic);

/// How many times what it could be at least: 32 for a 32-way bank conflict; 1 when there is nothing to
/// compare.
double times_ideal(ReportedSite const& site);

/// "32-way", "2.5-way" for scratch, "4 times the sectors" for global memory, "no excess" at the ideal.
std::string degree(ReportedSite const& site);

std::string_view operation_name(model::Operation operation);  ///< "load", "store", "atomic"

/// The View's label, "scratch level 0" or "global memory".
std::string data_name(Data const& data, bool banked);

/// "2 launches, 16 of 64 teams counted".
std::string counted_part(ReportedTraffic const& traffic);

/// Teams resident, idle lanes, contention and Kokkos' own part, one line each; those that there is nothing to say of left out.
std::vector<std::string> kernel_sentences(ReportedTraffic const& traffic);

/// One kernel, `number` of `total`. Without a known device, bytes are left out.
std::string traffic_table(ReportedTraffic const& traffic, ProgramFacts const& program, std::size_t number,
                          std::size_t total);

/// All kernels, an empty line after each; at most `most` of them, then how many there are beyond.
std::string traffic_tables(Report const& report, std::size_t most);

}  // namespace teamsan
