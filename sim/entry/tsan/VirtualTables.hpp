// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where constructors make objects with virtual functions, which the compiler's own pass tells. Where these are called:
/// entry/pass/calls/VirtualCalls.cpp.
#pragma once

namespace teamsan {

/// A constructor stores the address of a table of virtual functions: the host's, or a lane's, which takes the place.
void note_table_stored(void** object, void* table);

}  // namespace teamsan
