// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the global shadow says of a word of device memory while a flat launch runs: one whose lanes never meet (a RangePolicy,
/// an MDRangePolicy). Nothing orders two lanes of such a launch, so all that has to be known of a word are the first lanes in
/// the order of the league that wrote and read it. These are a minimum, the same in whatever order lanes come: each lane
/// joins its access to the word as it makes it, and nothing is committed afterwards.
///
/// A word is, from the first lane on that touches it:
///   - one lane's: `lane`, with the places of its first write and its first read, as far as it did both;
///   - many's, who only read it, or only updated it by atomics: `lane` and the lane in `extra` are the first two of them,
///     with their places;
///   - aside: anything else, in FlatShadow's table.
/// An odd epoch tells such a word from those that teams commit (GlobalShadow.hpp): the epoch of the launch, plus 1.
///
///   epoch 6 | init 4 | lane, low 24 | written 4 | read 1 | many 1 | aside 1 | atomic 1 | lane, high 5 |
///   busy 1 | place 8 | second place 8
///
/// The second place is that of the lane in `extra`, or of the read by a lane that wrote, too.
#pragma once

#include <cstdint>

namespace teamsan::flat {

inline constexpr std::uint64_t epoch_mask = 63;
inline constexpr std::uint64_t launch_mask = 62;  ///< the epoch but for what tells a flat word
inline constexpr std::uint64_t init_mask = std::uint64_t{15} << 6;
inline constexpr std::uint64_t written = std::uint64_t{15} << 34;
inline constexpr std::uint64_t read = std::uint64_t{1} << 38;
inline constexpr std::uint64_t many = std::uint64_t{1} << 39;
inline constexpr std::uint64_t aside = std::uint64_t{1} << 40;
inline constexpr std::uint64_t atomic = std::uint64_t{1} << 41;  ///< all that was done is updates by atomics
inline constexpr std::uint64_t lane_mask = std::uint64_t{0xffffff} << 10 | std::uint64_t{31} << 42;
inline constexpr std::uint64_t busy = std::uint64_t{1} << 47;    ///< somebody changes `extra`, and has the word next
inline constexpr std::uint64_t owner_mask = epoch_mask | lane_mask;
inline constexpr unsigned place_shift = 48, second_place_shift = 56;

inline constexpr std::uint64_t most_lanes = std::uint64_t{1} << 29;

/// An instruction's number in the launch. The last one stands for all that have none.
using Place = std::uint8_t;
inline constexpr Place unknown_place = 255;

constexpr std::uint64_t word_of(std::uint32_t epoch, std::uint32_t lane) {
  return (epoch | 1) | std::uint64_t{lane & 0xffffff} << 10 | std::uint64_t{lane >> 24} << 42;
}
/// To the word of a lane adds one, unless its low bits are used up.
inline constexpr std::uint64_t next_lane = std::uint64_t{1} << 10;
constexpr std::uint64_t places = std::uint64_t{0xffff} << place_shift;
constexpr std::uint32_t lane_of(std::uint64_t main) {
  return static_cast<std::uint32_t>((main >> 10 & 0xffffff) | (main >> 42 & 31) << 24);
}
/// Has a lane of that launch touched it, as a flat one?
constexpr bool is_of_launch(std::uint64_t main, std::uint32_t epoch) { return (main & epoch_mask) == (epoch | 1); }
/// Of a word that nobody in the launch has touched: the bytes that were written before.
constexpr std::uint64_t init_of_untouched(std::uint64_t main) { return (main >> 6 | main >> 34) & 15; }

}  // namespace teamsan::flat
