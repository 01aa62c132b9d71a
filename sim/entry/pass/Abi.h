// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is compiled into the objects of checked programs: where a thread's state has what code in line reads and changes, and
/// what a word of a flat launch's shadow means. The runtime is made with the same numbers (memory/Hot.hpp, FlatWord.hpp,
/// machine/Team.hpp hold themselves to them), and objects refer to the state by a name with the version in it: whoever changes
/// a number here changes TEAMSAN_ABI_STATE, and objects of before do not link.
/// C, which the plug-in in the compiler includes too.
#ifndef TEAMSAN_ABI_H
#define TEAMSAN_ABI_H

/// The running thread's `Hot`; in thread-local storage, initial-exec.
#define TEAMSAN_ABI_STATE teamsan_abi_3
#define TEAMSAN_ABI_TEXT_OF(name) #name
#define TEAMSAN_ABI_TEXT(name) TEAMSAN_ABI_TEXT_OF(name)

/// Offsets in it.
enum teamsan_abi_hot {
  teamsan_hot_scratch_begin = 0x00,
  teamsan_hot_scratch_bytes = 0x08,
  teamsan_hot_scratch_cells = 0x10,
  teamsan_hot_global_bytes = 0x18,
  teamsan_hot_index = 0x20,
  teamsan_hot_index_shift = 0x28,
  teamsan_hot_me = 0x2c,
  teamsan_hot_floor = 0x30,
  teamsan_hot_slice = 0x34,
  teamsan_hot_ignore_begin = 0x38,
  teamsan_hot_ignore_bytes = 0x40,
  teamsan_hot_lane = 0x48,
  teamsan_hot_call_top = 0x58,
  teamsan_hot_watch = 0x78, /* 0: checked, and nothing else; of a range: teamsan_watch_range */
  teamsan_hot_flat_shared = 0x79,
  teamsan_hot_flat_word = 0xa8,
  teamsan_hot_flat_lane = 0xb0,
  teamsan_hot_flat_mark = 0xc8,
  teamsan_hot_outer_frames = 0xd0,
  teamsan_hot_lanes_ahead = 0xe8,
  teamsan_hot_first_slice = 0xec,
  teamsan_hot_lanes_calls = 0xf0,
  teamsan_hot_flat_sites = 0xf8,
  teamsan_hot_bytes = 256
};

enum { teamsan_watch_range = 1 };

/// Of a lane's state: what is 0 when a lane begins, so many bytes, and its two numbers.
enum teamsan_abi_lane { teamsan_lane_marks_bytes = 48, teamsan_lane_thread = 64, teamsan_lane_index = 80 };

/// A flat launch's lane to the next one's (FlatWord::next_lane).
#define TEAMSAN_FLAT_NEXT_LANE 0x400

/// Bits of a word (memory/FlatWord.hpp).
#define TEAMSAN_FLAT_FLAT 0x1ull
#define TEAMSAN_FLAT_LAUNCH 0x3eull  /* the epoch but for FLAT */
#define TEAMSAN_FLAT_INIT (15ull << TEAMSAN_FLAT_INIT_SHIFT)
#define TEAMSAN_FLAT_INIT_SHIFT 6
#define TEAMSAN_FLAT_WRITTEN (15ull << TEAMSAN_FLAT_WRITTEN_SHIFT)
#define TEAMSAN_FLAT_WRITTEN_SHIFT 34
#define TEAMSAN_FLAT_READ (1ull << 38)
#define TEAMSAN_FLAT_MANY (1ull << 39)
#define TEAMSAN_FLAT_ASIDE (1ull << 40)
#define TEAMSAN_FLAT_ATOMIC (1ull << 41)
#define TEAMSAN_FLAT_BUSY (1ull << 47)
#define TEAMSAN_FLAT_LANE (0xffffffull << 10 | 31ull << 42)
#define TEAMSAN_FLAT_FIRST_PLACE (0xffull << 48)
#define TEAMSAN_FLAT_PLACES (0xffffull << 48)
#define TEAMSAN_FLAT_SECOND_PLACE_SHIFT 8 /* from the first one */

