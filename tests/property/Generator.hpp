// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Makes random programs that are right by construction: a construct is taken in if the oracle finds nothing
/// wrong with the program that it makes; if it does, once more with a barrier before it; otherwise it is
/// dropped.
#pragma once

#include "Oracle.hpp"
#include "Program.hpp"

#include <cstdint>

namespace property {

struct Choice {
  Sync sync = Sync::cuda;  ///< what the program may rely on
  int max_vector_length = 32;
  int max_lanes = 1024;                   ///< of a team
  std::uint32_t max_scratch0 = 1u << 16;  ///< bytes of level 0 that a team of that many lanes gets
  int chains = 20;                        ///< of a hundred kernels whose teams can all run at once
};

/// The same program for the same seed and choice, everywhere.
Program generate(std::uint64_t seed, Choice const& choice);

}  // namespace property
