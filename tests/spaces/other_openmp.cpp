// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands for LLVM's OpenMP runtime: one of its own functions, which nobody calls, and one that GCC's has as well.
extern "C" {
void __kmpc_fork_call() {}
#ifdef AHEAD
int omp_get_thread_num() { return 0; }
#endif
}
