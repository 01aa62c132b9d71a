// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flat kernels and scans, right and wrong ones, of what checks in line decide and of what they leave to the runtime: reports
// are the same with them and without. `flat count`: the callbacks that right kernels make (CMakeLists.txt wraps them).
#include <Kokkos_Core.hpp>

#include <complex>
#include <cstdio>
#include <string_view>

extern "C" {
long callbacks = 0;
#define COUNTED(name)                                                                              \
  void __real___tsan_##name(void*);                                                                \
  TEAMSAN_NO_INSTRUMENT void __wrap___tsan_##name(void* p) {                                       \
    ++callbacks;                                                                                   \
    __real___tsan_##name(p);                                                                       \
  }                                                                                                \
  void __real___teamsan_##name(void*, unsigned long long, unsigned);                               \
  TEAMSAN_NO_INSTRUMENT void __wrap___teamsan_##name(void* p, unsigned long long pc, unsigned n) { \
    ++callbacks;                                                                                   \
    __real___teamsan_##name(p, pc, n);                                                             \
  }
#define COUNTED_OF_SCANS(name)                                                              \
  void __real___teamsan_team_##name(void*, unsigned long long);                             \
  TEAMSAN_NO_INSTRUMENT void __wrap___teamsan_team_##name(void* p, unsigned long long pc) { \
    ++callbacks;                                                                            \
    __real___teamsan_team_##name(p, pc);                                                    \
  }
COUNTED(read4)
COUNTED(read8)
COUNTED(read16)
COUNTED(write4)
COUNTED(write8)
COUNTED(write16)
COUNTED_OF_SCANS(read4)
COUNTED_OF_SCANS(read8)
COUNTED_OF_SCANS(write4)
COUNTED_OF_SCANS(write8)
}

namespace {

using Doubles = Kokkos::View<double*>;
using Ints = Kokkos::View<int*>;
using Grid = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
constexpr int n = 5000;

struct Pair {
  int a, b;
};
[[gnu::noinline]] void add_one(double* p) { *p += 1; }

/// A value that was loaded for another word; what a lane reads it has written, or not.
void right(Doubles x, Doubles y, Ints k) {
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { x(i) = i; });
  Kokkos::parallel_for(
      "ints", n, KOKKOS_LAMBDA(int i) { k(i) = (i * 7) % n; });
  Kokkos::parallel_for(
      "axpy", n, KOKKOS_LAMBDA(int i) { y(i) += 2 * x(i); });
  Kokkos::parallel_for(
      "gather", n, KOKKOS_LAMBDA(int i) { y(i) = x(k(i)) + x(k((i + 1) % n)); });
  Kokkos::parallel_for(
      "twice", n, KOKKOS_LAMBDA(int i) {
        y(i) = x(i);
        add_one(&y(i));
        add_one(&y(i));
        y(i) = y(i) * x(0);
      });
  double sum = 0;
  Kokkos::parallel_reduce(
      "dot", n, KOKKOS_LAMBDA(int i, double& s) { s += x(i) * y(i); }, sum);
  Kokkos::View<double**> a("a", 70, 90), b("b", 70, 90);
  Kokkos::parallel_for(
      "fill2", Grid({0, 0}, {70, 90}), KOKKOS_LAMBDA(int i, int j) { a(i, j) = i - j; });
  Kokkos::parallel_for(
      "stencil", Grid({1, 1}, {69, 89}),
      KOKKOS_LAMBDA(int i, int j) { b(i, j) = a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1) - 4 * a(i, j); });
  Kokkos::View<std::complex<double>*> z("z", n);
  Kokkos::parallel_for(
      "wide", n, KOKKOS_LAMBDA(int i) {
        z(i) = {x(i), 1.0 * i};
      });
  Kokkos::parallel_for(
      "copies", n, KOKKOS_LAMBDA(int i) {
        if (i % 2 == 0 && i + 1 < n) z(i) = z(i + 1);
      });
  std::printf("%g\n", sum);
}

