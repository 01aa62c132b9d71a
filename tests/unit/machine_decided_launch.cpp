// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What arithmetic says of a launch, against all bytes of all lanes: what is decided has no lanes that meet, no access outside
// of its allocation, none of what nobody has written, and no index that wraps around; and leaves what its lanes have written.
#include "../../sim/entry/pass/Abi.h"
#include "../../sim/host/Memory.hpp"
#include "../../sim/machine/DecidedLaunch.hpp"
#include "../../sim/memory/Allocations.hpp"
#include "../../sim/memory/GlobalShadow.hpp"
#include "../../sim/memory/Initialised.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace teamsan;

namespace {

std::mt19937_64 random_bits(11);
long between(long least, long most) {
  return least + static_cast<long>(random_bits() % static_cast<std::uint64_t>(most - least + 1));
}
bool one_in(long n) { return between(1, n) == 1; }

using Words = std::vector<unsigned long long>;

struct Memory {
  explicit Memory(std::size_t bytes)
      : begin(reinterpret_cast<std::uintptr_t>(allocate(Space::device, bytes, 0, "memory"))), bytes(bytes) {}
  ~Memory() { deallocate(reinterpret_cast<void*>(begin)); }
  Memory(Memory const&) = delete;
  Memory& operator=(Memory const&) = delete;
  std::uintptr_t begin;
  std::size_t bytes;
};

bool is_written(std::uintptr_t byte) {
  std::uint64_t const main = *global_shadow::cell(byte);
  return (main >> 6 | main >> 34) >> (byte & 3) & 1;
}

constexpr unsigned dimensions = 3;
using Place = std::array<std::int64_t, dimensions>;

/// An access of each lane: at base + bytes * (offset + stride[0] * index 0 + ...), the indices in 32 bits or 64.
struct Drawn {
  bool stores, conditional, narrow;
  unsigned bytes;
  std::int64_t offset;
  Place stride;
  std::uintptr_t base;
};
struct Functor {
  std::uintptr_t bases[4];
  std::int64_t offsets[4];
  std::int32_t narrow_offsets[4];
};

unsigned long long of_functor(std::size_t from, unsigned bytes) {
  return teamsan_affine_functor | bytes << TEAMSAN_AFFINE_BYTES_SHIFT | 1ull << TEAMSAN_AFFINE_SIGN_SHIFT |
         static_cast<unsigned long long>(from) << TEAMSAN_AFFINE_FROM_SHIFT;
}

/// In the words that the plug-in would write.
Words written(std::vector<Drawn> const& accesses) {
  Words all{accesses.size()};
  for (std::size_t k = 0; k != accesses.size(); ++k) {
    Drawn const& d = accesses[k];
    unsigned long long const fit = teamsan_affine_fit | 32 << TEAMSAN_AFFINE_BYTES_SHIFT | 1ull << TEAMSAN_AFFINE_SIGN_SHIFT;
    Words a{of_functor(offsetof(Functor, bases) + 8 * k, 8)};
    a.push_back(d.narrow ? of_functor(offsetof(Functor, narrow_offsets) + 4 * k, 4)
                         : of_functor(offsetof(Functor, offsets) + 8 * k, 8));
    for (unsigned axis = 0; axis != dimensions; ++axis) {
      a.push_back(teamsan_affine_index | static_cast<unsigned long long>(axis) << TEAMSAN_AFFINE_FROM_SHIFT);
      if (d.narrow) a.push_back(fit);
      a.insert(a.end(), {teamsan_affine_constant, static_cast<unsigned long long>(d.stride[axis]), teamsan_affine_multiply});
      if (d.narrow) a.push_back(fit);
      a.push_back(teamsan_affine_add);
      if (d.narrow) a.push_back(fit);
    }
    a.insert(a.end(), {teamsan_affine_constant, d.bytes, teamsan_affine_multiply, teamsan_affine_add});
    all.push_back((d.stores ? TEAMSAN_ACCESS_STORES : 0) | (d.conditional ? TEAMSAN_ACCESS_CONDITIONAL : 0) |
                  static_cast<unsigned long long>(d.bytes) << TEAMSAN_ACCESS_BYTES_SHIFT |
                  static_cast<unsigned long long>(a.size()) << TEAMSAN_ACCESS_WORDS_SHIFT);
    all.insert(all.end(), a.begin(), a.end());
  }
  return all;
}

std::uintptr_t address(Drawn const& d, Place const& at) {
  std::uintptr_t sum = static_cast<std::uintptr_t>(d.offset);
  for (unsigned axis = 0; axis != dimensions; ++axis)
    sum += static_cast<std::uintptr_t>(d.stride[axis]) * static_cast<std::uintptr_t>(at[axis]);
  return d.base + static_cast<std::uintptr_t>(d.bytes) * sum;
}

/// f(number, indices) for each lane.
template <class F>
void for_each_lane(Indices const& all, F f) {
  std::int64_t n = 0;
  Place at{};
  for (std::uint64_t i = 0; i != all.count[0]; ++i)
    for (std::uint64_t j = 0; j != all.count[1]; ++j)
      for (std::uint64_t k = 0; k != all.count[2]; ++k) {
        std::uint64_t const more[] = {i, j, k};
        for (unsigned axis = 0; axis != dimensions; ++axis) at[axis] = all.first[axis] + static_cast<std::int64_t>(more[axis]);
        f(n++, at);
      }
}

/// May a launch of all these lanes be run unchecked? By each byte of each lane.
bool is_clean(std::vector<Drawn> const& accesses, Indices const& all) {
  struct Byte {
    std::set<std::int64_t> writers, others;
  };
  std::map<std::uintptr_t, Byte> touched;
  bool clean = true;
  for (Drawn const& d : accesses)
    for_each_lane(all, [&](std::int64_t lane, Place const& index) {
      __int128 sum = d.offset;
      for (unsigned axis = 0; d.narrow && axis != dimensions; ++axis) {
        __int128 const product = static_cast<__int128>(d.stride[axis]) * index[axis];
        sum += product;
        for (__int128 const value : {static_cast<__int128>(index[axis]), product, sum})
          clean = clean && value == static_cast<std::int32_t>(value);
      }
      std::uintptr_t const at = address(d, index);
      Allocation const* const a = find_allocation(at);
      clean = clean && a != nullptr && a->live && at >= a->data() && at + d.bytes <= a->end();
      clean = clean && at % std::min(d.bytes, 8u) == 0;
      for (unsigned b = 0; clean && b != d.bytes; ++b) {
        clean = is_written(at + b) || (d.stores && !d.conditional);
        (d.stores ? touched[at + b].writers : touched[at + b].others).insert(lane);
      }
    });
  if (!clean) return false;
  for (auto const& one : touched) {
    auto const& byte = one.second;
    if (byte.writers.size() > 1) return false;
    if (!byte.writers.empty() && std::ranges::any_of(byte.others, [&](std::int64_t i) { return i != *byte.writers.begin(); }))
      return false;
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_are_apart_by_their_bytes) {
  int apart = 0, met = 0, of_several_ways = 0;
  for (int round = 0; round != 200'000; ++round) {
    DecidedLaunch::Ways ways{};
    long const ranks = between(1, 3);
    for (long d = 0; d != ranks; ++d)
      ways[static_cast<std::size_t>(d)] = {4 * between(-12, 12), static_cast<std::uint64_t>(between(1, ranks == 1 ? 7 : 4))};
    auto const row = [&] {
      DecidedLaunch::Row r{};
      r.ways = ways;
      r.bytes = 4ull << between(0, 2);
      r.first = static_cast<std::uintptr_t>(1000 + 4 * between(-20, 20));
      r.begin = r.end = r.first;
      for (auto const& [step, count] : ways) {
        std::int64_t const last = step * (static_cast<std::int64_t>(count) - 1);
        (last < 0 ? r.begin : r.end) += static_cast<std::uintptr_t>(last);
      }
      r.end += r.bytes;
      return r;
    };
    DecidedLaunch::Row const a = row();
    if (one_in(4))
      for (auto& way : ways) way.step = way.count == 1 ? 0 : 4 * between(-12, 12);
    DecidedLaunch::Row const b = one_in(5) ? a : row();
    std::vector<std::int64_t> of[2];
    for (DecidedLaunch::Row const* const r : {&a, &b})
      for (std::uint64_t i = 0; i != ways[0].count; ++i)
        for (std::uint64_t j = 0; j != ways[1].count; ++j)
          for (std::uint64_t k = 0; k != ways[2].count; ++k)
            of[r == &b].push_back(static_cast<std::int64_t>(r->first) + r->ways[0].step * static_cast<std::int64_t>(i) +
                                  r->ways[1].step * static_cast<std::int64_t>(j) +
                                  r->ways[2].step * static_cast<std::int64_t>(k));
    bool meet = false;
    for (std::size_t i = 0; i != of[0].size(); ++i)
      for (std::size_t j = 0; j != of[1].size(); ++j)
        meet = meet || (i != j && of[0][i] < of[1][j] + static_cast<std::int64_t>(b.bytes) &&
                        of[1][j] < of[0][i] + static_cast<std::int64_t>(a.bytes));
    bool const said = DecidedLaunch::are_apart(a, b);
    BOOST_REQUIRE(!(said && meet));
    if (a.ways == b.ways && ranks == 1 && !meet && ways[0].count > 6 && ways[0].step != 0 &&
        a.bytes + b.bytes <= ways[0].stride() &&
        std::abs(static_cast<std::int64_t>(a.first) - static_cast<std::int64_t>(b.first)) <
            4 * static_cast<std::int64_t>(ways[0].stride()))
      BOOST_REQUIRE(said);
    apart += said;
    of_several_ways += said && ranks == 3 && a.begin < b.end && b.begin < a.end;
    met += meet;
  }
  BOOST_TEST(apart > 10'000);
  BOOST_TEST(of_several_ways > 200);
  BOOST_TEST(met > 10'000);
}

BOOST_AUTO_TEST_CASE(what_is_decided_is_clean) {
  int decided = 0, clean = 0, rounds = 6000 / FEWER_STEPS;
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
      d.bytes = static_cast<unsigned>(4 << between(0, 2));
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
      if (one_in(40)) d.base += 4;
      if (k > 0 && one_in(3))
        d.base = accesses[0].base, d.offset = accesses[0].offset, d.stride = accesses[0].stride, d.bytes = accesses[0].bytes;
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
            for_each_lane(all, [&](std::int64_t, Place const& i) { expected = expected || at - address(d, i) < d.bytes; });
        BOOST_REQUIRE(is_written(at) == expected);
      }
  }
  BOOST_TEST(decided > rounds / 20);
  BOOST_TEST(decided * 10 > clean * 7);  // most of what is clean
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
