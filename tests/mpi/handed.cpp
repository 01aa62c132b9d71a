// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks hand memory to each other, two and two. The argument says which fault they make, if any; lines that a finding then
// names are marked with it.
#include <Kokkos_Core.hpp>

#include <mpi.h>

#include <cstdio>
#include <string>

namespace {

constexpr int n = 3000;
int other = 0, ranks = 0;

/// Device memory is sent; the kernel that packs it is not fenced.
void send_device(bool fenced) {
  Kokkos::View<double*> out("out", n), in("in", n);
  Kokkos::fence();
  Kokkos::parallel_for(
      "pack", n, KOKKOS_LAMBDA(int i) {
        out(i) = i;  // sent_before_packed
      });
  if (fenced) Kokkos::fence();
  MPI_Request request;
  MPI_Irecv(in.data(), n, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, &request);
  MPI_Send(out.data(), n, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);  // sent_before_packed
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// The same from memory that the host reaches.
void send_shared(bool fenced) {
  Kokkos::View<int*, Kokkos::SharedSpace> out("out", n), in("in", n);
  Kokkos::fence();
  Kokkos::parallel_for(
      "pack", n, KOKKOS_LAMBDA(int i) {
        out(i) = i;  // sent_from_shared
      });
  if (fenced) Kokkos::fence();
  MPI_Comm const all = MPI_COMM_WORLD;
  MPI_Sendrecv(out.data(), n, MPI_INT, other, 2, in.data(), n, MPI_INT, other, 2, all, MPI_STATUS_IGNORE);  // sent_from_shared
}

/// The next block is packed into what is still being sent.
void pack_again(bool waits) {
  Kokkos::View<double*> out("out", n), in("in", n);
  Kokkos::fence();
  MPI_Request requests[2];
  MPI_Irecv(in.data(), n, MPI_DOUBLE, other, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out.data(), n, MPI_DOUBLE, other, 3, MPI_COMM_WORLD, &requests[1]);  // packed_while_sent
  if (waits) MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  Kokkos::parallel_for(
      "pack again", n, KOKKOS_LAMBDA(int i) {
        out(i) = 2 * i;  // packed_while_sent
      });
  Kokkos::fence();
  if (!waits) MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/// What is being received is used.
void use_early(bool waits) {
  Kokkos::View<int*> out("out", n), in("in", n), sum("sum", n);
  Kokkos::fence();
  MPI_Request requests[2];
  MPI_Irecv(in.data(), n, MPI_INT, other, 4, MPI_COMM_WORLD, &requests[0]);  // used_before_received
  MPI_Isend(out.data(), n, MPI_INT, other, 4, MPI_COMM_WORLD, &requests[1]);
  if (waits) {
    int done = 0;
    while (!done) MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
  }
  Kokkos::parallel_for(
      "use", n, KOKKOS_LAMBDA(int i) {
        sum(i) += in(i) + out(i);  // used_before_received
      });
  Kokkos::fence();
  if (!waits) MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/// Persistent requests: started, and the kernel comes before the Wait.
void persist(bool waits) {
  Kokkos::View<int*> out("out", n), in("in", n);
  Kokkos::fence();
  MPI_Request requests[2];
  MPI_Recv_init(in.data(), n, MPI_INT, other, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(out.data(), n, MPI_INT, other, 5, MPI_COMM_WORLD, &requests[1]);
  Kokkos::parallel_for(
      "before", n, KOKKOS_LAMBDA(int i) { out(i) = i; });
  Kokkos::fence();
  MPI_Startall(2, requests);  // persistent
  if (waits) MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  Kokkos::parallel_for(
      "clear", n, KOKKOS_LAMBDA(int i) {
        in(i) = 0;  // persistent
      });
  Kokkos::fence();
  if (!waits) MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (MPI_Request& request : requests) MPI_Request_free(&request);
}

/// Collectives that go on behind the call: what all gather is used, and what a root gives is changed.
void gather(bool waits) {
  Kokkos::View<int*> own("own", n), all("all", n * ranks), sum("sum", n);
  Kokkos::fence();
  MPI_Request requests[2];
  MPI_Ibcast(own.data(), n, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Iallgather(own.data(), n, MPI_INT, all.data(), n, MPI_INT, MPI_COMM_WORLD, &requests[0]);  // gathered_early
  MPI_Ireduce(own.data(), sum.data(), n, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD, &requests[1]);
  if (waits) MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  Kokkos::View<int*> const seen("seen", n);
  Kokkos::parallel_for(
      "look", n, KOKKOS_LAMBDA(int i) {
        seen(i) = own(i) + all(i);  // gathered_early
      });
  Kokkos::fence();
  if (!waits) MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Reduce_scatter_block(all.data(), own.data(), n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char* argv[]) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  other = rank ^ 1;
  std::string const fault = argc > 1 ? argv[1] : "right";
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    send_device(fault != "sent_before_packed");
    send_shared(fault != "sent_from_shared");
    pack_again(fault != "packed_while_sent");
    use_early(fault != "used_before_received");
    persist(fault != "persistent");
    gather(fault != "gathered_early");
  }
  if (rank == 0) std::printf("%d ranks, %s\n", ranks, fault.c_str());
  MPI_Finalize();
  return 0;
}
