// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Scans whose lanes do more than add: fences, atomics that order, a wait for another lane of the block, values so large that a
// block takes several chunks, sums that are a type's own.
#include <Kokkos_Core.hpp>

struct Wide {
  int count = 0;
  int rest[240] = {};
  KOKKOS_FUNCTION Wide& operator+=(Wide const& other) {
    count += other.count;
    return *this;
  }
};

struct Latest {  // the place of the latest odd number so far
  using value_type = int;
  Kokkos::View<int*> places;
  KOKKOS_FUNCTION void init(int& value) const { value = -1; }
  KOKKOS_FUNCTION void join(int& into, int const& from) const {
    Kokkos::memory_fence();
    into = Kokkos::max(into, from);
  }
  KOKKOS_FUNCTION void operator()(int i, int& update, bool last) const {
    if (i % 2 == 1) update = Kokkos::max(update, i);
    if (last) places(i) = update;
  }
};

int main() {
  Kokkos::ScopeGuard guard;
  int const n = 3000;
  Kokkos::View<int*> prefix("prefix", n), flags("flags", n), places("places", n);
  int total = 0, wrong = 0;

  Kokkos::parallel_scan("fences", n, KOKKOS_LAMBDA(int i, int& sum, bool last) {
    sum += i % 3;
    if (i % 500 == 77) Kokkos::memory_fence();
    if (last) prefix(i) = sum;
    if (last && i % 300 == 5) Kokkos::memory_fence();
  }, total);
  Kokkos::parallel_reduce("check", n, KOKKOS_LAMBDA(int i, int& bad) {
    bad += prefix(i) != (i + 1) / 3 * 3 + ((i + 1) % 3 == 2 ? 1 : 0);
  }, wrong);
  if (total != n || wrong != 0) return 1;

  Kokkos::parallel_scan("waits", n, KOKKOS_LAMBDA(int i, int& sum, bool last) {
    sum += 1;
    if (!last) return;
    prefix(i) = sum;
    if (i % 32 == 9 && i + 1 < n) {
      while (Kokkos::atomic_load(&flags(i)) == 0) {
      }
    } else if (i % 32 == 10) {
      Kokkos::atomic_store(&flags(i - 1), 1);
    }
  });
  Kokkos::parallel_reduce("check", n, KOKKOS_LAMBDA(int i, int& bad) { bad += prefix(i) != i + 1; }, wrong);
  if (wrong != 0) return 2;

  Wide wide;
  Kokkos::parallel_scan("wide", 20 * n, KOKKOS_LAMBDA(int i, Wide& sum, bool last) {
    sum.count += 1;
    if (i % 7000 == 6999) Kokkos::memory_fence();
    if (last && i % 20 == 0) prefix(i / 20) = sum.count;
  }, wide);
  Kokkos::parallel_reduce("check", n, KOKKOS_LAMBDA(int i, int& bad) { bad += prefix(i) != 20 * i + 1; }, wrong);
  if (wide.count != 20 * n || wrong != 0) return 3;

  Kokkos::parallel_scan("latest", n, Latest{places});
  Kokkos::parallel_reduce("check", n, KOKKOS_LAMBDA(int i, int& bad) { bad += places(i) != (i % 2 == 1 ? i : i - 1); }, wrong);
  return wrong == 0 ? 0 : 4;
}
