// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nests SEED LAUNCHES [plainly]: launches of 48 kernels that are drawn when this is compiled (-DTEAMSAN_DRAWN=N: others), each
// of some statements whose accesses have one of some forms: indices of 16, 32 and 64 bits, with sign and without, that wrap
// around or do not, elements of 4 to 16 bytes, in ranges of one dimension and of two, in sums, and for the least and the most,
// by raw pointers, Views of two dimensions and Views of strides, in rows of a grid that a lane goes through or that leave gaps,
// under conditions, behind early ends, in loops that the compiler unrolls or does not,
// read before and behind the lane's own stores, by indices that are looked up, and in rows that begin where memory says,
// atomic updates of numbers of all kinds, and stores to where a table says, in which numbers come once or twice.
// Their arguments, memory and ranges are drawn as it runs, and so is what the host does in between. Launches are told apart by
// label. None of them touches what differs from run to run: pointers of Kokkos' in front of a View.
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#ifndef TEAMSAN_DRAWN
#define TEAMSAN_DRAWN 1
#endif

namespace {

constexpr std::uint32_t kernels = 48, most_statements = 4, accesses = 2 * most_statements;
constexpr long words = 24000, memories = 6, far = 1 << 22, most_lanes = 2300;

constexpr std::uint32_t dice(std::uint32_t seed, std::uint32_t throws, std::uint32_t sides) {
  std::uint32_t h = seed * 0x9e3779b9u + throws * 0x85ebca6bu + 0x27d4eb2fu;
  for (int i = 0; i != 3; ++i) h = (h ^ h >> 15) * 0x2c1b3c6du, h = (h ^ h >> 13) * 0x297a2d39u;
  return (h ^ h >> 16) % sides;
}
template <std::uint32_t number, class... Types>
using Chosen = std::tuple_element_t<number, std::tuple<Types...>>;

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

/// What of a kernel's accesses must be known to draw their arguments: how far a lane goes, 0: as drawn; and the bytes of an
/// element.
struct Fits {
  bool is_unsigned;
  std::array<long, accesses> step, bytes;
};

/// Of what reductions have come to.
std::uint64_t results = 0;
void note_result(double value) {
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof bits);
  results = results * 31 + bits;
}

template <std::uint32_t kernel>
void launch(std::string const& label, long begin, long end, Drawn const& d) {
  using Index = typename Body<kernel>::Index;
  auto const first = static_cast<Index>(begin), last = static_cast<Index>(end);
  constexpr Sort sort = Body<kernel>::sort;
  double value = 0;
  if constexpr (sort == Sort::grid || sort == Sort::grid_sum || sort == Sort::grid_most) {
    using Policy = Kokkos::MDRangePolicy<Kokkos::Rank<2>, Kokkos::IndexType<Index>>;
    using Each = typename Policy::point_type::value_type;
    using Row = Kokkos::Array<Each, 2>;
    Policy const policy(Row{static_cast<Each>(first), 0}, Row{static_cast<Each>(last), d.rows_of});
    if constexpr (sort == Sort::grid)
      Kokkos::parallel_for(label, policy, Body<kernel>{d});
    else if constexpr (sort == Sort::grid_sum)
      Kokkos::parallel_reduce(label, policy, Body<kernel>{d}, value);
    else
      Kokkos::parallel_reduce(label, policy, Body<kernel>{d}, Kokkos::Max<double>(value));
    return note_result(value);
  }
  using Policy = Kokkos::RangePolicy<Kokkos::IndexType<Index>>;
  if constexpr (sort == Sort::sum)
    Kokkos::parallel_reduce(label, Policy(first, last), Body<kernel>{d}, value);
  else if constexpr (sort == Sort::least)
    Kokkos::parallel_reduce(label, Policy(first, last), Body<kernel>{d}, Kokkos::Min<double>(value));
  else
    Kokkos::parallel_for(label, Policy(first, last), Body<kernel>{d});
  note_result(value);
}
template <std::uint32_t kernel, std::uint32_t... access>
constexpr Fits fits(std::integer_sequence<std::uint32_t, access...>) {
  constexpr auto step = [](Form f) {
    return f == Form::runtime                           ? 0l
           : f == Form::backwards                       ? -1l
           : f == Form::shifted || f == Form::sum_first ? 2l
           : f == Form::added                           ? 3l
                                                        : 1l;
  };
  return {std::is_unsigned_v<typename Body<kernel>::Index>,
          {step(form_of(seed_of(kernel, access)))...},
          {static_cast<long>(sizeof(Element<seed_of(kernel, access)>))...}};
}
/// Where Kokkos keeps a pointer of its own, in front of a View.
std::set<std::uintptr_t> pointers;
bool touches_pointer(std::uintptr_t at, std::uintptr_t bytes) {
  auto const next = pointers.lower_bound(at - std::min<std::uintptr_t>(at, 7));
  return next != pointers.end() && *next < at + bytes;
}

