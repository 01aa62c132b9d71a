// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two ranks hand memory to each other by a library in Fortran (exchange.f90). The argument says which fault they make, if any;
// lines that a finding then names are marked with it.
#include <Kokkos_Core.hpp>

#include <mpi.h>

#include <cstdio>
#include <string>

extern "C" {
void exchange(double* out, double* in, int const* n, int const* other);
void begin_exchange(double* out, double* in, int const* n, int const* other, int* requests);
void end_exchange(int* requests);
void add_up(double* values, int const* n);
}

int main(int argc, char* argv[]) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::string const fault = argc > 1 ? argv[1] : "right";
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    int const n = 3000, other = 1 - rank;
    Kokkos::View<double*> out("out", n), in("in", n), sum("sum", n);
    Kokkos::fence();
    Kokkos::parallel_for(
        "pack", n, KOKKOS_LAMBDA(int i) {
          out(i) = i;  // sent_before_packed
        });
    if (fault != "sent_before_packed") Kokkos::fence();
    exchange(out.data(), in.data(), &n, &other);
    Kokkos::fence();
    int requests[2];
    begin_exchange(out.data(), in.data(), &n, &other, requests);
    if (fault != "used_before_received") end_exchange(requests);
    Kokkos::parallel_for(
        "use", n, KOKKOS_LAMBDA(int i) {
          sum(i) += in(i) + out(i);  // used_before_received
        });
    Kokkos::fence();
    if (fault == "used_before_received") end_exchange(requests);
    add_up(sum.data(), &n);
  }
  if (rank == 0) std::printf("%d ranks, %s\n", ranks, fault.c_str());
  MPI_Finalize();
  return 0;
}
