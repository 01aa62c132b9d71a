// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All lanes store the same value to one word.
kernel void fault(global int* out) {
#ifdef FIXED
  if (get_global_id(0) == 0)
#endif
    out[0] = 7;
}
