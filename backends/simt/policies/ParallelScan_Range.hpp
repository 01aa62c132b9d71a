// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// parallel_scan over a RangePolicy as CUDA does it: a first launch adds up each block's part, a second one
/// scans. In the second, the lanes of a block meet before the functor is called with `final == true`, and
/// between chunks of 128 iterations; between blocks nothing is ordered, so that a functor whose final call
/// writes what another block's first call reads is the race that it is on a GPU. One block needs no first
/// launch.
#pragma once

#include "../launch/LaneSums.hpp"
#include "../launch/Steps.hpp"

#include <Kokkos_Parallel.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace teamsan::simt {

template <class FunctorType, class Policy, class ReturnType>
class Scan {
 public:
  using Analysis = Kokkos::Impl::FunctorAnalysis<Kokkos::Impl::FunctorPatternInterface::SCAN, Policy,
                                                 FunctorType, ReturnType>;
  using Reducer = typename Analysis::Reducer;
  using value_type = typename Analysis::value_type;
  using pointer_type = typename Analysis::pointer_type;
  using reference_type = typename Analysis::reference_type;

  Scan(FunctorType const& functor, Policy const& policy, pointer_type result)
      : m_functor_reducer(functor, Reducer{functor}), m_policy(policy), m_result(result) {}

  void execute() const {
    if (is_nested_launch()) return;
    auto config = describe<FunctorType>(Pattern::parallel_scan, teamsan::Policy::range, m_policy.space());
    constexpr std::uint32_t preferred = 128;
    std::uint64_t const work = static_cast<std::uint64_t>(m_policy.end() - m_policy.begin());
    m_value_bytes = reducer().value_size();
    config.team_size = reduce_block_lanes(config, m_value_bytes, preferred);
    std::uint64_t const most =
        std::min<std::uint64_t>(std::uint64_t{config.team_size} * config.team_size, 0xffff);
    std::uint64_t const wanted =
        std::clamp<std::uint64_t>((work + config.team_size - 1) / config.team_size, 1, most);
    m_begin = m_policy.begin();
    m_work = work;
    m_block_work = std::max<std::uint64_t>(1, (work + wanted - 1) / wanted);
    config.league_size = std::max<std::uint64_t>(1, (work + m_block_work - 1) / m_block_work);
    config.indices = {1, {static_cast<std::int64_t>(m_begin)}, {work}};

    ReduceBuffer buffer(ErasedReducer<Scan, Reducer>::calls, BlockValues::exclusive_scan, m_value_bytes,
                        config);
    m_buffer = &buffer;
    m_lanes = config.team_size;
    if (config.league_size > 1) {
      launch(config, this, sizeof(*this), &add_up, nullptr, nullptr, plain<&add_up, &add_up_blocks>());
    } else {
      buffer.start_at_init(this);
    }
    auto const* const site = reinterpret_cast<char const*>(&step) + 1;  // as a return address: of what lies before it
    LaneSteps const in_steps{&steps, &step, &met, Meeting::kernel_chunk, site, m_value_bytes};
    m_steps = &in_steps;
    if (work > 0) launch(config, this, sizeof(*this), &scan, nullptr, &in_steps, plain<&scan, &scan_blocks>());
    deliver(buffer, m_result, m_value_bytes);
  }

  TEAMSAN_NO_INSTRUMENT Reducer const& reducer() const { return m_functor_reducer.get_reducer(); }

 private:
  using Member = typename Policy::member_type;
  using WorkTag = typename Policy::work_tag;

  TEAMSAN_NO_INSTRUMENT void call(std::uint64_t offset, reference_type update, bool final) const {
    auto const index = static_cast<Member>(m_begin + static_cast<Member>(offset));
    if constexpr (std::is_void_v<WorkTag>) {
      teamsan::simt::run_user_code(m_functor_reducer.get_functor(), index, update, bool{final});
    } else {
      teamsan::simt::run_user_code(m_functor_reducer.get_functor(), WorkTag{}, index, update, bool{final});
    }
  }

  TEAMSAN_NO_INSTRUMENT std::uint64_t end_of(std::uint64_t first) const {
    return first + m_block_work < m_work ? first + m_block_work : m_work;
  }

  friend struct EndOfSum<Scan, Reducer>;
  TEAMSAN_NO_INSTRUMENT ReduceBuffer& buffer() const { return *m_buffer; }

