// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last lane writes one element behind local memory.
kernel void fault(global int* out) {
  local int shared_value[32];
  int const i = get_local_id(0);
#ifdef FIXED
  shared_value[i] = i;
#else
  shared_value[i + 1] = i;
#endif
  out[get_global_id(0)] = shared_value[i];
}
