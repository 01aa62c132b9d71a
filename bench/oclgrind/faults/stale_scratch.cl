// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first lane fills half of what all read.
kernel void fault(global int* out) {
  local int table[32];
  int const i = get_local_id(0);
#ifdef FIXED
  table[i] = i;
#else
  if (i < 16) table[i] = i;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  if (table[31 - i] > 7) out[get_global_id(0)] = 1;
}
