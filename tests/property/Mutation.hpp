// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One small mistake put into a right program, as people make them. Whether the program is wrong by it is for
/// the oracle to say.
#pragma once

#include "Program.hpp"

#include <cstdint>
#include <vector>

namespace property {

enum class Mistake : std::uint8_t {
  no_barrier,         ///< a barrier is left out
  divergent_barrier,  ///< one thread does not come to it
  no_collective,      ///< a broadcast, reduction or single with a value is left out
  store_past_end,     ///< one index is one too far
  read_past_end,
  plain_update,          ///< an atomic update becomes a read and a write
  no_initialisation,     ///< a construct that stores is left out
  short_initialisation,  ///< it does one item too few
  per_thread,            ///< single(PerThread) in place of single(PerTeam)
  no_single,             ///< its body runs on every lane
  one_place,             ///< all items store into one element
  neighbours,            ///< the items read what others of the same construct store
  next_team,             ///< stores go to the next team's slice
  barrier_in_single,
  // Of a chain of teams.
  no_fence,  ///< its flags are set and read without fences
  no_wait,   ///< one team does not wait for the one before
  no_barrier_before_flag,
  no_barrier_after_flag
};
inline constexpr int mistakes = static_cast<int>(Mistake::no_barrier_after_flag) + 1;
char const* name(Mistake mistake);

struct Mutation {
  Mistake mistake{};
  std::size_t kernel = 0;
  std::vector<std::size_t> path;  ///< to the statement; empty: of the kernel as a whole
};

/// All that can be made of a program.
std::vector<Mutation> mutations(Program const& program);
Program mutated(Program const& program, Mutation const& mutation);

}  // namespace property
