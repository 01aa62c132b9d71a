// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tables SEED LAUNCHES: launches of 40 kernels that are drawn when this is compiled (-DTEAMSAN_DRAWN=N: others), whose indices,
// limits and pointers lie in memory that kernels write: each of some statements that look up where they go, in loops of all
// forms (up, down, with other ways out and turns that are left out, entered by another comparison than the one that ends them,
// with limits at the ends of their types), through pointers in memory, structs, strided Views, functions in the body. All of
// them is in two allocations, one of which nobody has written, in which drawn places overlap, tables included. What is told,
// and what is left, must not hang on whether arithmetic decides launches.
#include <Kokkos_Core.hpp>

#include "Draw.hpp"

#include <array>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#ifndef TEAMSAN_DRAWN
#define TEAMSAN_DRAWN 1
#endif

namespace {

constexpr std::uint32_t kernels = 40, most_statements = 3, places = 2 * most_statements;
constexpr int most_lanes = 2300, part = 60000, parts = 6, words = parts * part, largest = 8191;
constexpr int most_turns = 6;

constexpr std::uint32_t dice(std::uint32_t seed, std::uint32_t throws, std::uint32_t sides) {
  return drawing::dice(0x165667b1u, seed, throws, sides);
}
using drawing::Chosen;

struct Four {
  int a;
  int b[2];
  int c;
};
using Strided = Kokkos::View<int**, Kokkos::LayoutStride>;
struct Drawn {
  int* place[places];
  int base[places], stride[places];
  int const* table[places];  ///< of numbers from -2 to `largest`
  int* const* rows;          ///< pointers into the memory, one a lane
  long limit;                ///< of loops: often 0, some, or an end of a type
  int begin, width, mask, cap, first;
  Strided strided;
  int* out;
};

template <std::uint32_t kernel>
struct Body {
  Drawn d;
  using Index = Chosen<dice(kernel, 0, 4), int, long, unsigned, int>;

  template <std::uint32_t n>
  KOKKOS_FUNCTION int& at(int i) const {
    constexpr std::uint32_t form = dice(kernel, 40 + n, 6);
    if constexpr (form == 0)
      return d.place[n][d.base[n] + d.stride[n] * i];
    else if constexpr (form == 1)
      return d.place[n][static_cast<std::size_t>(d.base[n]) + static_cast<std::size_t>(i)];
    else if constexpr (form == 2)
      return *(d.place[n] + (d.base[n] - i) + most_lanes);
    else if constexpr (form == 3)
      return d.place[n][static_cast<unsigned>(i + 2) * 4u + static_cast<unsigned>(d.base[n])];
    else if constexpr (form == 4)
      return (d.place[n] + d.base[n])[i];
    else
      return d.place[n][static_cast<long>(d.stride[n]) * i + d.base[n]];
  }
  KOKKOS_FUNCTION static int kept(int value) { return value & largest; }

  /// A loop's body.
  template <std::uint32_t n>
  KOKKOS_FUNCTION void turn(int i, int k, int& sum) const {
    constexpr std::uint32_t what = dice(kernel, 60 + n, 6);
    constexpr std::uint32_t a = 2 * n;
    if constexpr (what < 2)
      sum += d.place[a][d.base[a] + k];
    else if constexpr (what == 2)
      d.place[a][d.base[a] + d.width * i + k] = kept(i);
    else if constexpr (what == 3)
      sum += d.place[a][d.table[a][kept(k)]];
    else if constexpr (what == 4)
      d.place[a][d.base[a] + i + k] = kept(k);
    else
      sum += d.strided(i, k & 3);
  }

