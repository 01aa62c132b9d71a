// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sums of numbers and of small structs, and what else Kokkos joins of them, the most common of reductions and scans: lanes
/// that run one after the other do so in one call of the kernel's function, and what a lane adds up is a variable that mostly
/// stays in registers.
#pragma once

#include "../Macros.hpp"
#include "LaneValue.hpp"
#include "UserCode.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace teamsan::simt {

/// The running lane makes iterations from `offset` to before `last`, lanes of the block apart.
struct LaneShare {
  static constexpr std::uint64_t no_lane = ~std::uint64_t{0};
  std::uint64_t offset = no_lane, last = 0;
};

/// `body(begin + offset, sum, final...)` for the running lane's share, and for those of the lanes behind it that run in the
/// same call: at a lane's end `End::end_lane` takes its sum and gives the next one's share. `final`: of a scan, a type that is
/// false, so that what the body does in its final call is seen not to be there. Instrumented.
template <class WorkTag, class End, class Value, class Body, class Index, class... Final>
TEAMSAN_FLAT void run_user_code_of_sums(Body const& functor, Index begin, LaneShare share, void const* kernel, Lane const* lane,
                                        std::uint64_t stride, ReduceBuffer::Row* row, Final const... final) {
  FunctorOfLanes<Body> const lanes(functor);
  tell_accesses(functor);
  while (share.offset != LaneShare::no_lane) {
    Value sum = End::first_value(kernel);
    for (; share.offset < share.last; share.offset += stride) {
      Index index[] = {static_cast<Index>(begin + static_cast<Index>(share.offset))};
      begin_iteration(index);
      if constexpr (std::is_void_v<WorkTag>)
        lanes.body()(index[0], sum, static_cast<bool>(final)...);
      else
        lanes.body()(WorkTag{}, index[0], sum, static_cast<bool>(final)...);
    }
    share = End::end_lane(kernel, *lane, row, sum);
  }
}

/// Of a block whose lanes run in one call, at most, with a value each on the stack.
template <class Value>
inline constexpr std::uint32_t most_plain_lanes = sizeof(Value) <= 32 ? 1024 : 32768 / sizeof(Value);

/// What a lane begins with.
template <class Reducer>
[[gnu::always_inline]] inline typename Reducer::value_type plain_first_value(Reducer const& reducer) {
  auto value = typename Reducer::value_type();
  if constexpr (!is_sum_of_small_values<Reducer>) reducer.init(&value);
  return value;
}
/// What the lanes of a block have, joined as ReduceBuffer joins it, by rank: values that are to be joined come to lie side by
/// side.
template <class Reducer, class Value>
[[gnu::always_inline]] inline Value plain_join(Reducer const& reducer, Value* values, std::uint32_t lanes) {
  for (std::uint32_t count = lanes; count > 1; count = (count + 1) / 2) {
    for (std::uint32_t i = 0; i < count / 2; ++i) {
      Value joined = values[2 * i];
      if constexpr (is_sum_of_numbers<Reducer>)
        joined = static_cast<Value>(joined + values[2 * i + 1]);
      else
        reducer.join(&joined, &values[2 * i + 1]);
      values[i] = joined;
    }
    if (count % 2 != 0) values[count / 2] = values[count - 1];
  }
  return values[0];
}

/// The same without checks for all lanes of a block, whose share is [first, last): what they add up, joined. In a function with
/// TEAMSAN_PLAIN_BLOCKS.
template <class WorkTag, class Reducer, class Value, class Body, class Index, class... Final>
[[gnu::always_inline]] inline Value plain_block_sum(Body const& body, Reducer const& reducer, Index begin, std::uint64_t first,
                                                    std::uint64_t last, std::uint32_t lanes, Value* sums, Final... final) {
  Value const first_value = plain_first_value(reducer);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) sums[lane] = first_value;
  for (std::uint64_t row = first; row < last; row += lanes) {
    std::uint32_t const here = last - row < lanes ? static_cast<std::uint32_t>(last - row) : lanes;
    for (std::uint32_t lane = 0; lane < here; ++lane) {
      Value sum = sums[lane];
      auto index = static_cast<Index>(begin + static_cast<Index>(row + lane));
      call_plain<WorkTag>(body, index, sum, static_cast<Final>(final)...);
      sums[lane] = sum;
    }
  }
  return plain_join(reducer, sums, lanes);
}

