// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many threads the system lets this process have: oneTBB ends the program when it cannot make one that it counts on.
#pragma once

namespace teamsan {

/// `workers` or as many as there can be, the calling thread among them, while one more stays for reports; at least 1. Limits
/// (RLIMIT_NPROC, a container's) are known by trying.
unsigned threads_to_be_had(unsigned workers) noexcept;

}  // namespace teamsan
