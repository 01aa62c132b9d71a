// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// parallel_reduce over the nested ranges. A lane accumulates in a variable of its own; where the lanes meet,
/// the values are joined (team/Combine.hpp): a TeamThreadRange counts lane 0 of each thread, since
/// every vector lane ran the same body. Every lane then stores the result, as on CUDA: a result that lies in
/// memory the lanes share is written by all of them.
#pragma once

#include "../Macros.hpp"
#include "../launch/LaneValue.hpp"
#include "../launch/UserValue.hpp"
#include "FoldedValues.hpp"
#include "Ranges.hpp"
#include "../team/TeamMember.hpp"

#include "../../../sim/host/Reductions.hpp"
#include "../../../sim/machine/Lane.hpp"

#include <Kokkos_Parallel_Reduce.hpp>

#include <type_traits>

namespace Kokkos::Impl {

template <typename Index>
constexpr teamsan::Meeting simt_reduce_meeting(SimtThreadRange<Index> const*) {
  return teamsan::Meeting::thread_range_reduce;
}
template <typename Index>
constexpr teamsan::Meeting simt_reduce_meeting(SimtTeamVectorRange<Index> const*) {
  return teamsan::Meeting::team_vector_reduce;
}
template <typename Index>
constexpr teamsan::Meeting simt_reduce_meeting(SimtVectorRange<Index> const*) {
  return teamsan::Meeting::vector_reduce;
}

/// What the type of a nested reduction's values does, without its type.
template <class Reducer>
struct SimtErasedNested {
  using Value = typename Reducer::value_type;
  TEAMSAN_NO_INSTRUMENT static void init(void const* reducer, void* value) {
    static_cast<Reducer const*>(reducer)->init(static_cast<Value*>(value));
  }
  TEAMSAN_NO_INSTRUMENT static void join(void const* reducer, void* to, void const* from) {
    static_cast<Reducer const*>(reducer)->join(static_cast<Value*>(to), static_cast<Value const*>(from));
  }
  static constexpr teamsan::ReducedValueCalls calls{init, join, teamsan::simt::equal_values<Value>};
};

/// The running lane's result of a range.
template <class Value>
TEAMSAN_NO_INSTRUMENT void simt_store_result(Value& to, Value const& from, void const* site) {
  if constexpr (std::is_trivially_copyable_v<Value>) {
    teamsan::note_reduced(&to, sizeof(Value), site);
    to = from;
  } else {
    teamsan::simt::write_user_value(to, from, site);
  }
}

/// simt_run_share, where the runtime looks at what the body does to its value; false: it does not.
template <class Range, class Closure, class Reducer>
TEAMSAN_NO_INSTRUMENT bool simt_run_watched(Range const& range, void const* site, Closure const& closure,
                                            Reducer const& reducer, typename Reducer::value_type& value) {
  using Value = typename Reducer::value_type;
  if constexpr (!teamsan::simt::has_equal_values<Value>) {
    return false;
  } else {
    auto* const watched = static_cast<Value*>(teamsan::begin_nested_reduction(&value, sizeof value));
    if (watched == nullptr) [[likely]]
      return false;
    using Index = typename Range::index_type;
    using Erased = SimtErasedNested<Reducer>;
    SimtShare const share = simt_share(range);
    teamsan::ScopeGuard const scope(share.scope, site, simt_end_of(value));
    for (Index i = range.start + static_cast<Index>(share.first); i < range.end; i += static_cast<Index>(share.stride)) {
      teamsan::next_nested_iteration(&reducer, Erased::calls);
      teamsan::simt::run_user_code(closure, std::as_const(i), *watched);
    }
    teamsan::end_nested_reduction(&reducer, Erased::calls);
    value = *watched;
    return true;
  }
}

/// The whole reduction up to the final value, with a reducer that FunctorAnalysis made.
template <class Range, class Closure, class WrappedReducer>
TEAMSAN_NO_INSTRUMENT typename WrappedReducer::value_type simt_reduce(Range const& range,
                                                                      Closure const& closure,
                                                                      WrappedReducer const& reducer,
                                                                      void const* site) {
  constexpr teamsan::Meeting meeting = simt_reduce_meeting(static_cast<Range const*>(nullptr));
  typename WrappedReducer::value_type value;
  reducer.init(&value);
  if (!simt_run_watched(range, site, closure, reducer, value))
    simt_run_share(range, site, SimtFoldedValues<WrappedReducer>(reducer, simt_share(range).lanes, value), closure, value);
  SimtTeamMember::impl_reduce(reducer, &value, meeting, site);
  reducer.final(&value);
  return value;
}

/// What FunctorAnalysis makes of a sum of numbers, in functions that are not instrumented: each lane would call a dozen.
template <class Value>
struct SimtSumOfNumbers {
  using value_type = Value;
  using functor_type = Sum<Value>;
  TEAMSAN_NO_INSTRUMENT void init(Value* value) const { *value = Value(); }
  TEAMSAN_NO_INSTRUMENT void join(Value* to, Value const* from) const { *to += *from; }
  TEAMSAN_NO_INSTRUMENT void copy(Value* to, Value const* from) const { *to = *from; }
  TEAMSAN_NO_INSTRUMENT void final(Value*) const {}
};

template <class>
inline constexpr bool simt_sums_numbers = false;
template <class Value, class Space>
inline constexpr bool simt_sums_numbers<Sum<Value, Space>> = std::is_arithmetic_v<std::remove_cv_t<Value>>;

template <class Range, class Closure, class ReducerType>
TEAMSAN_NO_INSTRUMENT void simt_reduce_with(Range const& range, Closure const& closure,
                                            ReducerType const& reducer, void const* site) {
  using Value = typename ReducerType::value_type;
  Value& result = reducer.reference();
  if constexpr (simt_sums_numbers<ReducerType>)
    simt_store_result(result, simt_reduce(range, closure, SimtSumOfNumbers<Value>(), site), site);
  else
    simt_store_result(result, simt_reduce(range, closure, SimtNestedReducer<ReducerType, Value>(reducer), site), site);
}

struct SimtJoinNames {
  int init, join, final;
};
template <class Closure>
struct SimtClosureWithNames : Closure, SimtJoinNames {};

template <class Names, class Result, class = void>
inline constexpr bool simt_names_are_unique = false;
template <class Names, class Result>
inline constexpr bool simt_names_are_unique<Names, Result,
                                            std::void_t<decltype(reduction_identity<Result>::sum()), decltype(&Names::init),
                                                        decltype(&Names::join), decltype(&Names::final)>> = true;

/// A sum of numbers by a closure, such as a lambda, that has no init, join or final of its own. FunctorAnalysis comes to the
/// same; but a compiler takes long over one of it for each lambda, and a library's team kernels have hundreds of them.
template <class Closure, class Result>
constexpr bool simt_is_plain_sum() {
  if constexpr (std::is_arithmetic_v<Result> && std::is_class_v<Closure> && !std::is_final_v<Closure>)
    return simt_names_are_unique<SimtClosureWithNames<Closure>, Result>;
  else
    return false;
}

/// The closure's own init, join and final where it has them, a sum otherwise.
template <class Range, class Closure, class Result>
TEAMSAN_NO_INSTRUMENT void simt_reduce_into(Range const& range, Closure const& closure, Result& result, void const* site) {
  if constexpr (is_view_v<Result>) {
    static_assert(Result::rank() == 0, "A nested parallel_reduce into a View requires a rank-0 View!");
    simt_reduce_into(range, closure, *result.data(), site);
  } else if constexpr (simt_is_plain_sum<Closure, Result>()) {
    simt_store_result(result, simt_reduce(range, closure, SimtSumOfNumbers<Result>(), site), site);
  } else {
    Result const value = simt_reduce(range, closure, SimtNestedReducer<Closure, Result>(closure), site);
    simt_store_result(result, value, site);
  }
}

}  // namespace Kokkos::Impl

