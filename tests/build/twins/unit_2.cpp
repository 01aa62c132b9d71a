int unit_2() { return of_unit_1; }  // of the same unity file
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
