// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>
int main(int argc,char**argv){ Kokkos::ScopeGuard g(argc,argv);
  Kokkos::View<int*> counts("counts",2), out("out",64);
  Kokkos::parallel_for("rmw", Kokkos::TeamPolicy<>(1,64), KOKKOS_LAMBDA(Kokkos::TeamPolicy<>::member_type const&t){
    Kokkos::parallel_for(Kokkos::TeamVectorRange(t,8),[&](int i){
      out(i) = counts(0)++; }); });
  Kokkos::fence(); }
