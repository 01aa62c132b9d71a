// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of nests.cpp, drawn when this is compiled: what each of their statements does.
#pragma once

#include <Kokkos_Core.hpp>

#include "Draw.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace {

constexpr std::uint32_t kernels = 48, most_statements = 4, accesses = 2 * most_statements;
constexpr long words = 24000, memories = 6, far = 1 << 22, most_lanes = 2300;

constexpr std::uint32_t dice(std::uint32_t seed, std::uint32_t throws, std::uint32_t sides) {
  return drawing::dice(0x27d4eb2fu, seed, throws, sides);
}
using drawing::Chosen;

struct Pair {
  float a, b;
};
struct Three {
  float x, y, z;
};
struct Drawn {
  double* memory[accesses];
  long base[accesses], stride[accesses], second[accesses];
  Kokkos::View<double**, Kokkos::LayoutRight> rows;
  Kokkos::View<double**, Kokkos::LayoutLeft> columns;
  Kokkos::View<double*, Kokkos::LayoutStride> strided;
  double* out;
  int const *looked_up, *starts;  ///< of as many lanes as there can be, and one more
  int const* scattered;           ///< the same, mostly without one that comes twice, but for -1
  long begin, limit;
  int every, column, rows_of, width;
  bool by_value;  ///< what iterations do may hang on what they read, which may race
  int table[4];
};

/// Of an access of a kernel: how it computes its index, and what it is of.
enum class Form { runtime, plain, backwards, shifted, added, sum_first, crossed, halved };
constexpr Form form_of(std::uint32_t seed) {
  constexpr Form forms[] = {Form::runtime, Form::runtime,   Form::runtime, Form::plain, Form::plain, Form::plain,
                            Form::plain,   Form::backwards, Form::shifted, Form::added, Form::added, Form::sum_first,
                            Form::plain,   Form::sum_first, Form::crossed, Form::halved};
  return forms[dice(seed, 1, std::size(forms))];
}
template <std::uint32_t seed>
using Number = Chosen<dice(seed, 2, 8), int, int, int, long, long, unsigned, short, std::size_t>;
template <std::uint32_t seed>
using Element = Chosen<dice(seed, 3, 8), double, double, double, int, float, Pair, Three, Kokkos::complex<double>>;
constexpr std::uint32_t seed_of(std::uint32_t kernel, std::uint32_t access) { return kernel * 31 + access * 7 + 1; }

KOKKOS_FUNCTION double number(double x) { return x; }
KOKKOS_FUNCTION double number(Pair p) { return p.a + p.b; }
KOKKOS_FUNCTION double number(Three p) { return p.x + p.y * p.z; }
KOKKOS_FUNCTION double number(Kokkos::complex<double> x) { return x.real() - x.imag(); }
template <class Of>
KOKKOS_FUNCTION Of made(double x) {
  if constexpr (std::is_same_v<Of, Pair>)
    return {static_cast<float>(x), 1};
  else if constexpr (std::is_same_v<Of, Three>)
    return {1, static_cast<float>(x), 2};
  else
    return static_cast<Of>(x);
}

enum class Sort { range, sum, least, grid, grid_sum, grid_most };
constexpr Sort sort_of(std::uint32_t kernel) {
  constexpr Sort sorts[] = {Sort::range, Sort::range, Sort::range, Sort::range,    Sort::range,
                            Sort::sum,   Sort::least, Sort::grid, Sort::grid_sum, Sort::grid_most};
  return sorts[dice(kernel, 6, std::size(sorts))];
}

template <std::uint32_t kernel>
struct Body {
  Drawn d;
  using Index = Chosen<dice(kernel, 0, 5), int, int, long, unsigned, std::size_t>;

  /// An iteration's indices: the second one counts from 0.
  struct Lane {
    Index i;
    int j;
  };
  static constexpr Sort sort = sort_of(kernel);

