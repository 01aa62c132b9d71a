// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A program has one Kokkos. Two, such as the program's own and that of a library which was built elsewhere, take turns in
/// answering for each other, and the process ends somewhere with a crash. Decided at start-up, from the shared libraries that
/// are loaded. It cannot see a static Kokkos, nor one that is loaded later.
#pragma once

namespace teamsan::simt {

/// For Simt::impl_initialize: ends a program that has two with a sentence that names both.
void check_one_kokkos();

}  // namespace teamsan::simt
