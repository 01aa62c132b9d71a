// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges whose iterations do to a few words whatever the dice say, by plain accesses, atomics of each kind, parts of words and
// fences, each on a line of its own: FIRST and COUNT seeds, a kernel each. In every other one the first block does nothing.
// LAUNCHES AT: each kernel is launched so often, and does that in one of its launches alone; of eight seeds that follow one
// another none has a kernel that was launched for another.
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

using Space = Kokkos::DefaultExecutionSpace;
using Ints = Kokkos::View<int*, Space>;

enum class Deed {
  read, write, mark, add, fetch, load, store, exchange, compare, fence, read_real, write_real, add_real, raise, read_byte,
  write_byte
};

template <int number>
struct Range {
  Ints deeds, words, begin;
  Ints numbers;
  Kokkos::View<double*, Space> reals, sums;
  Kokkos::View<unsigned char*, Space> bytes;

  KOKKOS_FUNCTION void operator()(int i) const {
    using enum Deed;
    double sum = 0;
    for (int k = begin(i); k != begin(i + 1); ++k) {
      int const w = words(k);
      switch (static_cast<Deed>(deeds(k))) {
        case read: sum += numbers(w); break;
        case write: numbers(w) = i; break;
        case add: Kokkos::atomic_add(&numbers(w), i); break;
        case raise: Kokkos::atomic_max(&reals(w), static_cast<double>(i)); break;
        case read_real: sum += reals(w); break;
        case write_real: reals(w) = i; break;
        case fetch: sum += Kokkos::atomic_fetch_add(&numbers(w), 1); break;
        case load: sum += Kokkos::atomic_load(&numbers(w)); break;
        case store: Kokkos::atomic_store(&numbers(w), i); break;
        case exchange: sum += Kokkos::atomic_exchange(&numbers(w), i); break;
        case fence: Kokkos::memory_fence(); break;
        case write_byte: bytes(w) = static_cast<unsigned char>(i); break;
        case read_byte: sum += bytes(w); break;
        case compare: sum += Kokkos::atomic_compare_exchange(&numbers(w), 5, i); break;
        case mark: numbers(w) = 7; break;
        case add_real: Kokkos::atomic_add(&reals(w), 1.0); break;
      }
    }
    sums(i) = sum;
  }
};

namespace {

constexpr int block = 256, blocks = 10, iterations = block * blocks, words = 3;

using enum Deed;
std::vector<Deed> const sorts[] = {{read, write, add, mark, fetch},
                                   {raise, read_real, write_real, add_real, read_real},
                                   {write_byte, read_byte, read, write, add},
                                   {read, write, load, store, exchange, fence, compare},
                                   {read, write, add, raise, read_real, write_real, fetch, load, store, fence, write_byte}};

Ints on_device(std::vector<int> const& values) {
  Ints device("table", values.size());
  auto const host = Kokkos::create_mirror_view(device);
  for (std::size_t i = 0; i != values.size(); ++i) host(i) = values[i];
  Kokkos::deep_copy(device, host);
  return device;
}

struct Launches {
  int count = 0, at = 0;  ///< 0: one, of the kernel that all seeds have
};

template <int number_of_kernel>
void run(unsigned seed, Launches launches) {
  std::mt19937 dice(seed);
  auto const below = [&](int n) { return static_cast<int>(dice() % static_cast<unsigned>(n)); };
  std::string const number = std::to_string(seed);
  std::vector<Deed> const& sort = sorts[seed / 2 % std::size(sorts)];
  std::vector<std::vector<std::pair<Deed, int>>> all(iterations);
  for (int lanes = 2 + below(6); lanes != 0; --lanes) {
    int const in = seed % 2 == 0 ? 1 + below(blocks - 1) : below(2) == 0 ? below(2) : below(blocks);
    int const i = block * in + (below(2) == 0 ? below(4) : below(block));
    for (int k = 1 + below(4); k != 0; --k) {
      Deed const deed = sort[static_cast<std::size_t>(below(static_cast<int>(sort.size())))];
      all[static_cast<std::size_t>(i)].emplace_back(deed, below(words));
    }
  }
  std::vector<int> deeds, at, begin{0};
  for (auto const& iteration : all) {
    for (auto const& [deed, word] : iteration) {
      deeds.push_back(static_cast<int>(deed));
      at.push_back(word);
    }
    begin.push_back(static_cast<int>(deeds.size()));
  }
  Range<number_of_kernel> range{on_device(deeds), on_device(at), on_device(begin), {}, {}, {}, {}};
  if (below(3) == 0) {
    range.numbers = Ints(Kokkos::view_alloc("numbers" + number, Kokkos::WithoutInitializing), words);
    range.reals = decltype(range.reals)(Kokkos::view_alloc("reals" + number, Kokkos::WithoutInitializing), words);
    range.bytes = decltype(range.bytes)(Kokkos::view_alloc("bytes" + number, Kokkos::WithoutInitializing), words);
  } else {
    range.numbers = Ints("numbers" + number, words);
    range.reals = decltype(range.reals)("reals" + number, words);
    range.bytes = decltype(range.bytes)("bytes" + number, words);
  }
  range.sums = decltype(range.sums)("sums" + number, iterations);
  Range<number_of_kernel> quiet = range;
  quiet.begin = on_device(std::vector<int>(begin.size()));
  for (int k = 0; k != std::max(launches.count, 1); ++k)
    Kokkos::parallel_for("range" + number, Kokkos::RangePolicy<Space>(0, iterations), k == launches.at ? range : quiet);
  Kokkos::fence();
}

template <int... number>
void run(unsigned seed, Launches launches, std::integer_sequence<int, number...>) {
  constexpr void (*kernels[])(unsigned, Launches) = {run<number>...};
  kernels[launches.count == 0 ? 0 : seed % sizeof...(number)](seed, launches);
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  if (argc < 3) return 2;
  auto const first = static_cast<unsigned>(std::atoi(argv[1])), count = static_cast<unsigned>(std::atoi(argv[2]));
  Launches const launches = argc < 5 ? Launches{} : Launches{std::atoi(argv[3]), std::atoi(argv[4])};
  for (unsigned seed = first; seed != first + count; ++seed) run(seed, launches, std::make_integer_sequence<int, 8>());
}
