// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Nested multi-dimensional ranges, ranks 2 to 8. Kokkos' own code for them serves any space, but joins the
/// vector lanes of a reduction only for the backends it names, so the simulated GPU brings its own. Which
/// loop is spread over threads and which over vector lanes is CUDA's choice (AcceleratorBasedNestLevel in
/// impl/Kokkos_TeamMDPolicy.hpp), its oddity for the default iteration order included: there the outermost
/// loop is spread, not the innermost. Every loop over vector lanes ends with a meeting of the thread's lanes,
/// as a ThreadVectorRange does.
#pragma once

#include "../Macros.hpp"
#include "../launch/UserValue.hpp"
#include "FoldedValues.hpp"
#include "Ranges.hpp"
#include "../team/TeamMember.hpp"

#include "../../../sim/machine/Lane.hpp"

#include <Kokkos_ExecPolicy.hpp>

#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// The loop nest of one range: `Range` is one of Kokkos' three MD range structs over a SimtTeamMember.
template <class Range>
struct SimtNest {
  static constexpr int rank = Range::total_nest_level;
  static_assert(rank >= 2 && rank <= 8);

  static constexpr bool over_threads = Range::par_thread == TeamMDRangeParThread::ParThread;
  static constexpr bool over_lanes = Range::par_vector == TeamMDRangeParVector::ParVector;
  static constexpr bool index0_outermost = Range::iter == Iterate::Right;
  static constexpr bool left = Range::iter == Iterate::Left;

  // Dimensions, not depths. None: -1.
  static constexpr int lane_dimension = !over_lanes ? -1 : left ? 0 : rank - 1;
  static constexpr int thread_dimension = !over_threads ? -1
                                          : left        ? (over_lanes ? 1 : 0)
                                          : over_lanes  ? rank - 2
                                                        : rank - 1;
  static constexpr int outermost = index0_outermost ? 0 : rank - 1;

  // One scope around both loops where the loop over lanes is the outer one: no hierarchy has threads inside
  // lanes.
  static constexpr bool lanes_outside =
      over_threads && !index0_outermost && lane_dimension > thread_dimension;

  /// `body(i0, i1, ..., value...)` for the calling lane's part of the index space; `next()` behind that of each lane that it
  /// stands for.
  template <class Next, class Body, class... Value>
  TEAMSAN_NO_INSTRUMENT static void run(Range const& range, Next const& next, Body const& body, void const* site,
                                        Value&... value) {
    std::uint32_t const lanes = lanes_of_thread();
    for (std::uint32_t lane = 0; lane != lanes; ++lane) {
      int index[1 + rank];
      index[rank] = static_cast<int>(lane);
      loop<outermost>(range, body, site, index, value...);
      next();
    }
  }
  template <class Body>
  TEAMSAN_NO_INSTRUMENT static void run(Range const& range, Body const& body, void const* site) {
    run(range, [] {}, body, site);
  }
  /// That the calling lane stands for, and that have parts of their own.
  TEAMSAN_NO_INSTRUMENT static std::uint32_t lanes_of_thread() { return over_lanes ? teamsan::this_lane().folded : 1; }

 private:
  template <int dimension, class Body, class... Value>
  TEAMSAN_NO_INSTRUMENT static void loop(Range const& range, Body const& body, void const* site, int* index,
                                         Value&... value) {
    auto const& lane = teamsan::this_lane();
    if constexpr (dimension == lane_dimension) {
      {
        teamsan::ScopeGuard const scope(
            lanes_outside ? teamsan::Scope::team_vector_range : teamsan::Scope::thread_vector_range, site,
            simt_end_of(value...));
        iterate<dimension>(range, body, site, index, static_cast<int>(lane.vector_lane) + index[rank],
                           static_cast<int>(lane.vector_length * lane.folded), value...);
      }
      teamsan::meet(teamsan::Meeting::vector_range_end, nullptr, nullptr, nullptr, site);
    } else if constexpr (dimension == thread_dimension && !lanes_outside) {
      teamsan::ScopeGuard const scope(teamsan::Scope::team_thread_range, site);
      iterate<dimension>(range, body, site, index, static_cast<int>(lane.thread),
                         static_cast<int>(lane.team_size), value...);
    } else if constexpr (dimension == thread_dimension) {
      iterate<dimension>(range, body, site, index, static_cast<int>(lane.thread),
                         static_cast<int>(lane.team_size), value...);
    } else {
      iterate<dimension>(range, body, site, index, 0, 1, value...);
    }
  }

