// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the words by which the compiler's plug-in tells an address (entry/pass/Abi.h, Bounded.h) come to in the lanes of one
/// launch: an affine function of the iteration's indices, and beside it a number of which only bounds are known. For these the
/// memory is read, before the launch, in which lanes look up an index or where a row begins: whatever lanes take from there
/// lies between the least and the most of it, if no lane of the launch writes there. Who decides the launch sees to that.
#pragma once

#include "../base/LaunchConfig.hpp"
#include "../entry/pass/Abi.h"
#include "LaneIndices.hpp"
#include "LaneLooks.hpp"
#include "LaneValue.hpp"
#include "LookupTable.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace teamsan {

class LaneValues {
 public:
  /// `looks`: says whether each lane may be looked at; nullptr: none may.
  LaneValues(void const* functor, LaneIndices const& indices, std::uint32_t context, LaneLooks* looks = nullptr)
      : m_functor(functor), m_all(indices), m_indices(indices.indices), m_context(context), m_looks(looks) {}

  /// Of all iterations, again.
  void all_lanes() {
    m_indices = m_all.indices;
    m_no_lane = false;
    for (LookupTable& t : m_tables) t.from = -LookupTable::any, t.to = LookupTable::any;
  }
  /// That a value has a share of.
  LookupTable const& table(TableShare const& of) const { return m_tables[of.table - 1]; }
  /// From now on of those alone that the condition lets through, and perhaps some more: by its record's head and words.
  void narrow(unsigned long long head, std::span<unsigned long long const> words);
  bool any_lane() const { return !m_no_lane; }
  Indices const& lanes() const { return m_indices; }

  /// Nothing: it is not known, or something in it would trap or have no end.
  std::optional<LaneValue> value(std::span<unsigned long long const> words);

  /// Of that number, e left out, in the first lane.
  std::uint64_t first(LaneValue const& v) const;
  /// Memory of so many bytes at that address. Nothing: it is not all in one live allocation that lanes may touch, or not
  /// a multiple of the alignment, or of what an instruction for so many bytes must have.
  std::optional<Reach> reach(LaneValue const& address, std::uint32_t bytes, std::uint32_t alignment = 1) const;

  /// By which numbers, the same in all lanes, something was divided since it was asked so; then no memory is read.
  void note_divisors(std::vector<std::uint64_t>& divisors) { m_divisors = &divisors; }

  /// Numbers of so many bytes, of which those bits count; all of them: as they are.
  struct LoadedAs {
    unsigned bytes = 0;
    bool is_signed = false;
    std::uint64_t mask = ~std::uint64_t{0};
    bool operator==(LoadedAs const&) const = default;
    /// Of any other number of bytes nothing is known but that they are written.
    bool is_number() const { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; }
  };

  /// What was read before the launch. All of it has been written, or, where each lane was looked at, what these read of it.
  struct Read {
    std::uintptr_t begin, end;
    std::uint64_t grain;
    LoadedAs as;
    Wide least, most;
    std::optional<Indices> by_lanes = {};         ///< these were looked at,
    std::vector<unsigned long long> address = {};  ///< by the words that compute where each reads,
    std::uint32_t alignment = 1;                    ///< and that it is a multiple of this
  };
  /// What each lane reads there, lane by lane: rows of their own, each as long as a number in memory says, of which together
  /// not all that lies between has been written, or is theirs. nullptr: some of that is not known, not written, or not open to
  /// them; or it does not pay.
  Read const* read_by_lanes(std::span<unsigned long long const> address, LoadedAs as, std::uint32_t alignment = 1);
  std::vector<Read> const& reads() const { return m_reads; }
  /// Each lane was looked at for some of it.
  bool looked_at_lanes() const { return m_looked; }

 private:
  struct Range {
    Wide least = 0, most = 0;
  };
  using Word = unsigned long long;
  using Known = LaneValue::Known;

  static constexpr Wide most_slack = Wide{1} << 62, int_most = (Wide{1} << 63) - 1, int_least = -int_most - 1;
  static constexpr unsigned bits_of(Word w) { return w >> TEAMSAN_AFFINE_BYTES_SHIFT & 0xff; }
  static constexpr bool is_signed(Word w) { return w >> TEAMSAN_AFFINE_SIGN_SHIFT & 1; }

  bool compute(std::span<Word const> words);
  static std::uint64_t mask_of(std::span<Word const> next);
  enum class Bound : std::int8_t { least = -1, most = 1 };
  void keep(Bound which, LaneValue const& v, Wide bound);
  void keep_at_most(LaneValue const& v, Wide most) { keep(Bound::most, v, most); }
  void keep_at_least(LaneValue const& v, Wide least) { keep(Bound::least, v, least); }
  void leave_out(LaneValue const& v, Wide number);
  LookupTable* whole_table(LaneValue const& v);
  bool push_element(LaneValue const& address, Read const& all);
  void drop(unsigned d, Wide from_begin, Wide from_end);
  bool push(LaneValue const& v);
  bool push_range(Wide least, Wide most, std::uint64_t grain = 1);
  bool push_nothing(Word w);
  bool push_index(std::size_t which);
  bool join(std::uint64_t times);
  bool multiply();
  bool fit(Word w);
  void settle(Word w, Word next);
  static void settle(LaneValue& v);
  bool load(LoadedAs as, std::span<Word const> address);
  bool either();
  bool divide(Word w, bool remainder);
  bool common_bits(Word w);
  bool is_whole(LaneValue const& v, Wide by) const;
  LaneValue whole_quotient(LaneValue const& v, Wide by) const;
  bool take_apart(LaneValue const& v, Wide by, LaneValue& quotient, LaneValue& remainder) const;
  bool least_or_most(Word w, bool most);
  bool step_past(Word w);
  bool count_turns(Word w);

  /// From the first lane's value to others', at least and at most; without e.
  Range span_of_lanes(LaneValue const& v) const;
  std::optional<Range> range(LaneValue const& v) const;
  /// The same as numbers of the sign that the word says.
  std::optional<Range> range(LaneValue const& v, Word w) const;
  bool is_exact(LaneValue const& v) const;
  /// What all that it can be have in common: they are multiples of it apart.
  std::uint64_t grain_of(LaneValue const& v) const;
  static std::optional<Range> range_of_type(Word w);
  std::uint64_t number_of_functor(Word w) const;
  Read const* read(Reach const& r, LoadedAs as);

  void const* m_functor;
  LaneIndices const& m_all;
  Indices m_indices;
  std::vector<std::uint64_t>* m_divisors = nullptr;
  bool m_no_lane = false;
  std::uint32_t m_context;
  LaneLooks* m_looks;
  bool m_is_one_lane = false, m_looked = false;
  std::array<LaneValue, 64> m_stack;
  std::array<std::size_t, 64> m_from{};  ///< of each the first of the words that compute it
  std::size_t m_size = 0;
  std::vector<Read> m_reads;
  std::vector<LookupTable> m_tables;
};

}  // namespace teamsan
