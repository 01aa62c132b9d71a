// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands for a libkokkoscore.so of another version: that it is loaded is all that is asked.
extern "C" int kokkos_of_another_version() { return 0; }
