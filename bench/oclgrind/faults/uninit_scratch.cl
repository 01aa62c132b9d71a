// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums begin with whatever an earlier work-group left. Twin: uninit-scratch/accumulate.
kernel void fault(global int* out) {
  local int sums[32];
  int const i = get_local_id(0);
#ifdef FIXED
  sums[i] = 0;
#endif
  for (int k = 0; k < 5; ++k) sums[i] += k;
  out[get_global_id(0)] = sums[i];
}
