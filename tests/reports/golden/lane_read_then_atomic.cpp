// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ExaMiniMD src/neighbor_types/neighbor_2d.h:184,205: every vector lane loads num_neighs(i) into a member nobody uses, then
// lanes count with an atomic inside ThreadVectorRange. Report: global-race; "Fix: put the update into single(PerThread), or
// make it atomic" although the update is atomic already and must not go into a single.
#include <Kokkos_Core.hpp>
struct Row { int* const p; int const n; KOKKOS_FUNCTION Row(int*p_,int const&n_):p(p_),n(n_){} KOKKOS_FUNCTION int& operator()(int k) const { return p[k]; } };
struct List { Kokkos::View<int*> count; Kokkos::View<int**,Kokkos::LayoutRight> data; KOKKOS_FUNCTION Row row(int i) const { return Row(&data(i,0),count(i)); } };
int main(int argc,char**argv){ Kokkos::ScopeGuard g(argc,argv);
  List l{Kokkos::View<int*>("count",16),Kokkos::View<int**,Kokkos::LayoutRight>("data",16,32)};
  Kokkos::parallel_for("fill", Kokkos::TeamPolicy<>(1,16,8), KOKKOS_LAMBDA(Kokkos::TeamPolicy<>::member_type const&t){
    Kokkos::parallel_for(Kokkos::TeamThreadRange(t,16),[&](int i){
      Row const r=l.row(i);
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(t,32),[&](int j){
        if(j%3==0){ int n=Kokkos::atomic_fetch_add(&l.count(i),1); r(n)=j; } }); }); });
  Kokkos::fence(); }
