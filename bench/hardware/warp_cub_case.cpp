// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One number of items of warp_cub (warp_cub.hpp), WARP_CUB_TYPE (float, double) and WARP_CUB_ITEMS as the
// build defines them: what cub::WarpStore and WarpLoad move, and what warp_store and warp_load do, in kernels
// of the same blocks.
#include "warp_cub.hpp"

#include <teamsan/model/workgroup/warp_load.hpp>
#include <teamsan/model/workgroup/warp_store.hpp>

#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_store.cuh>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <vector>

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

/// CUB again, in a Kokkos kernel as TeamSan's: what differs then is the algorithm alone, not how blocks are
/// launched.
template <Algorithm A, class T, int ITEMS>
struct StoreByCub {
  using Store = cub::WarpStore<T, ITEMS, cub_store<A>, lanes>;
  T* out;

  __device__ void operator()(Member const& member) const {
    __shared__ typename Store::TempStorage storage[warps];
    int const tile = member.league_rank() * warps + member.team_rank();
    T items[ITEMS];
    for (int k = 0; k < ITEMS; ++k) items[k] = item<T>(tile, threadIdx.x, k);
    Store(storage[member.team_rank()]).Store(out + std::size_t(tile) * lanes * ITEMS, items);
  }
};
template <Algorithm A, class T, int ITEMS>
struct LoadByCub {
  using Load = cub::WarpLoad<T, ITEMS, cub_load<A>, lanes>;
  T const* in;
  T* sums;

  __device__ void operator()(Member const& member) const {
    __shared__ typename Load::TempStorage storage[warps];
    int const tile = member.league_rank() * warps + member.team_rank();
    T items[ITEMS];
    Load(storage[member.team_rank()]).Load(in + std::size_t(tile) * lanes * ITEMS, items);
    T sum = 0;
    for (int k = 0; k < ITEMS; ++k) sum += items[k] * static_cast<T>(k + 1);
    sums[tile * lanes + threadIdx.x] = sum;
  }
};

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
          teamsan::warp_store<ITEMS, A>(member, to, items,
                                        teamsan::warp_exchange<T, ITEMS, Member, lanes>(member));
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
          teamsan::warp_load<ITEMS, A>(member, from, items,
                                       teamsan::warp_exchange<T, ITEMS, Member, lanes>(member));
        else
          teamsan::warp_load<ITEMS, A>(member, from, items);
        teamsan::for_each_lane<lanes>(member, [&](int lane) {
          T sum = 0;
          for (int k = 0; k < ITEMS; ++k) sum += items(lane, k) * static_cast<T>(k + 1);
          sums[tile * lanes + lane] = sum;
        });
      });
}

/// Medians of the times of three kernels, in seconds, from CUDA events. They take turns, each as often first,
/// second and third and each as often on either of two arrays (run(0), run(1)): what the kernel before left
/// in the cache, and where an array lies, meets all three.
template <class... Run>
std::array<double, 3> seconds(int repetitions, cudaStream_t stream, Run const&... run) {
  std::array<std::function<void(int)>, 3> const kernels{run...};
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::array<std::vector<double>, 3> times;
  for (int i = -2; i < repetitions; ++i)  // the first two warm up
    for (int k = 0; k < 3; ++k) {
      int const which = (i + 2 + k) % 3;
      cudaEventRecord(begin, stream);
      kernels[which]((i + 2) / 3 % 2);
      cudaEventRecord(end, stream);
      cudaEventSynchronize(end);
      float milliseconds = 0;
      cudaEventElapsedTime(&milliseconds, begin, end);
      if (i >= 0) times[which].push_back(milliseconds * 1e-3);
    }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::array<double, 3> medians;
  for (int k = 0; k < 3; ++k) {
    std::sort(times[k].begin(), times[k].end());
    medians[k] = times[k][times[k].size() / 2];
  }
  return medians;
}

template <class T>
int differences(Kokkos::View<T*, Space> const& a, Kokkos::View<T*, Space> const& b) {
  int count = 0;
  Kokkos::parallel_reduce(
      "compare", Kokkos::RangePolicy<Space>(0, a.extent(0)),
      KOKKOS_LAMBDA(int i, int& n) { n += !(a(i) == b(i)); }, count);
  return count;
}

