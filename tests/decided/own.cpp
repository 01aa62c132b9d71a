// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// own SEED LAUNCHES: launches of 32 kernels that are drawn when this is compiled (-DTEAMSAN_DRAWN=N: others), whose lanes have
// arrays of their own: of numbers, in structs, of arrays, Kokkos' and the standard library's, indexed by constants, by loops,
// by what is looked up, and by numbers that lie outside; whose addresses are handed on: into Views without memory of their own,
// to functions in line and out of line, through references that a lambda holds, through pointers that may point into a View as
// well, or that lie in an array themselves; whose elements are indices into Views. What is told, and what is left, must not
// hang on whether arithmetic decides launches.
#include <Kokkos_Core.hpp>

#include "Draw.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#ifndef TEAMSAN_DRAWN
#define TEAMSAN_DRAWN 1
#endif

namespace {

constexpr std::uint32_t kernels = 32, most_statements = 3;
constexpr int most_lanes = 2300, words = 16 * most_lanes;

constexpr std::uint32_t dice(std::uint32_t seed, std::uint32_t throws, std::uint32_t sides) {
  return drawing::dice(0x3c6ef372u, seed, throws, sides);
}

struct Inner {
  int before;
  int e[4];
  int behind;
};
struct Drawn {
  int *x, *y;        ///< of `words` numbers, and these of one memory, now and then
  int const* looked_up;  ///< numbers from 0 to 3, mostly
  int base, stride, first, last, which;
  int* out;
};

/// Out of line: who calls it is not decided.
[[gnu::noinline]] KOKKOS_FUNCTION int sum_of(int const* e, int n) {
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += e[k];
  return sum;
}
KOKKOS_INLINE_FUNCTION void fill(int* e, int n, int value) {
  for (int k = 0; k < n; ++k) e[k] = value + k;
}
KOKKOS_INLINE_FUNCTION int& element(Inner& of, int k) { return of.e[k]; }

template <std::uint32_t kernel>
struct Body {
  Drawn d;

  KOKKOS_FUNCTION int& at(int i) const { return d.x[d.base + d.stride * i]; }

  template <std::uint32_t n>
  KOKKOS_FUNCTION void statement(int i, int& sum) const {
    constexpr std::uint32_t which = dice(kernel, 10 + n, 24);
    int const k = d.looked_up[i], fixed = d.which;
    if constexpr (which == 0) {
      int e[4] = {1, 2, 3, i};
      sum += e[k];
    } else if constexpr (which == 1) {
      int e[4] = {};
      e[fixed] = i;
      sum += e[0] + e[3];
    } else if constexpr (which == 2) {
      int e[4] = {};
      for (int m = d.first; m < d.last; ++m) e[m] = d.x[i] + m;
      sum += e[1] + e[2];
    } else if constexpr (which == 3) {
      Inner own{1, {2, 3, 4, 5}, 6};
      own.e[k] = i;
      sum += own.before + own.behind + own.e[2];
    } else if constexpr (which == 4) {
      int grid[2][2] = {{1, 2}, {3, i}};
      sum += grid[k & 1][fixed & 1] + grid[d.first & 1][k];
    } else if constexpr (which == 5) {
      Kokkos::Array<int, 4> e{1, 2, 3, 4};
      e[static_cast<unsigned>(k)] += i;
      sum += e[2];
    } else if constexpr (which == 6) {
      std::array<int, 4> e{1, 2, 3, i};
      sum += e[static_cast<unsigned>(fixed)];
    } else if constexpr (which == 7) {
      int e[4] = {3, 2, 1, 0};
      at(e[k & 3] + 4 * i) = i;  // an index into memory of all lanes
    } else if constexpr (which == 8) {
      int e[4] = {i, i + 1, i + 2, i + 3};
      sum += d.y[e[k & 3]];
    } else if constexpr (which == 9) {
      int e[4] = {1, 2, 3, 4};
      int* const p = (fixed & 1) != 0 ? e : &at(i);
      p[0] = i;
      sum += e[0];
    } else if constexpr (which == 10) {
      int e[4] = {1, 2, 3, 4};
      int* const p = k == 1 ? e + 1 : d.x + i;
      *p += 1;
      sum += e[1];
    } else if constexpr (which == 11) {
      int e[4] = {0, 0, 0, i};
      int* rows[2] = {e, d.x + 4 * i};
      rows[k & 1][fixed & 3] = 7;
      sum += e[fixed & 3];
    } else if constexpr (which == 12) {
      int e[4];
      fill(e, 4, i);
      sum += sum_of(e, 4);
    } else if constexpr (which == 13) {
      int e[4];
      fill(e, 4, d.x[i]);
      sum += e[k & 3];
    } else if constexpr (which == 14) {
      int e[4] = {1, 2, 3, 4};
      Kokkos::View<int*, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const own(e, 4);
      own(k & 3) = i;
      sum += own(2) + e[1];
    } else if constexpr (which == 15) {
      int e[4] = {1, 2, 3, 4};
      auto const add = [&](int m) { e[m & 3] += d.y[i]; };
      add(k);
      add(fixed);
      sum += e[0];
    } else if constexpr (which == 16) {
      Inner own{0, {0, 0, 0, 0}, 0};
      element(own, k) = i;
      sum += own.e[1] + own.behind;
    } else if constexpr (which == 17) {
      Inner all[3] = {};
      all[fixed % 3].e[k] = i;
      sum += all[1].e[1];
    } else if constexpr (which == 18) {
      int e[8];
      __builtin_memcpy(e, d.x + 8 * i, sizeof e);
      sum += e[k] + e[7];
      __builtin_memcpy(d.y + 8 * i + (fixed & 1), e, 4 * sizeof(int));
    } else if constexpr (which == 19) {
      Inner const copy = *reinterpret_cast<Inner const*>(d.x + 6 * i);
      sum += copy.e[k];
      reinterpret_cast<Inner*>(d.y)[i] = copy;
    } else if constexpr (which == 20) {
      int e[4] = {1, 2, 3, 4};
      for (int m = 0; m < 4; ++m) e[m] = e[(m + k) & 3] + d.x[4 * i + m];
      for (int m = 0; m < 4; ++m) d.y[4 * i + m] = e[m];
    } else if constexpr (which == 21) {
      double e[3] = {1, 2, 3};
      if (k >= 0 && k < 3) e[k] = i;
      sum += static_cast<int>(e[fixed & 1]);
    } else if constexpr (which == 22) {
      int e[4] = {4, 3, 2, 1};
      int const* const p = e + (k & 1);
      at(i) = p[fixed & 1] + p[2];
    } else {
      int e[5] = {0, 1, 2, 3, 4};
      int m = 0;
      while (m < 4 && e[m] != fixed) ++m;
      sum += e[m] + d.x[i + m];
    }
  }