/// Does no access go so far that there is no memory any more, nor to such a pointer?
template <std::uint32_t kernel, std::uint32_t... access>
bool stays_near(long begin, long end, Drawn const& d, std::integer_sequence<std::uint32_t, access...>) {
  Body<kernel> const body{d};
  auto const touches = [&](double const* memory, long at, std::size_t bytes) {
    return touches_pointer(reinterpret_cast<std::uintptr_t>(memory) + static_cast<std::uintptr_t>(at) * bytes, 3 * bytes);
  };
  for (long i = begin; i != end; ++i)
    for (int j = 0; j != d.rows_of; ++j) {
      typename Body<kernel>::Lane const lane{static_cast<typename Body<kernel>::Index>(i), j};
      std::uint32_t a = 0;
      for (auto const& [at, bytes] : {std::pair(static_cast<long>(body.template index<access>(lane)),
                                                sizeof(Element<seed_of(kernel, access)>))...}) {
        if (at < -far || at > far) return false;
        for (std::uint32_t const of : {a, a + 1})  // one of two
          if (of != accesses && touches(d.memory[of], at, bytes)) return false;
        ++a;
      }
    }
  return true;
}
template <std::uint32_t kernel>
bool stays_near(long begin, long end, Drawn const& d) {
  return stays_near<kernel>(begin, end, d, std::make_integer_sequence<std::uint32_t, accesses>());
}
struct Kernel {
  void (*launch)(std::string const&, long, long, Drawn const&);
  bool (*stays_near)(long, long, Drawn const&);
  Fits fits;
};
template <std::uint32_t... number>
std::array<Kernel, kernels> all_kernels(std::integer_sequence<std::uint32_t, number...>) {
  return {Kernel{&launch<TEAMSAN_DRAWN * 1000 + number>, &stays_near<TEAMSAN_DRAWN * 1000 + number>,
                 fits<TEAMSAN_DRAWN * 1000 + number>(std::make_integer_sequence<std::uint32_t, accesses>())}...};
}

class Draw {
 public:
  explicit Draw(unsigned seed) : m_random(seed) {}
  long between(long least, long most) {
    return least + static_cast<long>(m_random() % static_cast<std::uint64_t>(most - least + 1));
  }
  bool one_in(long n) { return between(1, n) == 1; }

  /// Base and stride, mostly such that all lanes stay in so many bytes.
  std::pair<long, long> index(long begin, long end, long step, long element) {
    static constexpr long strides[] = {1, 1, 1, 1, 2, 2, 3, -1, -1, -2, 4, 0};
    if (step == 0) step = strides[between(0, std::size(strides) - 1)];
    long const lanes = end - begin, within = words * 8 / element;
    if (std::abs(step) * lanes >= within) step = step < 0 ? -1 : 1;
    long const room = std::max(within - std::abs(step) * (lanes - 1) - 4, 0l);
    long lowest = one_in(2) ? 0 : one_in(3) ? room : between(0, room);
    if (one_in(20)) lowest += one_in(2) ? -between(1, 3) : room + between(1, 6);
    if (one_in(60)) lowest += one_in(2) ? 1l << 16 : 1l << 32;
    return {step >= 0 ? lowest - step * begin : lowest - step * (end - 1), step};
  }

 private:
  std::mt19937_64 m_random;
};

using Doubles = Kokkos::View<double*>;
using Ints = Kokkos::View<int*>;
using Shared = Kokkos::View<double*, Kokkos::SharedSpace>;

void note_pointer(void const* data) {
  pointers.insert(reinterpret_cast<std::uintptr_t>(data) - sizeof(Kokkos::Impl::SharedAllocationHeader));
}

