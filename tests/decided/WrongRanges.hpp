// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of kernels.cpp that reach too far, race, or read what nobody has written, by affine indices; and others that are not.
#pragma once

#include "RangeMemory.hpp"

namespace {

/// Outside, by one and by much, before and behind.
void outside(Doubles x, Doubles y, Ints k) {
  Kokkos::parallel_for(
      "one behind", n, KOKKOS_LAMBDA(int i) { y(i) = *(x.data() + i + 1); });
  Kokkos::parallel_for(
      "one before", n, KOKKOS_LAMBDA(int i) { *(y.data() + i - 1) = i; });
  Kokkos::parallel_for(
      "last one", n + 1, KOKKOS_LAMBDA(int i) { *(y.data() + i) = i; });
  Kokkos::parallel_for(
      "not reached", n, KOKKOS_LAMBDA(int i) {
        if (i > 0) y(i) = *(x.data() + i - 1);
      });
  int const far = 1 << 20;
  Kokkos::parallel_for(
      "wraps", n, KOKKOS_LAMBDA(int i) { y(i) = *(x.data() + static_cast<int>(static_cast<unsigned>(i) * far * 4096)); });
  unsigned const less = 4294967295u;
  Kokkos::parallel_for(
      "wraps once", Range(1, n), KOKKOS_LAMBDA(int i) { y(i) = *(x.data() + (static_cast<unsigned>(i) + less)); });
  Kokkos::parallel_for(
      "odd", n / 2, KOKKOS_LAMBDA(int i) {
        auto* const at = reinterpret_cast<double*>(reinterpret_cast<char*>(x.data()) + 8 * i + 4);
        *at = 1;
      });
  Kokkos::parallel_for(
      "narrow", n, KOKKOS_LAMBDA(int i) { k(static_cast<unsigned char>(i)) = 0; });
}

/// Lanes that meet.
void races(Doubles x, Doubles y) {
  int const stride = 2, none = 0, back = -1;
  Kokkos::parallel_for(
      "neighbours", Range(0, n - 1), KOKKOS_LAMBDA(int i) { x(i) = x(i + 1); });
  Kokkos::parallel_for(
      "neighbours by pointer", Range(1, n), KOKKOS_LAMBDA(int i) { *(x.data() + i) = *(x.data() + i - 1) + y(i); });
  Kokkos::parallel_for(
      "same place", n, KOKKOS_LAMBDA(int i) { x(0) = i; });
  Kokkos::parallel_for(
      "same place by stride", n, KOKKOS_LAMBDA(int i) { x(none * i) = i; });
  Kokkos::parallel_for(
      "both ways", n, KOKKOS_LAMBDA(int i) { x(i) = x(n - 1 - i); });
  Kokkos::parallel_for(
      "strides", n / 2, KOKKOS_LAMBDA(int i) { x(stride * i) = x(i); });
  Kokkos::parallel_for(
      "backwards", Range(1, n), KOKKOS_LAMBDA(int i) { x(n - 1 + back * i) = x(n + back * i); });
  Kokkos::parallel_for(
      "pairs that overlap", n / 2 - 1, KOKKOS_LAMBDA(int i) {
        x(stride * i) = i;
        x(stride * i + 2) = i;
      });
  auto const low = Kokkos::subview(x, std::pair<int, int>(0, n - 7));
  auto const high = Kokkos::subview(x, std::pair<int, int>(7, n));
  Kokkos::parallel_for(
      "subviews", n - 7, KOKKOS_LAMBDA(int i) { low(i) = high(i); });
  double* const aliased = x.data() + 300;
  Kokkos::parallel_for(
      "raw pointer", n - 300, KOKKOS_LAMBDA(int i) { aliased[i] = x(i); });
  auto const first = Kokkos::subview(x, std::pair<int, int>(0, n / 2));
  auto const second = Kokkos::subview(x, std::pair<int, int>(n / 2, n));
  Kokkos::parallel_for(
      "halves", n / 2, KOKKOS_LAMBDA(int i) { first(i) = second(i); });
  Kokkos::parallel_for(
      "sum", n, KOKKOS_LAMBDA(int i) { x(0) += y(i); });
}

/// What nobody has written, and what was written by launches that are decided.
void uninitialised(Doubles y) {
  Doubles tail = raw("tail", n), all = raw("all", n), gaps = raw("gaps", 2 * n), some = raw("some", n), again = raw("again", n);
  Kokkos::parallel_for(
      "all but the tail", n - 10, KOKKOS_LAMBDA(int i) { tail(i) = i; });
  Kokkos::parallel_for(
      "reads the tail", n, KOKKOS_LAMBDA(int i) { y(i) = tail(i); });
  Kokkos::parallel_for(
      "whole", n, KOKKOS_LAMBDA(int i) { all(i) = i; });
  Kokkos::parallel_for(
      "reads the whole", n, KOKKOS_LAMBDA(int i) { y(i) = all(i); });
  Kokkos::parallel_for(
      "every other", n, KOKKOS_LAMBDA(int i) { gaps(2 * i) = i; });
  Kokkos::parallel_for(
      "reads every other", n, KOKKOS_LAMBDA(int i) { y(i) = gaps(2 * i); });
  Kokkos::parallel_for(
      "reads the gaps", n, KOKKOS_LAMBDA(int i) { y(i) = gaps(2 * i + 1); });
  Kokkos::parallel_for(
      "a third", n, KOKKOS_LAMBDA(int i) {
        if (i % 3 == 0) some(i) = i;
      });
  Kokkos::parallel_for(
      "reads the third", n, KOKKOS_LAMBDA(int i) { y(i) = some(i); });
  Kokkos::parallel_for(
      "reads what it has written", n, KOKKOS_LAMBDA(int i) {
        again(i) = i;
        y(i) = again(n - 1 - i);
      });
  Kokkos::deep_copy(all, tail);
  Kokkos::parallel_for(
      "reads the copy", n, KOKKOS_LAMBDA(int i) { y(i) = all(i); });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), gaps);
  if (host(0) != 0) std::puts("gaps begin elsewhere");
  for (int turn = 0; turn != 3; ++turn) {  // memory that was written, and handed out anew
    Doubles other = raw("other", n);
    if (turn != 1)
      Kokkos::parallel_for(
          "other", n, KOKKOS_LAMBDA(int i) { other(i) = turn; });
    Kokkos::parallel_for(
        "reads the other", n, KOKKOS_LAMBDA(int i) { y(i) = other(i); });
  }
}