  template <std::uint32_t access>
  KOKKOS_FUNCTION auto index(Lane l) const {
    constexpr std::uint32_t seed = seed_of(kernel, access);
    using N = Number<seed>;
    N const j = static_cast<N>(l.i), b = static_cast<N>(d.base[access] + d.second[access] * l.j),
            m = static_cast<N>(d.stride[access]);
    constexpr Form form = form_of(seed);
    if constexpr (form == Form::runtime)
      return static_cast<N>(b + m * j);
    else if constexpr (form == Form::plain)
      return static_cast<N>(b + j);
    else if constexpr (form == Form::backwards)
      return static_cast<N>(b - j);
    else if constexpr (form == Form::shifted)
      return static_cast<N>(b + (j << 1));
    else if constexpr (form == Form::added)
      return static_cast<N>(j + j + j + b);
    else if constexpr (form == Form::sum_first)
      return static_cast<N>((j + b) * 2);
    else if constexpr (form == Form::crossed)
      return static_cast<N>(b + (j ^ 1));
    else
      return static_cast<N>(b + j / 2);
  }
  template <std::uint32_t access>
  KOKKOS_FUNCTION auto* memory() const {
    return reinterpret_cast<Element<seed_of(kernel, access)>*>(d.memory[access]);
  }
  template <std::uint32_t access>
  KOKKOS_FUNCTION auto& at(Lane l) const {
    return memory<access>()[index<access>(l)];
  }
  template <std::uint32_t access>
  KOKKOS_FUNCTION void store(Lane l, double value) const {
    at<access>(l) = made<Element<seed_of(kernel, access)>>(value);
  }
  template <std::uint32_t access>
  KOKKOS_FUNCTION double load(Lane l) const {
    return number(at<access>(l));
  }
  template <std::uint32_t throws>
  KOKKOS_FUNCTION bool holds(Lane l, double sum) const {
    Index const i = l.i;
    constexpr std::uint32_t which = dice(kernel, throws, 4);
    if constexpr (which == 0)
      return (static_cast<int>(i) & d.every) == 0;
    else if constexpr (which == 1)
      return static_cast<long>(i) < d.limit;
    else if constexpr (which == 2)
      return d.by_value && sum > 0.5;
    else
      return static_cast<long>(i) >= 0 && static_cast<long>(i) != d.limit;
  }

  /// Does the iteration go on?
  template <std::uint32_t n>
  KOKKOS_FUNCTION bool statement(Lane l, double& sum) const {
    Index const i = l.i;
    constexpr std::uint32_t a = 2 * n, b = 2 * n + 1, which = dice(kernel, 10 + n, 44);
    if constexpr (which < 4)
      store<a>(l, static_cast<double>(i));
    else if constexpr (which < 6)
      sum += load<a>(l);
    else if constexpr (which < 8)
      store<a>(l, load<a>(l) + 1);
    else if constexpr (which < 11)
      store<a>(l, load<b>(l));
    else if constexpr (which == 11) {
      if (holds<20 + n>(l, sum)) store<a>(l, sum);
    } else if constexpr (which == 12) {
      if (holds<20 + n>(l, sum)) sum += load<a>(l);
    } else if constexpr (which == 13) {
      store<a>(l, sum);
      sum += load<b>(l) + load<a>(l);
    } else if constexpr (which == 14) {
      if (holds<20 + n>(l, sum))
        store<a>(l, 1);
      else
        store<b>(l, 2);
    } else if constexpr (which == 15) {
      for (int k = 0; k != 3; ++k)
        memory<a>()[index<a>(l) + static_cast<Number<seed_of(kernel, a)>>(k)] = made<Element<seed_of(kernel, a)>>(k);
    } else if constexpr (which == 16) {
      using Of = Element<seed_of(kernel, a)>;
      auto const* const either = holds<20 + n>(l, sum) ? memory<a>() : reinterpret_cast<Of*>(d.memory[b]);
      sum += number(either[index<a>(l)]);
    } else if constexpr (which == 17) {
      if (!holds<20 + n>(l, sum)) return false;
    } else if constexpr (which == 18) {
      d.rows(i - d.begin, d.column) = sum + d.rows(i - d.begin, 0);
    } else if constexpr (which == 19) {
      sum += d.columns(d.column, i - d.begin) + d.columns(0, i - d.begin);
      d.columns(1, i - d.begin) = sum;
    } else if constexpr (which == 20) {
      d.strided(i - d.begin) = sum;
    } else if constexpr (which == 21) {
      sum += Kokkos::sqrt(Kokkos::abs(load<a>(l))) + Kokkos::fmax(d.strided(i - d.begin), 2.);
    } else if constexpr (which == 22) {
      constexpr std::uint32_t odd = dice(kernel, 30 + n, 4);
      if constexpr (odd == 0)
        Kokkos::atomic_add(d.memory[a] + d.every, 1.);
      else if constexpr (odd == 1)
        sum += *static_cast<double const volatile*>(d.memory[a] + d.every);
      else if constexpr (odd == 2)
        sum += d.memory[a][d.table[static_cast<int>(i) & 3]];
      else
        for (int k = 0; k < d.every; ++k) sum += d.memory[a][k];
    } else if constexpr (which == 23) {
      store<a>(l, d.table[2] + static_cast<double>(i) / (d.column + 1));
    } else if constexpr (which < 32) {
      looks_up<a, which - 24>(l, sum);
    } else if constexpr (which < 36) {
      grids<a, which - 32>(l, sum);
    } else if constexpr (which < 40) {
      updates<a, which - 36>(l, sum);
    } else {
      scatters<a, b, which - 40>(l, sum);
    }
    return true;
  }

