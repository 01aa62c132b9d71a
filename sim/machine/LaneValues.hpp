// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the words by which the compiler's plug-in tells an address (entry/pass/Abi.h, Bounded.h) come to in the lanes of one
/// launch: an affine function of the iteration's indices, and beside it a number of which only bounds are known. For these the
/// memory is read, before the launch, in which lanes look up an index or where a row begins: whatever lanes take from there
/// lies between the least and the most of it, if no lane of the launch writes there. Who decides the launch sees to that.
#pragma once

#include "../base/LaunchConfig.hpp"
#include "LaneLooks.hpp"
#include "LookupTable.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace teamsan {

using Wide = __int128;

/// The same launch, as far as it goes by its indices.
bool are_same(Indices const& a, Indices const& b);

/// A multiple of `grain`, from 0 to `slack`, which is one: a loop's counter, say, that turns in a lane.
struct Spread {
  std::uint64_t grain = 0, slack = 0;
  bool operator==(Spread const&) const = default;
};
using Spreads = std::array<Spread, 3>;

/// base + step[0] * index 0 + ... + e, of which 64 bits count: e is the sum of one of each spread, others each time that a lane
/// computes it.
struct LaneValue {
  enum class Known : std::uint8_t { bounds, nothing, never_computed };
  std::uint64_t base = 0;
  std::array<std::uint64_t, Indices::most> step{};
  Spreads spreads{};  ///< those of no slack last
  Known known = Known::bounds;
  std::uint8_t modulo = 0;  ///< not 0: so many bits of it count, without a sign, and it may go beyond these
  TableShare share{};       ///< of e, what comes of a table

  std::uint64_t slack() const { return spreads[0].slack + spreads[1].slack + spreads[2].slack; }
  /// e is a multiple of it; 0: none.
  std::uint64_t grain() const { return std::gcd(spreads[0].grain, std::gcd(spreads[1].grain, spreads[2].grain)); }
  /// Of no more slack in all than is known to fit.
  void add(Spread const& more);
};

/// Bytes from `begin` to `end` that one access of all lanes may touch; they begin with multiples of `grain` behind `first`.
struct Reach {
  std::uintptr_t begin = 0, end = 0, first = 0;
  std::uint64_t grain = 0;  ///< 0: one place
};

/// The indices that a launch's lanes are told apart by. Where iterations take one index apart, into a row and a column, say, by
/// quotients and remainders, these are its digits: of an index with `weights` of more than 1.
struct LaneIndices {
  Indices indices;
  unsigned rank = 0;  ///< of the launch
  std::array<std::uint64_t, Indices::most> weights{1, 1, 1, 1, 1, 1};
  bool more = false;  ///< the last row is not whole: of some of these indices there are no lanes

  explicit LaneIndices(Indices const& of_launch) : indices(of_launch), rank(of_launch.rank) {}
  /// By what is divided in these records of accesses (entry/pass/Abi.h).
  LaneIndices(Indices const& of_launch, unsigned long long const* accesses, void const* functor, std::uint32_t context);
};

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
    std::vector<unsigned long long> address = {};  ///< by the words that compute where each reads
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

  bool compute(std::span<Word const> words);
  static std::uint64_t mask_of(std::span<Word const> next);
  void keep_at_most(LaneValue const& v, Wide most);
  void keep_at_least(LaneValue const& v, Wide least);
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