/// What the host reaches, before and behind fences.
void fences() {
  Kokkos::View<double*, Kokkos::SharedSpace> shared("shared", n);
  Kokkos::parallel_for(
      "shared", n, KOKKOS_LAMBDA(int i) { shared(i) = i; });
  shared(3) = 1;
  Kokkos::fence();
  shared(3) = 2;
  Kokkos::parallel_for(
      "shared again", n, KOKKOS_LAMBDA(int i) { shared(i) += i; });
  Kokkos::fence();
  double* const host = new double[n]();
  Kokkos::parallel_for(
      "host memory", n, KOKKOS_LAMBDA(int i) { host[i] = i; });
  delete[] host;
}

void freed(Doubles y) {
  double const* gone = nullptr;
  {
    Doubles short_lived("short lived", n);
    gone = short_lived.data();
  }
  Kokkos::parallel_for(
      "freed", n, KOKKOS_LAMBDA(int i) { y(i) = gone[i]; });
}

struct Pair {
  float a, b;
};
struct Member {
  Doubles x;
  int shift;
  KOKKOS_FUNCTION void operator()(int i) const { x(i + shift) = i; }
};

void forms(Doubles y, Ints k) {
  Kokkos::View<Pair*> pairs("pairs", n);
  Kokkos::View<Kokkos::complex<double>*> numbers("numbers", n);
  Kokkos::View<char*> bytes("bytes", n);
  Kokkos::parallel_for(
      "members", n, KOKKOS_LAMBDA(int i) { pairs(i).a = pairs(i).b; });
  Kokkos::parallel_for(
      "structs", n, KOKKOS_LAMBDA(int i) {
        pairs(i) = Pair{1, 2};
      });
  Kokkos::parallel_for(
      "complex", n, KOKKOS_LAMBDA(int i) { numbers(i) = numbers(i) * 2.; });
  auto* const odd = reinterpret_cast<Kokkos::complex<double>*>(y.data() + 1);  // which the compiler takes for even
  Kokkos::parallel_for(
      "complex at odd words", n / 4 - 1, KOKKOS_LAMBDA(int i) {
        Kokkos::complex<double> sum = 0;
        for (int k = 0; k < 2; ++k) sum += odd[2 * i + k];
        numbers(i) = sum;
      });
  Kokkos::parallel_for(
      "bytes", n, KOKKOS_LAMBDA(int i) { bytes(i) = static_cast<char>(i); });
  Kokkos::parallel_for(
      "ints", n, KOKKOS_LAMBDA(int i) { k(i) = i; });
  Kokkos::parallel_for(
      "gather", n, KOKKOS_LAMBDA(int i) { y(i) = k(k(i)); });
  Kokkos::parallel_for("functor", n - 5, Member{y, 5});
  Kokkos::parallel_for("functor outside", n, Member{y, 5});
  Kokkos::parallel_for(
      "loop", n, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int j = 0; j < k(i) % 4; ++j) sum += y(j);
        k(i) = static_cast<int>(sum);
      });
  Kokkos::parallel_for(
      "atomics", n, KOKKOS_LAMBDA(int i) { Kokkos::atomic_add(&k(i % 8), 1); });
  int const by = k.extent_int(0) > 0 ? 3 : 0;
  Kokkos::parallel_for(
      "divides", n, KOKKOS_LAMBDA(int i) { y(i) = i / by; });
}

}  // namespace