/// Of a kernel with `reducer()`.
template <class Kernel, class Reducer>
struct BeginOfSum {
  using Value = typename Reducer::value_type;
  [[gnu::always_inline]] static Value first_value(void const* kernel) {
    if constexpr (is_sum_of_small_values<Reducer>)
      return Value();
    else
      return ask(kernel);
  }
  TEAMSAN_ASKED_BY_LANES static Value ask(void const* kernel) {
    Value value{};
    init_value(static_cast<Kernel const*>(kernel)->reducer(), &value);
    return value;
  }
};

/// Of a kernel with `reducer()`, `share_of(lane)` and `buffer()`.
template <class Kernel, class Reducer>
struct EndOfSum : BeginOfSum<Kernel, Reducer> {
  using Value = typename Reducer::value_type;
  TEAMSAN_ASKED_BY_LANES static LaneShare end_lane(void const* kernel, Lane const& lane, ReduceBuffer::Row* row, Value sum) {
    auto const& self = *static_cast<Kernel const*>(kernel);
    reinterpret_cast<Value*>(row->values)[lane.index] = sum;
    if (++row->arrived == row->lanes) self.buffer().end_block(kernel, lane);
    TEAMSAN_NEXT_LANE_IN_LINE(slowly);
    return self.share_of(lane);
  slowly:
    return next_lane() ? self.share_of(lane) : LaneShare{};
  }
};

/// The iteration of the running lane in a tile, and which tile that is.
template <class Index, int rank>
struct LanePlace {
  bool is_there = false;  ///< false: there is none behind the one before it
  std::uint64_t tile = 0;
  Index index[rank] = {};
};

/// `body(indices..., value)` for the running lane, in all its tiles, and for those of the lanes behind it that run in the same
/// call, as above. `Tiles::place_of(kernel, lane, tile)` is its iteration in that tile or in a later one of its own.
template <class WorkTag, class Tiles, class Value, class Body, int... dimensions>
TEAMSAN_FLAT void run_user_code_of_tiles(Body const& functor, bool any, void const* kernel, Lane const* lane,
                                         ReduceBuffer::Row* row, std::integer_sequence<int, dimensions...>) {
  FunctorOfLanes<Body> const lanes(functor);
  tell_accesses(functor);
  while (any) {
    Value value = Tiles::first_value(kernel);
    for (std::uint64_t tile = Tiles::first_tile(*lane);;) {
      auto const place = Tiles::place_of(kernel, *lane, tile);
      if (!place.is_there) break;
      std::remove_const_t<std::remove_reference_t<decltype(place.index[0])>> index[] = {place.index[dimensions]...};
      begin_iteration(index);
      if constexpr (std::is_void_v<WorkTag>)
        lanes.body()(index[dimensions]..., value);
      else
        lanes.body()(WorkTag{}, index[dimensions]..., value);
      tile = Tiles::next_tile(*lane, place.tile);
    }
    any = Tiles::end_lane(kernel, *lane, row, value);
  }
}

/// The iteration that the running lane makes in a step of a scan, and what it begins with.
template <class Value>
struct LanePrefix {
  static constexpr std::uint64_t no_lane = ~std::uint64_t{0};
  std::uint64_t offset = no_lane;
  Value value{};
};

/// `body(begin + offset, value, final)` for the running lane, and for the lanes behind it that run in the same call, as above:
/// those whose iterations are before `last`.
template <class WorkTag, class End, class Value, class Body, class Index>
TEAMSAN_FLAT_IN_STEPS void run_user_code_of_prefixes(Body const& functor, Index begin, LanePrefix<Value> prefix,
                                                     std::uint64_t last, bool const final, void const* kernel, Lane const* lane,
                                                     Value* values) {
  FunctorOfLanes<Body> const lanes(functor);
  tell_accesses(functor);
  while (prefix.offset != LanePrefix<Value>::no_lane) {
    Value value = prefix.value;
    Index index[] = {static_cast<Index>(begin + static_cast<Index>(prefix.offset))};
    begin_iteration(index);
    if constexpr (std::is_void_v<WorkTag>)
      lanes.body()(index[0], value, static_cast<bool>(final));
    else
      lanes.body()(WorkTag{}, index[0], value, static_cast<bool>(final));
    prefix = End::end_lane(kernel, *lane, values, prefix.offset, last, final, value);
    ++values;
  }
}

}  // namespace teamsan::simt
