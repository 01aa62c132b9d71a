// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What happens to the lanes' values when lanes meet: the static Combine functions of the collectives. Each
/// works in place on the variables the lanes brought (copies on their own stacks, never the user's memory)
/// and leaves every lane's variable with its result. The order of joins is fixed: that of Kokkos' CUDA
/// backend for reductions (Cuda/Kokkos_Cuda_ReduceScan.hpp), so that floating-point sums come out as they do
/// there; ascending for scans over a team. A value may be an array; then `length()` of the reducer counts its
/// elements.
#pragma once

#include "../Macros.hpp"
#include "../launch/Plain.hpp"

#include <algorithm>
#include <cstdint>

/// What is joined is not checked, in any launch: with TeamSan's plug-in the user's joins run by their second bodies here.
#define TEAMSAN_COMBINE TEAMSAN_NO_INSTRUMENT TEAMSAN_PLAIN_LANE

namespace teamsan::simt {

/// The shape of a team, as a combine needs it.
struct TeamShape {
  std::uint32_t vector_length;
  std::uint32_t warp_width;
};

/// Reductions. `Reducer` is FunctorAnalysis' Reducer (or has its join and copy).
template <class Reducer>
struct CombineReduce {
  using Value = typename Reducer::value_type;

  struct Context {
    Reducer const* reducer;
    TeamShape shape;
  };

  /// One thread's lanes: halving, lane x takes in lane x + i.
  TEAMSAN_COMBINE static void vector(void* const* values, std::uint32_t count, void const* context) {
    Reducer const& reducer = *static_cast<Context const*>(context)->reducer;
    halve(reducer, values, count);
    spread(reducer, values, count);
  }

  /// Lane 0 of each thread counts; all lanes get the result.
  TEAMSAN_COMBINE static void team(void* const* values, std::uint32_t count, void const* context) {
    auto const& in = *static_cast<Context const*>(context);
    join_threads(in, values, count);
    spread(*in.reducer, values, count);
  }

  /// All lanes count: within each thread first, then the threads.
  TEAMSAN_COMBINE static void team_vector(void* const* values, std::uint32_t count,
                                                void const* context) {
    auto const& in = *static_cast<Context const*>(context);
    for (std::uint32_t lane = 0; lane < count; lane += in.shape.vector_length)
      halve(*in.reducer, values + lane, in.shape.vector_length);
    join_threads(in, values, count);
    spread(*in.reducer, values, count);
  }

  /// Joins lane 0 of every thread into lane 0 of the team: a tree in each warp, then four running sums over
  /// the warps, as CUDA has shared memory for four.
  TEAMSAN_NO_INSTRUMENT static void join_threads(Context const& in, void* const* values,
                                                 std::uint32_t count) {
    Reducer const& reducer = *in.reducer;
    std::uint32_t const length = in.shape.vector_length;
    std::uint32_t const threads = count / length;
    std::uint32_t const step = in.shape.warp_width > length ? in.shape.warp_width / length : 1;
    for (std::uint32_t warp = 0; warp < threads; warp += step) {
      std::uint32_t const here = threads - warp < step ? threads - warp : step;
      for (std::uint32_t shift = 1; shift < here; shift *= 2)
        for (std::uint32_t thread = 0; thread + shift < here; thread += 2 * shift)
          join(reducer, values[(warp + thread) * length], values[(warp + thread + shift) * length]);
    }
    constexpr std::uint32_t sums = 4;
    for (std::uint32_t warp = sums; warp * step < threads; ++warp)
      join(reducer, values[(warp % sums) * step * length], values[warp * step * length]);
    for (std::uint32_t warp = 1; warp < sums && warp * step < threads; ++warp)
      join(reducer, values[0], values[warp * step * length]);
  }

 private:
  TEAMSAN_NO_INSTRUMENT static void join(Reducer const& reducer, void* into, void const* from) {
    reducer.join(static_cast<Value*>(into), static_cast<Value const*>(from));
  }
  TEAMSAN_NO_INSTRUMENT static void halve(Reducer const& reducer, void* const* values, std::uint32_t count) {
    for (std::uint32_t i = count / 2; i > 0; i /= 2)
      for (std::uint32_t lane = 0; lane < i; ++lane) join(reducer, values[lane], values[lane + i]);
  }
  TEAMSAN_NO_INSTRUMENT static void spread(Reducer const& reducer, void* const* values, std::uint32_t count) {
    for (std::uint32_t lane = 1; lane < count; ++lane)
      reducer.copy(static_cast<Value*>(values[lane]), static_cast<Value const*>(values[0]));
  }
};

/// Broadcast of one lane's value.
template <class Value>
struct CombineBroadcast {
  struct Context {
    std::uint32_t source;  ///< index in the meeting
  };

  TEAMSAN_COMBINE static void from_source(void* const* values, std::uint32_t count,
                                                void const* context) {
    std::uint32_t const source = static_cast<Context const*>(context)->source;
    for (std::uint32_t lane = 0; lane < count; ++lane)
      if (lane != source) *static_cast<Value*>(values[lane]) = *static_cast<Value const*>(values[source]);
  }
};

/// What a lane brings to a scan over its team, and takes from it.
template <class Value>
struct TeamScanSlot {
  Value value;  ///< in: the thread's contribution; out: the sum over the threads before it
  Value total;  ///< out: the sum over all
};

template <class Value>
struct CombineTeamScan {
  /// Exclusive sum in team_rank order; lane 0 of each thread counts, all lanes of the thread get the result.
  TEAMSAN_COMBINE static void exclusive(void* const* values, std::uint32_t count, void const* context) {
    std::uint32_t const length = static_cast<TeamShape const*>(context)->vector_length;
    Value sum = 0;
    for (std::uint32_t first = 0; first < count; first += length) {
      Value const contribution = slot(values[first]).value;
      for (std::uint32_t lane = first; lane < first + length; ++lane) slot(values[lane]).value = sum;
      sum += contribution;
    }
    for (std::uint32_t lane = 0; lane < count; ++lane) slot(values[lane]).total = sum;
  }

 private:
  TEAMSAN_NO_INSTRUMENT static TeamScanSlot<Value>& slot(void* value) {
    return *static_cast<TeamScanSlot<Value>*>(value);
  }
};

/// Inclusive scan over a thread's lanes with a reducer's join, in Kokkos' triangular pattern.
template <class Reducer>
struct CombineVectorScan {
  using Value = typename Reducer::value_type;

  TEAMSAN_COMBINE static void inclusive(void* const* values, std::uint32_t count, void const* context) {
    auto const& reducer = *static_cast<Reducer const*>(context);
    for (std::uint32_t shift = 1; shift < count; shift *= 2)
      for (std::uint32_t lane = count - 1; lane >= shift; --lane)
        reducer.join(*static_cast<Value*>(values[lane]), *static_cast<Value const*>(values[lane - shift]));
  }
};

}  // namespace teamsan::simt
