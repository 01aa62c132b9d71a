// warp_store and warp_load against cub::WarpStore and cub::WarpLoad on a GPU: gigabytes a second of a kernel in which every
// warp stores (loads) tiles of 32 * ITEMS elements, and whether both wrote the same.
//   warp_cub [MEBIBYTES [REPETITIONS]]      (256, 20)
// Prints a line a case: operation, type, items, algorithm, GB/s of CUB, GB/s of TeamSan, their ratio.
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/warp_load.hpp>
#include <teamsan/model/workgroup/warp_store.hpp>

#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_store.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {

using Space = Kokkos::Cuda;
using Policy = Kokkos::TeamPolicy<Space>;
using Member = Policy::member_type;
using Algorithm = teamsan::warp_algorithm;

constexpr int lanes = 32, warps = 8;  // of a block

template <Algorithm A>
constexpr auto cub_store = A == Algorithm::direct      ? cub::WARP_STORE_DIRECT
                           : A == Algorithm::striped   ? cub::WARP_STORE_STRIPED
                           : A == Algorithm::vectorize ? cub::WARP_STORE_VECTORIZE
                                                       : cub::WARP_STORE_TRANSPOSE;
template <Algorithm A>
constexpr auto cub_load = A == Algorithm::direct      ? cub::WARP_LOAD_DIRECT
                          : A == Algorithm::striped   ? cub::WARP_LOAD_STRIPED
                          : A == Algorithm::vectorize ? cub::WARP_LOAD_VECTORIZE
                                                      : cub::WARP_LOAD_TRANSPOSE;
constexpr char const* names[] = {"direct", "striped", "vectorize", "transpose"};

/// What lane `lane` holds as item k of a tile.
template <class T>
__device__ T item(int tile, int lane, int k) {
  return static_cast<T>(tile % 7 + lane * 16 + k);
}

template <Algorithm A, class T, int ITEMS>
__global__ void store_by_cub(T* out) {
  using Store = cub::WarpStore<T, ITEMS, cub_store<A>, lanes>;
  __shared__ typename Store::TempStorage storage[warps];
  int const warp = threadIdx.x / lanes, lane = threadIdx.x % lanes, tile = blockIdx.x * warps + warp;
  T items[ITEMS];
  for (int k = 0; k < ITEMS; ++k) items[k] = item<T>(tile, lane, k);
  Store(storage[warp]).Store(out + std::size_t(tile) * lanes * ITEMS, items);
}

/// Each lane's sum of what it loaded goes out, so that nothing is left out.
template <Algorithm A, class T, int ITEMS>
__global__ void load_by_cub(T const* in, T* sums) {
  using Load = cub::WarpLoad<T, ITEMS, cub_load<A>, lanes>;
  __shared__ typename Load::TempStorage storage[warps];
  int const warp = threadIdx.x / lanes, lane = threadIdx.x % lanes, tile = blockIdx.x * warps + warp;
  T items[ITEMS];
  Load(storage[warp]).Load(in + std::size_t(tile) * lanes * ITEMS, items);
  T sum = 0;
  for (int k = 0; k < ITEMS; ++k) sum += items[k] * static_cast<T>(k + 1);
  sums[tile * lanes + lane] = sum;
}

template <Algorithm A, class T, int ITEMS>
Policy policy(int blocks) {
  Policy p(blocks, warps, lanes);
  if (A == Algorithm::transpose)
    p.set_scratch_size(0, Kokkos::PerThread(teamsan::warp_exchange<T, ITEMS, Member, lanes>::scratch_bytes));
  return p;
}

template <Algorithm A, class T, int ITEMS>
void store_by_teamsan(Policy const& p, T* out) {
  Kokkos::parallel_for(
      "store", p, KOKKOS_LAMBDA(Member const& member) {
        int const tile = member.league_rank() * warps + member.team_rank();
        T* const to = out + std::size_t(tile) * lanes * ITEMS;
        teamsan::warp_items<T, ITEMS, Member, lanes> items;
        items.assign(member, [&](int lane, int k) { return item<T>(tile, lane, k); });
        if constexpr (A == Algorithm::transpose)
          teamsan::warp_store<ITEMS, A>(member, to, items, teamsan::warp_exchange<T, ITEMS, Member, lanes>(member));
        else
          teamsan::warp_store<ITEMS, A>(member, to, items);
      });
}