  template <int dimension, class Body, class... Value>
  TEAMSAN_NO_INSTRUMENT static void iterate(Range const& range, Body const& body, void const* site,
                                            int* index, int first, int stride, Value&... value) {
    constexpr int next = index0_outermost ? dimension + 1 : dimension - 1;
    for (int i = first; i < range.boundaries[dimension]; i += stride) {
      index[dimension] = i;
      if constexpr (next >= 0 && next < rank)
        loop<next>(range, body, site, index, value...);
      else
        call(body, index, std::make_integer_sequence<int, rank>(), value...);
    }
  }

  template <class Body, int... dimension, class... Value>
  TEAMSAN_NO_INSTRUMENT static void call(Body const& body, int const* index,
                                         std::integer_sequence<int, dimension...>, Value&... value) {
    teamsan::simt::run_user_code(body, index[dimension]..., value...);
  }
};

/// As CUDA: every lane clears the user's variable, adds to it, brings a copy to the meeting and stores the
/// sum.
template <class Range, class Body, class Value>
TEAMSAN_NO_INSTRUMENT void simt_reduce_nest(Range const& range, Body const& body, Value& value,
                                            teamsan::Meeting meeting, void const* site) {
  static_assert(!std::is_array_v<Value> && !std::is_pointer_v<Value> && !is_reducer_v<Value>,
                "Only scalar return types are allowed!");
  teamsan::simt::write_user_value(value, Value{}, site);
  Value own;
  Sum<Value, teamsan::Simt> const sum(own);
  SimtNestedReducer<Sum<Value, teamsan::Simt>, Value> const reducer(sum);
  SimtFoldedValues const next(reducer, SimtNest<Range>::lanes_of_thread(), value);
  SimtNest<Range>::run(range, next, body, site, value);
  own = teamsan::simt::read_user_value(value, site);
  SimtTeamMember::impl_reduce(reducer, &own, meeting, site);
  teamsan::simt::write_user_value(value, own, site);
}

}  // namespace Kokkos::Impl

namespace Kokkos {

template <typename Rank, class Body>
TEAMSAN_ENTRY void parallel_for(TeamThreadMDRange<Rank, Impl::SimtTeamMember> const& range,
                                Body const& body) {
  Impl::SimtNest<TeamThreadMDRange<Rank, Impl::SimtTeamMember>>::run(range, body,
                                                                     __builtin_return_address(0));
}

template <typename Rank, class Body>
TEAMSAN_ENTRY void parallel_for(ThreadVectorMDRange<Rank, Impl::SimtTeamMember> const& range,
                                Body const& body) {
  Impl::SimtNest<ThreadVectorMDRange<Rank, Impl::SimtTeamMember>>::run(range, body,
                                                                       __builtin_return_address(0));
}

template <typename Rank, class Body>
TEAMSAN_ENTRY void parallel_for(TeamVectorMDRange<Rank, Impl::SimtTeamMember> const& range,
                                Body const& body) {
  Impl::SimtNest<TeamVectorMDRange<Rank, Impl::SimtTeamMember>>::run(range, body,
                                                                     __builtin_return_address(0));
}

template <typename Rank, class Body, class Value>
TEAMSAN_ENTRY void parallel_reduce(TeamThreadMDRange<Rank, Impl::SimtTeamMember> const& range,
                                   Body const& body, Value& value) {
  Impl::simt_reduce_nest(range, body, value, teamsan::Meeting::thread_range_reduce,
                         __builtin_return_address(0));
}

template <typename Rank, class Body, class Value>
TEAMSAN_ENTRY void parallel_reduce(ThreadVectorMDRange<Rank, Impl::SimtTeamMember> const& range,
                                   Body const& body, Value& value) {
  Impl::simt_reduce_nest(range, body, value, teamsan::Meeting::vector_reduce, __builtin_return_address(0));
}

template <typename Rank, class Body, class Value>
TEAMSAN_ENTRY void parallel_reduce(TeamVectorMDRange<Rank, Impl::SimtTeamMember> const& range,
                                   Body const& body, Value& value) {
  Impl::simt_reduce_nest(range, body, value, teamsan::Meeting::team_vector_reduce,
                         __builtin_return_address(0));
}

}  // namespace Kokkos
