// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the lanes of one reduction or scan hand over their values, and the fixed order in which these are
/// joined: a binary tree over the lanes of a block, then over the blocks, both by rank and never by time, so
/// that a sum of doubles has the same bits under any number of worker threads. A lane's value lives on its
/// own stack; what lies here is host memory that only uninstrumented code and the joins touch. The last lane
/// of a block to come joins the block's values, the last block's last lane joins the blocks': joins run on a
/// lane, as they do on a GPU, but as the backend's own doing, unchecked. It cannot tell a lane that crashed
/// from one that is late: such a reduction has no result.
#pragma once

#include "../Macros.hpp"
#include "Launch.hpp"

#include "../../../sim/host/Reductions.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace teamsan::simt {

/// A Kokkos reducer without its type. `kernel` is the kernel object that the lanes see.
struct ReducerCalls {
  void (*init)(void const* kernel, void* value);
  void (*join)(void const* kernel, void* into, void const* from);
  void (*final)(void const* kernel, void* value);  ///< null: none
  bool (*equal)(void const* a, void const* b, std::size_t bytes) = nullptr;  ///< null: not known
  /// Values side by side, joined as by `join`: the first becomes what all come to, the others are used up. Null: by `join`.
  void (*join_numbers)(void* values, std::size_t count) = nullptr;
};

/// What becomes of the blocks' values.
enum class BlockValues : std::uint8_t {
  joined,         ///< one result, finished by final()
  exclusive_scan  ///< each block's value is replaced by the join of all before it
};

class ReduceBuffer {
 public:
  ReduceBuffer(ReducerCalls calls, BlockValues blocks, std::size_t value_bytes, LaunchConfig const& config);
  ~ReduceBuffer();
  ReduceBuffer(ReduceBuffer const&) = delete;
  ReduceBuffer& operator=(ReduceBuffer const&) = delete;

  /// A lane's last deed: gives its value.
  void hand_over(void const* kernel, Lane const& lane, void const* value);

  /// Where the running lane is to reduce into, of the first block's if what they do to their values is looked at
  /// (sim/host/Reductions.hpp); nullptr: into a value of its own.
  TEAMSAN_NO_INSTRUMENT void* watched_value(Lane const& lane) {
    return lane.league_rank == 0 ? watched_value_of_first(lane) : nullptr;
  }
  /// The same, of the lanes of teams; it is `initial` then.
  TEAMSAN_NO_INSTRUMENT void* watched_team_value(Lane const& lane, void const* initial) {
    return lane.league_rank < watched_teams ? watched_value_of_team(lane, initial) : nullptr;
  }
  void copy_value(void* to, void const* from) const;
  /// Lanes of the only block have met, which have added up into values that are looked at, and go on with others.
  void end_watched(void const* kernel);

  /// Where the lanes of a block put their values, one behind the other. The last one to come ends the block.
  struct Row {
    std::byte* values = nullptr;
    std::uint32_t arrived = 0, lanes = 0;
  };
  /// The block's, for lanes that put theirs there themselves.
  Row& row(std::uint64_t block);
  /// The running lane has put the last one there.
  void end_block(void const* kernel, Lane const& lane);

  /// Blocks whose lanes run in one call put the joined value of each here, and say so of all of them.
  void* block_value(std::uint64_t block);
  void end_blocks(void const* kernel, std::uint64_t count);

  /// The same from within a Combine, where vector lanes have met already: value `index` of the block, one a
  /// thread (the constructor's `config` has vector_length 1 then).
  void hand_over_met(void const* kernel, std::uint64_t block, std::uint32_t index, void const* value);

  /// All lanes of a block have met: each lane's value becomes the join of the block's value (exclusive_scan,
  /// from an earlier launch) with the values of the lanes before it; the block's value takes all of them in.
  void scan_block(void const* kernel, std::uint64_t block, void* const* values, std::uint32_t lanes);

  /// Host, before a launch that scans but was not preceded by one that adds up: the only block's value and
  /// the result are init()'s.
  void start_at_init(void const* kernel);

  /// One lane, in place of the joined value (the total of a scan).
  void set_result(void const* value);

  /// Host, after the launch: copies the result out; false if there is none.
  bool copy_result(void* destination) const;

  /// Execution space instance of the launch.
  std::uint32_t instance() const;

 private:
  struct State;
  void* watched_value_of_first(Lane const& lane);
  void* watched_value_of_team(Lane const& lane, void const* initial);

  std::unique_ptr<State> m_state;
};

/// Copies `buffer`'s result to where the user wants it, in whatever space; it is pending there until the
/// instance is fenced, which Kokkos does at once for a result that is a scalar. Nothing to do for a null
/// destination.
void deliver(ReduceBuffer const& buffer, void* destination, std::size_t bytes);

}  // namespace teamsan::simt
