// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes read what their neighbour writes, without a barrier between. Twin: scratch-race/fill_and_add.
kernel void fault(global int* out) {
  local int shared_value[32];
  int const i = get_local_id(0);
  shared_value[i] = i;
#ifdef FIXED
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[get_global_id(0)] = shared_value[(i + 1) % 32];
}