/// A team's shadow (memory/Cell.hpp, TeamShadow.hpp): who wrote and who read a word, each a site and who it was; where a line
/// of 64 bytes has its cells, how its number becomes a place in the index, and a bit of what stands there.
enum teamsan_abi_cell {
  TEAMSAN_CELL_WRITE = 0,
  TEAMSAN_CELL_WRITE_WHO = 4,
  TEAMSAN_CELL_READ = 8,
  TEAMSAN_CELL_READ_WHO = 12,
  TEAMSAN_CELL_BYTES = 16
};
#define TEAMSAN_WHO_ATOMIC (1u << 10)
#define TEAMSAN_WHO_MANY (1u << 12)
#define TEAMSAN_WHO_MIXED (1u << 13)
#define TEAMSAN_WHO_LANE_AND_FLAGS 0x7fffu
#define TEAMSAN_LINE_CELLS 32
#define TEAMSAN_LINE_HASH 0x9e3779b97f4a7c15ull
#define TEAMSAN_LINE_WIDE (1ull << 63)

/// What a worker knows of an instruction whose check is in line: `room` accesses of its width lie side by side from `begin`
/// in memory that it may touch. Reached by the number that the compiler gave it, which others may have too: `pc` says whose
/// it is. A table of these lies at teamsan_hot_flat_sites; outside flat launches all of it is 0.
struct teamsan_flat_site {
  unsigned long long begin, room, place_bits, pc;
};
enum { teamsan_flat_sites = 512 };

/// Of an arena of the usual size (base/Arena.hpp): a word's shadow lies at this number plus twice its address, its second lane at
/// the next one plus its address; a stretch's mark (memory/FlatHolds.hpp) at the last one plus 8 times its number.
#define TEAMSAN_FLAT_CELLS 0xffffef0200000000ull
#define TEAMSAN_FLAT_EXTRAS 0x60200000000ull
#define TEAMSAN_FLAT_DEVICE 0x160000000000ull
#define TEAMSAN_FLAT_HOLDS 0x210400100000ull
#define TEAMSAN_FLAT_STRETCH_SHIFT 12
/// And what kernels' functors lie in.
#define TEAMSAN_CONSTANT 0x170000000000ull
#define TEAMSAN_CONSTANT_BYTES 0x200000000ull

/// What the lanes of a flat kernel access, where each access lies at a place that is an affine function of the indices: a
/// constant array of words, which the plug-in makes of a kernel's checked body (gcc/LaneAccesses.cpp) and the runtime reads
/// (machine/DecidedLaunch.cpp). The first word is the number of accesses. Each has a head, which says how many words follow,
/// and these compute its address, as operations on a stack. Behind them stands each one's line of the source, a word, if the
/// first word says so. Or what lanes access is not known: why not follows, as text.
#define TEAMSAN_ACCESSES_COUNT 0xffffffffull
#define TEAMSAN_ACCESSES_LINES (1ull << 62)
#define TEAMSAN_ACCESSES_UNKNOWN (1ull << 63)
#define TEAMSAN_ACCESS_STORES 1ull
#define TEAMSAN_ACCESS_CONDITIONAL 2ull /* not every lane makes it */
#define TEAMSAN_ACCESS_BYTES_SHIFT 8
#define TEAMSAN_ACCESS_MOST_BYTES 0xffffff
#define TEAMSAN_ACCESS_WORDS_SHIFT 32

/// An operation is in the low byte of its word. Values have 64 bits, and what is beyond is lost, as in what they stand for:
/// narrower ones are extended by their sign, or by zeros, and `fit` holds them to that.
enum teamsan_affine {
  teamsan_affine_constant = 1, /* the next word */
  teamsan_affine_index,        /* of the iteration: which one << 32 */
  teamsan_affine_functor,      /* its bytes: how many << 8, with a sign << 16, from << 32 */
  teamsan_affine_add,
  teamsan_affine_subtract,
  teamsan_affine_multiply,
  teamsan_affine_fit /* the value has so many bits << 8, one of them a sign << 16 */
};
#define TEAMSAN_AFFINE_BYTES_SHIFT 8
#define TEAMSAN_AFFINE_SIGN_SHIFT 16
#define TEAMSAN_AFFINE_FROM_SHIFT 32
enum { teamsan_affine_most_words = 256 }; /* of an access */

#endif
