// Owner of the precompiled Kokkos_Core.hpp of the checked programs here and in tests/.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
