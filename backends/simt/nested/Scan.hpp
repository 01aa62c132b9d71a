// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// parallel_scan over TeamThreadRange and ThreadVectorRange (TeamVectorRange has none on CUDA, HIP and here).
/// Both go through the range in chunks of one index a thread (a lane), as CUDA does, with its meetings: for
/// each chunk a scan of the team and a broadcast of the sum so far, or the same two among the lanes of a
/// thread. In the first pass of the vector scan a lane calls the body for the index of the lane before it:
/// that too is CUDA's way.
#pragma once

#include "../Macros.hpp"
#include "../launch/UserValue.hpp"
#include "Ranges.hpp"
#include "Reduce.hpp"
#include "../team/Combine.hpp"
#include "../team/TeamMember.hpp"

#include "../../../sim/machine/Lane.hpp"

#include <Kokkos_Parallel.hpp>

#include <memory>
#include <type_traits>

namespace Kokkos::Impl {

/// The type of the second parameter of a scan's body.
template <class Closure, class Override = void>
using SimtScanValue =
    typename FunctorAnalysis<FunctorPatternInterface::SCAN, void, Closure, Override>::value_type;

template <class Closure, typename Index, class Value>
TEAMSAN_NO_INSTRUMENT void simt_scan_body(teamsan::Scope scope, void const* site, Closure const& closure,
                                          Index i, Value& value, bool final_pass) {
  teamsan::ScopeGuard const guard(scope, site, simt_end_of(value));
  teamsan::simt::run_user_code(closure, std::as_const(i), value, bool{final_pass});
}

/// What TeamThreadRange joins by.
template <class Value>
struct SimtScanSum {
  using value_type = Value;
  TEAMSAN_NO_INSTRUMENT void init(Value* value) const { *value = 0; }
  TEAMSAN_NO_INSTRUMENT void join(Value* to, Value const* from) const { *to = *to + *from; }
};

/// What the body is to add up into, if the runtime looks at what it does; nullptr: it does not.
template <class Value>
TEAMSAN_NO_INSTRUMENT Value* simt_watched_scan(Value const& initial) {
  if constexpr (teamsan::simt::has_equal_values<Value> && std::is_trivially_copyable_v<Value>)
    return static_cast<Value*>(teamsan::begin_nested_reduction(&initial, sizeof initial));
  else
    return nullptr;
}

/// The call that adds up, into `value`, which is as new.
template <class Erased, class Closure, typename Index, class Value, class Reducer>
TEAMSAN_NO_INSTRUMENT void simt_add_up(teamsan::Scope scope, void const* site, Closure const& closure, Index i,
                                             Value& value, Value* watched, Reducer const& reducer) {
  if (watched == nullptr) return simt_scan_body(scope, site, closure, i, value, false);
  teamsan::next_nested_iteration(&reducer, Erased::calls);
  *watched = value;
  simt_scan_body(scope, site, closure, i, *watched, false);
  value = *watched;
}

/// The sum over the range.
template <class Value, typename Index, class Closure>
TEAMSAN_NO_INSTRUMENT Value simt_scan_threads(SimtThreadRange<Index> const& range, Closure const& closure,
                                              void const* site) {
  constexpr auto scope = teamsan::Scope::team_thread_range;
  constexpr auto meeting = teamsan::Meeting::thread_range_scan;
  auto const size = static_cast<Index>(range.member.team_size());
  auto const rank = static_cast<Index>(range.member.team_rank());
  Value sum = 0;
  using Erased = SimtErasedNested<SimtScanSum<Value>>;
  SimtScanSum<Value> const reducer;
  Value* const watched = simt_watched_scan<Value>(sum);
  for (Index chunk = range.start; chunk < range.end; chunk += size) {
    Index const i = chunk + rank;
    Value own = 0;
    if (i < range.end) simt_add_up<Erased>(scope, site, closure, i, own, watched, reducer);
    own = range.member.impl_scan(own, meeting, site).value;
    Value value = sum + own;
    if (i < range.end) simt_scan_body(scope, site, closure, i, value, true);
    if (rank == size - 1) sum = value;
    range.member.impl_spread(sum, static_cast<int>(size) - 1, meeting, site);
  }
  if (watched != nullptr) teamsan::end_nested_reduction(&reducer, Erased::calls, true);
  return sum;
}

template <typename Index, class Closure, class ReducerType>
typename ReducerType::value_type simt_scan_folded(SimtVectorRange<Index> const& range, Closure const& closure,
                                                  ReducerType const& reducer, void const* site);

/// The join over the range, by a reducer of Kokkos' (init and join).
template <typename Index, class Closure, class ReducerType>
TEAMSAN_NO_INSTRUMENT typename ReducerType::value_type simt_scan_lanes(SimtVectorRange<Index> const& range,
                                                                       Closure const& closure,
                                                                       ReducerType const& reducer,
                                                                       void const* site) {
  using Value = typename ReducerType::value_type;
  using Broadcast = teamsan::simt::CombineBroadcast<Value>;
  constexpr auto scope = teamsan::Scope::thread_vector_range;
  constexpr auto meeting = teamsan::Meeting::vector_scan;
  auto const& lane = teamsan::this_lane();
  if (lane.folded != 1) [[unlikely]]
    return simt_scan_folded(range, closure, reducer, site);
  auto const size = static_cast<Index>(lane.vector_length);
  auto const rank = static_cast<Index>(lane.vector_lane);
  typename Broadcast::Context const last{lane.vector_length - 1};
  Value sum;
  reducer.init(sum);
  Value const identity = sum;
  using Erased = SimtErasedNested<SimtNestedReducer<ReducerType, Value>>;
  SimtNestedReducer<ReducerType, Value> const wrapped(reducer);
  Value* const watched = simt_watched_scan<Value>(identity);
  for (Index chunk = range.start; chunk < range.end; chunk += size) {
    Index const i = chunk + rank;
    Value value = identity;
    if (rank > 0 && i - 1 < range.end)
      simt_add_up<Erased>(scope, site, closure, static_cast<Index>(i - 1), value, watched, wrapped);
    teamsan::meet(meeting, &value, &teamsan::simt::CombineVectorScan<ReducerType>::inclusive, &reducer,
                         site);
    reducer.join(value, sum);
    if (i < range.end) simt_scan_body(scope, site, closure, i, value, true);
    teamsan::meet(meeting, &value, &Broadcast::from_source, &last, site);
    sum = value;
  }
  if (watched != nullptr) teamsan::end_nested_reduction(&wrapped, Erased::calls, true);
  return sum;
}

/// The same by one lane that stands for all of the thread: what each would have is kept, and the body called in the same order.
template <typename Index, class Closure, class ReducerType>
[[gnu::noinline]] TEAMSAN_NO_INSTRUMENT typename ReducerType::value_type simt_scan_folded(SimtVectorRange<Index> const& range,
                                                                                         Closure const& closure,
                                                                                         ReducerType const& reducer,
                                                                                         void const* site) {
  using Value = typename ReducerType::value_type;
  static_assert(alignof(Value) <= teamsan::folded_values_alignment);
  constexpr auto scope = teamsan::Scope::thread_vector_range;
  std::uint32_t const lanes = teamsan::this_lane().folded;
  Value sum;
  reducer.init(sum);
  Value const identity = sum;
  auto* const values = static_cast<Value*>(teamsan::take_folded_values(lanes * sizeof(Value)));
  std::uninitialized_fill_n(values, lanes, identity);
  void* all[64];
  for (std::uint32_t lane = 0; lane != lanes; ++lane) all[lane] = values + lane;
  for (Index chunk = range.start; chunk < range.end; chunk += static_cast<Index>(lanes)) {
    for (std::uint32_t lane = 0; lane != lanes; ++lane) {
      values[lane] = identity;
      Index const before = chunk + static_cast<Index>(lane) - 1;
      if (lane > 0 && before < range.end) simt_scan_body(scope, site, closure, before, values[lane], false);
    }
    teamsan::simt::CombineVectorScan<ReducerType>::inclusive(all, lanes, &reducer);
    for (std::uint32_t lane = 0; lane != lanes; ++lane) {
      Index const i = chunk + static_cast<Index>(lane);
      reducer.join(values[lane], sum);
      if (i < range.end) simt_scan_body(scope, site, closure, i, values[lane], true);
    }
    sum = values[lanes - 1];
  }
  std::destroy_n(values, lanes);
  teamsan::give_back_folded_values(values);
  return sum;
}

}  // namespace Kokkos::Impl

