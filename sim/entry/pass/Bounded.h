// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// More of what Abi.h says of accesses of lanes: operations whose values are known by bounds alone, the same for all lanes. An
/// address that is made of them is one of many, and whatever is said of it holds for all of these. C, which the plug-in in the
/// compiler includes too (gcc/Addresses.cpp), and the runtime (machine/LaneValues.hpp).
#ifndef TEAMSAN_BOUNDED_H
#define TEAMSAN_BOUNDED_H

/// Beside those of `teamsan_affine`, with numbers in the same places of their words.
enum teamsan_bounded {
  teamsan_bounded_any = 32,      /* a number of so many bits << 8, with a sign << 16 */
  teamsan_bounded_load,          /* what memory holds at that address: so many bytes << 8, with a sign << 16 */
  teamsan_bounded_either,        /* one of two */
  teamsan_bounded_remainder,     /* of a division of the lower one by the upper one, which is positive; with a sign << 16 */
  teamsan_bounded_quotient,      /* of such a division */
  teamsan_bounded_bits,          /* those that both have */
  teamsan_bounded_least,         /* of two, with a sign */
  teamsan_bounded_most,
  teamsan_bounded_counter,       /* of a loop, below */
  teamsan_bounded_past           /* one more, or where TEAMSAN_COUNTER_DOWN one less, than a number that has one behind it: of so
                                    many bits << 8, with a sign << 16 */
};

/// A loop's counter begins with the lowest of three, goes on by the uppermost, which is not 0, and the loop goes on while a
/// value is below the one between, or, if it goes down, above it. So many bits << 8 and a sign << 16 as above, and:
#define TEAMSAN_COUNTER_DOWN (1ull << 24)
#define TEAMSAN_COUNTER_NEXT (1ull << 25)    /* that value is the next turn's: else this turn's */
#define TEAMSAN_COUNTER_DIFFERS (1ull << 26) /* it goes on while they are not the same */
#define TEAMSAN_COUNTER_ENTERED (1ull << 27) /* no loop is come to with a beginning that is not below that value */
#define TEAMSAN_COUNTER_WITHIN (1ull << 28)  /* asked of where this turn's value is known to be below */
#define TEAMSAN_COUNTER_NATURAL (1ull << 29) /* they are compared as numbers without a sign, and have one */
#define TEAMSAN_COUNTER_TURNS (1ull << 30)   /* not its value, but how many turns were made before */

/// Of a quotient: the source says that the division leaves nothing (of pointers that are apart by whole elements), and the
/// compiler has made something else of one that does.
#define TEAMSAN_QUOTIENT_EXACT (1ull << 24)

/// In an access' head: the compiler takes it that its address is a multiple of 2 to the power of that, up to 15.
#define TEAMSAN_ACCESS_ALIGNMENT_SHIFT 2

/// In an access' head: it is an update which orders nothing, and nobody looks at what was there before. One that is no store is
/// what an update by compare-and-exchange reads first; such updates may give something else in another order.
#define TEAMSAN_ACCESS_ATOMIC 0x80ull

/// An access of no bytes is none: its value is computed, and must be known, so that lanes end and nothing traps. Or it is a
/// condition, by which lanes come to what follows it, or to nothing of that: the words compute two values, or three, the
/// uppermost last, and which comparison of them it is stands where accesses have their alignment.
#define TEAMSAN_ACCESS_CONDITION 0x40ull
#define TEAMSAN_CONDITION_ANEW 0x80ull /* those before it hold no longer; without words it is only that */
#define TEAMSAN_CONDITION_SHIFT 2
enum teamsan_condition {
  teamsan_condition_below = 1,     /* a < b */
  teamsan_condition_up_to,         /* a <= b */
  teamsan_condition_same,          /* a == b */
  teamsan_condition_differs,       /* a != b */
  teamsan_condition_within,        /* a has a sign, and is no more than b without one: in 64 bits or, NATURAL, 32 */
  teamsan_condition_quotient_below, /* a / q < b, which are computed in that order */
  teamsan_condition_quotient_from, /* a / q >= b */
  teamsan_condition_natural = 8    /* of `below`, `up_to`: without a sign */
};

#endif
