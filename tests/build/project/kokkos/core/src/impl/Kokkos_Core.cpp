int stands_for_kokkos() { return 0; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
