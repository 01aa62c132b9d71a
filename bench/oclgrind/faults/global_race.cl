// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-groups add to one word. Twin: global-race/atomic_and_plain.
kernel void fault(global int* out) {
#ifdef FIXED
  atomic_add(&out[0], 1);
#else
  out[0] += 1;
#endif
}
