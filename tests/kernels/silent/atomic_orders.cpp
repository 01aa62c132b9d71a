// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// std::atomic_ref and __atomic builtins of every order and width on words that lanes of all teams share; what release
// orders publish is read after an acquire of the same atomic, and exchanges and failed compare-and-swaps hand it on.
#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstdint>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 6, width = 8;
  Kokkos::View<std::int64_t*> wide("wide", 8);
  Kokkos::View<int*> word("word", 8), data("data", 4), seen("seen", league * width);
  Kokkos::View<short*> half("half", 2);
  Kokkos::View<char*> byte("byte", 4);
  Kokkos::parallel_for(
      "orders", Policy(league, width), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const me = team.league_rank() * width + team.team_rank();
        std::atomic_ref<int> a(word(0));
        a.fetch_add(1, std::memory_order_relaxed);
        a.fetch_or(0, std::memory_order_consume);
        __atomic_fetch_add(&wide(0), 1, __ATOMIC_RELAXED);
        __atomic_fetch_sub(&half(0), 1, __ATOMIC_ACQUIRE);
        __atomic_fetch_xor(&byte(1), 1, __ATOMIC_RELAXED);
        __atomic_exchange_n(&byte(2), static_cast<char>(me), __ATOMIC_RELAXED);
        std::atomic_ref<std::int64_t> most(wide(1));
        for (std::int64_t old = most.load(std::memory_order_relaxed);
             old < me && !most.compare_exchange_weak(old, me, std::memory_order_relaxed);) {
        }
        // Published by one lane, handed on by another with an exchange, read by all.
        std::atomic_ref<int> first(word(1)), second(word(2));
        if (me == 5) {
          data(0) = 41;
          __atomic_store_n(&word(1), 1, __ATOMIC_RELEASE);
        } else if (me == 17) {
          int expected = 1;
          while (!first.compare_exchange_strong(expected, 2, std::memory_order_acq_rel, std::memory_order_acquire))
            expected = 1;
          data(1) = data(0) + 1;
          second.exchange(1, std::memory_order_seq_cst);
        } else {
          while (__atomic_load_n(&word(2), __ATOMIC_ACQUIRE) == 0) {
          }
          seen(me) = data(0) + data(1);
        }
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), seen);
  auto const counts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), word);
  auto const most = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), wide);
  return host(0) == 83 && host(league * width - 1) == 83 && counts(0) == league * width && most(1) == league * width - 1
             ? 0
             : 1;
}
