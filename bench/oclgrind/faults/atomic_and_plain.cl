// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane stores plainly what the others update by atomics.
kernel void fault(global int* out) {
#ifdef FIXED
  atomic_add(&out[0], 1);
#else
  if (get_global_id(0) == 0)
    out[0] = 1;
  else
    atomic_add(&out[0], 1);
#endif
}
