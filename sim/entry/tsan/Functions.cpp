// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check/Functions.hpp"

#pragma GCC visibility push(default)
extern "C" {

void __tsan_func_entry(void* call_site) { teamsan::enter_function(reinterpret_cast<std::uintptr_t>(call_site)); }

void __tsan_func_exit() { teamsan::leave_function(); }
}
#pragma GCC visibility pop
