// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half of the lanes skip a barrier. Twin: barrier-divergence/if_else.
kernel void fault(global int* out) {
  int const i = get_local_id(0);
#ifdef FIXED
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  if (i < 16) barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[get_global_id(0)] = i;
}
