// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What lanes do to the values that they reduce into, as a backend lets it be looked at (detect/Accumulators.hpp).
#pragma once

#include "../base/Api.hpp"
#include "../base/ReducedValue.hpp"

#include <cstddef>
#include <cstdint>

namespace teamsan {

/// The running lane is about to reduce into a value: is what it does to it looked at? All lanes of its team are told the same.
TEAMSAN_API bool watches_reduction() noexcept;
/// Then its value is one of `lanes` values from `values` on, by the lane's index; otherwise it may be a variable of the lane's.
TEAMSAN_API void watch_reduction(void const* values, std::size_t bytes, std::uint32_t lanes);

/// The running lane's value is looked at, and it goes on to its next iteration.
TEAMSAN_API void next_iteration() noexcept;

/// All lanes of the running team, whose values are looked at, have ended. `of_scan`: they have added up for a scan.
TEAMSAN_API void end_watched_reduction(void const* kernel, ReducedValueCalls const& calls, bool of_scan);

/// Of a reduction over a TeamPolicy lanes of so many teams, the first ones, are looked at.
inline constexpr std::uint64_t watched_teams = 4;
/// The running lane, of one of these, is about to reduce: room for its value, which is `initial`, if what it does to it is
/// looked at; nullptr: it is not. All lanes of its team are told the same.
TEAMSAN_API void* begin_team_reduction(void const* initial, std::size_t bytes);
/// All lanes of the running team, whose values are looked at, have ended.
TEAMSAN_API void end_team_reduction(void const* kernel, ReducedValueCalls const& calls);
/// The running lane stores the result of a nested reduction or scan there: a write in a ResultScope (sim/machine/Lane.hpp).
TEAMSAN_API void note_reduced(void const* result, std::size_t bytes, void const* site);

/// The running lane is about to reduce over a nested range, into a value that is `initial` now. Where what it does to it is
/// looked at, it is to reduce into what is returned, room of that many bytes, and to say when it goes on to its next iteration,
/// and that it has made all; nullptr: it is not.
TEAMSAN_API void* begin_nested_reduction(void const* initial, std::size_t bytes);
TEAMSAN_API void next_nested_iteration(void const* reducer, ReducedValueCalls const& calls);
TEAMSAN_API void end_nested_reduction(void const* reducer, ReducedValueCalls const& calls, bool of_scan = false);

}  // namespace teamsan
