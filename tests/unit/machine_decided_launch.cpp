// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What arithmetic says of a launch, against all bytes of all lanes: what is decided has no lanes that meet, no access outside
// of its allocation, none of what nobody has written, and no index that wraps around; and leaves what its lanes have written.
#include "../../sim/memory/Initialised.hpp"
#include "DrawnLaunch.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <vector>

using namespace drawn;
using namespace teamsan;

BOOST_AUTO_TEST_CASE(rows_are_apart_by_their_bytes) {
  int apart = 0, met = 0, of_several_ways = 0, of_loops = 0;
  for (int round = 0; round != 200'000; ++round) {
    LaneRows::Ways ways{};
    long const ranks = between(1, 3);
    for (long d = 0; d != ranks; ++d)
      ways[static_cast<std::size_t>(d)] = {4 * between(-12, 12), static_cast<std::uint64_t>(between(1, ranks == 1 ? 7 : 4))};
    auto const row = [&] {
      LaneRows::Row r{};
      r.ways = ways;
      r.bytes = 4ull << between(0, 2);
      r.first = static_cast<std::uintptr_t>(1000 + 4 * between(-20, 20));
      r.begin = r.end = r.first;
      for (auto const& [step, count] : ways) {
        std::int64_t const last = step * (static_cast<std::int64_t>(count) - 1);
        (last < 0 ? r.begin : r.end) += static_cast<std::uintptr_t>(last);
      }
      LaneValue loops;  // that turn in each lane
      for (long l = one_in(2) ? between(1, 2) : 0; l != 0; --l) {
        auto const grain = static_cast<std::uint64_t>(4 * between(1, 12));
        loops.add({grain, grain * static_cast<std::uint64_t>(between(0, 2))});
      }
      r.spreads = loops.spreads;
      r.slack = loops.slack();
      r.end += r.slack + r.bytes;
      return r;
    };
    LaneRows::Row const a = row();
    if (one_in(4))
      for (auto& way : ways) way.step = way.count == 1 ? 0 : 4 * between(-12, 12);
    LaneRows::Row const b = one_in(5) ? a : row();
    struct Access {
      std::uint64_t lane;
      std::int64_t at;
    };
    std::vector<Access> of[2];
    for (LaneRows::Row const* const r : {&a, &b})
      for (std::uint64_t i = 0; i != ways[0].count; ++i)
        for (std::uint64_t j = 0; j != ways[1].count; ++j)
          for (std::uint64_t k = 0; k != ways[2].count; ++k)
            for (std::uint64_t e = 0; e <= r->spreads[0].slack; e += std::max<std::uint64_t>(r->spreads[0].grain, 1))
              for (std::uint64_t g = 0; g <= r->spreads[1].slack; g += std::max<std::uint64_t>(r->spreads[1].grain, 1))
                of[r == &b].push_back({(i * ways[1].count + j) * ways[2].count + k,
                                       static_cast<std::int64_t>(r->first + e + g) +
                                           r->ways[0].step * static_cast<std::int64_t>(i) +
                                           r->ways[1].step * static_cast<std::int64_t>(j) +
                                           r->ways[2].step * static_cast<std::int64_t>(k)});
    bool meet = false;
    for (Access const& one : of[0])
      for (Access const& other : of[1])
        meet = meet || (one.lane != other.lane && one.at < other.at + static_cast<std::int64_t>(b.bytes) &&
                        other.at < one.at + static_cast<std::int64_t>(a.bytes));
    bool const said = LaneRows::are_apart(a, b);
    BOOST_REQUIRE(!(said && meet));
    if (a.ways == b.ways && a.slack + b.slack == 0 && ranks == 1 && !meet && ways[0].count > 6 && ways[0].step != 0 &&
        a.bytes + b.bytes <= ways[0].stride() &&
        std::abs(static_cast<std::int64_t>(a.first) - static_cast<std::int64_t>(b.first)) <
            4 * static_cast<std::int64_t>(ways[0].stride()))
      BOOST_REQUIRE(said);
    apart += said;
    of_loops += said && a.slack >= 4 * a.bytes && b.slack > 0 && a.begin < b.end && b.begin < a.end;
    of_several_ways += said && ranks == 3 && a.begin < b.end && b.begin < a.end;
    met += meet;
  }
  BOOST_TEST(apart > 10'000);
  BOOST_TEST(of_several_ways > 200);
  BOOST_TEST(met > 10'000);
  BOOST_TEST(of_loops > 200);
}

BOOST_AUTO_TEST_CASE(what_is_decided_is_clean) {
  int decided = 0, clean = 0, let_through = 0, rounds = 6000 / FEWER_STEPS;
  for (int round = 0; round != rounds; ++round) {
    std::size_t const words = 256;
    Memory const x(8 * words), y(8 * words);
    for (Memory const* const m : {&x, &y})
      if (!one_in(3))
        global_shadow::mark_initialised(m->begin, m->bytes - (one_in(4) ? static_cast<std::size_t>(between(1, 40)) : 0));
    Indices all;
    all.rank = dimensions;
    std::uint64_t lanes = 1;
    for (unsigned axis = 0; axis != dimensions; ++axis) {
      all.first[axis] = one_in(2) ? 0 : between(-30, 30);
      all.count[axis] = static_cast<std::uint64_t>(axis == 0 ? between(2, 40) : one_in(2) ? 1 : between(1, 4));
      if (lanes * all.count[axis] > 60) all.count[axis] = 1;
      lanes *= all.count[axis];
    }
    std::vector<Drawn> accesses(static_cast<std::size_t>(between(1, 3)));
    Functor functor{};
    for (std::size_t k = 0; k != accesses.size(); ++k) {
      Drawn& d = accesses[k];
      d.stores = one_in(2);
      d.conditional = one_in(4);
      d.narrow = one_in(2);
      d.bytes = one_in(4) ? static_cast<unsigned>(between(1, 2)) : static_cast<unsigned>(4 << between(0, 2));
      static constexpr std::int64_t strides[] = {1, 1, 1, 2, 3, -1, -2, 0};
      std::int64_t way = 0, least = 0;
      d.stride = {};
      for (unsigned axis = 0; axis != dimensions; ++axis) {
        // Mostly behind all that the dimensions before it do.
        auto const count = static_cast<std::int64_t>(all.count[axis]), first = all.first[axis];
        d.stride[axis] = strides[between(0, 7)] * (way == 0 || one_in(4) ? 1 : way + 1);
        way += std::abs(d.stride[axis]) * (count - 1);
        least += std::min(d.stride[axis] * first, d.stride[axis] * (first + count - 1));
      }
      std::int64_t const room = static_cast<std::int64_t>(8 * words / d.bytes);
      std::int64_t const lowest = one_in(10) ? between(-3, room) : between(0, std::max<std::int64_t>(room - way - 1, 0));
      d.offset = lowest - least;
      if (d.narrow && one_in(8)) d.offset += std::int64_t{1} << 31, d.offset = static_cast<std::int32_t>(d.offset);
      if (one_in(12)) d.stride[0] = std::int64_t{1} << between(28, 62);
      d.base = one_in(2) ? x.begin : y.begin;
      if (one_in(40)) d.base += one_in(2) ? 4 : 1;
      if (k > 0 && one_in(3))
        d.base = accesses[0].base, d.offset = accesses[0].offset, d.stride = accesses[0].stride, d.bytes = accesses[0].bytes;
      if (d.narrow) d.offset = static_cast<std::int32_t>(d.offset);
      for (long n = one_in(2) ? between(1, 2) : 0; n != 0; --n) {
        static constexpr unsigned kinds[] = {teamsan_condition_below,
                                             teamsan_condition_up_to,
                                             teamsan_condition_same,
                                             teamsan_condition_differs,
                                             teamsan_condition_within,
                                             teamsan_condition_quotient_below,
                                             teamsan_condition_quotient_from,
                                             teamsan_condition_below | teamsan_condition_natural,
                                             teamsan_condition_up_to | teamsan_condition_natural,
                                             teamsan_condition_within | teamsan_condition_natural};
        Comparison c{kinds[between(0, std::size(kinds) - 1)], between(-40, 40), between(-40, 60), between(1, 7), {}};
        c.stride[static_cast<std::size_t>(between(0, dimensions - 1))] = between(-3, 3);
        if (one_in(4)) c.stride[static_cast<std::size_t>(between(0, dimensions - 1))] = between(-3, 3);
        d.where.push_back(c);
        d.conditional = true;
      }
      // What lanes do beside it that do not come there must not count: further out by what a condition keeps.
      if (!d.where.empty() && one_in(3)) d.offset += between(-6, 6);
      if (d.narrow) d.offset = static_cast<std::int32_t>(d.offset);
      functor.bases[k] = d.base;
      functor.offsets[k] = d.offset;
      functor.narrow_offsets[k] = static_cast<std::int32_t>(d.offset);
    }
    Words const words_of = written(accesses);
    bool const is_right = is_clean(accesses, all);
    auto const said = DecidedLaunch::of({words_of.data(), &functor}, all, default_context);
    BOOST_REQUIRE(!(said && !is_right));
    clean += is_right;
    decided += said.has_value();
    auto without = accesses;
    for (Drawn& d : without) d.where.clear();
    let_through += said && !is_clean(without, all);
    if (!said) continue;
    std::vector<bool> before;
    for (Memory const* const m : {&x, &y})
      for (std::uintptr_t at = m->begin; at != m->begin + m->bytes; ++at) before.push_back(is_written(at));
    said->leave();
    std::size_t n = 0;
    for (Memory const* const m : {&x, &y})
      for (std::uintptr_t at = m->begin; at != m->begin + m->bytes; ++at, ++n) {
        bool expected = before[n];
        for (Drawn const& d : accesses)
          if (d.stores)
            for_each_lane(all, [&](std::int64_t, LaneIndex const& i) {
              expected = expected || (d.is_made(i) && at - address(d, i) < d.bytes);
            });
        BOOST_REQUIRE(is_written(at) == expected);
      }
  }
  BOOST_TEST(decided > rounds / 20);
  BOOST_TEST(decided * 10 > clean * 6);  // most of what is clean
  BOOST_TEST(let_through > rounds / 200);
}

/// A row, a column and a depth that each lane takes out of one index.
BOOST_AUTO_TEST_CASE(one_index_is_taken_apart) {
  int decided = 0, clean = 0, rounds = 4000 / FEWER_STEPS;
  for (int round = 0; round != rounds; ++round) {
    std::size_t const words = 300;
    Memory const x(8 * words);
    global_shadow::mark_initialised(x.begin, x.bytes);
    long const depth = between(1, 4), height = between(2, 5), width = between(2, 6);
    long lanes = depth * height * width;
    if (one_in(10)) lanes -= 1;
    long const first = one_in(6) ? height * width * between(0, 2) + one_in(3) : 0;
    struct Access {
      bool stores;
      std::int64_t offset, stride[3];
      int bounded;  ///< digit that a condition keeps from its ends, or -1
    };
    std::vector<Access> accesses(static_cast<std::size_t>(between(1, 2)));
    Words all{0};
    auto const constant = [](std::int64_t n) { return Words{teamsan_affine_constant, static_cast<unsigned long long>(n)}; };
    auto const join = [](std::initializer_list<Words> parts) {
      Words together;
      for (Words const& p : parts) together.insert(together.end(), p.begin(), p.end());
      return together;
    };
    unsigned long long const of_ints = 32ull << TEAMSAN_AFFINE_BYTES_SHIFT | 1ull << TEAMSAN_AFFINE_SIGN_SHIFT;
    Words const index{teamsan_affine_index, teamsan_affine_fit | of_ints}, quotient{teamsan_bounded_quotient | of_ints},
        remainder{teamsan_bounded_remainder | of_ints}, add{teamsan_affine_add}, times{teamsan_affine_multiply};
    Words const k = join({index, constant(height * width), quotient});
    Words const rest = one_in(2) ? join({index, constant(height * width), remainder})
                                 : join({index, k, constant(-height * width), times, add});
    Words const digits[] = {k, join({rest, constant(width), quotient}), join({rest, constant(width), remainder})};
    long const ends[] = {depth, height, width};
    for (Access& a : accesses) {
      a.stores = one_in(2);
      a.stride[2] = one_in(4) ? between(-2, 2) : 1;
      a.stride[1] = one_in(4) ? between(-8, 8) : width + (one_in(3) ? between(0, 3) : 0);
      a.stride[0] = one_in(4) ? between(-30, 30) : a.stride[1] * height + (one_in(3) ? between(0, 3) : 0);
      a.offset = between(-4, 60);
      if (&a != accesses.data() && one_in(2)) {
        std::copy_n(accesses[0].stride, 3, a.stride);
        a.offset = accesses[0].offset + (one_in(2) ? 0 : between(-20, 20));
      }
      a.bounded = one_in(2) ? -1 : static_cast<int>(between(0, 2));
      Words at = constant(static_cast<std::int64_t>(x.begin) + 8 * a.offset);
      for (int d = 0; d != 3; ++d) at = join({at, digits[d], constant(8 * a.stride[d]), times, add});
      auto const tell = [&](unsigned long long head, Words const& value) {
        all.push_back(head | static_cast<unsigned long long>(value.size()) << TEAMSAN_ACCESS_WORDS_SHIFT);
        all.insert(all.end(), value.begin(), value.end());
        ++all[0];
      };
      tell(TEAMSAN_ACCESS_CONDITION | TEAMSAN_CONDITION_ANEW, {});
      if (a.bounded >= 0) {
        Words const& digit = digits[a.bounded];
        tell(TEAMSAN_ACCESS_CONDITION | teamsan_condition_below << TEAMSAN_CONDITION_SHIFT, join({constant(0), digit}));
        if (a.bounded == 0)
          tell(TEAMSAN_ACCESS_CONDITION | teamsan_condition_quotient_below << TEAMSAN_CONDITION_SHIFT,
               join({index, constant(height * width), constant(depth - 1)}));
        else
          tell(TEAMSAN_ACCESS_CONDITION | teamsan_condition_up_to << TEAMSAN_CONDITION_SHIFT,
               join({digit, constant(ends[a.bounded] - 2)}));
      }
      tell((a.stores ? TEAMSAN_ACCESS_STORES : 0) | (a.bounded >= 0 ? TEAMSAN_ACCESS_CONDITIONAL : 0) |
               8ull << TEAMSAN_ACCESS_BYTES_SHIFT,
           at);
    }
    bool is_right = true;
    std::map<std::int64_t, std::pair<std::set<long>, std::set<long>>> touched;
    for (Access const& a : accesses)
      for (long i = first; i != first + lanes; ++i) {
        long const digit[] = {i / (height * width), i % (height * width) / width, i % width};
        if (a.bounded >= 0 && (digit[a.bounded] <= 0 || digit[a.bounded] >= ends[a.bounded] - 1)) continue;
        std::int64_t at = a.offset;
        for (int d = 0; d != 3; ++d) at += a.stride[d] * digit[d];
        is_right = is_right && at >= 0 && at < static_cast<std::int64_t>(words);
        (a.stores ? touched[at].first : touched[at].second).insert(i);
      }
    for (auto const& [at, by] : touched) {
      auto const& [writers, readers] = by;
      is_right = is_right && writers.size() <= 1 &&
                 (writers.empty() || std::ranges::all_of(readers, [first = *writers.begin()](long i) { return i == first; }));
    }
    Functor const functor{};
    Indices const index_of{1, {first}, {static_cast<std::uint64_t>(lanes)}};
    bool const said = DecidedLaunch::of({all.data(), &functor}, index_of, default_context).has_value();
    BOOST_REQUIRE(!(said && !is_right));
    clean += is_right;
    decided += said;
  }
  BOOST_TEST(decided > rounds / 20);
  BOOST_TEST(decided * 10 > clean * 6);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_not_decided) {
  Memory const x(1024);
  global_shadow::mark_initialised(x.begin, x.bytes);
  Functor functor{};
  functor.bases[0] = x.begin;
  Words words = written({{true, false, false, 8, 0, {1, 0, 0}, x.begin}});
  auto const of = [&](unsigned long long const* w, std::uint64_t lanes) {
    return DecidedLaunch::of({w, &functor}, {dimensions, {}, {lanes, 1, 1}}, default_context).has_value();
  };
  BOOST_TEST(of(words.data(), 100));
  BOOST_TEST(!of(nullptr, 100));
  BOOST_TEST(!of(words.data(), 0));
  BOOST_TEST(!of(words.data(), 1000));
  BOOST_TEST(!DecidedLaunch::of({words.data(), &functor}, {}, default_context));
  BOOST_TEST(!DecidedLaunch::of({words.data(), &functor}, {1, {}, {100}}, default_context));  // of fewer dimensions
  Words unknown = words;
  unknown[2] = 99;
  BOOST_TEST(!of(unknown.data(), 100));
}

BOOST_AUTO_TEST_CASE(what_is_known_to_be_written_is_forgotten) {
  Memory const x(8192), y(8192);
  auto const whole = [](Memory const& m) { return initialised::is_whole(m.begin, m.begin + m.bytes); };
  BOOST_TEST(!whole(x));
  global_shadow::mark_initialised(x.begin, x.bytes);
  BOOST_TEST(whole(x));
  BOOST_TEST(whole(x));
  global_shadow::copy_init(x.begin + 4096, y.begin, 64);
  BOOST_TEST(!whole(x));
  BOOST_TEST(initialised::is_whole(x.begin, x.begin + 4096));
  BOOST_TEST(initialised::is_whole(x.begin + 4160, x.begin + 8192));
  BOOST_TEST(!initialised::is_whole(x.begin, x.begin + 4100));
  global_shadow::mark_initialised(x.begin + 4096, 64);
  BOOST_TEST(whole(x));
  global_shadow::reset(x.begin, x.bytes);
  BOOST_TEST(!whole(x));
  BOOST_TEST(!initialised::is_whole(x.begin, x.begin + 4));
}