  TEAMSAN_NO_INSTRUMENT LaneShare share_of(Lane const& lane) const {
    std::uint64_t const first = lane.league_rank * m_block_work;
    return {first + lane.thread, end_of(first)};
  }

  TEAMSAN_NO_INSTRUMENT static void add_up(void const* kernel, Lane const& lane) {
    auto const& self = *static_cast<Scan const*>(kernel);
    LaneShare const share = self.share_of(lane);
    void* const watched = self.m_buffer->watched_value(lane);
    if constexpr (is_sum_of_numbers<Reducer>) {
      // What lanes access is told there, too: where values are looked at, of no lane.
      if (watched == nullptr || (lane.index == 0 && tells_accesses<FunctorType>))
        run_user_code_of_sums<WorkTag, EndOfSum<Scan, Reducer>, value_type>(
            self.m_functor_reducer.get_functor(), self.m_begin, watched == nullptr ? share : LaneShare{}, kernel, &lane,
            lane.team_size, watched == nullptr ? &self.m_buffer->row(lane.league_rank) : nullptr, std::false_type());
      if (watched == nullptr) return;
    }
    TEAMSAN_LANE_VALUE(value_type, own, Reducer::static_value_size(), self.m_value_bytes);
    pointer_type const value = watched != nullptr ? static_cast<pointer_type>(watched) : own;
    reference_type update = init_value(self.reducer(), value);
    for (std::uint64_t offset = share.offset; offset < share.last; offset += lane.team_size) {
      if (watched != nullptr) next_iteration();
      self.call(offset, update, false);
    }
    self.m_buffer->hand_over(kernel, lane, value);
  }

  /// Each chunk takes two: adding up, and behind the meeting that makes prefixes of what lanes have, the final call.
  TEAMSAN_NO_INSTRUMENT static std::uint64_t steps(void const* kernel, Lane const& lane) {
    auto const& self = *static_cast<Scan const*>(kernel);
    std::uint64_t const first = lane.league_rank * self.m_block_work;
    return (self.end_of(first) - first + lane.team_size - 1) / lane.team_size * 2;
  }

  TEAMSAN_NO_INSTRUMENT static void step(void const* kernel, Lane const& lane, std::uint64_t step, void* storage) {
    auto const& self = *static_cast<Scan const*>(kernel);
    auto* const value = static_cast<pointer_type>(storage);
    bool const final = step % 2 != 0;
    if (step == 0 && lane.league_size == 1 && self.step_watched(lane, value)) return;
    if constexpr (is_sum_of_numbers<Reducer>) {
      // Lanes behind the last iteration have none.
      std::uint64_t const offset = self.offset_of(lane, step), last = self.end_of(lane.league_rank * self.m_block_work);
      if (!final) *value = value_type();
      if (offset < last)
        run_user_code_of_prefixes<WorkTag, EndOfPrefix>(self.m_functor_reducer.get_functor(), self.m_begin, {offset, *value},
                                                        last, final, kernel, &lane, value);
    } else {
      if (!final) init_value(self.reducer(), value);
      std::uint64_t const offset = self.offset_of(lane, step);
      if (offset >= self.end_of(lane.league_rank * self.m_block_work)) return;
      self.call(offset, Reducer::reference(value), final);
      if (final && offset + 1 == self.m_work) self.m_buffer->set_result(value);
    }
  }

  /// The first step of the only block, which no launch before has added up, where what lanes do to their values is looked at;
  /// false: it is not.
  TEAMSAN_NO_INSTRUMENT bool step_watched(Lane const& lane, pointer_type value) const {
    void* const watched = m_buffer->watched_value(lane);
    if (watched == nullptr) return false;
    auto* const at = static_cast<pointer_type>(watched);
    init_value(reducer(), at);
    if (std::uint64_t const offset = offset_of(lane, 0); offset < m_work) {
      next_iteration();
      call(offset, Reducer::reference(at), false);
    }
    m_buffer->copy_value(value, watched);
    return true;
  }

  TEAMSAN_NO_INSTRUMENT std::uint64_t offset_of(Lane const& lane, std::uint64_t step) const {
    return lane.league_rank * m_block_work + step / 2 * lane.team_size + lane.thread;
  }

