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
static_assert(offsetof(Hot, scratch_begin) == teamsan_hot_scratch_begin);
static_assert(offsetof(Hot, scratch_bytes) == teamsan_hot_scratch_bytes);
static_assert(offsetof(Hot, scratch_cells) == teamsan_hot_scratch_cells);
static_assert(offsetof(Hot, global_bytes) == teamsan_hot_global_bytes);
static_assert(offsetof(Hot, index) == teamsan_hot_index);
static_assert(offsetof(Hot, index_shift) == teamsan_hot_index_shift);
static_assert(offsetof(Hot, me) == teamsan_hot_me);
static_assert(offsetof(Hot, floor) == teamsan_hot_floor);
static_assert(offsetof(Hot, slice) == teamsan_hot_slice);
static_assert(offsetof(Hot, ignore_begin) == teamsan_hot_ignore_begin);
static_assert(offsetof(Hot, ignore_bytes) == teamsan_hot_ignore_bytes);
static_assert(offsetof(Hot, lane) == teamsan_hot_lane);
static_assert(offsetof(Hot, call_top) == teamsan_hot_call_top);
static_assert(offsetof(Hot, watch) == teamsan_hot_watch && static_cast<int>(Watch::checked) == 0 &&
              static_cast<int>(Watch::range) == teamsan_watch_range);
static_assert(offsetof(Hot, flat_shared) == teamsan_hot_flat_shared);
static_assert(offsetof(Hot, flat_word) == teamsan_hot_flat_word);
static_assert(offsetof(Hot, flat_lane) == teamsan_hot_flat_lane);
static_assert(offsetof(Hot, flat_mark) == teamsan_hot_flat_mark);
static_assert(offsetof(Hot, outer_frames) == teamsan_hot_outer_frames);
static_assert(offsetof(Hot, lanes_ahead) == teamsan_hot_lanes_ahead);
static_assert(offsetof(Hot, first_slice) == teamsan_hot_first_slice);
static_assert(offsetof(Hot, lanes_calls) == teamsan_hot_lanes_calls);
static_assert(offsetof(Hot, flat_sites) == teamsan_hot_flat_sites);
static_assert(FlatWord(0).next_lane().bits() == TEAMSAN_FLAT_NEXT_LANE);
static_assert(FlatWord::place_shift + TEAMSAN_FLAT_SECOND_PLACE_SHIFT == 56);
static_assert(offsetof(FlatTable, in_line) == 0);
static_assert(offsetof(Cell, write) == TEAMSAN_CELL_WRITE && offsetof(Cell, read) == TEAMSAN_CELL_READ);
static_assert(offsetof(Mark, who) == TEAMSAN_CELL_WRITE_WHO - TEAMSAN_CELL_WRITE && sizeof(Cell) == TEAMSAN_CELL_BYTES);
static_assert(who::atomic == TEAMSAN_WHO_ATOMIC && who::many == TEAMSAN_WHO_MANY && who::mixed == TEAMSAN_WHO_MIXED);
static_assert((who::flags_mask | who::lane_mask) == TEAMSAN_WHO_LANE_AND_FLAGS);
static_assert(offsetof(Line, first) == TEAMSAN_LINE_CELLS && Line::bytes == 64 && TeamShadow::wide == TEAMSAN_LINE_WIDE);
static_assert(TeamShadow::hash(1, 0) == TEAMSAN_LINE_HASH && sizeof(TeamShadow::Entry) == 16);
static_assert(offsetof(TeamShadow::Entry, key) == 0 && offsetof(TeamShadow::Entry, line) == 8);
#ifndef TEAMSAN_SMALL_ARENA
static_assert(arena::global_cells - 2 * arena::global == TEAMSAN_FLAT_CELLS);
static_assert(arena::global_extras - arena::global == TEAMSAN_FLAT_EXTRAS);
static_assert(arena::device == TEAMSAN_FLAT_DEVICE && arena::flat_stretch_bytes == 1u << TEAMSAN_FLAT_STRETCH_SHIFT);
static_assert(arena::flat_holds == TEAMSAN_FLAT_HOLDS);
static_assert(arena::constant == TEAMSAN_CONSTANT && arena::constant_bytes == TEAMSAN_CONSTANT_BYTES);
#endif

}  // namespace teamsan