namespace Kokkos {

template <typename Index, class Closure, class Result>
TEAMSAN_ENTRY void parallel_scan(Impl::SimtThreadRange<Index> const& range, Closure const& closure,
                                 Result& result) {
  static_assert(std::is_same_v<Impl::SimtScanValue<Closure>, Result>,
                "Non-matching value types of functor and return type");
  void const* const site = __builtin_return_address(0);
  auto const sum = Impl::simt_scan_threads<Result>(range, closure, site);
  teamsan::simt::write_user_value(result, sum, site);
}

template <typename Index, class Closure>
TEAMSAN_ENTRY void parallel_scan(Impl::SimtThreadRange<Index> const& range, Closure const& closure) {
  Impl::simt_scan_threads<Impl::SimtScanValue<Closure>>(range, closure, __builtin_return_address(0));
}

template <typename Index, class Closure, class ReducerType>
TEAMSAN_ENTRY std::enable_if_t<is_reducer_v<ReducerType>> parallel_scan(
    Impl::SimtVectorRange<Index> const& range, Closure const& closure, ReducerType const& reducer) {
  void const* const site = __builtin_return_address(0);
  auto const sum = Impl::simt_scan_lanes(range, closure, reducer, site);
  teamsan::simt::write_user_value(reducer.reference(), sum, site);
}

template <typename Index, class Closure>
TEAMSAN_ENTRY void parallel_scan(Impl::SimtVectorRange<Index> const& range, Closure const& closure) {
  using Value = Impl::SimtScanValue<Closure>;
  Value sum;
  Impl::simt_scan_lanes(range, closure, Sum<Value>(sum), __builtin_return_address(0));
}

template <typename Index, class Closure, class Result>
TEAMSAN_ENTRY std::enable_if_t<!is_reducer_v<Result>> parallel_scan(Impl::SimtVectorRange<Index> const& range,
                                                                    Closure const& closure, Result& result) {
  using Value = Impl::SimtScanValue<Closure, Result>;
  static_assert(std::is_same_v<Value, Result>, "Non-matching value types of closure and return type");
  void const* const site = __builtin_return_address(0);
  Value sum;
  auto const total = Impl::simt_scan_lanes(range, closure, Sum<Value>(sum), site);
  teamsan::simt::write_user_value(result, total, site);
}

}  // namespace Kokkos