namespace Kokkos {

template <typename Index, class Closure, class ReducerType>
TEAMSAN_ENTRY std::enable_if_t<is_reducer_v<ReducerType>> parallel_reduce(
    Impl::SimtThreadRange<Index> const& range, Closure const& closure, ReducerType const& reducer) {
  Impl::simt_reduce_with(range, closure, reducer, __builtin_return_address(0));
}

template <typename Index, class Closure, class Result>
TEAMSAN_ENTRY std::enable_if_t<!is_reducer_v<Result>> parallel_reduce(
    Impl::SimtThreadRange<Index> const& range, Closure const& closure, Result& result) {
  Impl::simt_reduce_into(range, closure, result, __builtin_return_address(0));
}

template <typename Index, class Closure, class ReducerType>
TEAMSAN_ENTRY std::enable_if_t<is_reducer_v<ReducerType>> parallel_reduce(
    Impl::SimtTeamVectorRange<Index> const& range, Closure const& closure, ReducerType const& reducer) {
  Impl::simt_reduce_with(range, closure, reducer, __builtin_return_address(0));
}

template <typename Index, class Closure, class Result>
TEAMSAN_ENTRY std::enable_if_t<!is_reducer_v<Result>> parallel_reduce(
    Impl::SimtTeamVectorRange<Index> const& range, Closure const& closure, Result& result) {
  Impl::simt_reduce_into(range, closure, result, __builtin_return_address(0));
}

template <typename Index, class Closure, class ReducerType>
TEAMSAN_ENTRY std::enable_if_t<is_reducer_v<ReducerType>> parallel_reduce(
    Impl::SimtVectorRange<Index> const& range, Closure const& closure, ReducerType const& reducer) {
  Impl::simt_reduce_with(range, closure, reducer, __builtin_return_address(0));
}

template <typename Index, class Closure, class Result>
TEAMSAN_ENTRY std::enable_if_t<!is_reducer_v<Result>> parallel_reduce(
    Impl::SimtVectorRange<Index> const& range, Closure const& closure, Result& result) {
  Impl::simt_reduce_into(range, closure, result, __builtin_return_address(0));
}

}  // namespace Kokkos
