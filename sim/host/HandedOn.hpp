// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory that the host hands to a library which reads or fills it: MPI's functions, say, for which those in backends/mpi stand
/// in. Of what a call is done with when it returns, missing-fence is asked as if the host did it itself. What goes on behind
/// the call, until the library says that it is done, must not be written meanwhile, nor touched where it is filled: a kernel
/// that does is told of.
///
/// Errs towards silence: of device memory the latest launch alone is known, in a program with one execution space instance; of
/// what goes on behind a call, kernels' accesses to it are looked at and not the host's.
#pragma once

#include "../base/Api.hpp"

#include <cstddef>
#include <cstdint>

namespace teamsan {

struct LaunchState;

/// Calls of these will come: what launches do to device memory is remembered until the next one.
TEAMSAN_API void expect_handing_on();

/// Will they?
bool expects_handing_on();

/// By a call that comes from `site`, in the user's code.
TEAMSAN_API void hand_on(void const* begin, std::size_t bytes, bool fills, void const* site);

/// The same, and it goes on behind the call, whose name is `call`, until end_handing_on of what is returned; 0: that is not
/// looked at.
TEAMSAN_API std::uint64_t begin_handing_on(void const* begin, std::size_t bytes, bool fills, char const* call,
                                           void const* site);
TEAMSAN_API void end_handing_on(std::uint64_t ticket);

/// The launch has ended: makes the findings.
void check_handed_on(LaunchState const& launch);

}  // namespace teamsan
