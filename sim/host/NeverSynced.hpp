// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// stale-copy by default, a warning: a DualView of numbers of which the host filled its side, and a kernel read the zeros that
/// the device's side was made with, and nothing ever came there until the DualView's end: no sync, no copy, no fill, no
/// kernel's store. Only then is it known that nobody meant to bring it there later: who works on older values on purpose, and
/// who has something of their own on either side, is silent.
///
/// Errs towards silence: known are DualViews that were made by their extents; a kernel reads a side only if its functor holds
/// it; of each launch some hundred elements are looked at, the first ones and others all over the View, and of each DualView so
/// many launches. A kernel that comes to it by an address in memory is not seen, but what it leaves there is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace teamsan {

struct Allocation;
struct DualSides;
struct LaunchState;

/// Kokkos has allocated, on the host or on the device: three in a row make a DualView.
void note_part_of_dual_view(char const* label, void const* begin, std::size_t bytes);
void note_part_of_dual_view(Allocation const& device);
/// A side was declared modified, or copied.
void note_synced_or_modified(DualSides const& sides);
/// It is about to be freed: with a DualView's flags, the DualView ends.
void end_part_of_dual_view(void const* host);
void end_device_side(void const* begin);
/// Kokkos::finalize: whatever is left ends.
void end_dual_views();

/// May the launch read what is looked for? Its first team is to be seen, then.
bool may_read_never_synced(LaunchState const& launch);
/// The launch has ended: looks for who read what.
void look_for_never_synced(LaunchState const& launch);

}  // namespace teamsan