  /// Indices of which before the launch bounds are known, at the most.
  template <std::uint32_t access, std::uint32_t which>
  KOKKOS_FUNCTION void looks_up(Lane l, double& sum) const {
    auto* const of = memory<access>();
    auto const each = static_cast<long>(l.i) - d.begin;
    int const lane = static_cast<int>(each);
    if constexpr (which < 2) {
      sum += number(of[d.looked_up[each]]);
    } else if constexpr (which == 2) {
      for (int k = d.starts[each]; k < d.starts[each + 1]; ++k) sum += number(of[k]);
    } else if constexpr (which == 3) {
      for (long k = d.starts[each]; k < d.starts[each + 1]; ++k) sum += number(of[d.looked_up[k % most_lanes]]);
    } else if constexpr (which == 4) {
      for (int k = 0; k < d.every; ++k) of[lane * d.width + k] = made<Element<seed_of(kernel, access)>>(k);
    } else if constexpr (which == 5) {
      for (unsigned k = d.rows_of; k-- > 0;) sum += number(of[lane + 7 * k]);
    } else if constexpr (which == 6) {
      sum += number(of[(lane + d.table[0]) % d.width]) + number(of[Kokkos::min(lane + d.every, d.column + 2000)]);
    } else {
      for (int j = 0; j < d.width; ++j)
        for (int k = j; k <= d.every; k += 2) {
          if (d.by_value && sum > 1e9) break;
          sum += number(of[(lane & 255) * d.width + k]);
        }
    }
  }

  /// Atomic updates that lanes share, mostly; what is no number is stored to.
  template <std::uint32_t access, std::uint32_t which>
  KOKKOS_FUNCTION void updates(Lane l, double& sum) const {
    using Of = Element<seed_of(kernel, access)>;
    auto* const of = memory<access>();
    auto const each = static_cast<long>(l.i) - d.begin;
    int const lane = static_cast<int>(each);
    if constexpr (!std::is_arithmetic_v<Of>) {
      store<access>(l, sum);
    } else if constexpr (which == 0) {
      Kokkos::atomic_add(&at<access>(l), static_cast<Of>(lane & 7));
      if constexpr (dice(kernel, 40 + access, 3) == 0) sum += number(of[lane]);
    } else if constexpr (which == 1) {
      Kokkos::atomic_max(&of[lane / 4], static_cast<Of>(lane));
      if constexpr (dice(kernel, 40 + access, 2) == 0) Kokkos::atomic_sub(&of[lane / 8 + d.width], static_cast<Of>(d.every));
    } else if constexpr (which == 2) {
      if (d.scattered[each] != -1) Kokkos::atomic_add(&of[d.scattered[each]], static_cast<Of>(lane & 3));
    } else {
      for (int k = 0; k < d.every; ++k)
        if (d.looked_up[each] >= 0 && d.looked_up[each] < 20000)
          Kokkos::atomic_min(&of[d.looked_up[each] + k], static_cast<Of>(k - lane));
    }
  }

