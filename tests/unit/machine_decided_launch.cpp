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

/// An access of each lane i: at base + bytes * (offset + stride * i), the index in 32 bits or 64.
struct Drawn {
  bool stores, conditional, narrow;
  unsigned bytes;
  std::int64_t offset, stride;
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
    a.insert(a.end(), {teamsan_affine_index, teamsan_affine_constant, 1, teamsan_affine_counted});
    if (d.narrow) a.push_back(fit);
    a.insert(a.end(), {teamsan_affine_constant, static_cast<unsigned long long>(d.stride), teamsan_affine_multiply});
    if (d.narrow) a.push_back(fit);
    a.push_back(d.narrow ? of_functor(offsetof(Functor, narrow_offsets) + 4 * k, 4)
                         : of_functor(offsetof(Functor, offsets) + 8 * k, 8));
    a.push_back(teamsan_affine_add);
    if (d.narrow) a.push_back(fit);
    a.insert(a.end(), {teamsan_affine_constant, d.bytes, teamsan_affine_multiply, teamsan_affine_add});
    all.push_back((d.stores ? TEAMSAN_ACCESS_STORES : 0) | (d.conditional ? TEAMSAN_ACCESS_CONDITIONAL : 0) |
                  static_cast<unsigned long long>(d.bytes) << TEAMSAN_ACCESS_BYTES_SHIFT |
                  static_cast<unsigned long long>(a.size()) << TEAMSAN_ACCESS_WORDS_SHIFT);
    all.insert(all.end(), a.begin(), a.end());
  }
  return all;
}

std::uintptr_t address(Drawn const& d, std::int64_t i) {
  auto const wraps = [](std::int64_t n) { return static_cast<std::uintptr_t>(n); };
  return d.base + static_cast<std::uintptr_t>(d.bytes) * (wraps(d.offset) + wraps(d.stride) * wraps(i));
}

/// May a launch of so many lanes from `first` on be run unchecked? By each byte of each lane.
bool is_clean(std::vector<Drawn> const& accesses, std::int64_t first, std::int64_t lanes) {
  struct Byte {
    std::set<std::int64_t> writers, others;
  };
  std::map<std::uintptr_t, Byte> touched;
  for (Drawn const& d : accesses)
    for (std::int64_t i = first; i != first + lanes; ++i) {
      __int128 const product = static_cast<__int128>(d.stride) * i, sum = product + d.offset;
      if (d.narrow)
        for (__int128 const value : {static_cast<__int128>(i), product, sum})
          if (value != static_cast<std::int32_t>(value)) return false;
      std::uintptr_t const at = address(d, i);
      Allocation const* const a = find_allocation(at);
      if (a == nullptr || !a->live || at < a->data() || at + d.bytes > a->end() || at % std::min(d.bytes, 8u) != 0)
        return false;
      for (unsigned b = 0; b != d.bytes; ++b) {
        if (!is_written(at + b) && (!d.stores || d.conditional)) return false;
        (d.stores ? touched[at + b].writers : touched[at + b].others).insert(i);
      }
    }
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
  int apart = 0, met = 0;
  for (int round = 0; round != 200'000; ++round) {
    auto const row = [](std::int64_t step, int lanes) {
      DecidedLaunch::Row r{};
      r.step = step;
      r.bytes = static_cast<std::uint32_t>(4 << between(0, 2));
      r.first = static_cast<std::uintptr_t>(1000 + 4 * between(-20, 20));
      std::uintptr_t const last = r.first + static_cast<std::uintptr_t>(step * (lanes - 1));
      r.begin = std::min(r.first, last);
      r.end = std::max(r.first, last) + r.bytes;
      return r;
    };
    int const lanes = static_cast<int>(between(2, 7));
    std::int64_t const step = 4 * between(-6, 6);
    DecidedLaunch::Row const a = row(step, lanes), b = one_in(4)   ? row(4 * between(-6, 6), lanes)
                                                       : one_in(5) ? a
                                                                   : row(step, lanes);
    bool meet = false;
    for (int i = 0; i != lanes; ++i)
      for (int j = 0; j != lanes; ++j) {
        if (i == j) continue;
        std::int64_t const of_a = static_cast<std::int64_t>(a.first) + a.step * i,
                           of_b = static_cast<std::int64_t>(b.first) + b.step * j;
        meet = meet || (of_a < of_b + b.bytes && of_b < of_a + a.bytes);
      }
    bool const said = DecidedLaunch::are_apart(a, b);
    BOOST_REQUIRE(!(said && meet));
    if (a.step == b.step && !meet && lanes > 6 && a.step != 0 &&
        a.bytes + b.bytes <= static_cast<std::uint32_t>(std::abs(a.step)) &&
        std::abs(static_cast<std::int64_t>(a.first) - static_cast<std::int64_t>(b.first)) < 4 * std::abs(a.step))
      BOOST_REQUIRE(said);
    apart += said;
    met += meet;
  }
  BOOST_TEST(apart > 10'000);
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
    std::int64_t const lanes = between(2, 40), first = one_in(2) ? 0 : between(-30, 30);
    std::vector<Drawn> accesses(static_cast<std::size_t>(between(1, 3)));
    Functor functor{};
    for (std::size_t k = 0; k != accesses.size(); ++k) {
      Drawn& d = accesses[k];
      d.stores = one_in(2);
      d.conditional = one_in(4);
      d.narrow = one_in(2);
      d.bytes = static_cast<unsigned>(4 << between(0, 2));
      static constexpr std::int64_t strides[] = {1, 1, 1, 2, 3, -1, -2, 0};
      d.stride = strides[between(0, 7)];
      std::int64_t const room = static_cast<std::int64_t>(8 * words / d.bytes);
      std::int64_t const lowest = one_in(10) ? between(-3, room) : between(0, std::max<std::int64_t>(room - 3 * lanes, 0));
      d.offset = lowest - std::min(d.stride * first, d.stride * (first + lanes - 1));
      if (d.narrow && one_in(8)) d.offset += std::int64_t{1} << 31, d.offset = static_cast<std::int32_t>(d.offset);
      if (one_in(12)) d.stride = std::int64_t{1} << between(28, 62);
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
    bool const is_right = is_clean(accesses, first, lanes);
    auto const said = DecidedLaunch::of({words_of.data(), &functor, first}, static_cast<std::uint64_t>(lanes), default_context);
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
          for (std::int64_t i = first; d.stores && i != first + lanes; ++i) expected = expected || at - address(d, i) < d.bytes;
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
  Words words = written({{true, false, false, 8, 0, 1, x.begin}});
  BOOST_TEST(DecidedLaunch::of({words.data(), &functor, 0}, 100, default_context).has_value());
  BOOST_TEST(!DecidedLaunch::of({nullptr, &functor, 0}, 100, default_context));
  BOOST_TEST(!DecidedLaunch::of({words.data(), &functor, 0}, 0, default_context));
  BOOST_TEST(!DecidedLaunch::of({words.data(), &functor, 0}, 1000, default_context));
  Words unknown = words;
  unknown[2] = 99;
  BOOST_TEST(!DecidedLaunch::of({unknown.data(), &functor, 0}, 100, default_context));
  for (std::size_t i = 0; i != words.size(); ++i)
    if (words[i] == teamsan_affine_counted) words[i - 1] = 2;  // lanes go on by another distance than the first ones of calls
  BOOST_TEST(!DecidedLaunch::of({words.data(), &functor, 0}, 100, default_context));
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
