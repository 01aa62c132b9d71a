// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// MPI's functions of mpif.h and `use mpi`.
#define TEAMSAN_BUFFERS(call) mpi_##call##_
#define TEAMSAN_REQUESTS(call) mpi_##call##_
#define TEAMSAN_TOOLS_BUFFERS(call) pmpi_##call##_
#define TEAMSAN_TOOLS_REQUESTS(call) pmpi_##call##_
#define TEAMSAN_MEMORY_OF(buffer) const_cast<void*>(buffer)
#include "FortranCalls.hpp"
