// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs a program on the simulated GPU: every construct is a real one of Kokkos', every access one that the
/// compiler's instrumentation sees.
#pragma once

#include "Oracle.hpp"
#include "Program.hpp"

#include <set>

namespace property {

struct Run {
  Result result;          ///< `written` is left empty
  std::set<Fault> found;  ///< taken away from the report
};

Run interpret(Program const& program);

/// Lanes of a thread at most, on the modelled device. Needs Kokkos.
int longest_vector();

/// Bytes of level 0 scratch that a team gets, of however many lanes. Needs Kokkos.
std::uint32_t most_scratch0();

/// Kokkos, from the first program to the last.
struct KokkosSession {
  KokkosSession();
  ~KokkosSession();
  KokkosSession(KokkosSession const&) = delete;
  KokkosSession& operator=(KokkosSession const&) = delete;
};

}  // namespace property
