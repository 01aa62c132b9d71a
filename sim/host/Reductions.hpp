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

/// All lanes of the running team, whose values are looked at, have ended.
TEAMSAN_API void end_watched_reduction(void const* kernel, ReducedValueCalls const& calls);

/// The running lane is about to reduce over a nested range, into a value that is `initial` now. Where what it does to it is
/// looked at, it is to reduce into what is returned, room of that many bytes, and to say when it goes on to its next iteration,
/// and that it has made all; nullptr: it is not.
TEAMSAN_API void* begin_nested_reduction(void const* initial, std::size_t bytes);
TEAMSAN_API void next_nested_iteration(void const* reducer, ReducedValueCalls const& calls);
TEAMSAN_API void end_nested_reduction(void const* reducer, ReducedValueCalls const& calls);

}  // namespace teamsan
