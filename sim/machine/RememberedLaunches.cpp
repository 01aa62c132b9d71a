// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RememberedLaunches.hpp"

#include "../entry/pass/Abi.h"

#include <algorithm>
#include <cstring>

namespace teamsan {

namespace {

std::uint64_t number_at(void const* kernel, std::uint32_t from, std::uint32_t bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, static_cast<unsigned char const*>(kernel) + from, bytes);
  return number;
}

/// f(from, bytes) for each number of the functor that these words name.
template <class F>
void for_each_number(unsigned long long const* words, F f) {
  unsigned long long const* at = words + 1;
  for (unsigned long long access = *words & TEAMSAN_ACCESSES_COUNT; access != 0; --access) {
    unsigned long long const count = *at++ >> TEAMSAN_ACCESS_WORDS_SHIFT;
    for (unsigned long long i = 0; i != count; ++i) {
      unsigned long long const w = at[i];
      if ((w & 0xff) == teamsan_affine_constant) ++i;
      if ((w & 0xff) == teamsan_affine_functor)
        f(static_cast<std::uint32_t>(w >> TEAMSAN_AFFINE_FROM_SHIFT),
          static_cast<std::uint32_t>(w >> TEAMSAN_AFFINE_BYTES_SHIFT & 0xff));
    }
    at += count;
  }
}

}  // namespace

LaneRows const* RememberedLaunches::find(void const* kernel, Indices const& indices, std::uint32_t context) {
  auto const is_like = [&](Launch const& l) {
    return l.context == context && are_same(l.indices, indices) &&
           std::ranges::all_of(l.numbers, [&](Number const& n) { return number_at(kernel, n.from, n.bytes) == n.value; });
  };
  for (Launch const& l : m_all) {
    if (!is_like(l) || !l.rows.hold_still()) continue;
    if (l.rows.looked_at_lanes()) m_looks.reuse();
    return &l.rows;
  }
  return nullptr;
}

void RememberedLaunches::keep(LaneRows const& rows, LaneAccesses const& accesses, void const* kernel, std::size_t kernel_bytes,
                              Indices const& indices, std::uint32_t context) {
  auto const first = static_cast<unsigned char const*>(kernel);
  auto const functor = static_cast<unsigned char const*>(accesses.functor);
  if (functor < first || functor >= first + kernel_bytes) return;
  auto const offset = static_cast<std::uint32_t>(functor - first);
  Launch l{indices, context, {}, rows};
  bool inside = true;
  for_each_number(accesses.words, [&](std::uint32_t from, std::uint32_t bytes) {
    inside = inside && bytes <= 8 && offset + from + bytes <= kernel_bytes;
    if (!inside) return;
    Number const n{offset + from, bytes, number_at(kernel, offset + from, bytes)};
    if (std::ranges::find(l.numbers, n) == l.numbers.end()) l.numbers.push_back(n);
  });
  if (!inside) return;
  // Of launches with the same numbers the latest is worth most: what was read for the others may be something else now.
  auto const same = std::ranges::find_if(m_all, [&](Launch const& known) {
    return known.context == context && are_same(known.indices, indices) && known.numbers == l.numbers;
  });
  if (same != m_all.end())
    *same = std::move(l);
  else if (m_all.size() < most)
    m_all.push_back(std::move(l));
  else
    m_all[m_next++ % most] = std::move(l);
}

}  // namespace teamsan
