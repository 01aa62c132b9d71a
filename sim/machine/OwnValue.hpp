// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Vector lanes that differ: the body of a vector range has stored to a variable of the lane's that is older than the range
/// (Hot::outer_frames), such as an index. What the thread's lanes do from there on need not be alike.
#pragma once

namespace teamsan {

/// The running lane has.
[[gnu::cold]] void note_own_value();

}  // namespace teamsan
