// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// MPI's functions, as Fortran calls them: MpiCalls.cpp's, by the names that compilers give them, with arguments by address and
/// Fortran's handles. Libraries whose functions for Fortran call C's by their names for tools would pass those by. Included by
/// FortranCalls.cpp, for the functions of mpif.h and `use mpi`, and by FortranCalls08.cpp, for those of `use mpi_f08`, which
/// say
///
///   TEAMSAN_BUFFERS(call), TEAMSAN_REQUESTS(call)              their names, of those that take memory and of the others
///   TEAMSAN_TOOLS_BUFFERS(call), TEAMSAN_TOOLS_REQUESTS(call)  the same, for tools
///   TEAMSAN_MEMORY_OF(buffer)                                  where the memory is that a call is given
///
/// Linked where the project uses MPI's library for Fortran: each asks for the function's name for tools there, or a linker that
/// drops what nobody needs would drop that library. Memory that is none of the GPU's is left alone: MPI_BOTTOM and MPI_IN_PLACE
/// are variables there, of names that each MPI has for itself.
#include "HandedBuffers.hpp"

#include "../../sim/host/Memory.hpp"

#include <dlfcn.h>

#include <vector>

#define TEAMSAN_SITE __builtin_return_address(0)
#define TEAMSAN_TEXT_OF(name) #name
#define TEAMSAN_TEXT(name) TEAMSAN_TEXT_OF(name)
/// Calls the function of that name behind this one; what it calls itself is part of it.
#define TEAMSAN_NEXT(kind, call, ...)                                                                                   \
  static void* const next = next_or(dlsym(RTLD_NEXT, TEAMSAN_TEXT(TEAMSAN_##kind(call))), &TEAMSAN_TOOLS_##kind(call)); \
  InFortran const in_fortran;                                                                                           \
  forward(next, __VA_ARGS__)

extern "C" {
void TEAMSAN_TOOLS_BUFFERS(send)();
void TEAMSAN_TOOLS_BUFFERS(bsend)();
void TEAMSAN_TOOLS_BUFFERS(ssend)();
void TEAMSAN_TOOLS_BUFFERS(rsend)();
void TEAMSAN_TOOLS_BUFFERS(isend)();
void TEAMSAN_TOOLS_BUFFERS(ibsend)();
void TEAMSAN_TOOLS_BUFFERS(issend)();
void TEAMSAN_TOOLS_BUFFERS(irsend)();
void TEAMSAN_TOOLS_BUFFERS(irecv)();
void TEAMSAN_TOOLS_BUFFERS(send_init)();
void TEAMSAN_TOOLS_BUFFERS(bsend_init)();
void TEAMSAN_TOOLS_BUFFERS(ssend_init)();
void TEAMSAN_TOOLS_BUFFERS(rsend_init)();
void TEAMSAN_TOOLS_BUFFERS(recv_init)();
void TEAMSAN_TOOLS_BUFFERS(recv)();
void TEAMSAN_TOOLS_BUFFERS(sendrecv)();
void TEAMSAN_TOOLS_BUFFERS(sendrecv_replace)();
void TEAMSAN_TOOLS_REQUESTS(start)();
void TEAMSAN_TOOLS_REQUESTS(startall)();
void TEAMSAN_TOOLS_REQUESTS(request_free)();
void TEAMSAN_TOOLS_REQUESTS(wait)();
void TEAMSAN_TOOLS_REQUESTS(waitall)();
void TEAMSAN_TOOLS_REQUESTS(waitany)();
void TEAMSAN_TOOLS_REQUESTS(waitsome)();
void TEAMSAN_TOOLS_REQUESTS(test)();
void TEAMSAN_TOOLS_REQUESTS(testall)();
void TEAMSAN_TOOLS_REQUESTS(testany)();
void TEAMSAN_TOOLS_REQUESTS(testsome)();
void TEAMSAN_TOOLS_BUFFERS(bcast)();
void TEAMSAN_TOOLS_BUFFERS(reduce)();
void TEAMSAN_TOOLS_BUFFERS(allreduce)();
void TEAMSAN_TOOLS_BUFFERS(scan)();
void TEAMSAN_TOOLS_BUFFERS(exscan)();
void TEAMSAN_TOOLS_BUFFERS(iallreduce)();
void TEAMSAN_TOOLS_BUFFERS(gather)();
void TEAMSAN_TOOLS_BUFFERS(gatherv)();
void TEAMSAN_TOOLS_BUFFERS(scatter)();
void TEAMSAN_TOOLS_BUFFERS(scatterv)();
void TEAMSAN_TOOLS_BUFFERS(allgather)();
void TEAMSAN_TOOLS_BUFFERS(allgatherv)();
void TEAMSAN_TOOLS_BUFFERS(alltoall)();
void TEAMSAN_TOOLS_BUFFERS(alltoallv)();
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

/// Memory of the GPU's that a call is given; nullptr: it is given other.
void* view_at(void const* buffer) {
  void* const memory = TEAMSAN_MEMORY_OF(buffer);
  return teamsan::is_device_address(memory) ? memory : nullptr;
}

void reads_view(void const* buffer, int count, Int const* type, void const* site) {
  if (void* const memory = view_at(buffer)) reads(memory, count, type_of(type), site);
}
void fills_view(void const* buffer, int count, Int const* type, void const* site) {
  if (void* const memory = view_at(buffer)) fills(memory, count, type_of(type), site);
}
void reads_parts(void const* buffer, Int const* counts, Int const* places, Int const* type, Int const* comm, void const* site) {
  void* const memory = view_at(buffer);
  if (memory == nullptr) return;
  each_part(memory, counts, places, type_of(type), comm_of(comm),
            [&](void* part, int n) { reads(part, n, type_of(type), site); });
}
void fills_parts(void const* buffer, Int const* counts, Int const* places, Int const* type, Int const* comm, void const* site) {
  void* const memory = view_at(buffer);
  if (memory == nullptr) return;
  each_part(memory, counts, places, type_of(type), comm_of(comm),
            [&](void* part, int n) { fills(part, n, type_of(type), site); });
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

#define TEAMSAN_SEND(name)                                                                                    \
  void TEAMSAN_BUFFERS(name)(void* buffer, Int* count, Int* type, Int* to, Int* tag, Int* comm, Int* error) { \
    reads_view(buffer, *count, type, TEAMSAN_SITE);                                                           \
    TEAMSAN_NEXT(BUFFERS, name, buffer, count, type, to, tag, comm, error);                                   \
  }
TEAMSAN_SEND(send)
TEAMSAN_SEND(bsend)
TEAMSAN_SEND(ssend)
TEAMSAN_SEND(rsend)

/// What goes on behind the call is told of behind it, when there is a request; the call's own part is over then.
#define TEAMSAN_BEGIN(name, call, filled)                                                                                      \
  void TEAMSAN_BUFFERS(name)(void* buffer, Int* count, Int* type, Int* other, Int* tag, Int* comm, Int* request, Int* error) { \
    { TEAMSAN_NEXT(BUFFERS, name, buffer, count, type, other, tag, comm, request, error); }                                    \
    if (void* const m = view_at(buffer)) begin(request_of(request), m, *count, type_of(type), filled, call, TEAMSAN_SITE);     \
  }
TEAMSAN_BEGIN(isend, "MPI_ISEND", false)
TEAMSAN_BEGIN(ibsend, "MPI_IBSEND", false)
TEAMSAN_BEGIN(issend, "MPI_ISSEND", false)
TEAMSAN_BEGIN(irsend, "MPI_IRSEND", false)
TEAMSAN_BEGIN(irecv, "MPI_IRECV", true)

#define TEAMSAN_INIT(name, filled)                                                                                             \
  void TEAMSAN_BUFFERS(name)(void* buffer, Int* count, Int* type, Int* other, Int* tag, Int* comm, Int* request, Int* error) { \
    { TEAMSAN_NEXT(BUFFERS, name, buffer, count, type, other, tag, comm, request, error); }                                    \
    if (void* const m = view_at(buffer)) keep(request_of(request), m, *count, type_of(type), filled, "MPI_START");             \
  }
TEAMSAN_INIT(send_init, false)
TEAMSAN_INIT(bsend_init, false)
TEAMSAN_INIT(ssend_init, false)
TEAMSAN_INIT(rsend_init, false)
TEAMSAN_INIT(recv_init, true)

void TEAMSAN_BUFFERS(recv)(void* buffer, Int* count, Int* type, Int* from, Int* tag, Int* comm, Int* status, Int* error) {
  fills_view(buffer, *count, type, TEAMSAN_SITE);
  TEAMSAN_NEXT(BUFFERS, recv, buffer, count, type, from, tag, comm, status, error);
}
void TEAMSAN_BUFFERS(sendrecv)(void* buffer, Int* count, Int* type, Int* to, Int* tag, void* into, Int* most, Int* into_type,
                               Int* from, Int* from_tag, Int* comm, Int* status, Int* error) {
  reads_view(buffer, *count, type, TEAMSAN_SITE);
  fills_view(into, *most, into_type, TEAMSAN_SITE);
  TEAMSAN_NEXT(BUFFERS, sendrecv, buffer, count, type, to, tag, into, most, into_type, from, from_tag, comm, status, error);
}
void TEAMSAN_BUFFERS(sendrecv_replace)(void* buffer, Int* count, Int* type, Int* to, Int* tag, Int* from, Int* from_tag,
                                       Int* comm, Int* status, Int* error) {
  fills_view(buffer, *count, type, TEAMSAN_SITE);
  TEAMSAN_NEXT(BUFFERS, sendrecv_replace, buffer, count, type, to, tag, from, from_tag, comm, status, error);
}

void TEAMSAN_REQUESTS(start)(Int* request, Int* error) {
  start(request_of(request), TEAMSAN_SITE);
  TEAMSAN_NEXT(REQUESTS, start, request, error);
}
void TEAMSAN_REQUESTS(startall)(Int* count, Int* requests, Int* error) {
  for (Int i = 0; i < *count; ++i) start(request_of(requests + i), TEAMSAN_SITE);
  TEAMSAN_NEXT(REQUESTS, startall, count, requests, error);
}
void TEAMSAN_REQUESTS(request_free)(Int* request, Int* error) {
  forget(request_of(request));
  TEAMSAN_NEXT(REQUESTS, request_free, request, error);
}

void TEAMSAN_REQUESTS(wait)(Int* request, Int* status, Int* error) {
  EndingOf const ending(&one, request);
  TEAMSAN_NEXT(REQUESTS, wait, request, status, error);
  ending->all();
}
void TEAMSAN_REQUESTS(waitall)(Int* count, Int* requests, Int* statuses, Int* error) {
  EndingOf const ending(count, requests);
  TEAMSAN_NEXT(REQUESTS, waitall, count, requests, statuses, error);
  ending->all();
}
void TEAMSAN_REQUESTS(waitany)(Int* count, Int* requests, Int* index, Int* status, Int* error) {
  EndingOf const ending(count, requests);
  TEAMSAN_NEXT(REQUESTS, waitany, count, requests, index, status, error);
  if (*index != MPI_UNDEFINED) ending.these(index, 1);
}
void TEAMSAN_REQUESTS(waitsome)(Int* count, Int* requests, Int* done, Int* indices, Int* statuses, Int* error) {
  EndingOf const ending(count, requests);
  TEAMSAN_NEXT(REQUESTS, waitsome, count, requests, done, indices, statuses, error);
  if (*done != MPI_UNDEFINED) ending.these(indices, *done);
}
// A LOGICAL that is false is 0 with every compiler.
void TEAMSAN_REQUESTS(test)(Int* request, Int* flag, Int* status, Int* error) {
  EndingOf const ending(&one, request);
  TEAMSAN_NEXT(REQUESTS, test, request, flag, status, error);
  if (*flag != 0) ending->all();
}
void TEAMSAN_REQUESTS(testall)(Int* count, Int* requests, Int* flag, Int* statuses, Int* error) {
  EndingOf const ending(count, requests);
  TEAMSAN_NEXT(REQUESTS, testall, count, requests, flag, statuses, error);
  if (*flag != 0) ending->all();
}
void TEAMSAN_REQUESTS(testany)(Int* count, Int* requests, Int* index, Int* flag, Int* status, Int* error) {
  EndingOf const ending(count, requests);
  TEAMSAN_NEXT(REQUESTS, testany, count, requests, index, flag, status, error);
  if (*flag != 0 && *index != MPI_UNDEFINED) ending.these(index, 1);
}
void TEAMSAN_REQUESTS(testsome)(Int* count, Int* requests, Int* done, Int* indices, Int* statuses, Int* error) {
  EndingOf const ending(count, requests);
  TEAMSAN_NEXT(REQUESTS, testsome, count, requests, done, indices, statuses, error);
  if (*done != MPI_UNDEFINED) ending.these(indices, *done);
}

void TEAMSAN_BUFFERS(bcast)(void* buffer, Int* count, Int* type, Int* root, Int* comm, Int* error) {
  is_root(*root, comm_of(comm)) ? reads_view(buffer, *count, type, TEAMSAN_SITE)
                                : fills_view(buffer, *count, type, TEAMSAN_SITE);
  TEAMSAN_NEXT(BUFFERS, bcast, buffer, count, type, root, comm, error);
}
void TEAMSAN_BUFFERS(reduce)(void* from, void* to, Int* count, Int* type, Int* op, Int* root, Int* comm, Int* error) {
  reads_view(from, *count, type, TEAMSAN_SITE);
  if (is_root(*root, comm_of(comm))) fills_view(to, *count, type, TEAMSAN_SITE);
  TEAMSAN_NEXT(BUFFERS, reduce, from, to, count, type, op, root, comm, error);
}
#define TEAMSAN_REDUCE(name)                                                                                \
  void TEAMSAN_BUFFERS(name)(void* from, void* to, Int* count, Int* type, Int* op, Int* comm, Int* error) { \
    reads_view(from, *count, type, TEAMSAN_SITE);                                                           \
    fills_view(to, *count, type, TEAMSAN_SITE);                                                             \
    TEAMSAN_NEXT(BUFFERS, name, from, to, count, type, op, comm, error);                                    \
  }
TEAMSAN_REDUCE(allreduce)
TEAMSAN_REDUCE(scan)
TEAMSAN_REDUCE(exscan)
void TEAMSAN_BUFFERS(iallreduce)(void* from, void* to, Int* count, Int* type, Int* op, Int* comm, Int* request, Int* error) {
  { TEAMSAN_NEXT(BUFFERS, iallreduce, from, to, count, type, op, comm, request, error); }
  if (void* const m = view_at(from))
    begin(request_of(request), m, *count, type_of(type), false, "MPI_IALLREDUCE", TEAMSAN_SITE);
  if (void* const m = view_at(to)) begin(request_of(request), m, *count, type_of(type), true, "MPI_IALLREDUCE", TEAMSAN_SITE);
}
void TEAMSAN_BUFFERS(gather)(void* from, Int* count, Int* type, void* to, Int* to_count, Int* to_type, Int* root, Int* comm,
                             Int* error) {
  reads_view(from, *count, type, TEAMSAN_SITE);
  if (is_root(*root, comm_of(comm))) fills_view(to, *to_count * ranks_of(comm_of(comm)), to_type, TEAMSAN_SITE);
  TEAMSAN_NEXT(BUFFERS, gather, from, count, type, to, to_count, to_type, root, comm, error);
}
void TEAMSAN_BUFFERS(gatherv)(void* from, Int* count, Int* type, void* to, Int* counts, Int* places, Int* to_type, Int* root,
                              Int* comm, Int* error) {
  void const* const site = TEAMSAN_SITE;
  reads_view(from, *count, type, site);
  if (is_root(*root, comm_of(comm))) fills_parts(to, counts, places, to_type, comm, site);
  TEAMSAN_NEXT(BUFFERS, gatherv, from, count, type, to, counts, places, to_type, root, comm, error);
}
void TEAMSAN_BUFFERS(scatter)(void* from, Int* count, Int* type, void* to, Int* to_count, Int* to_type, Int* root, Int* comm,
                              Int* error) {
  if (is_root(*root, comm_of(comm))) reads_view(from, *count * ranks_of(comm_of(comm)), type, TEAMSAN_SITE);
  fills_view(to, *to_count, to_type, TEAMSAN_SITE);
  TEAMSAN_NEXT(BUFFERS, scatter, from, count, type, to, to_count, to_type, root, comm, error);
}
void TEAMSAN_BUFFERS(scatterv)(void* from, Int* counts, Int* places, Int* type, void* to, Int* to_count, Int* to_type,
                               Int* root, Int* comm, Int* error) {
  void const* const site = TEAMSAN_SITE;
  if (is_root(*root, comm_of(comm))) reads_parts(from, counts, places, type, comm, site);
  fills_view(to, *to_count, to_type, site);
  TEAMSAN_NEXT(BUFFERS, scatterv, from, counts, places, type, to, to_count, to_type, root, comm, error);
}
void TEAMSAN_BUFFERS(allgather)(void* from, Int* count, Int* type, void* to, Int* to_count, Int* to_type, Int* comm,
                                Int* error) {
  reads_view(from, *count, type, TEAMSAN_SITE);
  fills_view(to, *to_count * ranks_of(comm_of(comm)), to_type, TEAMSAN_SITE);
  TEAMSAN_NEXT(BUFFERS, allgather, from, count, type, to, to_count, to_type, comm, error);
}
void TEAMSAN_BUFFERS(allgatherv)(void* from, Int* count, Int* type, void* to, Int* counts, Int* places, Int* to_type, Int* comm,
                                 Int* error) {
  void const* const site = TEAMSAN_SITE;
  reads_view(from, *count, type, site);
  fills_parts(to, counts, places, to_type, comm, site);
  TEAMSAN_NEXT(BUFFERS, allgatherv, from, count, type, to, counts, places, to_type, comm, error);
}
void TEAMSAN_BUFFERS(alltoall)(void* from, Int* count, Int* type, void* to, Int* to_count, Int* to_type, Int* comm,
                               Int* error) {
  reads_view(from, *count * ranks_of(comm_of(comm)), type, TEAMSAN_SITE);
  fills_view(to, *to_count * ranks_of(comm_of(comm)), to_type, TEAMSAN_SITE);
  TEAMSAN_NEXT(BUFFERS, alltoall, from, count, type, to, to_count, to_type, comm, error);
}
void TEAMSAN_BUFFERS(alltoallv)(void* from, Int* counts, Int* places, Int* type, void* to, Int* to_counts, Int* to_places,
                                Int* to_type, Int* comm, Int* error) {
  void const* const site = TEAMSAN_SITE;
  reads_parts(from, counts, places, type, comm, site);
  fills_parts(to, to_counts, to_places, to_type, comm, site);
  TEAMSAN_NEXT(BUFFERS, alltoallv, from, counts, places, type, to, to_counts, to_places, to_type, comm, error);
}
}
