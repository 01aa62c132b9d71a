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
///   - parted: several lanes', a byte each or two (`aside` and `many`); each byte has a word of its own (ByteWords.hpp);
///   - aside: anything else, in FlatShadow's table.
/// An odd epoch tells such a word from those that teams commit (GlobalShadow.hpp): the epoch of the launch, plus 1.
///
///   epoch 6 | init 4 | lane, low 24 | written 4 | read 1 | many 1 | aside 1 | atomic 1 | lane, high 5 |
///   busy 1 | place 8 | second place 8
///
/// The second place is that of the lane in `extra`, or of the read by a lane that wrote, too.
#pragma once

#include "../entry/pass/Abi.h"

#include <cstddef>
#include <cstdint>

namespace teamsan {

/// An instruction's number in the launch. The last one stands for all that have none: which one it was, WordSites knows, and
/// what they do is not decided in line. Where the first team alone needs more than `most_at_first`, a launch is not run as a
/// flat one for that.
namespace flat {
using Place = std::uint8_t;
inline constexpr Place unknown_place = 255;
inline constexpr std::size_t most_at_first = 192;
inline constexpr std::uint64_t most_lanes = std::uint64_t{1} << 29;
}  // namespace flat

/// Questions and transitions are asked and made by whoever joins an access: in line, for two words at once, as in the table's
/// slow way. `mine` is the running lane's word: of that lane alone, which has done nothing yet.
class FlatWord {
 public:
  constexpr explicit FlatWord(std::uint64_t bits) : m_bits(bits) {}
  /// Of a lane that has done nothing yet.
  static constexpr FlatWord of_lane(std::uint32_t epoch, std::uint32_t lane) {
    return FlatWord((epoch | flat_bit) | std::uint64_t{lane & 0xffffff} << 10 | std::uint64_t{lane >> 24} << 42);
  }
  constexpr std::uint64_t bits() const { return m_bits; }
  friend constexpr bool operator==(FlatWord, FlatWord) = default;

  // ---- questions ----
  /// Has nobody touched it in the launch of `mine`?
  constexpr bool is_untouched(FlatWord mine) const { return ((m_bits ^ mine.m_bits) & launch_mask) != 0; }
  /// Has a lane of that launch, as a flat one?
  constexpr bool is_of_launch(std::uint32_t epoch) const { return (m_bits & epoch_mask) == (epoch | flat_bit); }
  constexpr bool is_flat() const { return (m_bits & flat_bit) != 0; }
  constexpr bool is_busy() const { return (m_bits & busy) != 0; }
  constexpr bool is_aside() const { return (m_bits & aside) != 0; }
  /// In the launch of `mine`. A parted word is aside as well: no way in line that is about whole words goes on there.
  constexpr bool is_parted(FlatWord mine) const {
    return ((m_bits ^ mine.m_bits) & epoch_mask) == 0 && (m_bits & (aside | many | busy)) == (aside | many);
  }
  /// The lane's, without atomics: it may read.
  constexpr bool is_own(FlatWord mine) const { return ((m_bits ^ mine.m_bits) & (owner_mask | aside | atomic | busy)) == 0; }
  /// And nobody else's: it may write.
  constexpr bool is_own_alone(FlatWord mine) const {
    return ((m_bits ^ mine.m_bits) & (owner_mask | many | aside | atomic | busy)) == 0;
  }
  /// The lane was the first one, whatever it did.
  constexpr bool is_first(FlatWord mine) const { return ((m_bits ^ mine.m_bits) & owner_mask) == 0; }
  /// By one lane or many: all that was done is reads; is updates by atomics.
  constexpr bool is_only_read() const { return (m_bits & (flat_bit | written | aside | busy)) == flat_bit; }
  constexpr bool is_only_updated() const { return (m_bits & (flat_bit | aside | atomic | busy)) == (flat_bit | atomic); }
  constexpr bool is_updated() const { return (m_bits & atomic) != 0; }
  constexpr bool is_read() const { return (m_bits & read) != 0; }
  constexpr bool is_written() const { return (m_bits & written) != 0; }
  constexpr bool is_of_many() const { return (m_bits & many) != 0; }
  constexpr std::uint32_t lane() const {
    return static_cast<std::uint32_t>((m_bits >> 10 & 0xffffff) | (m_bits >> 42 & 31) << 24);
  }
  constexpr flat::Place place() const { return static_cast<flat::Place>(m_bits >> place_shift); }
  constexpr flat::Place second_place() const { return static_cast<flat::Place>(m_bits >> second_place_shift); }
  /// Bytes that were written before the launch, of a word that it has touched.
  constexpr std::uint64_t init() const { return m_bits >> 6 & 15; }
  /// Of one that nobody in the launch has touched.
  constexpr std::uint64_t init_of_untouched() const { return (m_bits >> 6 | m_bits >> 34) & 15; }
  /// Of a parted word: bytes that lanes of the launch have written; has a lane done anything but update it by atomics?
  constexpr std::uint64_t bytes_written() const { return m_bits >> 34 & 15; }
  constexpr bool is_used_plainly() const { return (m_bits & read) != 0; }
  /// Bytes that are written by now, whoever did it.
  constexpr std::uint64_t written_so_far() const { return (m_bits >> 6 | m_bits >> 34) & 15; }