  /// From `first` on, mostly up to `limit`, in one of many ways; never more than `cap` turns.
  template <std::uint32_t n, class Counter>
  KOKKOS_FUNCTION void loop(int i, Counter first, Counter limit, int& sum) const {
    constexpr std::uint32_t form = dice(kernel, 50 + n, 12);
    Counter const cap = static_cast<Counter>(d.cap);
    auto const leaves = [&](Counter k) { return static_cast<Counter>(k - first) >= cap; };
    if constexpr (form == 0) {
      for (Counter k = first; k < limit; ++k) {
        if (leaves(k)) break;
        turn<n>(i, static_cast<int>(k), sum);
      }
    } else if constexpr (form == 1) {
      for (Counter k = first; k <= limit; ++k) {
        if (leaves(k)) break;
        turn<n>(i, static_cast<int>(k), sum);
      }
    } else if constexpr (form == 2) {
      for (Counter k = first; k != limit; ++k) {
        if (leaves(k)) break;
        turn<n>(i, static_cast<int>(k), sum);
      }
    } else if constexpr (form == 3) {
      Counter k = first;
      using Natural = std::make_unsigned_t<Counter>;
      if (static_cast<Natural>(k) < static_cast<Natural>(limit)) do {
          turn<n>(i, static_cast<int>(k), sum);
          if (leaves(k)) break;
          ++k;
        } while (k < limit);
    } else if constexpr (form == 4) {
      Counter k = first;
      using Signed = std::make_signed_t<Counter>;
      if (static_cast<Signed>(k) <= static_cast<Signed>(limit)) do {
          turn<n>(i, static_cast<int>(k), sum);
          if (leaves(k)) break;
          ++k;
        } while (k <= limit);
    } else if constexpr (form == 5) {
      Counter left = cap;
      for (Counter k = static_cast<Counter>(first + cap); k-- > first && left-- > 0;) turn<n>(i, static_cast<int>(k), sum);
    } else if constexpr (form == 6) {
      for (Counter k = static_cast<Counter>(first + cap); k >= first && k > 1; k = static_cast<Counter>(k - 2))
        turn<n>(i, static_cast<int>(k), sum);
    } else if constexpr (form == 7) {
      for (Counter k = first; k < static_cast<Counter>(first + cap); k = static_cast<Counter>(k + 3)) {
        if ((static_cast<int>(k) & 3) == d.first) continue;
        turn<n>(i, static_cast<int>(k), sum);
      }
    } else if constexpr (form == 8) {
      Counter k = first;
      do {
        turn<n>(i, static_cast<int>(k), sum);
        if (leaves(k)) break;
      } while (++k < limit);
    } else if constexpr (form == 9) {
      for (Counter k = 0; k < cap; ++k)
        for (Counter j = k; j < static_cast<Counter>(d.width); ++j) turn<n>(i, static_cast<int>(first + j), sum);
    } else if constexpr (form == 10) {
      int const *p = d.table[2 * n] + d.first, *const end = p + (d.cap & ~1);
      for (; p != end; p += 2) sum += d.place[2 * n][*p];
    } else {
      for (Counter k = first; k <= static_cast<Counter>(limit - 1); ++k) {
        if (leaves(k)) break;
        turn<n>(i, static_cast<int>(k), sum);
      }
    }
  }

