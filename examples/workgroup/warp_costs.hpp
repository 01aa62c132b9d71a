// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels whose every global request is one algorithm's, for the machine model to count: two teams of four warps load or
/// store one tile each. A kernel is labelled "store float 4 direct".
#pragma once

#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/warp_load.hpp>
#include <teamsan/model/workgroup/warp_store.hpp>

#include <string>
#include <utility>

namespace warp_costs {

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Algorithm = teamsan::warp_algorithm;

constexpr int most_items = 16, league = 2, team = 4, lanes = 32;
constexpr const char* algorithm_names[] = {"direct", "striped", "vectorize", "transpose"};

template <Algorithm A, int ITEMS, class T>
KOKKOS_FORCEINLINE_FUNCTION void move_tile(bool store, Member const& member, T* data) {
  T* const tile = data + (member.league_rank() * team + member.team_rank()) * ITEMS * lanes;
  teamsan::warp_items<T, ITEMS, Member, lanes> items;
  if (store) {
    items.assign(member, [](int lane, int k) { return static_cast<T>(lane + k); });
    if constexpr (A == Algorithm::transpose)
      teamsan::warp_store<ITEMS, A>(member, tile, items, teamsan::warp_exchange<T, ITEMS, Member, lanes>(member));
    else
      teamsan::warp_store<ITEMS, A>(member, tile, items);
  } else {
    if constexpr (A == Algorithm::transpose)
      teamsan::warp_load<ITEMS, A>(member, tile, items, teamsan::warp_exchange<T, ITEMS, Member, lanes>(member));
    else
      teamsan::warp_load<ITEMS, A>(member, tile, items);
    // What was loaded must be used, or nothing is loaded; no lane ever stores.
    teamsan::for_each_lane<lanes>(member, [&](int lane) {
      T sum = 0;
      for (int k = 0; k < ITEMS; ++k) sum += items(lane, k);
      if (sum < 0) Kokkos::printf("%f\n", static_cast<double>(sum));
    });
  }
}

/// One launch. T's name is its label's.
template <Algorithm A, class T>
void run(char const* type, bool store, int items) {
  Kokkos::View<T*> data("data", league * team * lanes * most_items);
  Kokkos::deep_copy(data, T{1});
  Policy policy(league, team, lanes);
  policy.set_scratch_size(0, Kokkos::PerThread(teamsan::warp_exchange<T, most_items, Member, lanes>::scratch_bytes));
  std::string const label = std::string(store ? "store " : "load ") + type + ' ' + std::to_string(items) + ' ' +
                            algorithm_names[static_cast<int>(A)];
  Kokkos::parallel_for(
      label, policy, KOKKOS_LAMBDA(Member const& member) {
        [&]<int... N>(std::integer_sequence<int, N...>) {
          ((items == N + 1 ? move_tile<A, N + 1>(store, member, data.data()) : void()), ...);
        }
        (std::make_integer_sequence<int, most_items>());
      });
}

template <class T>
void run_all(char const* type) {
  for (bool const store : {true, false})
    for (int items = 1; items <= most_items; ++items) {
      run<Algorithm::direct, T>(type, store, items);
      run<Algorithm::striped, T>(type, store, items);
      run<Algorithm::vectorize, T>(type, store, items);
      run<Algorithm::transpose, T>(type, store, items);
    }
}

// Of two times 64 kernels, which take long to compile: once, in warp_costs_kernels.cpp, for the example and for its test.
extern template void run_all<float>(char const*);
extern template void run_all<double>(char const*);

}  // namespace warp_costs