  // ---- transitions ----
  /// `place_bits`: the instruction's number, where a word has it (place_bits_of).
  static constexpr std::uint64_t place_bits_of(flat::Place place) { return std::uint64_t{place} << place_shift; }
  static constexpr std::uint64_t second(std::uint64_t place_bits) { return place_bits << (second_place_shift - place_shift); }

  /// Nobody has touched it, and all was written before.
  static constexpr FlatWord first_read(FlatWord mine, std::uint64_t place_bits) {
    return FlatWord(mine.m_bits | init_mask | read | place_bits);
  }
  static constexpr FlatWord first_update(FlatWord mine, std::uint64_t place_bits) {
    return FlatWord(mine.m_bits | init_mask | written | atomic | place_bits);
  }
  /// Nobody has touched it.
  constexpr FlatWord first_write(FlatWord mine, std::uint64_t place_bits) const {
    return FlatWord(mine.m_bits | init_of_untouched() << 6 | written | place_bits);
  }
  /// Its lane, which has written, reads; which has read, writes.
  constexpr FlatWord own_read(std::uint64_t place_bits) const { return FlatWord(m_bits | read | second(place_bits)); }
  constexpr FlatWord own_write(std::uint64_t place_bits) const {
    return FlatWord((m_bits & ~places) | second(m_bits & first_place) | written | place_bits);
  }
  /// A later lane does as the first one did; `extra` is that lane.
  constexpr FlatWord second_lane(std::uint64_t place_bits) const { return FlatWord(m_bits | many | second(place_bits)); }
  /// The same, in place of the second one.
  constexpr FlatWord other_second_lane(std::uint64_t place_bits) const {
    return FlatWord((m_bits & ~(places & ~first_place))).second_lane(place_bits);
  }
  /// A lane before the first one does; `extra` is the one that was.
  constexpr FlatWord earlier_lane(FlatWord mine, std::uint64_t place_bits) const {
    std::uint64_t const rest = m_bits & ~(places | lane_mask);
    return FlatWord(rest | many | (mine.m_bits & lane_mask) | place_bits | second(m_bits & first_place));
  }
  /// What a lane of the first team, which was committed, did to the word, and it alone.
  constexpr FlatWord first_team_read(FlatWord mine, std::uint64_t place_bits) const {
    return FlatWord(mine.m_bits | (m_bits & init_mask) | read | place_bits);
  }
  constexpr FlatWord first_team_update(FlatWord mine, std::uint64_t place_bits) const {
    return FlatWord(mine.m_bits | (m_bits & init_mask) | written | atomic | place_bits);
  }
  constexpr FlatWord made_busy() const { return FlatWord(m_bits | busy); }
  /// Its state is the table's from here on.
  constexpr FlatWord set_aside(std::uint32_t epoch) const {
    return FlatWord((epoch | flat_bit) | (m_bits & (init_mask | written)) | aside);
  }
  /// The same of one that nobody has touched.
  constexpr FlatWord set_aside_untouched(std::uint32_t epoch) const {
    return FlatWord((epoch | flat_bit) | init_of_untouched() << 6 | aside);
  }
  /// Its bytes have words of their own from here on.
  constexpr FlatWord parted(std::uint32_t epoch) const { return FlatWord(set_aside(epoch).m_bits | many); }
  constexpr FlatWord parted_untouched(std::uint32_t epoch) const { return FlatWord(set_aside_untouched(epoch).m_bits | many); }
  constexpr FlatWord used_plainly() const { return FlatWord(m_bits | read); }
  /// And no longer: the table has it.
  constexpr FlatWord put_together() const { return FlatWord(m_bits & ~(many | read)); }
  constexpr FlatWord with_written(std::uint64_t bytes) const { return FlatWord(m_bits | bytes << 34); }
  /// To the word of a lane: the next one's, unless its low bits are used up.
  constexpr FlatWord next_lane() const { return FlatWord(m_bits + (std::uint64_t{1} << 10)); }

  static constexpr std::uint64_t launch_mask = TEAMSAN_FLAT_LAUNCH;  ///< the epoch but for what tells a flat word
  static constexpr unsigned place_shift = 48;

 private:
  static constexpr std::uint64_t flat_bit = TEAMSAN_FLAT_FLAT, epoch_mask = 63;
  static constexpr std::uint64_t init_mask = TEAMSAN_FLAT_INIT;
  static constexpr std::uint64_t written = TEAMSAN_FLAT_WRITTEN;
  static constexpr std::uint64_t read = TEAMSAN_FLAT_READ;
  static constexpr std::uint64_t many = TEAMSAN_FLAT_MANY;
  static constexpr std::uint64_t aside = TEAMSAN_FLAT_ASIDE;
  static constexpr std::uint64_t atomic = TEAMSAN_FLAT_ATOMIC;
  static constexpr std::uint64_t lane_mask = TEAMSAN_FLAT_LANE;
  static constexpr std::uint64_t busy = TEAMSAN_FLAT_BUSY;  ///< somebody changes `extra`, and has the word next
  static constexpr std::uint64_t owner_mask = epoch_mask | lane_mask;
  static constexpr unsigned second_place_shift = 56;
  static constexpr std::uint64_t first_place = TEAMSAN_FLAT_FIRST_PLACE;
  static constexpr std::uint64_t places = TEAMSAN_FLAT_PLACES;

  std::uint64_t m_bits;
};
static_assert(sizeof(FlatWord) == 8);

}  // namespace teamsan
