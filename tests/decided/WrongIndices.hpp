// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of kernels.cpp whose indices are looked up, under conditions, and atomic updates: wrong ones, and some that are right.
#pragma once

#include "RangeMemory.hpp"

#include <cstdio>

namespace {

/// Indices that are looked up, wrong ones and such as another lane changes.
void looked_up(Doubles x, Doubles y) {
  Sparse a;
  Doubles const fresh = raw("fresh", n), some = raw("some", n);
  auto const set = [](Ints of, int which, int to) { Kokkos::deep_copy(Kokkos::subview(of, which), to); };
  for (int const wrong : {n, n + 1, -1, -20, 3 * n, 1 << 20}) {
    Ints const order("order", n);
    Kokkos::deep_copy(order, a.order);
    set(order, 4000, wrong);
    Kokkos::parallel_for(
        "gather with a wrong index", n, KOKKOS_LAMBDA(int i) { y(i) = *(x.data() + order(i)); });
    Kokkos::parallel_for(
        "and what does not come to it", n, KOKKOS_LAMBDA(int i) {
          if (i < 3000) y(i) = *(x.data() + order(i));
        });
    Kokkos::parallel_for(
        "and what steps over it", n, KOKKOS_LAMBDA(int i) {
          if (order(i) >= 0 && order(i) < n) y(i) = x(order(i));
        });
    Kokkos::parallel_for(
        "scatter", n, KOKKOS_LAMBDA(int i) { *(y.data() + order(i)) = i; });
  }
  Kokkos::parallel_for(
      "others' indices", n, KOKKOS_LAMBDA(int i) {
        a.order(n - 1 - i) = i;
        y(i) = x(a.order(i));
      });
  Kokkos::parallel_for(
      "own indices", n, KOKKOS_LAMBDA(int i) {
        a.order(i) = n - 1 - i;
        y(i) = x(a.order(i));
      });
  Kokkos::parallel_for(
      "gather in place", n, KOKKOS_LAMBDA(int i) { x(i) = x(a.order(i)); });
  Kokkos::parallel_for(
      "scatter in order", n, KOKKOS_LAMBDA(int i) { y(a.order(i)) = i; });
  Kokkos::parallel_for(
      "gather of what is fresh", n, KOKKOS_LAMBDA(int i) { y(i) = fresh(a.order(i)); });
  Kokkos::parallel_for(
      "half of it", n / 2, KOKKOS_LAMBDA(int i) { some(i) = i; });
  Kokkos::parallel_for(
      "gather of the half", n, KOKKOS_LAMBDA(int i) { y(i) = some(a.order(i) / 2); });
  Kokkos::parallel_for(
      "gather of more", n, KOKKOS_LAMBDA(int i) { y(i) = some(a.order(i)); });
  Ints const no_indices(Kokkos::view_alloc(std::string("no indices"), Kokkos::WithoutInitializing), n);
  Kokkos::parallel_for(
      "indices of no value", n, KOKKOS_LAMBDA(int i) { y(i) = x.data()[no_indices(i) & 7]; });
  set(a.rows, n, 7 * n + 2);
  Kokkos::parallel_for(
      "a row too long", n, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int k = a.rows(i); k < a.rows(i + 1); ++k) sum += *(a.values.data() + k);
        y(i) = sum;
      });
  set(a.rows, n, 0);
  Kokkos::parallel_for(
      "a row of less than nothing", n, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int k = a.rows(i); k < a.rows(i + 1); ++k) sum += a.values(k);
        y(i) = sum;
      });
  Kokkos::View<double**, Kokkos::LayoutRight> const rows_of("rows", n, 20);
  int const none = 0, longer = 21, backwards = -5;
  Kokkos::parallel_for(
      "no turns", n, KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < none; ++k) y(i + n * k + n) = k;
        for (int k = 0; k < backwards; ++k) y(i) = fresh(k);
      });
  Kokkos::parallel_for(
      "a turn too many", n, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int k = 0; k < longer; ++k) sum += *(rows_of.data() + 20 * i + k);
        y(i) = sum;
      });
  Kokkos::parallel_for(
      "a turn into the next row", n - 1, KOKKOS_LAMBDA(int i) {
        for (int k = 0; k != longer; ++k) *(rows_of.data() + 20 * i + k) = i;
      });
  Kokkos::parallel_for(
      "one word for all turns", n, KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < longer; ++k) y(k) = i;
      });
  Kokkos::parallel_for(
      "triangle", 20, KOKKOS_LAMBDA(int i) {
        for (int k = 0; k <= i; ++k) rows_of(i, k) = rows_of(k, i);
      });
  Kokkos::parallel_for(
      "until it is found", n, KOKKOS_LAMBDA(int i) {
        int k = 0;
        while (k < 7 && a.columns(7 * i + k) != i) ++k;
        y(i) = k;
      });
  Kokkos::parallel_for(
      "as long as there are", n, KOKKOS_LAMBDA(int i) {
        int k = i;
        while (a.order(k) < k) k = a.order(k);
        y(i) = k;
      });
  Kokkos::parallel_for(
      "turns that wrap around", n, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (unsigned k = 19; k < 20; --k) sum += rows_of(i, k);
        for (unsigned char k = 250; k != 3; ++k) sum += x.data()[k];
        y(i) = sum;
      });
}

