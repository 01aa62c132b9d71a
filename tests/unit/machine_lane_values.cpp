// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places that hang on what lanes find in a table, under conditions on that, and on numbers without a sign that go beyond their
// bits: what is decided by them, against all lanes one by one.
// And quotients of what leaves nothing. The test itself writes the tables, as a host cannot.
// OPTIONS: check=race
#include "../../sim/entry/pass/Abi.h"
#include "../../sim/entry/pass/Bounded.h"
#include "../../sim/host/Memory.hpp"
#include "../../sim/machine/DecidedLaunch.hpp"
#include "../../sim/memory/GlobalShadow.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace teamsan;

namespace {

std::mt19937_64 random_bits(44);
long between(long least, long most) {
  return least + static_cast<long>(random_bits() % static_cast<std::uint64_t>(most - least + 1));
}
bool one_in(long n) { return between(1, n) == 1; }

using Words = std::vector<unsigned long long>;

struct Memory {
  explicit Memory(std::size_t bytes)
      : begin(reinterpret_cast<std::uintptr_t>(allocate(Space::device, bytes, 0, "memory"))), bytes(bytes) {
    global_shadow::mark_initialised(begin, bytes);
  }
  ~Memory() { deallocate(reinterpret_cast<void*>(begin)); }
  Memory(Memory const&) = delete;
  Memory& operator=(Memory const&) = delete;
  std::uintptr_t begin;
  std::size_t bytes;
};

/// The words, and what they come to in each lane.
struct Number {
  Words words;
  std::function<std::int64_t(long)> of_lane;
};
std::int64_t fitted(std::int64_t n, bool has_sign) {
  return has_sign ? static_cast<std::int32_t>(n) : static_cast<std::int64_t>(static_cast<std::uint32_t>(n));
}
Number constant(std::int64_t n) {
  return {{teamsan_affine_constant, static_cast<unsigned long long>(n)}, [n](long) { return n; }};
}
Number index() {
  return {{teamsan_affine_index}, [](long i) { return i; }};
}
Number fit(Number a, bool has_sign) {
  a.words.push_back(teamsan_affine_fit | 32ull << TEAMSAN_AFFINE_BYTES_SHIFT |
                    static_cast<unsigned long long>(has_sign) << TEAMSAN_AFFINE_SIGN_SHIFT);
  return {a.words, [f = a.of_lane, has_sign](long i) { return fitted(f(i), has_sign); }};
}
Number joined(Number a, Number const& b, teamsan_affine how) {
  a.words.insert(a.words.end(), b.words.begin(), b.words.end());
  a.words.push_back(how);
  return {a.words, [x = a.of_lane, y = b.of_lane, how](long i) {
            auto const m = static_cast<std::uint64_t>(x(i)), n = static_cast<std::uint64_t>(y(i));
            auto const sum = how == teamsan_affine_add ? m + n : how == teamsan_affine_subtract ? m - n : m * n;
            return static_cast<std::int64_t>(sum);
          }};
}
Number bounded(Number a, std::int64_t by, bool most) {
  a.words.insert(a.words.end(), {teamsan_affine_constant, static_cast<unsigned long long>(by),
                                 (most ? teamsan_bounded_most : teamsan_bounded_least) |
                                     32ull << TEAMSAN_AFFINE_BYTES_SHIFT | 1ull << TEAMSAN_AFFINE_SIGN_SHIFT});
  return {a.words, [f = a.of_lane, by, most](long i) { return most ? std::max(f(i), by) : std::min(f(i), by); }};
}

struct Table {
  Memory memory;
  std::vector<std::int32_t> numbers;
  explicit Table(long lanes) : memory(4 * static_cast<std::size_t>(lanes + 4)), numbers(static_cast<std::size_t>(lanes + 4)) {
    for (std::size_t i = 0; i != numbers.size(); ++i) numbers[i] = static_cast<std::int32_t>(i);
    for (std::size_t i = 0; i != numbers.size(); ++i)
      std::swap(numbers[i], numbers[static_cast<std::size_t>(between(0, static_cast<long>(i)))]);
    for (long n = one_in(2) ? 0 : between(1, 4); n != 0; --n)
      numbers[static_cast<std::size_t>(between(0, lanes))] = static_cast<std::int32_t>(one_in(3) ? between(0, lanes) : -1);
    std::copy(numbers.begin(), numbers.end(), reinterpret_cast<std::int32_t*>(memory.begin));
  }
  Number element(long more) const {
    Number at = joined(constant(static_cast<std::int64_t>(memory.begin) + 4 * more),
                       joined(index(), constant(4), teamsan_affine_multiply), teamsan_affine_add);
    at.words.push_back(teamsan_bounded_load | 4ull << TEAMSAN_AFFINE_BYTES_SHIFT | 1ull << TEAMSAN_AFFINE_SIGN_SHIFT);
    return {at.words, [this, more](long i) { return std::int64_t{numbers[static_cast<std::size_t>(i + more)]}; }};
  }
};

/// As lanes get there: without a sign and back again.
Number around(Number a, std::int64_t more, bool minus) {
  a = joined(fit(a, false), constant(more), teamsan_affine_add);
  a = fit(a, false);
  if (minus) a = fit(joined(constant(between(0, 60)), a, teamsan_affine_subtract), false);
  return one_in(2) ? fit(a, true) : a;
}

bool holds(unsigned kind, std::int64_t a, std::int64_t b) {
  switch (kind) {
    case teamsan_condition_below: return a < b;
    case teamsan_condition_up_to: return a <= b;
    case teamsan_condition_same: return a == b;
    case teamsan_condition_differs: return a != b;
    default: return static_cast<std::uint64_t>(a) <= static_cast<std::uint64_t>(b);
  }
}

}  // namespace


