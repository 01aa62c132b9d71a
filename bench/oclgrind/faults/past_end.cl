// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last lane writes one element behind the buffer. Twin: out-of-bounds/past_end.
kernel void fault(global int* out) {
#ifdef FIXED
  out[get_global_id(0)] = 1;
#else
  out[get_global_id(0) + 1] = 1;
#endif
}
