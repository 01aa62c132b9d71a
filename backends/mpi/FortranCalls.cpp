// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// MPI's functions, as Fortran calls them (mpif.h and `use mpi`): MpiCalls.cpp's, by the names that compilers give them, with
/// arguments by address and Fortran's handles. Libraries whose functions for Fortran call C's by their names for tools would
/// pass those by. The functions of `use mpi_f08` are not told of.
///
/// Linked where the project uses MPI's library for Fortran: each asks for the function's name for tools there, or a linker that
/// drops what nobody needs would drop that library. Memory that is none of the GPU's is left alone: MPI_BOTTOM and MPI_IN_PLACE
/// are variables there, of names that each MPI has for itself.
#include "HandedBuffers.hpp"

#include "../../sim/host/Memory.hpp"

#include <dlfcn.h>

#include <vector>

#define TEAMSAN_SITE __builtin_return_address(0)
/// Calls the function of that name behind this one; what it calls itself is part of it.
#define TEAMSAN_NEXT(name, ...)                                                              \
  static void* const next_##name = next_or(dlsym(RTLD_NEXT, #name), &p##name);               \
  InFortran const in_fortran;                                                                \
  forward(next_##name, __VA_ARGS__)

extern "C" {
void pmpi_send_();
void pmpi_bsend_();
void pmpi_ssend_();
void pmpi_rsend_();
void pmpi_isend_();
void pmpi_ibsend_();
void pmpi_issend_();
void pmpi_irsend_();
void pmpi_irecv_();
void pmpi_send_init_();
void pmpi_bsend_init_();
void pmpi_ssend_init_();
void pmpi_rsend_init_();
void pmpi_recv_init_();
void pmpi_recv_();
void pmpi_sendrecv_();
void pmpi_sendrecv_replace_();
void pmpi_start_();
void pmpi_startall_();
void pmpi_request_free_();
void pmpi_wait_();
void pmpi_waitall_();
void pmpi_waitany_();
void pmpi_waitsome_();
void pmpi_test_();
void pmpi_testall_();
void pmpi_testany_();
void pmpi_testsome_();
void pmpi_bcast_();
void pmpi_reduce_();
void pmpi_allreduce_();
void pmpi_scan_();
void pmpi_exscan_();
void pmpi_iallreduce_();
void pmpi_gather_();
void pmpi_gatherv_();
void pmpi_scatter_();
void pmpi_scatterv_();
void pmpi_allgather_();
void pmpi_allgatherv_();
void pmpi_alltoall_();
void pmpi_alltoallv_();
}

using namespace teamsan::mpi;

namespace {

using Int = MPI_Fint;

class InFortran {
 public:
  InFortran() { ++calls_of_fortran; }
  ~InFortran() { --calls_of_fortran; }
  InFortran(InFortran const&) = delete;
  InFortran& operator=(InFortran const&) = delete;
};

void* next_or(void* next, void (*for_tools)()) { return next != nullptr ? next : reinterpret_cast<void*>(for_tools); }

template <class... Arguments>
void forward(void* function, Arguments... arguments) {
  reinterpret_cast<void (*)(Arguments...)>(function)(arguments...);
}

MPI_Datatype type_of(Int const* type) { return MPI_Type_f2c(*type); }
MPI_Comm comm_of(Int const* comm) { return MPI_Comm_f2c(*comm); }
MPI_Request request_of(Int const* request) { return MPI_Request_f2c(*request); }

bool is_view(void const* buffer) { return teamsan::is_device_address(buffer); }

void reads_view(void const* buffer, int count, Int const* type, void const* site) {
  if (is_view(buffer)) reads(buffer, count, type_of(type), site);
}
void fills_view(void* buffer, int count, Int const* type, void const* site) {
  if (is_view(buffer)) fills(buffer, count, type_of(type), site);
}
template <class Part>
void each_part_of_view(void const* buffer, Int const* counts, Int const* places, Int const* type, Int const* comm, Part part) {
  if (is_view(buffer)) each_part(buffer, counts, places, type_of(type), comm_of(comm), part);
}

/// The requests, as they are before a call that may end some of them.
class EndingOf {
 public:
  EndingOf(Int const* count, Int const* now) : m_requests(c_requests(*count, now)), m_ending(*count, m_requests.data()) {}
  Ending const* operator->() const { return &m_ending; }
  /// Fortran counts from 1.
  void these(Int const* which, Int count) const {
    for (Int i = 0; i < count; ++i) m_ending.one(which[i] - 1);
  }

 private:
  static std::vector<MPI_Request> c_requests(Int count, Int const* now) {
    std::vector<MPI_Request> all;
    for (Int i = 0; i < count; ++i) all.push_back(request_of(now + i));
    return all;
  }
  std::vector<MPI_Request> m_requests;
  Ending m_ending;
};
constexpr Int one = 1;

}  // namespace

extern "C" {

#define TEAMSAN_SEND(name)                                                                              \
  void name(void* buffer, Int* count, Int* type, Int* to, Int* tag, Int* comm, Int* error) {            \
    reads_view(buffer, *count, type, TEAMSAN_SITE);                                                     \
    TEAMSAN_NEXT(name, buffer, count, type, to, tag, comm, error);                                      \
  }
TEAMSAN_SEND(mpi_send_)
TEAMSAN_SEND(mpi_bsend_)
TEAMSAN_SEND(mpi_ssend_)
TEAMSAN_SEND(mpi_rsend_)

/// What goes on behind the call is told of behind it, when there is a request; the call's own part is over then.
#define TEAMSAN_BEGIN(name, call, filled)                                                                              \
  void name(void* buffer, Int* count, Int* type, Int* other, Int* tag, Int* comm, Int* request, Int* error) {          \
    {                                                                                                                  \
      TEAMSAN_NEXT(name, buffer, count, type, other, tag, comm, request, error);                                       \
    }                                                                                                                  \
    if (is_view(buffer)) begin(request_of(request), buffer, *count, type_of(type), filled, call, TEAMSAN_SITE);        \
  }
TEAMSAN_BEGIN(mpi_isend_, "MPI_ISEND", false)
TEAMSAN_BEGIN(mpi_ibsend_, "MPI_IBSEND", false)
TEAMSAN_BEGIN(mpi_issend_, "MPI_ISSEND", false)
TEAMSAN_BEGIN(mpi_irsend_, "MPI_IRSEND", false)
TEAMSAN_BEGIN(mpi_irecv_, "MPI_IRECV", true)

#define TEAMSAN_INIT(name, filled)                                                                                     \
  void name(void* buffer, Int* count, Int* type, Int* other, Int* tag, Int* comm, Int* request, Int* error) {          \
    {                                                                                                                  \
      TEAMSAN_NEXT(name, buffer, count, type, other, tag, comm, request, error);                                       \
    }                                                                                                                  \
    if (is_view(buffer)) keep(request_of(request), buffer, *count, type_of(type), filled, "MPI_START");                \
  }
TEAMSAN_INIT(mpi_send_init_, false)
TEAMSAN_INIT(mpi_bsend_init_, false)
TEAMSAN_INIT(mpi_ssend_init_, false)
TEAMSAN_INIT(mpi_rsend_init_, false)
TEAMSAN_INIT(mpi_recv_init_, true)

void mpi_recv_(void* buffer, Int* count, Int* type, Int* from, Int* tag, Int* comm, Int* status, Int* error) {
  fills_view(buffer, *count, type, TEAMSAN_SITE);
  TEAMSAN_NEXT(mpi_recv_, buffer, count, type, from, tag, comm, status, error);
}
void mpi_sendrecv_(void* buffer, Int* count, Int* type, Int* to, Int* tag, void* into, Int* most, Int* into_type, Int* from,
                   Int* from_tag, Int* comm, Int* status, Int* error) {
  reads_view(buffer, *count, type, TEAMSAN_SITE);
  fills_view(into, *most, into_type, TEAMSAN_SITE);
  TEAMSAN_NEXT(mpi_sendrecv_, buffer, count, type, to, tag, into, most, into_type, from, from_tag, comm, status, error);
}
void mpi_sendrecv_replace_(void* buffer, Int* count, Int* type, Int* to, Int* tag, Int* from, Int* from_tag, Int* comm,
                           Int* status, Int* error) {
  fills_view(buffer, *count, type, TEAMSAN_SITE);
  TEAMSAN_NEXT(mpi_sendrecv_replace_, buffer, count, type, to, tag, from, from_tag, comm, status, error);
}

void mpi_start_(Int* request, Int* error) {
  start(request_of(request), TEAMSAN_SITE);
  TEAMSAN_NEXT(mpi_start_, request, error);
}
void mpi_startall_(Int* count, Int* requests, Int* error) {
  for (Int i = 0; i < *count; ++i) start(request_of(requests + i), TEAMSAN_SITE);
  TEAMSAN_NEXT(mpi_startall_, count, requests, error);
}
void mpi_request_free_(Int* request, Int* error) {
  forget(request_of(request));
  TEAMSAN_NEXT(mpi_request_free_, request, error);
}

void mpi_wait_(Int* request, Int* status, Int* error) {
  EndingOf const ending(&one, request);
  TEAMSAN_NEXT(mpi_wait_, request, status, error);
  ending->all();
}
void mpi_waitall_(Int* count, Int* requests, Int* statuses, Int* error) {
  EndingOf const ending(count, requests);
  TEAMSAN_NEXT(mpi_waitall_, count, requests, statuses, error);
  ending->all();
}
void mpi_waitany_(Int* count, Int* requests, Int* index, Int* status, Int* error) {
  EndingOf const ending(count, requests);
  TEAMSAN_NEXT(mpi_waitany_, count, requests, index, status, error);
  if (*index != MPI_UNDEFINED) ending.these(index, 1);
}
void mpi_waitsome_(Int* count, Int* requests, Int* done, Int* indices, Int* statuses, Int* error) {
  EndingOf const ending(count, requests);
  TEAMSAN_NEXT(mpi_waitsome_, count, requests, done, indices, statuses, error);
  if (*done != MPI_UNDEFINED) ending.these(indices, *done);
}
// A LOGICAL that is false is 0 with every compiler.
void mpi_test_(Int* request, Int* flag, Int* status, Int* error) {
  EndingOf const ending(&one, request);
  TEAMSAN_NEXT(mpi_test_, request, flag, status, error);
  if (*flag != 0) ending->all();
}
void mpi_testall_(Int* count, Int* requests, Int* flag, Int* statuses, Int* error) {
  EndingOf const ending(count, requests);
  TEAMSAN_NEXT(mpi_testall_, count, requests, flag, statuses, error);
  if (*flag != 0) ending->all();
}
void mpi_testany_(Int* count, Int* requests, Int* index, Int* flag, Int* status, Int* error) {
  EndingOf const ending(count, requests);
  TEAMSAN_NEXT(mpi_testany_, count, requests, index, flag, status, error);
  if (*flag != 0 && *index != MPI_UNDEFINED) ending.these(index, 1);
}
void mpi_testsome_(Int* count, Int* requests, Int* done, Int* indices, Int* statuses, Int* error) {
  EndingOf const ending(count, requests);
  TEAMSAN_NEXT(mpi_testsome_, count, requests, done, indices, statuses, error);
  if (*done != MPI_UNDEFINED) ending.these(indices, *done);
}

void mpi_bcast_(void* buffer, Int* count, Int* type, Int* root, Int* comm, Int* error) {
  is_root(*root, comm_of(comm)) ? reads_view(buffer, *count, type, TEAMSAN_SITE)
                                : fills_view(buffer, *count, type, TEAMSAN_SITE);
  TEAMSAN_NEXT(mpi_bcast_, buffer, count, type, root, comm, error);
}
void mpi_reduce_(void* from, void* to, Int* count, Int* type, Int* op, Int* root, Int* comm, Int* error) {
  reads_view(from, *count, type, TEAMSAN_SITE);
  if (is_root(*root, comm_of(comm))) fills_view(to, *count, type, TEAMSAN_SITE);
  TEAMSAN_NEXT(mpi_reduce_, from, to, count, type, op, root, comm, error);
}
#define TEAMSAN_REDUCE(name)                                                                              \
  void name(void* from, void* to, Int* count, Int* type, Int* op, Int* comm, Int* error) {                \
    reads_view(from, *count, type, TEAMSAN_SITE);                                                         \
    fills_view(to, *count, type, TEAMSAN_SITE);                                                           \
    TEAMSAN_NEXT(name, from, to, count, type, op, comm, error);                                           \
  }
TEAMSAN_REDUCE(mpi_allreduce_)
TEAMSAN_REDUCE(mpi_scan_)
TEAMSAN_REDUCE(mpi_exscan_)
void mpi_iallreduce_(void* from, void* to, Int* count, Int* type, Int* op, Int* comm, Int* request, Int* error) {
  {
    TEAMSAN_NEXT(mpi_iallreduce_, from, to, count, type, op, comm, request, error);
  }
  if (is_view(from)) begin(request_of(request), from, *count, type_of(type), false, "MPI_IALLREDUCE", TEAMSAN_SITE);
  if (is_view(to)) begin(request_of(request), to, *count, type_of(type), true, "MPI_IALLREDUCE", TEAMSAN_SITE);
}
void mpi_gather_(void* from, Int* count, Int* type, void* to, Int* to_count, Int* to_type, Int* root, Int* comm, Int* error) {
  reads_view(from, *count, type, TEAMSAN_SITE);
  if (is_root(*root, comm_of(comm))) fills_view(to, *to_count * ranks_of(comm_of(comm)), to_type, TEAMSAN_SITE);
  TEAMSAN_NEXT(mpi_gather_, from, count, type, to, to_count, to_type, root, comm, error);
}
void mpi_gatherv_(void* from, Int* count, Int* type, void* to, Int* counts, Int* places, Int* to_type, Int* root, Int* comm,
                  Int* error) {
  void const* const site = TEAMSAN_SITE;
  reads_view(from, *count, type, site);
  if (is_root(*root, comm_of(comm)))
    each_part_of_view(to, counts, places, to_type, comm, [&](void* part, int n) { fills_view(part, n, to_type, site); });
  TEAMSAN_NEXT(mpi_gatherv_, from, count, type, to, counts, places, to_type, root, comm, error);
}
void mpi_scatter_(void* from, Int* count, Int* type, void* to, Int* to_count, Int* to_type, Int* root, Int* comm, Int* error) {
  if (is_root(*root, comm_of(comm))) reads_view(from, *count * ranks_of(comm_of(comm)), type, TEAMSAN_SITE);
  fills_view(to, *to_count, to_type, TEAMSAN_SITE);
  TEAMSAN_NEXT(mpi_scatter_, from, count, type, to, to_count, to_type, root, comm, error);
}
void mpi_scatterv_(void* from, Int* counts, Int* places, Int* type, void* to, Int* to_count, Int* to_type, Int* root, Int* comm,
                   Int* error) {
  void const* const site = TEAMSAN_SITE;
  if (is_root(*root, comm_of(comm)))
    each_part_of_view(from, counts, places, type, comm, [&](void* part, int n) { reads_view(part, n, type, site); });
  fills_view(to, *to_count, to_type, site);
  TEAMSAN_NEXT(mpi_scatterv_, from, counts, places, type, to, to_count, to_type, root, comm, error);
}
void mpi_allgather_(void* from, Int* count, Int* type, void* to, Int* to_count, Int* to_type, Int* comm, Int* error) {
  reads_view(from, *count, type, TEAMSAN_SITE);
  fills_view(to, *to_count * ranks_of(comm_of(comm)), to_type, TEAMSAN_SITE);
  TEAMSAN_NEXT(mpi_allgather_, from, count, type, to, to_count, to_type, comm, error);
}
void mpi_allgatherv_(void* from, Int* count, Int* type, void* to, Int* counts, Int* places, Int* to_type, Int* comm, Int* error) {
  void const* const site = TEAMSAN_SITE;
  reads_view(from, *count, type, site);
  each_part_of_view(to, counts, places, to_type, comm, [&](void* part, int n) { fills_view(part, n, to_type, site); });
  TEAMSAN_NEXT(mpi_allgatherv_, from, count, type, to, counts, places, to_type, comm, error);
}
void mpi_alltoall_(void* from, Int* count, Int* type, void* to, Int* to_count, Int* to_type, Int* comm, Int* error) {
  reads_view(from, *count * ranks_of(comm_of(comm)), type, TEAMSAN_SITE);
  fills_view(to, *to_count * ranks_of(comm_of(comm)), to_type, TEAMSAN_SITE);
  TEAMSAN_NEXT(mpi_alltoall_, from, count, type, to, to_count, to_type, comm, error);
}
void mpi_alltoallv_(void* from, Int* counts, Int* places, Int* type, void* to, Int* to_counts, Int* to_places, Int* to_type,
                    Int* comm, Int* error) {
  void const* const site = TEAMSAN_SITE;
  each_part_of_view(from, counts, places, type, comm, [&](void* part, int n) { reads_view(part, n, type, site); });
  each_part_of_view(to, to_counts, to_places, to_type, comm, [&](void* part, int n) { fills_view(part, n, to_type, site); });
  TEAMSAN_NEXT(mpi_alltoallv_, from, counts, places, type, to, to_counts, to_places, to_type, comm, error);
}
}
