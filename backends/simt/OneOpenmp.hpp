// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A program that Clang compiled takes its threads of OpenMP from LLVM's runtime, and asks by omp_get_thread_num() who they
/// are. Where GCC's runtime stands ahead of LLVM's, that one answers: each thread is the first one, and Kokkos' reductions on
/// the host are silently wrong. The other order does no harm, since LLVM's has GCC's entry points as well. Decided at start-up,
/// from what the program was linked with; libraries that bring a runtime of their own are left alone.
#pragma once

namespace teamsan::simt {

/// For Simt::impl_initialize: ends such a program with a sentence that names both runtimes, status 2.
void check_one_openmp();

}  // namespace teamsan::simt