  /// Does the item go on?
  template <std::uint32_t n>
  KOKKOS_FUNCTION bool statement(int i, int& sum) const {
    constexpr std::uint32_t a = 2 * n, b = 2 * n + 1, which = dice(kernel, 10 + n, 26);
    int const *const look = d.table[a], *const next = d.table[b];
    if constexpr (which == 0)
      at<a>(i) = kept(i + sum);
    else if constexpr (which == 1)
      at<a>(i) = kept(at<b>(i) + 1);
    else if constexpr (which == 2)
      sum += d.place[a][look[i]];
    else if constexpr (which == 3)
      d.place[a][d.width * i + (look[i] & d.mask)] = kept(sum);
    else if constexpr (which == 4)
      sum += d.place[a][look[kept(next[i])]];
    else if constexpr (which == 5)
      at<a>(look[i]) = 7;
    else if constexpr (which < 9)
      loop<n, Chosen<dice(kernel, 70 + n, 4), int, long, unsigned, std::size_t>>(i, look[i], look[i + 1], sum);
    else if constexpr (which < 13) {
      using Counter = Chosen<dice(kernel, 70 + n, 4), int, long, unsigned, std::size_t>;
      loop<n, Counter>(i, static_cast<Counter>(d.first), static_cast<Counter>(d.limit), sum);
    } else if constexpr (which == 13) {
      if (d.begin + i > d.base[a] + 600) return false;
    } else if constexpr (which == 14) {
      if (look[i] == d.first) return false;
    } else if constexpr (which == 15) {
      int* const row = d.rows[i];
      row[0] = kept(row[1]);
    } else if constexpr (which == 16) {
      sum += d.rows[look[i] % most_lanes < 0 ? 0 : look[i] % most_lanes][d.first];
    } else if constexpr (which == 17) {
      Four* const all = reinterpret_cast<Four*>(d.place[a] + (d.base[a] & ~3));
      all[i].b[1] = kept(i);
      sum += all[i].c;
    } else if constexpr (which == 18) {
      Four* const to = reinterpret_cast<Four*>(d.place[a] + (d.base[a] & ~3));
      to[i] = reinterpret_cast<Four const*>(d.place[b])[i + (d.first & 1)];
    } else if constexpr (which == 19) {
      auto const store = [&](int k) {
        auto const inner = [&, k](int add) { at<a>(i * 2 + add) = kept(k); };
        inner(0);
        if (k != d.first) inner(1);
      };
      store(d.cap);
    } else if constexpr (which == 20) {
      d.strided(i, d.first & 3) = kept(i);
      sum += d.strided(i, 2);
    } else if constexpr (which == 21) {
      sum += d.place[a][(i + d.base[a]) % (d.width + 1) + i / 2] + d.place[b][Kokkos::max(Kokkos::min(i - 1, d.cap * 300), 0)];
      at<a>(i & ~d.mask) = 3;
    } else if constexpr (which == 22) {
      switch (i % 3) {
        case 0: at<a>(i) = 1; break;
        case 1: at<b>(i) = 2; break;
        default: sum += at<a>(i);
      }
    } else if constexpr (which == 23) {
      __builtin_memcpy(d.place[a] + 4 * i, d.place[b] + d.base[b] + 4 * i, 16);
    } else if constexpr (which == 24) {
      int own[4] = {1, 2, 3, 4};
      for (int k = 0; k != 4; ++k) own[k] += d.place[a][d.base[a] + 4 * i + k];
      at<b>(i) = kept(own[0] + own[3]);
    } else {
      int* const either = i < d.base[b] ? d.place[a] : d.place[b];
      either[i] = kept(either[i] + 1);
    }
    return true;
  }

  KOKKOS_FUNCTION int run(int i) const {
    int sum = 0;
    constexpr std::uint32_t statements = 1 + dice(kernel, 5, most_statements);
    if (!statement<0>(i, sum)) return sum;
    if constexpr (statements > 1)
      if (!statement<1>(i, sum)) return sum;
    if constexpr (statements > 2)
      if (!statement<2>(i, sum)) return sum;
    d.out[i] = kept(sum);
    return sum;
  }
  KOKKOS_FUNCTION void operator()(Index i) const { run(static_cast<int>(i) - d.begin); }
  KOKKOS_FUNCTION void operator()(Index i, long& sum) const { sum += run(static_cast<int>(i) - d.begin); }
};

long total = 0;

template <std::uint32_t kernel>
void launch(std::string const& label, int lanes, Drawn const& d) {
  using Index = typename Body<kernel>::Index;
  Kokkos::RangePolicy<Kokkos::IndexType<Index>> const range(static_cast<Index>(d.begin), static_cast<Index>(d.begin + lanes));
  if constexpr (dice(kernel, 6, 5) == 0) {
    long sum = 0;
    Kokkos::parallel_reduce(label, range, Body<kernel>{d}, sum);
    total = total * 31 + sum;
  } else {
    Kokkos::parallel_for(label, range, Body<kernel>{d});
  }
}
using Launch = void (*)(std::string const&, int, Drawn const&);
template <std::uint32_t... number>
std::array<Launch, kernels> all_kernels(std::integer_sequence<std::uint32_t, number...>) {
  return {&launch<TEAMSAN_DRAWN * 1000 + number>...};
}

using Draw = drawing::Draw<int>;

using Ints = Kokkos::View<int*>;
using Addresses = Kokkos::View<std::uintptr_t*>;

struct World {
  Ints all{"all", words}, raw{Kokkos::view_alloc("raw", Kokkos::WithoutInitializing), words}, out{"out", most_lanes};
  Addresses pointers{"pointers", most_lanes + 1};