  /// By a table that may be one of numbers of which each comes once.
  template <std::uint32_t a, std::uint32_t b, std::uint32_t which>
  KOKKOS_FUNCTION void scatters(Lane l, double& sum) const {
    using Of = Element<seed_of(kernel, a)>;
    auto* const of = memory<a>();
    auto const each = static_cast<long>(l.i) - d.begin;
    int const to = d.scattered[each];
    if constexpr (which == 0) {
      of[to] = made<Of>(static_cast<double>(each));
      if constexpr (dice(kernel, 40 + a, 2) == 0) sum += number(of[to + d.every / 3]);
    } else if constexpr (which == 1) {
      if (to < 0) return;
      of[to] = made<Of>(number(of[to]) + 1);
    } else if constexpr (which == 2) {
      if (to != -1 && to < d.column + 9000)
        for (int k = 0; k < d.every; ++k) of[d.width * (to & 2047) + k] = of[to] = made<Of>(k);
    } else {
      if (to >= d.every)
        for (int k = 0; k < d.every; ++k) of[3 * to - k + 3] = made<Of>(sum);
      sum += load<b>(l);
    }
  }

  /// Rows one behind the other, and lanes that have a column, or a part of a row.
  template <std::uint32_t access, std::uint32_t which>
  KOKKOS_FUNCTION void grids(Lane l, double& sum) const {
    auto* const of = memory<access>();
    int const lane = static_cast<int>(static_cast<long>(l.i) - d.begin), row = 2400 - 60 * (d.column == 2);
    if constexpr (which == 0) {
      for (int k = 0; k < d.every; ++k) of[k * row + lane] = of[(4 - k) * row + lane];
    } else if constexpr (which == 1) {
      for (int k = 0; k < d.every; ++k)
        for (int m = 0; m < d.rows_of; ++m) sum += number(of[(k + 1) * row + lane + m]);
      of[lane] = made<Element<seed_of(kernel, access)>>(sum);
    } else if constexpr (which == 2) {
      if (d.looked_up[lane] >= d.column) of[lane] = made<Element<seed_of(kernel, access)>>(1);
    } else {
      of[lane / 50 * (d.width + 49) + lane % 50] = made<Element<seed_of(kernel, access)>>(2);
      sum += number(of[lane / 50 * (d.width + 49) + lane % 50 + d.table[3] % 2]);
    }
  }

  KOKKOS_FUNCTION double run(Lane l) const {
    double sum = 0;
    constexpr std::uint32_t statements = 1 + dice(kernel, 5, most_statements);
    if (!statement<0>(l, sum)) return sum;
    if constexpr (statements > 1)
      if (!statement<1>(l, sum)) return sum;
    if constexpr (statements > 2)
      if (!statement<2>(l, sum)) return sum;
    if constexpr (statements > 3)
      if (!statement<3>(l, sum)) return sum;
    d.out[static_cast<long>(l.i) - d.begin + 2400 * l.j] = sum;
    return sum;
  }
  KOKKOS_FUNCTION void operator()(Index i) const { run({i, 0}); }
  KOKKOS_FUNCTION void operator()(Index i, double& value) const { join(value, run({i, 0})); }
  KOKKOS_FUNCTION void operator()(Index i, Index j) const requires(sort == Sort::grid) { run({i, static_cast<int>(j)}); }
  KOKKOS_FUNCTION void operator()(Index i, Index j, double& value) const {
    join(value, run({i, static_cast<int>(j)}));
  }
  KOKKOS_FUNCTION static void join(double& value, double more) {
    value = sort == Sort::least       ? Kokkos::fmin(value, more)
            : sort == Sort::grid_most ? Kokkos::fmax(value, more)
                                      : value + more;
  }
};

}  // namespace
