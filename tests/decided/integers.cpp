// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices and counters of every width, with a sign and without, that wrap around, are cut off and made longer, and cases of a
// switch: of lanes that meet and of lanes that do not the same is told with --decide 1 and without.
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace {

struct Four {
  int a[4];
};
struct Five {
  int a[5];
};

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const guard(argc, argv);
  int const n = 5000;
  Kokkos::View<int*> const x("x", 70000), y("y", 70000);
  unsigned const length = n + argc - 1;
  std::int64_t const negative = -5 * argc;
  std::size_t const eight = 8 * argc;
  std::uint16_t const far = 40000 + argc;
  auto const run = [&](char const* label, auto const& body) { Kokkos::parallel_for(label, Kokkos::RangePolicy<>(0, n), body); };
  run(
      "switch meets", KOKKOS_LAMBDA(int i) {
        switch (i) {
          case 300:
            y(7) = 1;
            break;
          case 900:
            y(7) = 2;
            break;
          default:
            y(i + 10) = 3;
        }
      });
  run(
      "switch default meets", KOKKOS_LAMBDA(int i) {
        switch (i) {
          case 0:
          case 1:
          case 2:
            break;
          default:
            y(i - 3) = 3;
            y(i + 1) = 2;
        }
      });
  run(
      "switch apart", KOKKOS_LAMBDA(int i) {
        switch (i) {
          case 0:
            y(n) = 1;
            break;
          case 4999:
            y(n + 1) = 2;
            break;
          default:
            y(i) = 3;
        }
      });
  run(
      "unsigned wrap", KOKKOS_LAMBDA(int i) {
        unsigned k = static_cast<unsigned>(i) - 10u;
        if (k < length - 20u) y(k) = y(k + 20) + 1;
      });
  run(
      "unsigned wrap no guard", KOKKOS_LAMBDA(int i) {
        unsigned k = (static_cast<unsigned>(i) + 4294967290u) & 0xffffu;
        y(k) = i;
      });
  run(
      "unsigned counter", KOKKOS_LAMBDA(int i) {
        for (unsigned k = 0; k != length % 8; ++k) y(8 * i + k) = i;
      });
  run(
      "unsigned counter meets", KOKKOS_LAMBDA(int i) {
        for (unsigned k = 0; k <= eight; ++k) y(8 * i + k) = i;
      });
  run(
      "size_t counter", KOKKOS_LAMBDA(int i) {
        for (std::size_t k = 0; k < eight; ++k) y(8 * i + k) = x(i + k);
      });
  run(
      "int against size_t", KOKKOS_LAMBDA(int i) {
        for (int k = 0; static_cast<std::size_t>(k) < eight; ++k) y(8 * i + k) = i;
      });
  run(
      "long against int", KOKKOS_LAMBDA(int i) {
        int const e = static_cast<int>(eight);
        for (long k = 0; static_cast<int>(k) < e; ++k) y(8 * i + k) = i;
      });
  run(
      "negative limit", KOKKOS_LAMBDA(int i) {
        if (i < 3) return;
        std::int64_t k = 0;
        do {
          y(8 * i + k) = i;
          ++k;
        } while (k < negative);
      });
  run(
      "negative limit meets", KOKKOS_LAMBDA(int i) {
        std::int64_t k = 0;
        do {
          y(k) = i;
          ++k;
        } while (k < negative);
      });
  run(
      "short counter", KOKKOS_LAMBDA(int i) {
        for (std::uint16_t k = 0; k < 9; ++k) y(8 * i + k) = i;
      });
  run(
      "short index", KOKKOS_LAMBDA(int i) {
        std::uint16_t k = static_cast<std::uint16_t>(i + far);
        y(k) = i;
      });
  run(
      "short index wraps", KOKKOS_LAMBDA(int i) {
        std::uint16_t k = static_cast<std::uint16_t>(14 * i);
        y(k) = i;
      });
  run(
      "signed byte", KOKKOS_LAMBDA(int i) {
        std::int8_t k = static_cast<std::int8_t>(i);
        y(1000 + k) = 1;
      });
  run(
      "or", KOKKOS_LAMBDA(int i) {
        y(2 * i | 1) = i;
        y(2 * i) = x(i);
      });
  run(
      "or meets", KOKKOS_LAMBDA(int i) {
        y(2 * i | 1) = i;
        y(2 * i + 3) = 1;
      });
  run(
      "xor", KOKKOS_LAMBDA(int i) { y(i ^ 1) = i; });
  run(
      "not", KOKKOS_LAMBDA(int i) { y(~i + n) = x(i); });
  run(
      "shift down", KOKKOS_LAMBDA(int i) { y(i >> 1) = i; });
  run(
      "shift down one", KOKKOS_LAMBDA(int i) {
        if ((i & 1) == 0) y(i >> 1) = i;
      });
  run(
      "triangle", KOKKOS_LAMBDA(int i) {
        if (i > 60) return;
        for (int j = 0; j < i; ++j) y(61 * i + j) = 1;
      });
  run(
      "triangle meets", KOKKOS_LAMBDA(int i) {
        if (i > 60) return;
        for (int j = 0; j <= i; ++j) y(60 * i + j) = 1;
      });
  run(
      "pointers", KOKKOS_LAMBDA(int i) {
        int* p = &y(8 * i);
        int* const e = p + 8;
        for (; p != e; ++p) *p = i;
      });
  run(
      "pointers meet", KOKKOS_LAMBDA(int i) {
        int* p = &y(8 * i);
        int* const e = p + 9;
        for (; p != e; ++p) *p = i;
      });
  run(
      "bool index", KOKKOS_LAMBDA(int i) { y(i + (x(i) > 0)) = 1; });
  run(
      "max of", KOKKOS_LAMBDA(int i) { y(Kokkos::max(i, 100)) = 1; });
  run(
      "struct copy", KOKKOS_LAMBDA(int i) { *reinterpret_cast<Four*>(&y(4 * i)) = *reinterpret_cast<Four*>(&x(4 * i)); });
  run(
      "struct copy meets", KOKKOS_LAMBDA(int i) { *reinterpret_cast<Five*>(&y(4 * i)) = *reinterpret_cast<Five*>(&x(4 * i)); });
  run(
      "own array", KOKKOS_LAMBDA(int i) {
        int a[8];
        for (int k = 0; k < 8; ++k) a[(k * i) & 7] = k;
        y(i) = a[0] + a[i & 7];
      });
  run(
      "break", KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < 8; ++k) {
          if (x(i + k) != 0) break;
          y(8 * i + k) = 1;
        }
      });
  run(
      "two counters", KOKKOS_LAMBDA(int i) {
        int q = 8 * i;
        for (int k = 8; k-- > 0;) y(q++) = 1;
      });
  run(
      "two counters meet", KOKKOS_LAMBDA(int i) {
        int q = 8 * i;
        for (int k = 9; k-- > 0;) y(q++) = 1;
      });
  run(
      "quotient rows", KOKKOS_LAMBDA(int i) {
        if (i / 50 < 3)
          y(i) = 1;
        else
          y(i - 150) = 2;
      });
  run(
      "quotient rows apart", KOKKOS_LAMBDA(int i) {
        if (i / 50 < 3)
          y(i) = 1;
        else
          y(i + 150) = 2;
      });
}
