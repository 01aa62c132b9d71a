// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// warp_load<ITEMS, algorithm>: the lanes of a Kokkos thread load consecutive elements into the items they
/// hold, as cub::WarpLoad.
///
///   using Algorithm = teamsan::warp_algorithm;
///   teamsan::warp_load<4, Algorithm::direct>(member, &in(first), items);                // full tile
///   teamsan::warp_load<4, Algorithm::direct>(member, &in(first), items, n - first);     // guarded
///   teamsan::warp_load_or<4, Algorithm::direct>(member, &in(first), items, n - first, 0.f);
///   teamsan::warp_load<4, Algorithm::transpose>(member, &in(first), items, exchange);
///
/// `in`: random access iterator to the first element of the warp's tile of LANES * ITEMS. `valid_items`:
/// elements of the tile that are read, from its start; items of the others stay as they were. All else is as
/// in warp_store.hpp.
#pragma once

#include "warp_algorithm.hpp"

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace teamsan {

namespace Impl {

template <bool GUARDED, int ITEMS, class Member, class Iterator, class T, int LANES, class Position>
KOKKOS_FORCEINLINE_FUNCTION void load_each(Member const& member, Iterator in,
                                           warp_items<T, ITEMS, Member, LANES>& items,
                                           [[maybe_unused]] int valid_items, Position const& position) {
  for_each_lane<LANES>(member, [&](int lane) TEAMSAN_INLINE_LAMBDA {
    for (int k = 0; k < ITEMS; ++k) {
      int const p = position(lane, k);
      if (!GUARDED || p < valid_items) items(lane, k) = in[p];
    }
  });
}

template <bool GUARDED, int ITEMS, class Member, class Iterator, class T, int LANES>
KOKKOS_FORCEINLINE_FUNCTION void load_vectors(Member const& member, Iterator in,
                                              warp_items<T, ITEMS, Member, LANES>& items, int valid_items) {
  constexpr vectorize_fallback known = vectorize_fallback_of<ITEMS, Iterator, T>();
  if constexpr (known == vectorize_fallback::none) {
    bool const full = !GUARDED || valid_items >= ITEMS * LANES;
    bool const aligned = vectorize_fallback_of<ITEMS>(in) == vectorize_fallback::none;
    if (full && aligned) {
      constexpr int width = vector_items<T, ITEMS>;
      for_each_lane<LANES>(member, [&](int lane) TEAMSAN_INLINE_LAMBDA {
        for (int k = 0; k < ITEMS; k += width)
          load_vector<width>(items.of(lane) + k, in + blocked<ITEMS>(lane, k));
      });
      return;
    }
    if (!aligned)
      say_fallback(
          member,
          "warp_load<vectorize> loads as direct: the warp's tile does not start at a multiple of 16 bytes");
  } else {
    say_fallback(
        member,
        known == vectorize_fallback::odd_items ? "warp_load<vectorize> loads as direct: ITEMS is odd"
        : known == vectorize_fallback::not_a_pointer
            ? "warp_load<vectorize> loads as direct: the iterator is not a plain pointer to the items' type"
            : "warp_load<vectorize> loads as direct: the element is neither a built-in type nor a "
              "vector type");
  }
  load_each<GUARDED>(member, in, items, valid_items, [](int lane, int k) { return blocked<ITEMS>(lane, k); });
}

template <bool GUARDED, warp_algorithm ALGORITHM, int ITEMS, class Member, class Iterator, class T, int LANES>
KOKKOS_FORCEINLINE_FUNCTION void load(Member const& member, Iterator in,
                                      warp_items<T, ITEMS, Member, LANES>& items, int valid_items) {
  static_assert(ALGORITHM != warp_algorithm::transpose,
                "transpose wants a warp_exchange as its last argument");
  if constexpr (ALGORITHM == warp_algorithm::vectorize)
    load_vectors<GUARDED>(member, in, items, valid_items);
  else if constexpr (ALGORITHM == warp_algorithm::striped)
    load_each<GUARDED>(member, in, items, valid_items,
                       [](int lane, int k) { return striped<LANES>(lane, k); });
  else
    load_each<GUARDED>(member, in, items, valid_items,
                       [](int lane, int k) { return blocked<ITEMS>(lane, k); });
}

template <bool GUARDED, int ITEMS, class Member, class Iterator, class T, int LANES>
KOKKOS_FORCEINLINE_FUNCTION void load_transposed(Member const& member, Iterator in,
                                                 warp_items<T, ITEMS, Member, LANES>& items,
                                                 [[maybe_unused]] int valid_items,
                                                 warp_exchange<T, ITEMS, Member, LANES> const& exchange) {
  if constexpr (ITEMS == 1) {
    load_each<GUARDED>(member, in, items, valid_items, [](int lane, int) { return lane; });
    return;
  }
  for_each_lane<LANES>(member, [&](int lane) TEAMSAN_INLINE_LAMBDA {
    for (int k = 0; k < ITEMS; ++k) {
      int const p = striped<LANES>(lane, k);
      if (!GUARDED || p < valid_items) exchange.striped(lane, k) = in[p];
    }
  });
  warp_barrier<LANES>(member);
  for_each_lane<LANES>(member, [&](int lane) TEAMSAN_INLINE_LAMBDA {
    for (int k = 0; k < ITEMS; ++k) {
      if (!GUARDED || blocked<ITEMS>(lane, k) < valid_items) items(lane, k) = exchange.blocked(lane, k);
    }
  });
  warp_barrier<LANES>(member);
}

}  // namespace Impl

template <int ITEMS, warp_algorithm ALGORITHM, class Member, class Iterator, class T, int LANES>
KOKKOS_FORCEINLINE_FUNCTION void warp_load(Member const& member, Iterator in,
                                           warp_items<T, ITEMS, Member, LANES>& items) {
  Impl::load<false, ALGORITHM>(member, in, items, 0);
}

template <int ITEMS, warp_algorithm ALGORITHM, class Member, class Iterator, class T, int LANES>
KOKKOS_FORCEINLINE_FUNCTION void warp_load(Member const& member, Iterator in,
                                           warp_items<T, ITEMS, Member, LANES>& items, int valid_items) {
  Impl::load<true, ALGORITHM>(member, in, items, valid_items);
}

template <int ITEMS, warp_algorithm ALGORITHM, class Member, class Iterator, class T, int LANES>
requires(ALGORITHM == warp_algorithm::transpose) KOKKOS_FORCEINLINE_FUNCTION
    void warp_load(Member const& member, Iterator in, warp_items<T, ITEMS, Member, LANES>& items,
                   warp_exchange<T, ITEMS, Member, LANES> const& exchange) {
  Impl::load_transposed<false>(member, in, items, 0, exchange);
}

template <int ITEMS, warp_algorithm ALGORITHM, class Member, class Iterator, class T, int LANES>
requires(ALGORITHM == warp_algorithm::transpose) KOKKOS_FORCEINLINE_FUNCTION
    void warp_load(Member const& member, Iterator in, warp_items<T, ITEMS, Member, LANES>& items,
                   int valid_items, warp_exchange<T, ITEMS, Member, LANES> const& exchange) {
  Impl::load_transposed<true>(member, in, items, valid_items, exchange);
}

/// As the guarded form; items whose element is not valid become `otherwise`.
template <int ITEMS, warp_algorithm ALGORITHM, class Member, class Iterator, class T, int LANES,
          class... Exchange>
KOKKOS_FORCEINLINE_FUNCTION void warp_load_or(Member const& member, Iterator in,
                                              warp_items<T, ITEMS, Member, LANES>& items, int valid_items,
                                              std::type_identity_t<T> const& otherwise,
                                              Exchange const&... exchange) {
  items.assign(member, [&](int, int) TEAMSAN_INLINE_LAMBDA { return otherwise; });
  warp_load<ITEMS, ALGORITHM>(member, in, items, valid_items, exchange...);
}

}  // namespace teamsan
