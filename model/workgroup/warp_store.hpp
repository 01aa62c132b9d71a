// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// warp_store<ITEMS, algorithm>: the lanes of a Kokkos thread store the items they hold to consecutive
/// elements, as cub::WarpStore.
///
///   using Algorithm = teamsan::warp_algorithm;
///   teamsan::warp_store<4, Algorithm::striped>(member, &out(first), items);             // full tile
///   teamsan::warp_store<4, Algorithm::striped>(member, &out(first), items, n - first);  // guarded
///   teamsan::warp_store<4, Algorithm::transpose>(member, &out(first), items, exchange);
///
/// `items`: warp_items of the calling thread's lanes. `out`: random access iterator to the first element of
/// the warp's tile of LANES * ITEMS; each thread of the team has its own tile. `valid_items`: elements of the
/// tile that are stored, from its start; what lies behind is not touched. `exchange`: see warp_exchange.hpp;
/// for transpose alone.
///
/// To be called by all lanes of the thread (outside ThreadVectorRange and single). Other lanes' stores are
/// not waited for; transpose alone meets in warp_barrier, twice: before what lanes put into scratch is read,
/// and after, so that the exchange can be used again; with one item a lane nothing is exchanged, and nobody
/// waits. No barrier of the team is needed.
///
/// Vectorize is direct under four conditions (warp_vector.hpp), and for a guarded tile that is not full.
/// Errors: a full form that reaches past the allocation is out-of-bounds on the simulated GPU.
#pragma once

#include "warp_algorithm.hpp"

#include <Kokkos_Core.hpp>

