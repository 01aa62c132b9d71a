// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scratch of 20-byte structs: report says "element 5 of ... (4 bytes each)" where the View's element is 1; call chain ends
// before the kernel's own line.
#include <Kokkos_Core.hpp>
struct P { float c[3]; float r; int id; KOKKOS_FUNCTION float x() const { return c[0]; } };
struct Get { KOKKOS_FUNCTION static float inner(P const&p){ return p.x(); } KOKKOS_FUNCTION static float get(P const&p){ return inner(p); } };
struct Out { KOKKOS_FUNCTION static float outer(P const&p){ return Get::get(p)+1; } };
int main(int argc,char**argv){ Kokkos::ScopeGuard g(argc,argv);
  using S=Kokkos::View<P*,Kokkos::DefaultExecutionSpace::scratch_memory_space,Kokkos::MemoryUnmanaged>;
  Kokkos::View<float*> out("out",64);
  Kokkos::parallel_for("tile", Kokkos::TeamPolicy<>(1,64).set_scratch_size(0,Kokkos::PerTeam(S::shmem_size(64))), KOKKOS_LAMBDA(Kokkos::TeamPolicy<>::member_type const&t){
    S s(t.team_scratch(0),64); int const i=t.team_rank();
    s(i)=P{{1.f*i,2,3},4,i};
    out(i)=Out::outer(s((i+1)%64));   // the kernel's own line
  });
  Kokkos::fence(); }
