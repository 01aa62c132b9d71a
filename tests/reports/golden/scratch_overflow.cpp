// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scratch View larger than set_scratch_size asked for: Kokkos hands out a null pointer (as on CUDA/HIP).
#include <Kokkos_Core.hpp>
int main(int argc,char**argv){ Kokkos::ScopeGuard g(argc,argv);
  using V=Kokkos::View<double*,Kokkos::DefaultExecutionSpace::scratch_memory_space,Kokkos::MemoryUnmanaged>;
  Kokkos::parallel_for("overflow", Kokkos::TeamPolicy<>(2,64).set_scratch_size(0,Kokkos::PerTeam(256)),
   KOKKOS_LAMBDA(Kokkos::TeamPolicy<>::member_type const&t){ V s(t.team_scratch(0),t.team_size()); s(t.team_rank())=1; });
  Kokkos::fence(); }