BOOST_AUTO_TEST_CASE(what_is_decided_by_tables_is_clean) {
  int decided = 0, clean = 0, by_tables = 0, rounds = 12000 / FEWER_STEPS;
  for (int round = 0; round != rounds; ++round) {
    long const lanes = between(2, 30), words = 120;
    Memory const x(8 * static_cast<std::size_t>(words));
    Table const table(lanes);
    struct Access {
      bool stores, is_table;
      Number at;
      std::vector<std::function<bool(long)>> conditions;
    };
    std::vector<Access> accesses;
    Words all{0};
    auto const tell = [&](unsigned long long head, Words const& value) {
      all.push_back(head | static_cast<unsigned long long>(value.size()) << TEAMSAN_ACCESS_WORDS_SHIFT);
      all.insert(all.end(), value.begin(), value.end());
      ++all[0];
    };
    long const times = one_in(3) ? between(-3, 3) : between(1, 2), step = one_in(5) ? 1 : 0, from = between(0, 6);
    for (long n = between(1, 3); n != 0; --n) {
      Access a{one_in(2), !one_in(4), {}, {}};
      long const more = one_in(5) ? 1 : 0;
      Number element = table.element(more);
      tell(TEAMSAN_ACCESS_CONDITION | TEAMSAN_CONDITION_ANEW, {});
      for (long c = between(0, 2); c != 0; --c) {
        constexpr unsigned kinds[] = {teamsan_condition_below, teamsan_condition_up_to, teamsan_condition_same,
                                      teamsan_condition_differs, teamsan_condition_within};
        unsigned const kind = kinds[between(0, 4) * !one_in(3)];
        long const shift = one_in(3) ? between(-2, 2) : 0;
        Number const left = joined(one_in(6) ? table.element(one_in(2)) : element, constant(shift), teamsan_affine_add),
                     right = constant(one_in(3) ? -1 : one_in(2) ? between(0, 3) : between(0, lanes));
        bool const swapped = kind != teamsan_condition_within && one_in(2);
        Words both = swapped ? right.words : left.words;
        Words const& second = swapped ? left.words : right.words;
        both.insert(both.end(), second.begin(), second.end());
        tell(TEAMSAN_ACCESS_CONDITION | kind << TEAMSAN_CONDITION_SHIFT, both);
        a.conditions.push_back([kind, swapped, f = left.of_lane, g = right.of_lane](long i) {
          return swapped ? holds(kind, g(i), f(i)) : holds(kind, f(i), g(i));
        });
      }
      if (one_in(5)) element = bounded(element, between(-1, 3), one_in(2));
      Number number = a.is_table ? element : index();
      if (one_in(3)) number = around(number, one_in(2) ? between(-4, 4) : between(0, 4), one_in(3));
      number = joined(number, constant(times), teamsan_affine_multiply);
      number = joined(number, joined(index(), constant(a.is_table ? step : 0), teamsan_affine_multiply), teamsan_affine_add);
      number = joined(number, constant(from + (one_in(3) ? between(-1, 2) : 0)), teamsan_affine_add);
      a.at = joined(constant(static_cast<std::int64_t>(x.begin)), joined(number, constant(8), teamsan_affine_multiply),
                    teamsan_affine_add);
      tell((a.stores ? TEAMSAN_ACCESS_STORES : 0) | (a.conditions.empty() ? 0 : TEAMSAN_ACCESS_CONDITIONAL) |
               8ull << TEAMSAN_ACCESS_BYTES_SHIFT,
           a.at.words);
      accesses.push_back(a);
    }
    bool is_right = true, table_stores = false;
    std::map<std::int64_t, std::pair<std::set<long>, std::set<long>>> touched;
    for (Access const& a : accesses)
      for (long i = 0; i != lanes; ++i) {
        if (!std::all_of(a.conditions.begin(), a.conditions.end(), [&](auto const& holds) { return holds(i); })) continue;
        std::int64_t const at = a.at.of_lane(i) - static_cast<std::int64_t>(x.begin);
        is_right = is_right && at >= 0 && at + 8 <= 8 * words;
        (a.stores ? touched[at].first : touched[at].second).insert(i);
        table_stores |= a.stores && a.is_table;
      }
    for (auto const& one : touched) {
      std::set<long> const &writers = one.second.first, &readers = one.second.second;
      is_right = is_right && writers.size() <= 1;
      for (long const i : readers) is_right = is_right && (writers.empty() || i == *writers.begin());
    }
    int const functor = 0;
    Indices const of_launch{1, {0}, {static_cast<std::uint64_t>(lanes)}};
    bool const said = DecidedLaunch::of({all.data(), &functor}, of_launch, default_context).has_value();
    BOOST_REQUIRE_MESSAGE(!(said && !is_right), "round " << round);
    clean += is_right;
    decided += said;
    by_tables += said && table_stores;
  }
  BOOST_TEST(decided > rounds / 20);
  BOOST_TEST(by_tables > rounds / 100);
  BOOST_TEST(decided * 10 > clean * 4);
}

