// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Hand-overs by atomics that are in order: boxes climb a tree, each level behind a fence; a counter with acquire and release
// order; a lock that an exchange takes and gives back; a union-find whose every access is atomic; desul's own orders.
#include <Kokkos_Core.hpp>

#include <atomic>

using Policy = Kokkos::TeamPolicy<>;

/// Leaves are n .. 2n-1, the parent of k is k / 2. The child that comes second goes on.
int climb() {
  int const n = 512;
  Kokkos::View<int*> first("first", n);
  Kokkos::View<double*> box("box", 2 * n);
  Kokkos::deep_copy(first, -1);
  Kokkos::parallel_for(
      "climb", n, KOKKOS_LAMBDA(int i) {
        int node = n + i;
        box(node) = i;
        while (node != 1) {
          int const parent = node / 2;
          Kokkos::memory_fence();
          int const seen = Kokkos::atomic_compare_exchange(&first(parent), -1, node);
          if (seen == -1) return;
          Kokkos::memory_fence();
          box(parent) = box(seen) + box(node);
          node = parent;
        }
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), box);
  return host(1) != n * (n - 1) / 2;
}

/// The iteration that brings the counter to the end sums what all have stored. No fence: the counter's own order.
int count_down() {
  int const n = 300;
  Kokkos::View<int*> part("part", n);
  Kokkos::View<int> left("left"), sum("sum");
  Kokkos::deep_copy(left, n);
  Kokkos::parallel_for(
      "count_down", n, KOKKOS_LAMBDA(int i) {
        part(i) = i;
        std::atomic_ref<int> counter(left());
        if (counter.fetch_sub(1, std::memory_order_acq_rel) == 1)
          for (int k = 0; k != n; ++k) sum() += part(k);
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
  return host() != n * (n - 1) / 2;
}

int exchanged_lock() {
  int const league = 100;
  Kokkos::View<int> lock("lock"), sum("sum");
  Kokkos::parallel_for(
      "exchanged_lock", Policy(league, 2), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          while (Kokkos::atomic_exchange(&lock(), 1) != 0) {
          }
          Kokkos::memory_fence();
          sum() += team.league_rank();
          Kokkos::memory_fence();
          Kokkos::atomic_exchange(&lock(), 0);
        });
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
  return host() != league * (league - 1) / 2;
}

/// No fence at all, and none needed: nothing but the atomics' own words is shared.
int union_find() {
  int const n = 256;
  Kokkos::View<int*> parent("parent", n), steps("steps", n);
  Kokkos::parallel_for("begin", n, KOKKOS_LAMBDA(int i) { parent(i) = i; });
  Kokkos::parallel_for(
      "union_find", n - 1, KOKKOS_LAMBDA(int i) {
        auto const root = [&](int k) {
          for (int up = Kokkos::atomic_load(&parent(k)); up != k; up = Kokkos::atomic_load(&parent(k))) k = up;
          return k;
        };
        for (;;) {
          ++steps(i);
          int const a = root(i), b = root(i + 1);
          if (a == b) return;
          int const high = a > b ? a : b, low = a > b ? b : a;
          if (Kokkos::atomic_compare_exchange(&parent(high), high, low) == high) return;
        }
      });
  int wrong = 0;
  Kokkos::parallel_reduce(
      "check", n,
      KOKKOS_LAMBDA(int i, int& sum) {
        int k = i;
        while (parent(k) != k) k = parent(k);
        sum += k != 0;
      },
      wrong);
  return wrong;
}

int desul_orders() {
  Kokkos::View<int> flag("flag"), data("data"), seen("seen");
  Kokkos::parallel_for(
      "desul_orders", Policy(2, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        if (team.league_rank() == 1) {
          data() = 7;
          desul::atomic_store(&flag(), 1, desul::MemoryOrderRelease(), desul::MemoryScopeDevice());
        } else {
          while (desul::atomic_load(&flag(), desul::MemoryOrderAcquire(), desul::MemoryScopeDevice()) == 0) {
          }
          seen() = data();
        }
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), seen);
  return host() != 7;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  return climb() + count_down() + exchanged_lock() + union_find() + desul_orders() != 0;
}