namespace teamsan {

namespace Impl {

template <bool GUARDED, int ITEMS, class Member, class Iterator, class T, int LANES, class Position>
KOKKOS_FORCEINLINE_FUNCTION void store_each(Member const& member, Iterator out,
                                            warp_items<T, ITEMS, Member, LANES> const& items,
                                            [[maybe_unused]] int valid_items, Position const& position) {
  for_each_lane<LANES>(member, [&](int lane) TEAMSAN_INLINE_LAMBDA {
    for (int k = 0; k < ITEMS; ++k) {
      int const p = position(lane, k);
      if (!GUARDED || p < valid_items) out[p] = items(lane, k);
    }
  });
}

template <bool GUARDED, int ITEMS, class Member, class Iterator, class T, int LANES>
KOKKOS_FORCEINLINE_FUNCTION void store_vectors(Member const& member, Iterator out,
                                               warp_items<T, ITEMS, Member, LANES> const& items,
                                               int valid_items) {
  constexpr vectorize_fallback known = vectorize_fallback_of<ITEMS, Iterator, T>();
  if constexpr (known == vectorize_fallback::none) {
    bool const full = !GUARDED || valid_items >= ITEMS * LANES;
    bool const aligned = vectorize_fallback_of<ITEMS>(out) == vectorize_fallback::none;
    if (full && aligned) {
      constexpr int width = vector_items<T, ITEMS>;
      for_each_lane<LANES>(member, [&](int lane) TEAMSAN_INLINE_LAMBDA {
        for (int k = 0; k < ITEMS; k += width)
          store_vector<width>(out + blocked<ITEMS>(lane, k), items.of(lane) + k);
      });
      return;
    }
    if (!aligned)
      say_fallback(
          member,
          "warp_store<vectorize> stores as direct: the warp's tile does not start at a multiple of 16 bytes");
  } else {
    say_fallback(
        member,
        known == vectorize_fallback::odd_items ? "warp_store<vectorize> stores as direct: ITEMS is odd"
        : known == vectorize_fallback::not_a_pointer
            ? "warp_store<vectorize> stores as direct: the iterator is not a plain pointer to the items' type"
            : "warp_store<vectorize> stores as direct: the element is neither a built-in type nor a "
              "vector type");
  }
  store_each<GUARDED>(member, out, items, valid_items,
                      [](int lane, int k) { return blocked<ITEMS>(lane, k); });
}

template <bool GUARDED, warp_algorithm ALGORITHM, int ITEMS, class Member, class Iterator, class T, int LANES>
KOKKOS_FORCEINLINE_FUNCTION void store(Member const& member, Iterator out,
                                       warp_items<T, ITEMS, Member, LANES> const& items, int valid_items) {
  static_assert(ALGORITHM != warp_algorithm::transpose,
                "transpose wants a warp_exchange as its last argument");
  if constexpr (ALGORITHM == warp_algorithm::vectorize)
    store_vectors<GUARDED>(member, out, items, valid_items);
  else if constexpr (ALGORITHM == warp_algorithm::striped)
    store_each<GUARDED>(member, out, items, valid_items,
                        [](int lane, int k) { return striped<LANES>(lane, k); });
  else
    store_each<GUARDED>(member, out, items, valid_items,
                        [](int lane, int k) { return blocked<ITEMS>(lane, k); });
}

template <bool GUARDED, int ITEMS, class Member, class Iterator, class T, int LANES>
KOKKOS_FORCEINLINE_FUNCTION void store_transposed(Member const& member, Iterator out,
                                                  warp_items<T, ITEMS, Member, LANES> const& items,
                                                  [[maybe_unused]] int valid_items,
                                                  warp_exchange<T, ITEMS, Member, LANES> const& exchange) {
  if constexpr (ITEMS == 1) {
    store_each<GUARDED>(member, out, items, valid_items, [](int lane, int) { return lane; });
    return;
  }
  for_each_lane<LANES>(member, [&](int lane) TEAMSAN_INLINE_LAMBDA {
    for (int k = 0; k < ITEMS; ++k) exchange.blocked(lane, k) = items(lane, k);
  });
  warp_barrier<LANES>(member);
  for_each_lane<LANES>(member, [&](int lane) TEAMSAN_INLINE_LAMBDA {
    for (int k = 0; k < ITEMS; ++k) {
      int const p = striped<LANES>(lane, k);
      if (!GUARDED || p < valid_items) out[p] = exchange.striped(lane, k);
    }
  });
  warp_barrier<LANES>(member);
}

}  // namespace Impl

template <int ITEMS, warp_algorithm ALGORITHM, class Member, class Iterator, class T, int LANES>
KOKKOS_FORCEINLINE_FUNCTION void warp_store(Member const& member, Iterator out,
                                            warp_items<T, ITEMS, Member, LANES> const& items) {
  Impl::store<false, ALGORITHM>(member, out, items, 0);
}

template <int ITEMS, warp_algorithm ALGORITHM, class Member, class Iterator, class T, int LANES>
KOKKOS_FORCEINLINE_FUNCTION void warp_store(Member const& member, Iterator out,
                                            warp_items<T, ITEMS, Member, LANES> const& items,
                                            int valid_items) {
  Impl::store<true, ALGORITHM>(member, out, items, valid_items);
}

template <int ITEMS, warp_algorithm ALGORITHM, class Member, class Iterator, class T, int LANES>
requires(ALGORITHM == warp_algorithm::transpose) KOKKOS_FORCEINLINE_FUNCTION
    void warp_store(Member const& member, Iterator out, warp_items<T, ITEMS, Member, LANES> const& items,
                    warp_exchange<T, ITEMS, Member, LANES> const& exchange) {
  Impl::store_transposed<false>(member, out, items, 0, exchange);
}

template <int ITEMS, warp_algorithm ALGORITHM, class Member, class Iterator, class T, int LANES>
requires(ALGORITHM == warp_algorithm::transpose) KOKKOS_FORCEINLINE_FUNCTION
    void warp_store(Member const& member, Iterator out, warp_items<T, ITEMS, Member, LANES> const& items,
                    int valid_items, warp_exchange<T, ITEMS, Member, LANES> const& exchange) {
  Impl::store_transposed<true>(member, out, items, valid_items, exchange);
}

}  // namespace teamsan