/// `bytes`: what one kernel moves to or from the tiles and, loading, to the sums. `seconds`: of CUB, of CUB
/// in a Kokkos kernel, of TeamSan.
bool print(char const* operation, Algorithm algorithm, double bytes, std::array<double, 3> seconds,
           int differ) {
  std::printf("%s,%s,%d,%s,%.1f,%.1f,%.1f,%.3f,%.3f%s\n", operation, WARP_CUB_STRING(WARP_CUB_TYPE),
              WARP_CUB_ITEMS, names[static_cast<int>(algorithm)], bytes / seconds[0] * 1e-9,
              bytes / seconds[1] * 1e-9, bytes / seconds[2] * 1e-9, seconds[0] / seconds[2],
              seconds[1] / seconds[2], differ == 0 ? "" : "  RESULTS DIFFER");
  return differ == 0;
}

template <Algorithm A>
bool measure(std::size_t bytes, int repetitions) {
  using T = WARP_CUB_TYPE;
  constexpr int ITEMS = WARP_CUB_ITEMS;
  constexpr std::size_t block = std::size_t(warps) * lanes * ITEMS;
  int const blocks = static_cast<int>(bytes / sizeof(T) / block);
  std::size_t const n = blocks * block;
  double const stored = static_cast<double>(n * sizeof(T)), loaded = stored + stored / ITEMS;
  using Array = Kokkos::View<T*, Space>;
  std::array<Array, 2> const tiles{Array("a", n), Array("b", n)};
  std::array<Array, 2> const sums{Array("sums_a", n / ITEMS), Array("sums_b", n / ITEMS)};
  Policy const p = policy<A, T, ITEMS>(blocks), plain(blocks, warps, lanes);
  cudaStream_t const stream = Space().cuda_stream();
  auto const cub_stores = [&](int i) {
    store_by_cub<A, T, ITEMS><<<blocks, warps * lanes, 0, stream>>>(tiles[i].data());
  };
  auto const teamsan_stores = [&](int i) { store_by_teamsan<A, T, ITEMS>(p, tiles[i].data()); };
  auto times = seconds(
      repetitions, stream, cub_stores,
      [&](int i) { Kokkos::parallel_for("store by CUB", plain, StoreByCub<A, T, ITEMS>{tiles[i].data()}); },
      teamsan_stores);
  for (auto const& array : tiles) Kokkos::deep_copy(array, T(-1));
  cub_stores(0);
  teamsan_stores(1);
  bool right = print("store", A, stored, times, differences<T>(tiles[0], tiles[1]));
  auto const cub_loads = [&](int i) {
    load_by_cub<A, T, ITEMS><<<blocks, warps * lanes, 0, stream>>>(tiles[i].data(), sums[i].data());
  };
  auto const teamsan_loads = [&](int i) { load_by_teamsan<A, T, ITEMS>(p, tiles[i].data(), sums[i].data()); };
  times = seconds(
      repetitions, stream, cub_loads,
      [&](int i) {
        Kokkos::parallel_for("load by CUB", plain, LoadByCub<A, T, ITEMS>{tiles[i].data(), sums[i].data()});
      },
      teamsan_loads);
  for (auto const& array : sums) Kokkos::deep_copy(array, T(-1));
  cub_loads(0);
  teamsan_loads(1);
  right = print("load", A, loaded, times, differences<T>(sums[0], sums[1])) && right;
  return right;
}

bool run(std::size_t bytes, int repetitions) {
  bool right = measure<Algorithm::direct>(bytes, repetitions);
  right = measure<Algorithm::striped>(bytes, repetitions) && right;
  right = measure<Algorithm::vectorize>(bytes, repetitions) && right;
  return measure<Algorithm::transpose>(bytes, repetitions) && right;
}

WarpCubCase const registered(run, WARP_CUB_ITEMS, sizeof(WARP_CUB_TYPE));

}  // namespace
