// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// MPI's functions, as a checked program calls them: what they read or fill is told of (sim/host/HandedOn.hpp), then the next
/// function of that name is called: a tool's that stands in front of MPI, or MPI's own. Compiled from the project's mpi.h, with
/// each program, since what requests and types are differs between MPIs. Not instrumented. Fortran's: FortranCalls.cpp.
#include "HandedBuffers.hpp"

#include <dlfcn.h>

#define TEAMSAN_SITE __builtin_return_address(0)
/// The function of that name behind this one.
#define TEAMSAN_NEXT(name)                                                                 \
  ([] {                                                                                    \
    static auto const next = reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name));   \
    return next != nullptr ? next : &P##name;                                              \
  }())

using namespace teamsan::mpi;

namespace {

[[gnu::constructor]] void expect() { teamsan::expect_handing_on(); }

}  // namespace

extern "C" {

#define TEAMSAN_SEND(name)                                                                                        \
  int name(void const* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {                    \
    reads(buffer, count, type, TEAMSAN_SITE);                                                                     \
    return TEAMSAN_NEXT(name)(buffer, count, type, to, tag, comm);                                                \
  }
TEAMSAN_SEND(MPI_Send)
TEAMSAN_SEND(MPI_Bsend)
TEAMSAN_SEND(MPI_Ssend)
TEAMSAN_SEND(MPI_Rsend)

#define TEAMSAN_ISEND(name)                                                                                            \
  int name(void const* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {   \
    int const result = TEAMSAN_NEXT(name)(buffer, count, type, to, tag, comm, request);                                \
    begin(*request, buffer, count, type, false, #name, TEAMSAN_SITE);                                                  \
    return result;                                                                                                     \
  }
TEAMSAN_ISEND(MPI_Isend)
TEAMSAN_ISEND(MPI_Ibsend)
TEAMSAN_ISEND(MPI_Issend)
TEAMSAN_ISEND(MPI_Irsend)

#define TEAMSAN_SEND_INIT(name)                                                                                        \
  int name(void const* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {   \
    int const result = TEAMSAN_NEXT(name)(buffer, count, type, to, tag, comm, request);                                \
    keep(*request, buffer, count, type, false, "MPI_Start");                                                           \
    return result;                                                                                                     \
  }
TEAMSAN_SEND_INIT(MPI_Send_init)
TEAMSAN_SEND_INIT(MPI_Bsend_init)
TEAMSAN_SEND_INIT(MPI_Ssend_init)
TEAMSAN_SEND_INIT(MPI_Rsend_init)

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  fills(buffer, count, type, TEAMSAN_SITE);
  return TEAMSAN_NEXT(MPI_Recv)(buffer, count, type, from, tag, comm, status);
}
int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  int const result = TEAMSAN_NEXT(MPI_Irecv)(buffer, count, type, from, tag, comm, request);
  begin(*request, buffer, count, type, true, "MPI_Irecv", TEAMSAN_SITE);
  return result;
}
int MPI_Recv_init(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  int const result = TEAMSAN_NEXT(MPI_Recv_init)(buffer, count, type, from, tag, comm, request);
  keep(*request, buffer, count, type, true, "MPI_Start");
  return result;
}
int MPI_Sendrecv(void const* buffer, int count, MPI_Datatype type, int to, int tag, void* into, int most,
                 MPI_Datatype into_type, int from, int from_tag, MPI_Comm comm, MPI_Status* status) {
  reads(buffer, count, type, TEAMSAN_SITE);
  fills(into, most, into_type, TEAMSAN_SITE);
  return TEAMSAN_NEXT(MPI_Sendrecv)(buffer, count, type, to, tag, into, most, into_type, from, from_tag, comm, status);
}
int MPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype type, int to, int tag, int from, int from_tag, MPI_Comm comm,
                         MPI_Status* status) {
  fills(buffer, count, type, TEAMSAN_SITE);
  return TEAMSAN_NEXT(MPI_Sendrecv_replace)(buffer, count, type, to, tag, from, from_tag, comm, status);
}

int MPI_Start(MPI_Request* request) {
  start(*request, TEAMSAN_SITE);
  return TEAMSAN_NEXT(MPI_Start)(request);
}
int MPI_Startall(int count, MPI_Request array[]) {
  for (int i = 0; i < count; ++i) start(array[i], TEAMSAN_SITE);
  return TEAMSAN_NEXT(MPI_Startall)(count, array);
}
int MPI_Request_free(MPI_Request* request) {
  forget(*request);
  return TEAMSAN_NEXT(MPI_Request_free)(request);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  Ending const ending(1, request);
  int const result = TEAMSAN_NEXT(MPI_Wait)(request, status);
  ending.all();
  return result;
}
int MPI_Waitall(int count, MPI_Request array[], MPI_Status* statuses) {
  Ending const ending(count, array);
  int const result = TEAMSAN_NEXT(MPI_Waitall)(count, array, statuses);
  ending.all();
  return result;
}
int MPI_Waitany(int count, MPI_Request array[], int* index, MPI_Status* status) {
  Ending const ending(count, array);
  int const result = TEAMSAN_NEXT(MPI_Waitany)(count, array, index, status);
  ending.one(*index);
  return result;
}
int MPI_Waitsome(int count, MPI_Request array[], int* done, int indices[], MPI_Status statuses[]) {
  Ending const ending(count, array);
  int const result = TEAMSAN_NEXT(MPI_Waitsome)(count, array, done, indices, statuses);
  if (*done != MPI_UNDEFINED) ending.these(indices, *done);
  return result;
}
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  Ending const ending(1, request);
  int const result = TEAMSAN_NEXT(MPI_Test)(request, flag, status);
  if (*flag) ending.all();
  return result;
}
int MPI_Testall(int count, MPI_Request array[], int* flag, MPI_Status statuses[]) {
  Ending const ending(count, array);
  int const result = TEAMSAN_NEXT(MPI_Testall)(count, array, flag, statuses);
  if (*flag) ending.all();
  return result;
}
int MPI_Testany(int count, MPI_Request array[], int* index, int* flag, MPI_Status* status) {
  Ending const ending(count, array);
  int const result = TEAMSAN_NEXT(MPI_Testany)(count, array, index, flag, status);
  if (*flag) ending.one(*index);
  return result;
}
int MPI_Testsome(int count, MPI_Request array[], int* done, int indices[], MPI_Status statuses[]) {
  Ending const ending(count, array);
  int const result = TEAMSAN_NEXT(MPI_Testsome)(count, array, done, indices, statuses);
  if (*done != MPI_UNDEFINED) ending.these(indices, *done);
  return result;
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  is_root(root, comm) ? reads(buffer, count, type, TEAMSAN_SITE) : fills(buffer, count, type, TEAMSAN_SITE);
  return TEAMSAN_NEXT(MPI_Bcast)(buffer, count, type, root, comm);
}
int MPI_Reduce(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  reads(from, count, type, TEAMSAN_SITE);
  if (is_root(root, comm)) fills(to, count, type, TEAMSAN_SITE);
  return TEAMSAN_NEXT(MPI_Reduce)(from, to, count, type, op, root, comm);
}
#define TEAMSAN_REDUCE(name)                                                                                      \
  int name(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {                  \
    reads(from, count, type, TEAMSAN_SITE);                                                                       \
    fills(to, count, type, TEAMSAN_SITE);                                                                         \
    return TEAMSAN_NEXT(name)(from, to, count, type, op, comm);                                                   \
  }
TEAMSAN_REDUCE(MPI_Allreduce)
TEAMSAN_REDUCE(MPI_Scan)
TEAMSAN_REDUCE(MPI_Exscan)
int MPI_Iallreduce(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  int const result = TEAMSAN_NEXT(MPI_Iallreduce)(from, to, count, type, op, comm, request);
  begin(*request, from, count, type, false, "MPI_Iallreduce", TEAMSAN_SITE);
  begin(*request, to, count, type, true, "MPI_Iallreduce", TEAMSAN_SITE);
  return result;
}
int MPI_Ireduce(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request* request) {
  int const result = TEAMSAN_NEXT(MPI_Ireduce)(from, to, count, type, op, root, comm, request);
  begin(*request, from, count, type, false, "MPI_Ireduce", TEAMSAN_SITE);
  if (is_root(root, comm)) begin(*request, to, count, type, true, "MPI_Ireduce", TEAMSAN_SITE);
  return result;
}
int MPI_Reduce_scatter_block(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  reads(from, count * ranks_of(comm), type, TEAMSAN_SITE);
  fills(to, count, type, TEAMSAN_SITE);
  return TEAMSAN_NEXT(MPI_Reduce_scatter_block)(from, to, count, type, op, comm);
}
int MPI_Ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  int const result = TEAMSAN_NEXT(MPI_Ibcast)(buffer, count, type, root, comm, request);
  begin(*request, buffer, count, type, !is_root(root, comm), "MPI_Ibcast", TEAMSAN_SITE);
  return result;
}
int MPI_Gather(void const* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type, int root,
               MPI_Comm comm) {
  reads(from, count, type, TEAMSAN_SITE);
  if (is_root(root, comm)) fills(to, to_count * ranks_of(comm), to_type, TEAMSAN_SITE);
  return TEAMSAN_NEXT(MPI_Gather)(from, count, type, to, to_count, to_type, root, comm);
}
int MPI_Gatherv(void const* from, int count, MPI_Datatype type, void* to, int const counts[], int const places[],
                MPI_Datatype to_type, int root, MPI_Comm comm) {
  void const* const site = TEAMSAN_SITE;
  reads(from, count, type, site);
  if (is_root(root, comm))
    each_part(to, counts, places, to_type, comm, [&](void* part, int n) { fills(part, n, to_type, site); });
  return TEAMSAN_NEXT(MPI_Gatherv)(from, count, type, to, counts, places, to_type, root, comm);
}
int MPI_Scatter(void const* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type, int root,
                MPI_Comm comm) {
  if (is_root(root, comm)) reads(from, count * ranks_of(comm), type, TEAMSAN_SITE);
  fills(to, to_count, to_type, TEAMSAN_SITE);
  return TEAMSAN_NEXT(MPI_Scatter)(from, count, type, to, to_count, to_type, root, comm);
}
int MPI_Scatterv(void const* from, int const counts[], int const places[], MPI_Datatype type, void* to, int to_count,
                 MPI_Datatype to_type, int root, MPI_Comm comm) {
  void const* const site = TEAMSAN_SITE;
  if (is_root(root, comm))
    each_part(from, counts, places, type, comm, [&](void* part, int n) { reads(part, n, type, site); });
  fills(to, to_count, to_type, site);
  return TEAMSAN_NEXT(MPI_Scatterv)(from, counts, places, type, to, to_count, to_type, root, comm);
}
int MPI_Allgather(void const* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type, MPI_Comm comm) {
  reads(from, count, type, TEAMSAN_SITE);
  fills(to, to_count * ranks_of(comm), to_type, TEAMSAN_SITE);
  return TEAMSAN_NEXT(MPI_Allgather)(from, count, type, to, to_count, to_type, comm);
}
int MPI_Allgatherv(void const* from, int count, MPI_Datatype type, void* to, int const counts[], int const places[],
                   MPI_Datatype to_type, MPI_Comm comm) {
  void const* const site = TEAMSAN_SITE;
  reads(from, count, type, site);
  each_part(to, counts, places, to_type, comm, [&](void* part, int n) { fills(part, n, to_type, site); });
  return TEAMSAN_NEXT(MPI_Allgatherv)(from, count, type, to, counts, places, to_type, comm);
}
int MPI_Alltoall(void const* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type, MPI_Comm comm) {
  reads(from, count * ranks_of(comm), type, TEAMSAN_SITE);
  fills(to, to_count * ranks_of(comm), to_type, TEAMSAN_SITE);
  return TEAMSAN_NEXT(MPI_Alltoall)(from, count, type, to, to_count, to_type, comm);
}
int MPI_Alltoallv(void const* from, int const counts[], int const places[], MPI_Datatype type, void* to, int const to_counts[],
                  int const to_places[], MPI_Datatype to_type, MPI_Comm comm) {
  void const* const site = TEAMSAN_SITE;
  if (is_memory(from)) each_part(from, counts, places, type, comm, [&](void* part, int n) { reads(part, n, type, site); });
  each_part(to, to_counts, to_places, to_type, comm, [&](void* part, int n) { fills(part, n, to_type, site); });
  return TEAMSAN_NEXT(MPI_Alltoallv)(from, counts, places, type, to, to_counts, to_places, to_type, comm);
}
#define TEAMSAN_IALL(name, from_count)                                                                               \
  int name(void const* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type, MPI_Comm comm,   \
           MPI_Request* request) {                                                                                        \
    int const result = TEAMSAN_NEXT(name)(from, count, type, to, to_count, to_type, comm, request);                       \
    begin(*request, from, from_count, type, false, #name, TEAMSAN_SITE);                                                  \
    begin(*request, to, to_count * ranks_of(comm), to_type, true, #name, TEAMSAN_SITE);                                   \
    return result;                                                                                                        \
  }
TEAMSAN_IALL(MPI_Iallgather, count)
TEAMSAN_IALL(MPI_Ialltoall, count * ranks_of(comm))
}