  /// Numbers of one part of `all`: some, all the same, or ever larger ones.
  void fill(Draw& draw, int which) {
    auto const some = Kokkos::subview(all, std::pair(which * part, which * part + part));
    auto const host = Kokkos::create_mirror_view(some);
    int const sort = draw.between(0, 3), least = draw.between(-1, 40), most = draw.between(least, largest);
    int value = least;
    for (int i = 0; i != part; ++i) {
      if (sort == 0) value = draw.between(least, most);
      if (sort == 1) value = (value + draw.between(0, 4)) & largest;
      if (sort == 2) value = i & 3;
      host(i) = value;
    }
    if (draw.one_in(3)) host(draw.between(0, most_lanes)) = draw.between(-2, largest);
    Kokkos::deep_copy(some, host);
  }
  void point(Draw& draw) {
    auto const host = Kokkos::create_mirror_view(pointers);
    int const step = draw.between(1, 3), from = draw.between(0, words - 20000);
    for (int i = 0; i <= most_lanes; ++i) host(i) = reinterpret_cast<std::uintptr_t>(all.data() + from + i * step);
    int* const elsewhere = all.data() + draw.between(0, words - 9);
    if (draw.one_in(3)) host(draw.between(0, most_lanes)) = reinterpret_cast<std::uintptr_t>(elsewhere);
    Kokkos::deep_copy(pointers, host);
  }
};

Drawn drawn(Draw& draw, World& world, int lanes) {
  Drawn d{};
  for (std::uint32_t n = 0; n != places; ++n) {
    Ints const& of = draw.one_in(12) ? world.raw : world.all;
    // No place that is drawn leads out of the allocation.
    d.place[n] = of.data() + draw.between(1, parts - 2) * part + (draw.one_in(4) ? draw.between(2, 9000) : 2000);
    if (n > 0 && draw.one_in(4)) d.place[n] = d.place[n - 1] + draw.between(-2, 2);
    d.base[n] = draw.one_in(3) ? draw.between(0, 5000) : draw.between(0, 3);
    d.stride[n] = draw.one_in(4) ? draw.between(-1, 3) : draw.between(1, 4);
    if (d.stride[n] < 0) d.base[n] += lanes;
    d.table[n] = world.all.data() + draw.between(0, parts - 2) * part + draw.between(0, 300);
    if (draw.one_in(6) && &of == &world.all) d.table[n] = d.place[n];
  }
  d.rows = reinterpret_cast<int* const*>(world.pointers.data());
  static constexpr long limits[] = {0, 1, 3, 5, 9, -1, -5, LONG_MAX, LONG_MIN, INT_MAX, INT_MIN, UINT_MAX, LONG_MAX - 1};
  d.limit = draw.one_in(2) ? draw.between(0, 5) : limits[draw.between(0, std::size(limits) - 1)];
  d.begin = draw.one_in(2) ? 0 : draw.between(0, 500);
  d.width = draw.between(0, 8);
  d.mask = draw.one_in(2) ? 3 : 7;
  d.cap = draw.between(0, most_turns);
  d.first = draw.one_in(2) ? 0 : draw.between(0, 4);
  int* const corner = world.all.data() + draw.between(0, parts - 2) * part;
  d.strided = Strided(corner, Kokkos::LayoutStride(most_lanes, draw.between(1, 8), 4, draw.between(1, 3)));
  d.out = world.out.data();
  return d;
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
  int const launches = argc > 2 ? std::atoi(argv[2]) : 1000;
  auto const all = all_kernels(std::make_integer_sequence<std::uint32_t, kernels>());
  World world;
  for (int which = 0; which != parts; ++which) world.fill(draw, which);
  world.point(draw);
  for (int l = 0; l != launches; ++l) {
    if (draw.one_in(4)) world.fill(draw, draw.between(0, parts - 1));
    if (draw.one_in(10)) world.point(draw);
    int const lanes = draw.between(2100, most_lanes - 1);
    Drawn const d = drawn(draw, world, lanes);
    all[static_cast<std::size_t>(draw.between(0, kernels - 1))]("k" + std::to_string(l), lanes, d);
  }
  Kokkos::fence();
  std::printf("%016llx %016llx %ld\n", static_cast<unsigned long long>(hash(world.all)),
              static_cast<unsigned long long>(hash(world.out)), total);
  std::fflush(stdout);
  std::_Exit(0);
}
