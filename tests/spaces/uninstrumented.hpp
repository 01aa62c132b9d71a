// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library that has Kokkos in its names, as one that uses Kokkos has, and was built elsewhere.
#pragma once

namespace Kokkos {
struct Stranger {};
}  // namespace Kokkos

int uninstrumented(Kokkos::Stranger);
