// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// MPI's functions of `use mpi_f08`, as Open MPI and MPICH name them: handles are structures of one integer, arguments that are
/// left out null, and memory an address or, with MPICH, a descriptor that begins with it.
#include <mpi.h>

#ifdef OMPI_MAJOR_VERSION
#define TEAMSAN_BUFFERS(call) mpi_##call##_f08_
#define TEAMSAN_TOOLS_BUFFERS(call) pmpi_##call##_f08_
#define TEAMSAN_TOOLS_REQUESTS(call) pmpi_##call##_f08_
#define TEAMSAN_MEMORY_OF(buffer) const_cast<void*>(buffer)
#else
#define TEAMSAN_BUFFERS(call) mpi_##call##_f08ts_
#define TEAMSAN_TOOLS_BUFFERS(call) pmpir_##call##_f08ts_
#define TEAMSAN_TOOLS_REQUESTS(call) pmpir_##call##_f08_
#define TEAMSAN_MEMORY_OF(buffer) *static_cast<void* const*>(buffer)
#endif
#define TEAMSAN_REQUESTS(call) mpi_##call##_f08_
#ifndef TEAMSAN_NAMES_ONLY  // CMake asks whether the MPI has them
#include "FortranCalls.hpp"
#endif
