// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatTable.hpp"
#include "GlobalShadow.hpp"
#include "Hot.hpp"

#include <cstddef>

namespace teamsan {

FlatSites const no_flat_sites[1] = {};

thread_local constinit Hot hot;

// What objects of checked programs hold (entry/pass/Abi.h).
static_assert(sizeof(Hot) == teamsan_hot_bytes);
static_assert(offsetof(Hot, me) == teamsan_hot_me);
static_assert(offsetof(Hot, slice) == teamsan_hot_slice);
static_assert(offsetof(Hot, lane) == teamsan_hot_lane);
static_assert(offsetof(Hot, call_top) == teamsan_hot_call_top);
static_assert(offsetof(Hot, flat_shared) == teamsan_hot_flat_shared);
static_assert(offsetof(Hot, flat_word) == teamsan_hot_flat_word);
static_assert(offsetof(Hot, flat_lane) == teamsan_hot_flat_lane);
static_assert(offsetof(Hot, flat_mark) == teamsan_hot_flat_mark);
static_assert(offsetof(Hot, lanes_ahead) == teamsan_hot_lanes_ahead);
static_assert(offsetof(Hot, first_slice) == teamsan_hot_first_slice);
static_assert(offsetof(Hot, lanes_calls) == teamsan_hot_lanes_calls);
static_assert(offsetof(Hot, flat_sites) == teamsan_hot_flat_sites);
static_assert(FlatWord(0).next_lane().bits() == TEAMSAN_FLAT_NEXT_LANE);
static_assert(FlatWord::place_shift + TEAMSAN_FLAT_SECOND_PLACE_SHIFT == 56);
static_assert(offsetof(FlatTable, in_line) == 0);
#ifndef TEAMSAN_SMALL_ARENA
static_assert(arena::global_cells - 2 * arena::global == TEAMSAN_FLAT_CELLS);
static_assert(arena::global_extras - arena::global == TEAMSAN_FLAT_EXTRAS);
static_assert(arena::device == TEAMSAN_FLAT_DEVICE && arena::flat_stretch_bytes == 1u << TEAMSAN_FLAT_STRETCH_SHIFT);
static_assert(arena::flat_holds == TEAMSAN_FLAT_HOLDS);
#endif

}  // namespace teamsan