struct World {
  std::vector<Doubles> memory = std::vector<Doubles>(memories);
  std::vector<Doubles> old;  ///< kernels may have written over what Kokkos keeps beside it: nothing of it is freed
  Shared shared{"shared", words};
  Doubles out{"out", 8000};
  Ints looked_up{"looked up", most_lanes}, starts{"starts", most_lanes + 1}, scattered{"scattered", most_lanes};

  /// Mostly such that all of them are in a View, in which rows lie one behind the other.
  void look_up_anew(Draw& draw) {
    auto const indices = Kokkos::create_mirror_view(looked_up), begins = Kokkos::create_mirror_view(starts);
    long const least = draw.one_in(3) ? 0 : draw.between(0, 9000), most = draw.one_in(3) ? 11000 : draw.between(least, 11000);
    for (long i = 0; i != most_lanes; ++i) indices(i) = static_cast<int>(draw.between(least, most));
    if (draw.one_in(6)) indices(draw.between(0, most_lanes - 1)) = static_cast<int>(draw.one_in(2) ? -1 : words);
    begins(0) = static_cast<int>(draw.between(0, 20));
    for (long i = 0; i != most_lanes; ++i) begins(i + 1) = begins(i) + static_cast<int>(draw.between(0, 3));
    if (draw.one_in(8)) begins(draw.between(1, most_lanes)) += 5;
    Kokkos::deep_copy(looked_up, indices);
    Kokkos::deep_copy(starts, begins);
    auto const places = Kokkos::create_mirror_view(scattered);
    std::vector<int> all(static_cast<std::size_t>(draw.between(most_lanes, 3900)));
    std::iota(all.begin(), all.end(), 0);
    for (std::size_t i = 0; i != all.size(); ++i) std::swap(all[i], all[static_cast<std::size_t>(draw.between(0, 2200))]);
    for (long i = 0; i != most_lanes; ++i) places(i) = all[static_cast<std::size_t>(i)];
    if (draw.one_in(3)) places(draw.between(0, most_lanes - 1)) = places(draw.between(0, most_lanes - 1));
    if (draw.one_in(2))
      for (int n = 0; n != 9; ++n) places(draw.between(0, most_lanes - 1)) = -1;
    Kokkos::deep_copy(scattered, places);
  }
  void anew(Draw& draw, long m) {
    std::string const label = "m" + std::to_string(m);
    if (memory[m].data() != nullptr) old.push_back(memory[m]);
    memory[m] = draw.one_in(3) ? Doubles(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), words) : Doubles(label, words);
    note_pointer(memory[m].data());
  }
  /// What the host does between two launches.
  void between(Draw& draw) {
    static auto const host = Kokkos::create_mirror_view(memory[0]);
    auto& some = memory[draw.between(0, memories - 1)];
    if (draw.one_in(30)) anew(draw, draw.between(0, memories - 1));
    if (draw.one_in(20)) look_up_anew(draw);
    if (draw.one_in(20)) Kokkos::deep_copy(some, memory[draw.between(0, memories - 1)]);
    if (draw.one_in(25)) Kokkos::deep_copy(some, 1.);
    if (draw.one_in(25)) Kokkos::deep_copy(Kokkos::DefaultExecutionSpace(), host, some);
    if (draw.one_in(25)) Kokkos::deep_copy(Kokkos::DefaultExecutionSpace(), some, host);
    if (draw.one_in(40)) host(draw.between(0, 9)) = 1;
    if (draw.one_in(40)) shared(draw.between(0, 9)) = 1;
    if (draw.one_in(6)) Kokkos::fence();
  }
};