/// Conditions that let too many through, or the wrong ones.
void conditions(Doubles x, Doubles y) {
  int const width = 50, height = n / width;
  Doubles const out("out", n);
  Kokkos::parallel_for(
      "one too many", n, KOKKOS_LAMBDA(int i) {
        if (i >= 0 && i <= n - 1) y(i) = *(x.data() + i + 1);
      });
  Kokkos::parallel_for(
      "all but one", n, KOKKOS_LAMBDA(int i) {
        if (i != 1) y(i) = *(x.data() + i - 1);
      });
  Kokkos::parallel_for(
      "the first alone", n, KOKKOS_LAMBDA(int i) {
        if (i < 1) y(i) = *(x.data() + i - 1);
      });
  Kokkos::parallel_for(
      "either", n, KOKKOS_LAMBDA(int i) {
        if (i > 0 || y(i) > 1e9) out(i) = *(x.data() + i - 1);
      });
  Kokkos::parallel_for(
      "rows to the end", n, KOKKOS_LAMBDA(int i) {
        if (i / width >= 1 && i / width < height) y(i) = *(x.data() + i - width) + *(x.data() + i + width);
      });
  Kokkos::parallel_for(
      "columns alone", n, KOKKOS_LAMBDA(int i) {
        if (i % width >= 1 && i % width < width - 1) y(i) = *(x.data() + i - width);
      });
  Kokkos::parallel_for(
      "taken apart by another number", n, KOKKOS_LAMBDA(int i) {
        int const row = i / width, column = i % (width + 1);
        x(row * width + column) = 1;
      });
  Kokkos::parallel_for(
      "rows that overlap", n, KOKKOS_LAMBDA(int i) {
        int const row = i / width, column = i % width;
        x(row * (width - 1) + column) = 1;
      });
  Kokkos::parallel_for(
      "columns alone are stored to", n, KOKKOS_LAMBDA(int i) { x(i % width) = 1; });
  Kokkos::parallel_for(
      "halves that meet", n, KOKKOS_LAMBDA(int i) {
        if (i < n / 2) x(i) = 1;
        if (i >= n / 2) y(i) = x(i - 1);
      });
  Kokkos::parallel_for(
      "halves that do not", n, KOKKOS_LAMBDA(int i) {
        if (i < n / 2) x(i) = 1;
        if (i > n / 2) y(i) = x(i - 1);
      });
  Kokkos::parallel_for(
      "two lanes", n, KOKKOS_LAMBDA(int i) {
        if (i == 3000) x(7) = 1;
        if (i == 3001) x(7) = 2;
      });
  Kokkos::parallel_for(
      "one lane", n, KOKKOS_LAMBDA(int i) {
        if (i == 3000) x(7) = 1;
        if (i == 3000) x(7) += 2;
      });
  Kokkos::parallel_for(
      "the other way round", n, KOKKOS_LAMBDA(int i) {
        if (i < n - 1) return;
        y(i) = *(x.data() + i + 1);
      });
  Kokkos::parallel_for(
      "without a sign", Kokkos::RangePolicy<Kokkos::IndexType<unsigned>>(0, n), KOKKOS_LAMBDA(unsigned i) {
        if (i - 1 < 4000u) y(i) = *(x.data() + i - 1);
        if (i - 1 < 4294967295u) out(i) = *(x.data() + i - 1);
        if (i - 1 > 5u) out(i) = *(x.data() + i - 7);
      });
}

/// Updates that others' accesses meet.
void updates(Doubles y) {
  Ints const bins("bins", 16), fresh(Kokkos::view_alloc(std::string("fresh"), Kokkos::WithoutInitializing), 16);
  Kokkos::parallel_for(
      "of what is read", n, KOKKOS_LAMBDA(int i) {
        Kokkos::atomic_add(&bins(i % 16), 1);
        y(i) = bins(0);
      });
  Kokkos::parallel_for(
      "of what is written", n, KOKKOS_LAMBDA(int i) {
        Kokkos::atomic_add(&bins(i % 16), 1);
        if (i == 4000) bins(3) = 0;
      });
  Kokkos::parallel_for(
      "of what is fresh", n, KOKKOS_LAMBDA(int i) { Kokkos::atomic_add(&fresh(i % 16), 1); });
  Kokkos::parallel_for(
      "outside", n, KOKKOS_LAMBDA(int i) { Kokkos::atomic_add(bins.data() + i % 17, 1); });
  Kokkos::parallel_for(
      "of half of it", n, KOKKOS_LAMBDA(int i) {
        Kokkos::atomic_add(reinterpret_cast<unsigned long*>(bins.data()) + i % 8, 1ul);
        if (i == 4000) Kokkos::atomic_add(bins.data() + 5, 1);
      });
  Kokkos::parallel_for(
      "that give back", n, KOKKOS_LAMBDA(int i) { y(i) = Kokkos::atomic_fetch_add(&bins(i % 16), 0); });
  Kokkos::parallel_for(
      "that would give back", n, KOKKOS_LAMBDA(int i) { Kokkos::atomic_fetch_add(&bins(i % 16), 1); });
  Kokkos::View<char*> const bytes("bytes", n);
  Kokkos::parallel_for(
      "bytes that meet", n - 1, KOKKOS_LAMBDA(int i) { bytes(i) = bytes(i + 1); });
  Kokkos::parallel_for(
      "bytes outside", n, KOKKOS_LAMBDA(int i) { *(bytes.data() + i + 1) = 1; });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), bins);
  for (int i = 0; i != 16; ++i) std::printf("%d ", host(i));
  std::puts("in bins");
}

}  // namespace
