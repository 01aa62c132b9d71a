// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// lost-contribution, of what is cleared: lanes of the latest launch have added to it by atomics, nobody has read it since, and
/// somebody reads it afterwards, before anything else is put there. So it is with a ScatterView without copies of its own that
/// is reset behind contribute_into, which then has nothing to do: both are one View. Sums that are added up once more after the
/// reset (of a warm-up, of rounds that are only timed) are nobody's loss.
///
/// And, a warning, of a ScatterView's copies of its own (ScatterDuplicated): they are freed, and nobody has read what the
/// latest launch that touched them added; contribute_into would have. They are known by the label that Kokkos gives them.
///
/// Errs towards silence: a later launch of any kind may have read it, and a copy of any of its bytes has. Memory that the host
/// reaches is not looked at. Who wants to drop what a kernel has added says so by a fill (deep_copy).
#pragma once

#include "../base/Api.hpp"
#include <cstddef>
#include <cstdint>

namespace teamsan {

struct LaunchState;

/// A construct of the backend's is about to clear the memory, as the host asked it to.
TEAMSAN_API void note_cleared(void const* begin, std::size_t bytes);

/// A launch has ended.
void note_latest_launch(LaunchState const& launch);
/// The host has something copied from there.
void note_read_by_copy(std::uintptr_t begin, std::size_t bytes);
/// What begins there is about to be freed.
void note_sums_freed(void const* begin);
/// Are there sums that were cleared unread, of which this process asks later launches?
bool awaits_use_of_cleared_sums();
/// Is there anything of which later launches are asked what they do to it?
bool awaits_use_of_cleared();
/// Something else is there now, or nothing.
void note_no_longer_cleared(std::uintptr_t begin, std::size_t bytes);

}  // namespace teamsan