Drawn drawn(Draw& draw, World& world, Fits const& f, bool by_value, long begin, long end) {
  Drawn d{};
  long const one = draw.between(0, memories - 1);
  for (std::uint32_t a = 0; a != accesses; ++a) {
    // Mostly each has memory of its own; else it may meet others.
    long const m = draw.one_in(4) ? one : (one + a) % memories;
    d.memory[a] = draw.one_in(60) ? world.shared.data() : world.memory[m].data();
    std::tie(d.base[a], d.stride[a]) = draw.index(begin, end, f.step[a], f.bytes[a]);
    if (a > 0 && draw.one_in(5)) d.memory[a] = d.memory[a - 1], d.base[a] = d.base[a - 1], d.stride[a] = d.stride[a - 1];
    if (a > 0 && draw.one_in(12)) d.base[a] = d.base[a - 1] + draw.between(-1, 1);
    if (draw.one_in(80)) d.memory[a] = reinterpret_cast<double*>(reinterpret_cast<char*>(d.memory[a]) + 4 * draw.between(1, 3));
    d.second[a] = draw.one_in(6) ? draw.between(-3, 3) : d.stride[a] * (end - begin) + draw.between(0, 9);
    if (draw.one_in(80)) d.stride[a] = 1l << draw.between(14, 40);
  }
  // What is loaded by instructions for 16 bytes would crash elsewhere.
  for (std::uint32_t a = 0; a != accesses; ++a)
    if (f.bytes[a] == 16 || f.bytes[a - a % 2] == 16)
      d.memory[a] = reinterpret_cast<double*>(reinterpret_cast<std::uintptr_t>(d.memory[a]) & ~std::uintptr_t{15});
  Doubles const& whole = world.memory[draw.between(0, memories - 1)];
  d.rows = decltype(d.rows)(whole.data(), 8000, 3);
  d.columns = decltype(d.columns)(world.memory[draw.between(0, memories - 1)].data(), 3, 8000);
  long const step = draw.between(1, 4), first = draw.between(0, 100);
  d.strided = Kokkos::subview(d.rows, Kokkos::pair<long, long>(0, 8000), 1);
  if (draw.one_in(2))
    d.strided = Kokkos::View<double*, Kokkos::LayoutStride>(whole.data() + first, Kokkos::LayoutStride(5000, step));
  d.out = world.out.data();
  d.begin = begin;
  d.limit = draw.between(begin, end);
  d.every = static_cast<int>(draw.between(0, 3));
  d.column = static_cast<int>(draw.between(0, 2));
  d.rows_of = static_cast<int>(draw.between(1, 3));
  d.width = static_cast<int>(draw.one_in(6) ? draw.between(1, 2) : draw.between(3, 4));
  d.looked_up = world.looked_up.data();
  d.starts = world.starts.data();
  d.scattered = world.scattered.data();
  d.by_value = by_value;
  for (int& each : d.table) each = static_cast<int>(draw.between(0, words - 1));
  return d;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Draw draw(argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1);
  int const launches = argc > 2 ? std::atoi(argv[2]) : 1000;
  bool const by_value = argc <= 3;
  auto const all = all_kernels(std::make_integer_sequence<std::uint32_t, kernels>());
  Doubles const in_front("in front", 9 << 20);
  World world;
  for (long m = 0; m != memories; ++m) world.anew(draw, m);
  for (void const* const data : {static_cast<void const*>(in_front.data()), static_cast<void const*>(world.shared.data()),
                                 static_cast<void const*>(world.out.data()), static_cast<void const*>(world.looked_up.data()),
                                 static_cast<void const*>(world.starts.data()),
                                 static_cast<void const*>(world.scattered.data())})
    note_pointer(data);
  world.look_up_anew(draw);
  for (int l = 0; l != launches; ++l) {
    world.between(draw);
    Kernel const& kernel = all[static_cast<std::size_t>(draw.between(0, kernels - 1))];
    long begin = draw.one_in(2) ? 0 : draw.between(kernel.fits.is_unsigned ? 0 : -300, 300);
    if (draw.one_in(30)) begin = (kernel.fits.is_unsigned ? 1l << 32 : 1l << 31) - draw.between(2400, 2600);
    long const end = begin + draw.between(2100, most_lanes);
    Drawn const d = drawn(draw, world, kernel.fits, by_value, begin, end);
    if (!kernel.stays_near(begin, end, d)) continue;
    int const turns = draw.one_in(8) ? 2 : 1;
    for (int turn = 0; turn != turns; ++turn) kernel.launch("k" + std::to_string(l), begin, end, d);
  }
  Kokkos::fence();
  std::printf("results %016llx\n", static_cast<unsigned long long>(results));
  world.memory.push_back(world.out);
  for (std::size_t m = 0; m != world.memory.size(); ++m) {
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), world.memory[m]);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i != host.extent(0); ++i) {
      std::uint64_t bits = 0;
      __builtin_memcpy(&bits, &host(i), sizeof bits);
      sum = sum * 31 + bits;
    }
    std::printf("m%zu %016llx\n", m, static_cast<unsigned long long>(sum));
  }
  std::fflush(stdout);
  std::_Exit(0);
}
