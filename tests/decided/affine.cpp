// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// affine SEED: some hundred launches of kernels of a few shapes, whose bases, strides and ranges are drawn: from what nobody
// does wrong to lanes that meet, leave their memory, or read what was never written. Launches are told apart by label. What is
// told of each, and what its memory holds in the end, must not hang on --decide.
#include <Kokkos_Core.hpp>

#include "Draw.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int launches = 700, shapes = 9;
constexpr long words = 40000, views = 6;

/// An index of a lane: base + stride * i, in 64 bits or in 32.
struct Index {
  long base, stride;
  KOKKOS_FUNCTION long wide(long i) const { return base + stride * i; }
};
struct Narrow {
  int base, stride;
  KOKKOS_FUNCTION int at(int i) const { return base + stride * i; }
};

struct Drawn {
  double *a, *b, *c;
  Index of_a, of_b, of_c;
  Narrow narrow;
  int* k;
  int every;
};

void launch(int shape, std::string const& label, long begin, long end, Drawn const& d) {
  Kokkos::RangePolicy<Kokkos::IndexType<long>> const range(begin, end);
  Kokkos::RangePolicy<Kokkos::IndexType<int>> const narrow(static_cast<int>(begin), static_cast<int>(end));
  switch (shape) {
    case 0:
      return Kokkos::parallel_for(
          label, range, KOKKOS_LAMBDA(long i) { d.a[d.of_a.wide(i)] = i; });
    case 1:
      return Kokkos::parallel_for(
          label, range, KOKKOS_LAMBDA(long i) { d.a[d.of_a.wide(i)] = d.b[d.of_b.wide(i)]; });
    case 2:
      return Kokkos::parallel_for(
          label, range, KOKKOS_LAMBDA(long i) { d.a[d.of_a.wide(i)] = d.b[d.of_b.wide(i)] + d.c[d.of_c.wide(i)]; });
    case 3:
      return Kokkos::parallel_for(
          label, range, KOKKOS_LAMBDA(long i) {
            d.a[d.of_a.wide(i)] = i;
            d.b[d.of_b.wide(i)] = -i;
          });
    case 4:
      return Kokkos::parallel_for(
          label, range, KOKKOS_LAMBDA(long i) {
            if ((i & d.every) == 0) d.a[d.of_a.wide(i)] = d.b[d.of_b.wide(i)];
          });
    case 5:
      return Kokkos::parallel_for(
          label, narrow, KOKKOS_LAMBDA(int i) { d.k[d.narrow.at(i)] = i; });
    case 6:
      return Kokkos::parallel_for(
          label, narrow, KOKKOS_LAMBDA(int i) {
            d.k[d.narrow.at(i)] += 1;
            d.a[d.of_a.wide(i)] = d.k[d.narrow.at(i)];
          });
    case 7:
      return Kokkos::parallel_for(
          label, range, KOKKOS_LAMBDA(long i) {
            double const there = d.a[d.of_a.wide(i)];
            if ((i & d.every) != 0) d.b[d.of_b.wide(i)] = there;
            d.c[d.of_c.wide(i)] = there;
          });
    default:
      return Kokkos::parallel_for(
          label, range, KOKKOS_LAMBDA(long i) { d.a[i] = d.a[i] + d.b[d.of_b.wide(i)]; });
  }
}

using Draw = drawing::Draw<long>;

/// Mostly such that all lanes stay within so many words.
Index drawn_index(Draw& draw, long begin, long end, long within) {
  long const lanes = end - begin;
  static constexpr long strides[] = {1, 1, 1, 1, 2, 2, 3, -1, -1, -2, 4, 0};
  long stride = strides[draw.between(0, std::size(strides) - 1)];
  if (std::abs(stride) * lanes >= within) stride = stride < 0 ? -1 : 1;
  long const room = within - std::abs(stride) * (lanes - 1) - 1;
  long lowest = draw.one_in(3) ? 0 : draw.one_in(3) ? room : draw.between(0, room);
  if (draw.one_in(12)) lowest += draw.one_in(2) ? -draw.between(1, 3) : room + draw.between(1, 3);
  return {stride >= 0 ? lowest - stride * begin : lowest - stride * (end - 1), stride};
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Draw draw(argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1);
  std::vector<Kokkos::View<double*>> of(views);
  std::vector<Kokkos::View<int*>> ints(views);
  auto const anew = [&](long v) {
    std::string const label = "v" + std::to_string(v);
    of[v] = {};
    ints[v] = {};
    of[v] = draw.one_in(3) ? Kokkos::View<double*>(label, words)
                           : Kokkos::View<double*>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), words);
    ints[v] = Kokkos::View<int*>(label + " of ints", words);
  };
  for (long v = 0; v != views; ++v) anew(v);
  for (int l = 0; l != launches; ++l) {
    if (draw.one_in(25)) anew(draw.between(0, views - 1));
    if (draw.one_in(25)) Kokkos::deep_copy(of[draw.between(0, views - 1)], of[draw.between(0, views - 1)]);
    if (draw.one_in(25)) Kokkos::deep_copy(of[draw.between(0, views - 1)], 1.);
    int const shape = static_cast<int>(draw.between(0, shapes - 1));
    long const lanes = draw.between(2100, 4000), begin = shape == 8 || draw.one_in(2) ? 0 : draw.between(-500, 500);
    long const end = begin + lanes;
    Drawn d{};
    long const v = draw.between(0, views - 1), other = draw.one_in(2) ? v : draw.between(0, views - 1);
    d.a = of[v].data();
    d.b = of[other].data();
    d.c = of[draw.between(0, views - 1)].data();
    d.k = ints[v].data();
    d.of_a = drawn_index(draw, begin, end, words);
    d.of_b = draw.one_in(4) ? d.of_a : drawn_index(draw, begin, end, words);
    d.of_c = drawn_index(draw, begin, end, words);
    if (draw.one_in(6)) d.of_b = {d.of_a.base + draw.between(-1, 1), d.of_a.stride};
    Index const narrow = drawn_index(draw, begin, end, words);
    d.narrow = {static_cast<int>(narrow.base), static_cast<int>(narrow.stride)};
    if (draw.one_in(10)) d.narrow.stride = 1 << 30;
    d.every = static_cast<int>(draw.between(0, 3));
    launch(shape, "k" + std::to_string(l), begin, end, d);
  }
  for (long v = 0; v != views; ++v) {
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), of[v]);
    auto const host_ints = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), ints[v]);
    std::uint64_t sum = 0;
    for (long i = 0; i != words; ++i)
      sum = sum * 31 + static_cast<std::uint64_t>(host(i) * 8) + static_cast<std::uint64_t>(host_ints(i));
    std::printf("v%ld %016llx\n", v, static_cast<unsigned long long>(sum));
  }
}