void wrong(Doubles x, Doubles y, Ints k) {
  Kokkos::parallel_for(
      "neighbours", n - 1, KOKKOS_LAMBDA(int i) { x(i) = x(i + 1) * 0.5; });
  Kokkos::parallel_for(
      "before", n - 1, KOKKOS_LAMBDA(int i) { x(i + 1) = x(i) * 0.5; });
  Kokkos::parallel_for(
      "far", n - 600, KOKKOS_LAMBDA(int i) { x(i + 600) = x(i) * 0.5; });
  Kokkos::parallel_for(
      "one_word", n, KOKKOS_LAMBDA(int i) { x(3) = i; });
  Kokkos::parallel_for(
      "one_sum", n, KOKKOS_LAMBDA(int i) { x(4) += y(i); });
  Kokkos::parallel_for(
      "every_third", n, KOKKOS_LAMBDA(int i) { k(i / 3) = i; });
  Kokkos::parallel_for(
      "late", n, KOKKOS_LAMBDA(int i) {
        if (i == 4321) x(17) = 1;
        y(i) = x(17);
      });
  Kokkos::parallel_for(
      "early", n, KOKKOS_LAMBDA(int i) {
        if (i == 12) x(17) = 1;
        y(i) = x(17);
      });
  Kokkos::parallel_for(
      "atomic_and_plain", n, KOKKOS_LAMBDA(int i) { i % 1000 == 7 ? void(k(0) = i) : Kokkos::atomic_inc(&k(0)); });
  Kokkos::parallel_for(
      "out_of_line", n, KOKKOS_LAMBDA(int i) { add_one(&y(i / 2)); });
  Doubles fresh(Kokkos::view_alloc("fresh", Kokkos::WithoutInitializing), n);
  Kokkos::parallel_for(
      "half", n / 2, KOKKOS_LAMBDA(int i) { fresh(2 * i) = i; });
  Kokkos::parallel_for(
      "uninitialised", n, KOKKOS_LAMBDA(int i) { y(i) = fresh(i); });
  Kokkos::View<Pair*> pairs(Kokkos::view_alloc("pairs", Kokkos::WithoutInitializing), n);
  Kokkos::parallel_for(
      "members", n, KOKKOS_LAMBDA(int i) { pairs(i).a = i; });
  Kokkos::parallel_for(
      "other_members", n, KOKKOS_LAMBDA(int i) { k(i) = pairs(i).a + pairs((i + 1) % n).b; });
  Kokkos::parallel_for(
      "behind", n, KOKKOS_LAMBDA(int i) { x.data()[i + (i > n - 3)] = y.data()[i]; });
  Kokkos::parallel_for(
      "in_front", n, KOKKOS_LAMBDA(int i) { y(i) = x.data()[i - 1]; });
  Kokkos::View<short*> shorts("shorts", 2 * n);
  Kokkos::parallel_for(
      "halves", n, KOKKOS_LAMBDA(int i) { shorts(i) = static_cast<short>(i); });
  Kokkos::parallel_for(
      "halves_and_whole", n / 2, KOKKOS_LAMBDA(int i) {
        if (i % 100 == 3) shorts(2 * i + 2) = 1;
        *reinterpret_cast<int*>(&shorts(2 * i)) = i;
      });
  Kokkos::View<std::complex<double>*> z("z", n);
  Kokkos::parallel_for(
      "wide_neighbours", n - 1, KOKKOS_LAMBDA(int i) { z(i) = z(i + 1); });
  Kokkos::parallel_for(
      "parts", n, KOKKOS_LAMBDA(int i) {
        z(i) = 1.0;
        reinterpret_cast<double*>(&z(0))[2 * ((i + 1) % n) + 1] = 2;
      });
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum_and_store", n,
      KOKKOS_LAMBDA(int i, double& s) {
        s += i + 0 * x(i);  // no two lanes store the same, whatever races have left in x
        y(i / 10) = s;
      },
      sum);
  Kokkos::parallel_for(
      "throws", n, KOKKOS_LAMBDA(int i) {
        x(i) = 1;
        try {
          if (i % 999 == 5) throw i;
        } catch (int) {
          y(i) = x((i + 1) % n);
        }
      });
  Kokkos::parallel_for(
      "waits", 300, KOKKOS_LAMBDA(int i) {
        if (i == 0)
          while (Kokkos::atomic_load(&k(99)) == 0) {
          }
        x(i) = x((i + 1) % 300);
        if (i == 200) Kokkos::atomic_store(&k(99), 1);
      });
}

using Wide = Kokkos::View<std::complex<double>*>;

/// Behind each of a scan's two steps its lanes meet; those of another block it never meets.
void right_scans(Doubles x, Doubles y, Ints k, Wide z) {
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) {
        x(i) = i % 3;
        k(i) = i % 2;
        z(i) = {x(i), 1.0 * i};
      });
  Kokkos::parallel_scan(
      "prefix", n, KOKKOS_LAMBDA(int i, double& s, bool last) {
        s += x(i);
        if (last) y(i) = s;
      });
  int found = 0;
  Kokkos::parallel_scan(
      "compacted", n,
      KOKKOS_LAMBDA(int i, int& s, bool last) {
        if (x(i) < 1) return;
        if (last) y(s) = x(i) + x(0);
        ++s;
      },
      found);
  Kokkos::parallel_scan(
      "in_place", n, KOKKOS_LAMBDA(int i, int& s, bool last) {
        int const own = k(i);
        if (last) k(i) = s;
        s += own;
      });
  Kokkos::parallel_scan(
      "of_wide", n, KOKKOS_LAMBDA(int i, double& s, bool last) {
        s += z(i).imag();
        if (last) z(i) = {s, x((i + 1) % n)};
      });
  Kokkos::parallel_scan(
      "greatest", n, KOKKOS_LAMBDA(int i, double& s, bool last) {
        s += x(i);
        if (!last) return;
        Kokkos::atomic_max(&y(0), s);
        Kokkos::atomic_add(&y(1 + i % 7), 0.5);
      });
  std::printf("%d\n", found);
}

