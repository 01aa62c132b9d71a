// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What plain bodies call, which the compiler's plug-in makes for what is not checked (sim/entry/pass): all that is left of the
/// callbacks there, besides atomics.
#include "../../../machine/Spinning.hpp"
#include "../../../memory/Hot.hpp"

#pragma GCC visibility push(default)
extern "C" {

/// A loop has turned a thousand times that ends by what it reads: the lane may wait for another one.
void __teamsan_poll() {
  if (teamsan::hot.lane != nullptr && teamsan::hot.in_runtime == 0) teamsan::take_a_break();
}

/// The plug-in puts its answer in the place of each call of these.
bool __teamsan_runs_together() noexcept { return false; }
bool __teamsan_may_hand_over() noexcept { return false; }

/// The same: it knows nothing of them.
void const* __teamsan_lane_accesses() noexcept { return nullptr; }
}
#pragma GCC visibility pop

// Objects that hold the numbers of another version (../Abi.h) refer to a state that is not there; GNU's linker says why.
#define TEAMSAN_OF_ANOTHER(version)                     \
  asm(".pushsection .gnu.warning.teamsan_abi_" #version \
      "\n.ascii \"this was compiled for another TeamSan than it is linked with: compile it anew\"\n.popsection");
TEAMSAN_OF_ANOTHER(1)
TEAMSAN_OF_ANOTHER(2)
TEAMSAN_OF_ANOTHER(4)
#undef TEAMSAN_OF_ANOTHER