  struct EndOfPrefix {
    TEAMSAN_ASKED_BY_LANES static LanePrefix<value_type> end_lane(void const* kernel, Lane const&, value_type* value,
                                                                 std::uint64_t offset, std::uint64_t last, bool final,
                                                                 value_type sum) {
      *value = sum;
      if (++offset == last) [[unlikely]]
        return end_last(kernel, value, offset, final);
      TEAMSAN_NEXT_LANE_IN_LINE(slowly);
      return begin(value + 1, offset, final);
    slowly:
      return begin_slowly(value + 1, offset, final);
    }

   private:
    /// The next lane's. What it adds up is to begin with is in its value by then.
    TEAMSAN_NO_INSTRUMENT static LanePrefix<value_type> begin(value_type* value, std::uint64_t offset, bool final) {
      if (!final) *value = value_type();
      return {offset, *value};
    }
    // Apart, so that the usual needs no frame.
    TEAMSAN_ASKED_BY_LANES static LanePrefix<value_type> begin_slowly(value_type* value, std::uint64_t offset, bool final) {
      if (!next_lane()) return {};
      return begin(value, offset, final);
    }
    TEAMSAN_ASKED_BY_LANES static LanePrefix<value_type> end_last(void const* kernel, value_type* value, std::uint64_t offset,
                                                                  bool final) {
      auto const& self = *static_cast<Scan const*>(kernel);
      if (final && offset == self.m_work) self.m_buffer->set_result(value);
      if (next_lane() && !final) value[1] = value_type();
      return {};
    }
  };

  TEAMSAN_NO_INSTRUMENT static void met(void const* kernel, Lane const& lane, std::uint64_t step, void* const* values,
                                        std::uint32_t lanes) {
    if (step % 2 != 0) return;
    ReduceBuffer& buffer = *static_cast<Scan const*>(kernel)->m_buffer;
    if (step == 0) buffer.end_watched(kernel);
    if constexpr (is_sum_of_numbers<Reducer>) {
      auto* const at = static_cast<value_type*>(buffer.block_value(lane.league_rank));
      value_type running = *at;
      for (std::uint32_t i = 0; i != lanes; ++i) {
        auto* const value = static_cast<value_type*>(values[i]);
        value_type const own = *value;
        *value = running;
        running = static_cast<value_type>(own + running);
      }
      *at = running;
    } else {
      buffer.scan_block(kernel, lane.league_rank, values, lanes);
    }
  }

  TEAMSAN_NO_INSTRUMENT static void scan(void const* kernel, Lane const& lane) {
    auto const& self = *static_cast<Scan const*>(kernel);
    TEAMSAN_LANE_VALUE(value_type, value, Reducer::static_value_size(), self.m_value_bytes);
    run_in_steps(*self.m_steps, kernel, lane, value);
  }

  template <LaneFunction lane, BlocksFunction blocks>
  static constexpr PlainBodies plain() {
    if constexpr (has_plain_bodies && is_sum_of_numbers<Reducer>)
      return {plain_lane<lane>(), blocks};
    else
      return {plain_lane<lane>()};
  }

  TEAMSAN_NO_INSTRUMENT static bool add_up_blocks(void const* kernel, std::uint64_t begin, std::uint64_t end) {
    auto const& self = *static_cast<Scan const*>(kernel);
    if constexpr (has_plain_bodies && is_sum_of_numbers<Reducer>) {
      auto* const values = static_cast<value_type*>(self.m_buffer->block_value(0));
      if (self.m_lanes > most_plain_lanes<value_type> || !add_up_all(self, begin, end, values)) return false;
      if (begin < end) self.m_buffer->end_blocks(kernel, end - begin);
      return true;
    }
    return false;
  }
  TEAMSAN_PLAIN_BLOCKS static bool add_up_all(Scan const& self, std::uint64_t begin, std::uint64_t end, value_type* values) {
    if (begin > end) return __teamsan_may_hand_over();
    if (!__teamsan_runs_together()) return false;
    PlainFunctor<FunctorType> const functor(self.m_functor_reducer.get_functor());
    value_type sums[most_plain_lanes<value_type>];
    for (std::uint64_t block = begin; block < end; ++block) {
      std::uint64_t const first = block * self.m_block_work, behind = first + self.m_block_work;
      values[block] = plain_block_sum<WorkTag>(functor.body(), self.reducer(), self.m_begin, first,
                                               behind < self.m_work ? behind : self.m_work, self.m_lanes, sums, false);
    }
    return true;
  }