void wrong_scans(Doubles x, Doubles y, Ints k, Wide z) {
  Kokkos::parallel_scan(
      "shifted", n - 1, KOKKOS_LAMBDA(int i, double& s, bool last) {
        s += x(i + 1);
        if (last) x(i) = s;
      });
  Kokkos::parallel_scan(
      "neighbours_of_last", n - 1, KOKKOS_LAMBDA(int i, int& s, bool last) {
        s += 1;
        if (last) k(i) = s + 0 * k(i + 1);
      });
  Kokkos::parallel_scan(
      "one_word_of_all", n, KOKKOS_LAMBDA(int i, double& s, bool last) {
        s += i;
        if (last) y(3) = s;
      });
  Kokkos::parallel_scan(
      "far_block", n - 600, KOKKOS_LAMBDA(int i, double& s, bool last) {
        s += x(i);
        if (last) x(i + 600) = s;
      });
  Kokkos::parallel_scan(
      "atomic_and_plain_last", n, KOKKOS_LAMBDA(int i, double& s, bool last) {
        s += 1;
        if (last) i % 1000 == 7 ? void(y(0) = s) : Kokkos::atomic_max(&y(0), s);
      });
  Doubles fresh(Kokkos::view_alloc("fresh", Kokkos::WithoutInitializing), n);
  Kokkos::parallel_scan(
      "unwritten", n, KOKKOS_LAMBDA(int i, double& s, bool last) {
        s += i == 1234 ? fresh(i) : 1;
        if (last && i != 77) fresh(i) = s;
      });
  Kokkos::parallel_scan(
      "behind_last", n, KOKKOS_LAMBDA(int i, int& s, bool last) {
        s += 1;
        if (last) k.data()[i + (i > n - 3)] = s;
      });
  Kokkos::View<short*> shorts("shorts", 2 * n);
  Kokkos::parallel_scan(
      "halves_of_last", n, KOKKOS_LAMBDA(int i, int& s, bool last) {
        s += shorts(2 * i);
        if (last) shorts((2 * i + 5) % n) = 1;
      });
  Kokkos::parallel_scan(
      "wide_shifted", n - 1, KOKKOS_LAMBDA(int i, double& s, bool last) {
        s += z(i + 1).real();
        if (last) z(i) = z(i + 1);
      });
  Kokkos::parallel_scan(
      "parts_of_wide", n, KOKKOS_LAMBDA(int i, double& s, bool last) {
        s += 1;
        if (last) reinterpret_cast<float*>(&z(0))[(4 * i + 3) % (4 * n - 1)] = 2;
        if (last && i % 500 == 1) z(i + 1) = s;
      });
}

void count(Doubles x, Doubles y) {
  auto const told = [](char const* what, auto launch) {
    long const before = callbacks;
    launch();
    std::printf("%s %ld\n", what, callbacks - before);
  };
  for (int turn = 0; turn != 2; ++turn) {
    told("store", [&] {
      Kokkos::parallel_for(
          "store", n, KOKKOS_LAMBDA(int i) { x(i) = i; });
    });
    told("axpy", [&] {
      Kokkos::parallel_for(
          "axpy", n, KOKKOS_LAMBDA(int i) { y(i) += 2 * x(i); });
    });
    told("many", [&] {
      Kokkos::parallel_for(
          "many", n, KOKKOS_LAMBDA(int i) { y(i) = x(0) + x(1); });
    });
    told("kept", [&] {  // what is volatile is the lane's own
      Kokkos::parallel_for(
          "kept", n, KOKKOS_LAMBDA(int i) {
            double volatile kept = x(i);
            y(i) = kept + kept;
          });
    });
    told("scan", [&] {
      Kokkos::parallel_scan(
          "scan", n, KOKKOS_LAMBDA(int i, double& s, bool last) {
            s += x(i);
            if (last) y(i) = s;
          });
    });
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Doubles x("x", n), y("y", n);
  Ints k("k", n);
  if (argc > 1) return count(x, y), 0;
  for (int turn = 0; turn != 2; ++turn) {
    right(x, y, k);
    wrong(x, y, k);
    Wide const z("z", n);
    right_scans(x, y, k, z);
    wrong_scans(x, y, k, z);
  }
}