namespace {

/// Of 16 launches that ask, which look. `look`: what comes of it, the first time false.
template <class Look>
std::vector<int> which_look(LaneLooks& looks, Look look) {
  std::vector<int> which;
  for (int launch = 1; launch != 17; ++launch) {
    if (!looks.may_look()) continue;
    look();
    which.push_back(launch);
  }
  return which;
}

}  // namespace

BOOST_AUTO_TEST_CASE(looks_that_do_not_pay_come_ever_more_rarely) {
  LaneLooks looks;
  BOOST_TEST(which_look(looks, [&] { looks.looked(1000, 40'000); }) == (std::vector{1, 2, 4, 8, 16}));
  for (int i = 0; i != 4; ++i) looks.reuse();  // of 40 elements a lane four pay for one
  BOOST_TEST(looks.may_look());
}

BOOST_AUTO_TEST_CASE(looks_in_vain_count_by_how_far_they_came) {
  LaneLooks early, late;
  BOOST_TEST(which_look(early, [&] { early.failed(1, 1000, 40); }) == (std::vector{1, 2, 4, 8, 16}));
  BOOST_TEST(which_look(late, [&] { late.failed(1000, 1000, 10'000); }) == (std::vector{1, 2, 4}));
}

/// Where a division leaves nothing it is known in each lane, whatever its sign; where the source only says that it does,
/// nothing is.
BOOST_AUTO_TEST_CASE(whole_quotients_are_known) {
  int known = 0, below = 0, spread = 0, untrue = 0, rounds = 12000 / FEWER_STEPS;
  for (int round = 0; round != rounds; ++round) {
    long const lanes = between(2, 30), by = between(2, 24), whole = one_in(3) ? 1 : by;
    Table const table(lanes);
    Number sum = joined(constant(whole * between(-50, 50)),
                        joined(index(), constant(whole * between(-4, 4)), teamsan_affine_multiply), teamsan_affine_add);
    if (one_in(2))
      sum = joined(sum, joined(table.element(1), constant(whole * between(-3, 3)), teamsan_affine_multiply),
                   teamsan_affine_add);
    bool const exact = one_in(2), remainder = !exact && one_in(3);
    Words words = sum.words;
    words.insert(words.end(), {teamsan_affine_constant, static_cast<unsigned long long>(by),
                               (remainder ? teamsan_bounded_remainder : teamsan_bounded_quotient) |
                                   64ull << TEAMSAN_AFFINE_BYTES_SHIFT | 1ull << TEAMSAN_AFFINE_SIGN_SHIFT |
                                   (exact ? TEAMSAN_QUOTIENT_EXACT : 0)});
    int const functor = 0;
    LaneIndices const of_launch(Indices{1, {0}, {static_cast<std::uint64_t>(lanes)}});
    LaneLooks looks;
    LaneValues values(&functor, of_launch, default_context, &looks);
    auto const v = values.value(words);
    BOOST_REQUIRE(v.has_value());
    bool all_whole = true;
    for (long i = 0; i != lanes; ++i) all_whole = all_whole && sum.of_lane(i) % by == 0;
    if (whole == by) BOOST_REQUIRE(v->known == LaneValue::Known::bounds);
    if (exact && !all_whole) BOOST_REQUIRE(v->known == LaneValue::Known::nothing);
    untrue += exact && !all_whole;
    if (v->known != LaneValue::Known::bounds) continue;
    for (long i = 0; i != lanes; ++i) {
      std::int64_t const number = remainder ? sum.of_lane(i) % by : sum.of_lane(i) / by;
      auto const more = number - static_cast<std::int64_t>(v->base + v->step[0] * static_cast<std::uint64_t>(i));
      BOOST_REQUIRE(more >= 0);
      BOOST_REQUIRE(static_cast<std::uint64_t>(more) <= v->slack());
      if (more != 0) BOOST_REQUIRE(static_cast<std::uint64_t>(more) % v->grain() == 0);
      below += number < 0;
    }
    ++known;
    spread += v->slack() != 0 && whole == by;
  }
  BOOST_TEST(known > rounds / 2);
  BOOST_TEST(below > rounds);
  BOOST_TEST(spread > rounds / 20);
  BOOST_TEST(untrue > rounds / 20);
}
