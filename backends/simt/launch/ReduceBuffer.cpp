// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#include "ReduceBuffer.hpp"

#include "../../../sim/host/Memory.hpp"
#include "../../../sim/host/Reductions.hpp"
#include "../../../sim/machine/Lane.hpp"
#include "../../../sim/memory/Hot.hpp"

#include <atomic>
#include <cstring>
#include <mutex>
#include <new>
#include <vector>

namespace teamsan::simt {
namespace {

/// Room for `count` values of any alignment a value_type may have.
class Values {
 public:
  Values(std::size_t count, std::size_t bytes)
      : m_bytes(bytes), m_data(static_cast<std::byte*>(::operator new(count* bytes + 1, alignment))) {}
  ~Values() { ::operator delete(m_data, alignment); }
  Values(Values&& other) noexcept : m_bytes(other.m_bytes), m_data(std::exchange(other.m_data, nullptr)) {}
  Values& operator=(Values&&) = delete;

  std::byte* operator[](std::size_t i) const { return m_data + i * m_bytes; }

 private:
  static constexpr std::align_val_t alignment{256};
  std::size_t m_bytes;
  std::byte* m_data;
};

}  // namespace

struct ReduceBuffer::State {
  /// A block's lanes run on one thread; neighbours, on several, lie in different cache lines.
  struct Block : Row {
    Values* lane_values = nullptr;
  };
  static constexpr std::uint64_t rows = 16;
  static std::uint64_t row_length(std::uint64_t blocks) { return (blocks + rows - 1) / rows; }
  Block& block_under_way(std::uint64_t block) { return under_way[block % rows * row_length(blocks) + block / rows]; }
  Block& begun(std::uint64_t block) {
    Block& b = block_under_way(block);
    if (!b.lane_values) {
      b.lane_values = take_lane_values();
      b.values = (*b.lane_values)[0];
      b.lanes = lanes;
    }
    return b;
  }

  State(ReducerCalls reducer, BlockValues what, std::size_t bytes, LaunchConfig const& config)
      : calls(reducer),
        end_state(what),
        value_bytes(bytes),
        lanes(config.team_size * config.vector_length),
        blocks(config.league_size),
        instance(config.instance),
        block_values(config.league_size, bytes),
        result(1, bytes),
        under_way(rows * row_length(config.league_size)) {}

  Values* take_lane_values() {
    std::lock_guard const lock(mutex);
    if (!spare.empty()) {
      Values* const values = spare.back();
      spare.pop_back();
      return values;
    }
    owned.push_back(std::make_unique<Values>(lanes, value_bytes));
    return owned.back().get();
  }

  void give_back(Values* values) {
    std::lock_guard const lock(mutex);
    spare.push_back(values);
  }

  /// True for the last value of the block.
  bool store(std::uint64_t block, std::uint32_t index, void const* value) {
    RuntimeScope const unchecked;  // or the copy would count as the lane's own access
    Block& b = begun(block);
    if (void* const to = b.values + index * value_bytes; to != value) copy(to, value);
    return ++b.arrived == lanes;
  }

  /// A value. Most have the length of a number.
  void copy(void* to, void const* from) const {
    if (value_bytes == 8)
      std::memcpy(to, from, 8);
    else
      std::memcpy(to, from, value_bytes);
  }

  /// values[0] becomes the join of all `count`. In a scan as in join_before.
  void join_tree(void const* kernel, Values const& values, std::size_t count) const {
    if (calls.join_numbers) return calls.join_numbers(values[0], count);
    bool const of_scan = end_state == BlockValues::exclusive_scan;
    for (std::size_t distance = 1; distance < count; distance *= 2) {
      for (std::size_t i = 0; i + distance < count; i += 2 * distance) {
        if (of_scan)
          join_before(kernel, values[i], values[i + distance]);
        else
          calls.join(kernel, values[i], values[i + distance]);
      }
    }
  }

  /// In a block, a scan joins what comes before to what comes later; over blocks it is the other way round. So it is on CUDA
  /// and HIP: a join that is not commutative gives other numbers than it should, there and here. `before` becomes the join,
  /// `later` is used up.
  void join_before(void const* kernel, std::byte* before, std::byte* later) const {
    calls.join(kernel, later, before);
    copy(before, later);
  }

  ReducedValueCalls values_calls() const { return {calls.init, calls.join, calls.equal}; }

  void end_block(void const* kernel, std::uint64_t block) {
    Values* const values = block_under_way(block).lane_values;
    if (block == 0 && watched) end_watched_reduction(kernel, values_calls(), end_state == BlockValues::exclusive_scan);
    if (block < watched_teams && watched_team[block]) end_team_reduction(kernel, values_calls());
    join_tree(kernel, *values, lanes);
    std::memcpy(block_values[block], (*values)[0], value_bytes);
    give_back(values);
    if (blocks_arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == blocks) end_league(kernel);
  }

  void end_league(void const* kernel) {
    if (end_state == BlockValues::joined) {
      join_tree(kernel, block_values, blocks);
      std::memcpy(result[0], block_values[0], value_bytes);
      if (calls.final) calls.final(kernel, result[0]);
      has_result = true;
      return;
    }
    Values running(2, value_bytes);
    calls.init(kernel, running[0]);
    for (std::uint64_t block = 0; block < blocks; ++block) {
      std::memcpy(running[1], block_values[block], value_bytes);
      std::memcpy(block_values[block], running[0], value_bytes);
      calls.join(kernel, running[0], running[1]);
    }
  }

