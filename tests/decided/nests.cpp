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
#include "NestWorld.hpp"

#include <cstdio>

#ifndef TEAMSAN_DRAWN
#define TEAMSAN_DRAWN 1
#endif

namespace {

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
    Drawn const d = arguments(draw, world, kernel.fits, by_value, begin, end);
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
