// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ArborX_NearestBufferProvider.hpp:58-64 and CrsGraphWrapperImpl: n counts, n+1 offsets, exclusive scan in place. The last
// element is loaded uninitialised, added to a sum that nobody reads, and overwritten.
#include <Kokkos_Core.hpp>
#include <Kokkos_StdAlgorithms.hpp>
int main(int argc,char**argv){ Kokkos::ScopeGuard g(argc,argv); int n=100;
  using E=Kokkos::DefaultExecutionSpace; Kokkos::View<int*,E> offset(Kokkos::view_alloc(Kokkos::WithoutInitializing,"offset"),n+1);
  Kokkos::parallel_for("count",Kokkos::RangePolicy<E>(0,n),KOKKOS_LAMBDA(int i){ offset(i)=i%3; });
  Kokkos::Experimental::exclusive_scan(E(),offset,offset,0);
  Kokkos::fence(); }