  TEAMSAN_NO_INSTRUMENT static bool scan_blocks(void const* kernel, std::uint64_t begin, std::uint64_t end) {
    auto const& self = *static_cast<Scan const*>(kernel);
    if constexpr (has_plain_bodies && is_sum_of_numbers<Reducer>) {
      value_type total{};
      auto const* const before = static_cast<value_type const*>(self.m_buffer->block_value(0));
      if (self.m_lanes > most_plain_lanes<value_type> || !scan_all(self, begin, end, before, &total)) return false;
      if (begin < end && end * self.m_block_work >= self.m_work) self.m_buffer->set_result(&total);
      return true;
    }
    return false;
  }
  /// `before`: of each block what all before it have added up. `total`: behind the last iteration of all.
  TEAMSAN_PLAIN_BLOCKS static bool scan_all(Scan const& self, std::uint64_t begin, std::uint64_t end, value_type const* before,
                                            value_type* total) {
    if (begin > end) return __teamsan_may_hand_over();
    if (!__teamsan_runs_together()) return false;
    PlainFunctor<FunctorType> const functor(self.m_functor_reducer.get_functor());
    value_type values[most_plain_lanes<value_type>];
    for (std::uint64_t block = begin; block < end; ++block) {
      std::uint64_t const first = block * self.m_block_work, behind = first + self.m_block_work;
      std::uint64_t const last = behind < self.m_work ? behind : self.m_work;
      value_type running = before[block];
      for (std::uint64_t chunk = first; chunk < last; chunk += self.m_lanes) {
        std::uint32_t const here = last - chunk < self.m_lanes ? static_cast<std::uint32_t>(last - chunk) : self.m_lanes;
        auto const at = static_cast<Member>(self.m_begin + static_cast<Member>(chunk));
        for (std::uint32_t i = 0; i < here; ++i) {
          value_type value{};
          auto index = static_cast<Member>(at + static_cast<Member>(i));
          call_plain<WorkTag>(functor.body(), index, value, false);
          values[i] = value;
        }
        for (std::uint32_t i = 0; i < here; ++i) {
          value_type const own = values[i];
          values[i] = running;
          running = static_cast<value_type>(running + own);
        }
        if (here < self.m_lanes) running = static_cast<value_type>(running + value_type());  // of lanes that have none
        for (std::uint32_t i = 0; i < here; ++i) {
          value_type value = values[i];
          auto index = static_cast<Member>(at + static_cast<Member>(i));
          call_plain<WorkTag>(functor.body(), index, value, true);
          if (chunk + i + 1 == self.m_work) *total = value;
        }
      }
    }
    return true;
  }

  Kokkos::Impl::CombinedFunctorReducer<FunctorType, Reducer> const m_functor_reducer;
  Policy const m_policy;
  pointer_type const m_result;
  // Set by execute(), for the lanes.
  mutable Member m_begin{};
  mutable std::uint64_t m_work = 0;
  mutable std::uint64_t m_block_work = 1;
  mutable std::uint32_t m_lanes = 0;
  mutable std::size_t m_value_bytes = 0;
  mutable ReduceBuffer* m_buffer = nullptr;
  mutable LaneSteps const* m_steps = nullptr;
};

}  // namespace teamsan::simt

namespace Kokkos::Impl {

template <class FunctorType, class... Traits>
class ParallelScan<FunctorType, Kokkos::RangePolicy<Traits...>, teamsan::Simt>
    : public teamsan::simt::Scan<FunctorType, Kokkos::RangePolicy<Traits...>, void> {
  using Base = teamsan::simt::Scan<FunctorType, Kokkos::RangePolicy<Traits...>, void>;

 public:
  ParallelScan(FunctorType const& functor, Kokkos::RangePolicy<Traits...> const& policy)
      : Base(functor, policy, nullptr) {}
};

template <class FunctorType, class ReturnType, class... Traits>
class ParallelScanWithTotal<FunctorType, Kokkos::RangePolicy<Traits...>, ReturnType, teamsan::Simt>
    : public teamsan::simt::Scan<FunctorType, Kokkos::RangePolicy<Traits...>, ReturnType> {
  using Base = teamsan::simt::Scan<FunctorType, Kokkos::RangePolicy<Traits...>, ReturnType>;

 public:
  template <class ViewType, class = std::enable_if_t<Kokkos::is_view<ViewType>::value>>
  ParallelScanWithTotal(FunctorType const& functor, Kokkos::RangePolicy<Traits...> const& policy, ViewType const& result)
      : Base(functor, policy, result.data()) {}
};

}  // namespace Kokkos::Impl