  ReducerCalls const calls;
  BlockValues const end_state;
  std::size_t const value_bytes;
  std::uint32_t const lanes;
  std::uint64_t const blocks;
  std::uint32_t const instance;
  Values block_values;
  Values result;
  bool has_result = false;
  bool watched = false;  ///< lanes of the first block reduce into their values there
  bool watched_team[watched_teams] = {};
  std::vector<Block> under_way;
  std::atomic<std::uint64_t> blocks_arrived{0};
  std::mutex mutex;  // of the two below
  std::vector<std::unique_ptr<Values>> owned;
  std::vector<Values*> spare;
};

ReduceBuffer::ReduceBuffer(ReducerCalls calls, BlockValues blocks, std::size_t value_bytes,
                           LaunchConfig const& config)
    : m_state(std::make_unique<State>(calls, blocks, value_bytes, config)) {}
ReduceBuffer::~ReduceBuffer() = default;

void ReduceBuffer::hand_over(void const* kernel, Lane const& lane, void const* value) {
  if (m_state->store(lane.league_rank, lane.index, value)) end_block(kernel, lane);
}

void* ReduceBuffer::watched_value_of_first(Lane const& lane) {
  if (m_state->calls.equal == nullptr || !watches_reduction()) return nullptr;
  RuntimeScope const unchecked;
  std::byte* const values = m_state->begun(0).values;
  watch_reduction(values, m_state->value_bytes, m_state->lanes);
  m_state->watched = true;
  return values + lane.index * m_state->value_bytes;
}

void* ReduceBuffer::watched_value_of_team(Lane const& lane, void const* initial) {
  if (m_state->calls.equal == nullptr) return nullptr;
  void* const value = begin_team_reduction(initial, m_state->value_bytes);
  m_state->watched_team[lane.league_rank] = value != nullptr;
  return value;
}

void ReduceBuffer::copy_value(void* to, void const* from) const {
  RuntimeScope const unchecked;
  m_state->copy(to, from);
}

void ReduceBuffer::end_watched(void const* kernel) {
  if (!m_state->watched) return;
  m_state->watched = false;
  end_watched_reduction(kernel, m_state->values_calls(), true);
}

ReduceBuffer::Row& ReduceBuffer::row(std::uint64_t block) {
  RuntimeScope const unchecked;
  return m_state->begun(block);
}

void ReduceBuffer::end_block(void const* kernel, Lane const& lane) {
  struct Context {
    State* state;
    void const* kernel;
    std::uint64_t block;
  };
  Context const context{m_state.get(), kernel, lane.league_rank};
  // One vector lane a thread: nobody to wait for, only the joins run.
  meet(
      Meeting::kernel_end, nullptr,
      [](void* const*, std::uint32_t, void const* pointer) {
        auto const& [which, object, block] = *static_cast<Context const*>(pointer);
        which->end_block(object, block);
      },
      &context);
}

void* ReduceBuffer::block_value(std::uint64_t block) { return m_state->block_values[block]; }

void ReduceBuffer::end_blocks(void const* kernel, std::uint64_t count) {
  UncheckedScope const scope;
  std::uint64_t const before = m_state->blocks_arrived.fetch_add(count, std::memory_order_acq_rel);
  if (before + count == m_state->blocks) m_state->end_league(kernel);
}

void ReduceBuffer::hand_over_met(void const* kernel, std::uint64_t block, std::uint32_t index,
                                 void const* value) {
  if (m_state->store(block, index, value)) m_state->end_block(kernel, block);
}

void ReduceBuffer::scan_block(void const* kernel, std::uint64_t block, void* const* values, std::uint32_t lanes) {
  std::byte* const running = m_state->block_values[block];
  Values const own(1, m_state->value_bytes);
  for (std::uint32_t i = 0; i < lanes; ++i) {
    m_state->copy(own[0], values[i]);
    m_state->copy(values[i], running);
    m_state->join_before(kernel, running, own[0]);
  }
}

void ReduceBuffer::start_at_init(void const* kernel) {
  m_state->calls.init(kernel, m_state->block_values[0]);
  set_result(m_state->block_values[0]);
}

void ReduceBuffer::set_result(void const* value) {
  RuntimeScope const unchecked;
  std::memcpy(m_state->result[0], value, m_state->value_bytes);
  m_state->has_result = true;
}

bool ReduceBuffer::copy_result(void* destination) const {
  if (m_state->has_result) teamsan::copy(destination, m_state->result[0], m_state->value_bytes);
  return m_state->has_result;
}

std::uint32_t ReduceBuffer::instance() const { return m_state->instance; }

void deliver(ReduceBuffer const& buffer, void* destination, std::size_t bytes) {
  if (!destination || bytes == 0) return;
  if (!buffer.copy_result(destination))
    teamsan::zero(destination, bytes);  // a lane crashed: the finding tells
  pend_write(buffer.instance(), destination, bytes, AsyncWork::result);
}

}  // namespace teamsan::simt
