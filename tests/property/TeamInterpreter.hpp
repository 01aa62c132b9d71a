// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A lane of a team kernel that goes through the kernel's statements.
#pragma once

#include "KernelCode.hpp"

namespace property {

struct TeamLane : Lane {
  Member const* team = nullptr;
  Node const* nodes = nullptr;

  KOKKOS_FUNCTION void run(int first, int count);                ///< statements of the team
  KOKKOS_FUNCTION void run_thread(int first, int count, int i);  ///< statements of a thread, within item i

 private:
  KOKKOS_FUNCTION void statement(Node const& node);
  KOKKOS_FUNCTION void thread_statement(Node const& node, int i);
  KOKKOS_FUNCTION void single_team(Node const& node);

  // TeamReductions.cpp
  KOKKOS_FUNCTION void team_thread_reduce(Node const& node);
  KOKKOS_FUNCTION void team_vector_reduce(Node const& node);
  KOKKOS_FUNCTION void team_reduce(Node const& node);
  KOKKOS_FUNCTION void thread_vector_reduce(Node const& node, int i);
  KOKKOS_FUNCTION void vector_reduce(Node const& node);

  // TeamMDRanges.cpp
  KOKKOS_FUNCTION void team_md(Node const& node);
  KOKKOS_FUNCTION void thread_md(Node const& node, int i);
};

}  // namespace property
