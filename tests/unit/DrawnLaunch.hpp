// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches drawn by chance: what their lanes access, in the words of the plug-in, and whether one may run unchecked, by each
/// byte of each lane.
#pragma once

#include "../../sim/entry/pass/Abi.h"
#include "../../sim/entry/pass/Bounded.h"
#include "../../sim/host/Memory.hpp"
#include "../../sim/machine/DecidedLaunch.hpp"
#include "../../sim/memory/Allocations.hpp"
#include "../../sim/memory/GlobalShadow.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace drawn {

using namespace teamsan;

inline std::mt19937_64 random_bits(11);
inline long between(long least, long most) {
  return least + static_cast<long>(random_bits() % static_cast<std::uint64_t>(most - least + 1));
}
inline bool one_in(long n) { return between(1, n) == 1; }

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

inline bool is_written(std::uintptr_t byte) {
  std::uint64_t const main = *global_shadow::cell(byte);
  return (main >> 6 | main >> 34) >> (byte & 3) & 1;
}

constexpr unsigned dimensions = 3;
using LaneIndex = std::array<std::int64_t, dimensions>;

/// Lanes make an access where this holds: of a number, and of one or, of a quotient, two more.
struct Comparison {
  unsigned kind;
  std::int64_t offset, more, divisor;
  LaneIndex stride;
  std::int64_t number(LaneIndex const& at) const {
    std::int64_t sum = offset;
    for (unsigned axis = 0; axis != dimensions; ++axis) sum += stride[axis] * at[axis];
    return sum;
  }
  bool holds(LaneIndex const& at) const {
    std::int64_t const a = number(at);
    auto const of = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
    switch (kind) {
      case teamsan_condition_below: return a < more;
      case teamsan_condition_up_to: return a <= more;
      case teamsan_condition_below | teamsan_condition_natural: return of(a) < of(more);
      case teamsan_condition_up_to | teamsan_condition_natural: return of(a) <= of(more);
      case teamsan_condition_same: return a == more;
      case teamsan_condition_differs: return a != more;
      case teamsan_condition_within: return of(a) <= of(more);
      case teamsan_condition_within | teamsan_condition_natural:
        return static_cast<std::uint32_t>(a) <= static_cast<std::uint32_t>(more);
      case teamsan_condition_quotient_below: return a / divisor < more;
      default: return a / divisor >= more;
    }
  }
  void put(bool anew, bool swapped, std::vector<unsigned long long>& all) const {
    std::vector<unsigned long long> a{teamsan_affine_constant, static_cast<unsigned long long>(offset)}, b{
        teamsan_affine_constant, static_cast<unsigned long long>(more)};
    for (unsigned axis = 0; axis != dimensions; ++axis)
      a.insert(a.end(), {teamsan_affine_index | static_cast<unsigned long long>(axis) << TEAMSAN_AFFINE_FROM_SHIFT,
                         teamsan_affine_constant, static_cast<unsigned long long>(stride[axis]), teamsan_affine_multiply,
                         teamsan_affine_add});
    if (kind == teamsan_condition_quotient_below || kind == teamsan_condition_quotient_from)
      a.insert(a.end(), {teamsan_affine_constant, static_cast<unsigned long long>(divisor)});
    if (swapped) std::swap(a, b);
    all.push_back(TEAMSAN_ACCESS_CONDITION | (anew ? TEAMSAN_CONDITION_ANEW : 0) | kind << TEAMSAN_CONDITION_SHIFT |
                  static_cast<unsigned long long>(a.size() + b.size()) << TEAMSAN_ACCESS_WORDS_SHIFT);
    all.insert(all.end(), a.begin(), a.end());
    all.insert(all.end(), b.begin(), b.end());
  }
};

/// An access of each lane: at base + bytes * (offset + stride[0] * index 0 + ...), the indices in 32 bits or 64.
struct Drawn {
  bool stores, conditional, narrow;
  unsigned bytes;
  std::int64_t offset;
  LaneIndex stride;
  std::uintptr_t base;
  std::vector<Comparison> where = {};
  bool is_made(LaneIndex const& at) const {
    return std::ranges::all_of(where, [&](Comparison const& c) { return c.holds(at); });
  }
};
struct Functor {
  std::uintptr_t bases[4];
  std::int64_t offsets[4];
  std::int32_t narrow_offsets[4];
};

inline unsigned long long of_functor(std::size_t from, unsigned bytes) {
  return teamsan_affine_functor | bytes << TEAMSAN_AFFINE_BYTES_SHIFT | 1ull << TEAMSAN_AFFINE_SIGN_SHIFT |
         static_cast<unsigned long long>(from) << TEAMSAN_AFFINE_FROM_SHIFT;
}

/// In the words that the plug-in would write.
inline Words written(std::vector<Drawn> const& accesses) {
  Words all{accesses.size()};
  bool any_condition = false;
  for (std::size_t k = 0; k != accesses.size(); ++k) {
    Drawn const& d = accesses[k];
    bool anew = any_condition;
    for (Comparison const& c : d.where) {
      bool const symmetric = c.kind == teamsan_condition_same || c.kind == teamsan_condition_differs;
      c.put(anew, symmetric && c.offset % 2 == 0, all);
      anew = false;
      ++all[0];
    }
    if (anew) all.push_back(TEAMSAN_ACCESS_CONDITION | TEAMSAN_CONDITION_ANEW), ++all[0];
    any_condition = !d.where.empty();
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

inline std::uintptr_t address(Drawn const& d, LaneIndex const& at) {
  std::uintptr_t sum = static_cast<std::uintptr_t>(d.offset);
  for (unsigned axis = 0; axis != dimensions; ++axis)
    sum += static_cast<std::uintptr_t>(d.stride[axis]) * static_cast<std::uintptr_t>(at[axis]);
  return d.base + static_cast<std::uintptr_t>(d.bytes) * sum;
}

/// f(number, indices) for each lane.
template <class F>
void for_each_lane(Indices const& all, F f) {
  std::int64_t n = 0;
  LaneIndex at{};
  for (std::uint64_t i = 0; i != all.count[0]; ++i)
    for (std::uint64_t j = 0; j != all.count[1]; ++j)
      for (std::uint64_t k = 0; k != all.count[2]; ++k) {
        std::uint64_t const more[] = {i, j, k};
        for (unsigned axis = 0; axis != dimensions; ++axis) at[axis] = all.first[axis] + static_cast<std::int64_t>(more[axis]);
        f(n++, at);
      }
}

/// May a launch of all these lanes be run unchecked? By each byte of each lane.
inline bool is_clean(std::vector<Drawn> const& accesses, Indices const& all) {
  struct Byte {
    std::set<std::int64_t> writers, others;
  };
  std::map<std::uintptr_t, Byte> touched;
  bool clean = true;
  for (Drawn const& d : accesses)
    for_each_lane(all, [&](std::int64_t lane, LaneIndex const& index) {
      if (!d.is_made(index)) return;
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

}  // namespace drawn
