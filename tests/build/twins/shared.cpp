// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef shared_EXPORTS
#error "something was lost"
#endif
int inner();
int shared() { return inner(); }
