// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What MPI's calls, of C and of Fortran, read and fill, told to the runtime (sim/host/HandedOn.hpp). Compiled with each
/// program.
///
/// Errs towards silence: types with gaps, what is described by MPI_BOTTOM, one-sided communication and files are not told of.
#pragma once

#include "../../sim/host/HandedOn.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace teamsan::mpi {

/// A call of Fortran's may be made of one of C's, and has been told of then.
inline thread_local int calls_of_fortran = 0;

/// Bytes of `count` elements of a type without gaps; 0 of others.
inline std::size_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  MPI_Aint low = 0, extent = 0;
  if (count <= 0 || PMPI_Type_size(type, &size) != MPI_SUCCESS ||
      PMPI_Type_get_extent(type, &low, &extent) != MPI_SUCCESS || low != 0 || extent != size)
    return 0;
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
}

inline bool is_memory(void const* buffer) { return calls_of_fortran == 0 && buffer != MPI_BOTTOM && buffer != MPI_IN_PLACE; }

inline void reads(void const* buffer, int count, MPI_Datatype type, void const* site) {
  if (is_memory(buffer)) teamsan::hand_on(buffer, bytes_of(count, type), false, site);
}
inline void fills(void* buffer, int count, MPI_Datatype type, void const* site) {
  if (is_memory(buffer)) teamsan::hand_on(buffer, bytes_of(count, type), true, site);
}

inline int ranks_of(MPI_Comm comm) {
  int ranks = 0, between = 0;
  if (PMPI_Comm_test_inter(comm, &between) == MPI_SUCCESS && between)
    PMPI_Comm_remote_size(comm, &ranks);
  else
    PMPI_Comm_size(comm, &ranks);
  return ranks;
}
inline bool is_root(int root, MPI_Comm comm) {
  int rank = -1;
  PMPI_Comm_rank(comm, &rank);
  return root == MPI_ROOT || root == rank;
}
/// Parts of several lengths, each at a place of its own, counted in elements.
template <class Part>
void each_part(void const* buffer, int const* counts, int const* places, MPI_Datatype type, MPI_Comm comm, Part part) {
  MPI_Aint low = 0, extent = 0;
  if (!is_memory(buffer) || PMPI_Type_get_extent(type, &low, &extent) != MPI_SUCCESS) return;
  for (int rank = 0, ranks = ranks_of(comm); rank < ranks; ++rank)
    part(const_cast<char*>(static_cast<char const*>(buffer)) + places[rank] * extent, counts[rank]);
}

/// What goes on behind calls, by request. A persistent request has memory of its own for as long as it lives, and tickets from
/// MPI_Start to the Wait.
struct Lasting {
  void const* buffer;
  std::size_t bytes;
  bool fills;
  char const* call;
};
struct Requests {
  std::mutex mutex;
  std::map<MPI_Request, std::vector<std::uint64_t>> tickets;
  std::map<MPI_Request, Lasting> lasting;
};
inline Requests& requests() {
  static auto* const r = new Requests;
  return *r;
}

inline void begin(MPI_Request request, void const* buffer, int count, MPI_Datatype type, bool fills, char const* call,
           void const* site) {
  if (!is_memory(buffer)) return;
  std::uint64_t const ticket = teamsan::begin_handing_on(buffer, bytes_of(count, type), fills, call, site);
  if (ticket == 0) return;
  std::lock_guard const lock(requests().mutex);
  requests().tickets[request].push_back(ticket);
}
inline void end(MPI_Request request) {
  std::vector<std::uint64_t> done;
  {
    std::lock_guard const lock(requests().mutex);
    auto const found = requests().tickets.find(request);
    if (found == requests().tickets.end()) return;
    done.swap(found->second);
    requests().tickets.erase(found);
  }
  for (std::uint64_t const ticket : done) teamsan::end_handing_on(ticket);
}
/// They were these before a call that may have ended some of them.
class Ending {
 public:
  Ending(int count, MPI_Request const* now) : m_before(now, now + (count > 0 ? count : 0)) {}
  void all() const {
    for (MPI_Request const request : m_before) end(request);
  }
  void these(int const* which, int count) const {
    for (int i = 0; i < count; ++i) end(m_before[static_cast<std::size_t>(which[i])]);
  }
  void one(int which) const {
    if (which != MPI_UNDEFINED) these(&which, 1);
  }

 private:
  std::vector<MPI_Request> m_before;
};

inline void keep(MPI_Request request, void const* buffer, int count, MPI_Datatype type, bool fills, char const* call) {
  if (!is_memory(buffer)) return;
  std::lock_guard const lock(requests().mutex);
  requests().lasting[request] = {buffer, bytes_of(count, type), fills, call};
}
inline void start(MPI_Request request, void const* site) {
  if (calls_of_fortran != 0) return;
  Lasting lasting;
  {
    std::lock_guard const lock(requests().mutex);
    auto const found = requests().lasting.find(request);
    if (found == requests().lasting.end()) return;
    lasting = found->second;
  }
  std::uint64_t const ticket = teamsan::begin_handing_on(lasting.buffer, lasting.bytes, lasting.fills, lasting.call, site);
  if (ticket == 0) return;
  std::lock_guard const lock(requests().mutex);
  requests().tickets[request].push_back(ticket);
}
/// What it began goes on: nobody will say when it is done.
inline void forget(MPI_Request request) {
  {
    std::lock_guard const lock(requests().mutex);
    requests().lasting.erase(request);
  }
  end(request);
}

}  // namespace teamsan::mpi