  KOKKOS_FUNCTION int run(int i) const {
    int sum = 0;
    constexpr std::uint32_t statements = 1 + dice(kernel, 5, most_statements);
    statement<0>(i, sum);
    if constexpr (statements > 1) statement<1>(i, sum);
    if constexpr (statements > 2) statement<2>(i, sum);
    d.out[i] = sum & 8191;
    return sum & 8191;
  }
  KOKKOS_FUNCTION void operator()(int i) const { run(i); }
  KOKKOS_FUNCTION void operator()(int i, long& sum) const { sum += run(i); }
};

long total = 0;

template <std::uint32_t kernel>
void launch(std::string const& label, int lanes, Drawn const& d) {
  if constexpr (dice(kernel, 6, 4) == 0) {
    long sum = 0;
    Kokkos::parallel_reduce(label, lanes, Body<kernel>{d}, sum);
    total = total * 31 + sum;
  } else {
    Kokkos::parallel_for(label, lanes, Body<kernel>{d});
  }
}
using Launch = void (*)(std::string const&, int, Drawn const&);
template <std::uint32_t... number>
std::array<Launch, kernels> all_kernels(std::integer_sequence<std::uint32_t, number...>) {
  return {&launch<TEAMSAN_DRAWN * 1000 + number>...};
}

using Draw = drawing::Draw<int>;

using Ints = Kokkos::View<int*>;

/// Mostly each lies inside of an array of four.
void look_up_anew(Draw& draw, Ints const& looked_up) {
  auto const host = Kokkos::create_mirror_view(looked_up);
  int const most = draw.one_in(3) ? 1 : 3;
  for (int i = 0; i != most_lanes; ++i) host(i) = draw.between(0, most);
  if (draw.one_in(3)) host(draw.between(0, most_lanes - 1)) = draw.one_in(2) ? draw.between(4, 9) : -draw.between(1, 5);
  Kokkos::deep_copy(looked_up, host);
}

std::uint64_t hash(Ints const& of) {
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), of);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i != host.extent(0); ++i) sum = sum * 31 + static_cast<unsigned>(host(i));
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Draw draw(argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1);
  int const launches = argc > 2 ? std::atoi(argv[2]) : 400;
  auto const all = all_kernels(std::make_integer_sequence<std::uint32_t, kernels>());
  Ints const x("x", words), y("y", words), looked_up("looked up", most_lanes), out("out", most_lanes);
  for (int l = 0; l != launches; ++l) {
    if (l == 0 || draw.one_in(3)) look_up_anew(draw, looked_up);
    if (draw.one_in(5)) Kokkos::deep_copy(draw.one_in(2) ? x : y, draw.between(0, 3));
    int const lanes = draw.between(2100, most_lanes - 10);
    Drawn d{};
    d.x = x.data();
    d.y = draw.one_in(5) ? x.data() : y.data();
    d.looked_up = draw.one_in(12) ? x.data() : looked_up.data();
    d.base = draw.between(0, 2);
    d.stride = draw.one_in(6) ? 0 : draw.between(1, 3);
    d.first = draw.one_in(8) ? -1 : 0;
    d.last = draw.one_in(8) ? 6 : draw.between(0, 4);
    d.which = draw.one_in(6) ? draw.between(4, 6) : draw.between(0, 3);
    d.out = out.data();
    all[static_cast<std::size_t>(draw.between(0, kernels - 1))]("k" + std::to_string(l), lanes, d);
  }
  Kokkos::fence();
  std::printf("%016llx %016llx %016llx %ld\n", static_cast<unsigned long long>(hash(x)),
              static_cast<unsigned long long>(hash(y)), static_cast<unsigned long long>(hash(out)), total);
  std::fflush(stdout);
  std::_Exit(0);
}