template <Algorithm A, class T, int ITEMS>
void load_by_teamsan(Policy const& p, T const* in, T* sums) {
  Kokkos::parallel_for(
      "load", p, KOKKOS_LAMBDA(Member const& member) {
        int const tile = member.league_rank() * warps + member.team_rank();
        T const* const from = in + std::size_t(tile) * lanes * ITEMS;
        teamsan::warp_items<T, ITEMS, Member, lanes> items;
        if constexpr (A == Algorithm::transpose)
          teamsan::warp_load<ITEMS, A>(member, from, items, teamsan::warp_exchange<T, ITEMS, Member, lanes>(member));
        else
          teamsan::warp_load<ITEMS, A>(member, from, items);
        teamsan::for_each_lane<lanes>(member, [&](int lane) {
          T sum = 0;
          for (int k = 0; k < ITEMS; ++k) sum += items(lane, k) * static_cast<T>(k + 1);
          sums[tile * lanes + lane] = sum;
        });
      });
}

/// Seconds of the fastest of the repetitions.
template <class Run>
double seconds(int repetitions, Run const& run) {
  double best = 1e9;
  run();
  for (int i = 0; i < repetitions; ++i) {
    Kokkos::fence();
    Kokkos::Timer timer;
    run();
    Kokkos::fence();
    best = std::min(best, timer.seconds());
  }
  return best;
}

template <class T>
int differences(Kokkos::View<T*, Space> const& a, Kokkos::View<T*, Space> const& b) {
  int count = 0;
  Kokkos::parallel_reduce(
      "compare", Kokkos::RangePolicy<Space>(0, a.extent(0)),
      KOKKOS_LAMBDA(int i, int& n) { n += !(a(i) == b(i)); }, count);
  return count;
}

int wrong = 0;

void print(char const* operation, char const* type, int items, Algorithm algorithm, double bytes, double cub,
           double teamsan, int differ) {
  std::printf("%-5s %-6s %2d %-9s %8.1f %8.1f %6.2f%s\n", operation, type, items, names[static_cast<int>(algorithm)],
              bytes / cub * 1e-9, bytes / teamsan * 1e-9, cub / teamsan, differ == 0 ? "" : "  RESULTS DIFFER");
  wrong += differ != 0;
}

template <Algorithm A, class T, int ITEMS>
void measure(char const* type, std::size_t bytes, int repetitions) {
  constexpr std::size_t block = std::size_t(warps) * lanes * ITEMS;
  int const blocks = static_cast<int>(bytes / sizeof(T) / block);
  std::size_t const n = blocks * block;
  double const moved = static_cast<double>(n * sizeof(T));
  Kokkos::View<T*, Space> a("a", n), b("b", n), sums_a("sums_a", n / ITEMS), sums_b("sums_b", n / ITEMS);
  Policy const p = policy<A, T, ITEMS>(blocks);
  cudaStream_t const stream = Space().cuda_stream();

  double cub = seconds(repetitions, [&] { store_by_cub<A, T, ITEMS><<<blocks, warps * lanes, 0, stream>>>(a.data()); });
  double own = seconds(repetitions, [&] { store_by_teamsan<A, T, ITEMS>(p, b.data()); });
  print("store", type, ITEMS, A, moved, cub, own, differences<T>(a, b));

  cub = seconds(repetitions,
                [&] { load_by_cub<A, T, ITEMS><<<blocks, warps * lanes, 0, stream>>>(a.data(), sums_a.data()); });
  own = seconds(repetitions, [&] { load_by_teamsan<A, T, ITEMS>(p, a.data(), sums_b.data()); });
  print("load", type, ITEMS, A, moved, cub, own, differences<T>(sums_a, sums_b));
}

template <class T, int ITEMS>
void measure_all(char const* type, std::size_t bytes, int repetitions) {
  measure<Algorithm::direct, T, ITEMS>(type, bytes, repetitions);
  measure<Algorithm::striped, T, ITEMS>(type, bytes, repetitions);
  measure<Algorithm::vectorize, T, ITEMS>(type, bytes, repetitions);
  measure<Algorithm::transpose, T, ITEMS>(type, bytes, repetitions);
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  std::size_t const bytes = (argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 256) << 20;
  int const repetitions = argc > 2 ? std::atoi(argv[2]) : 20;
  std::printf("%-5s %-6s %2s %-9s %8s %8s %6s\n", "what", "type", "n", "algorithm", "CUB", "TeamSan", "ratio");
  measure_all<float, 1>("float", bytes, repetitions);
  measure_all<float, 4>("float", bytes, repetitions);
  measure_all<float, 7>("float", bytes, repetitions);
  measure_all<float, 8>("float", bytes, repetitions);
  measure_all<float, 16>("float", bytes, repetitions);
  measure_all<double, 2>("double", bytes, repetitions);
  measure_all<double, 8>("double", bytes, repetitions);
  return wrong != 0;
}
