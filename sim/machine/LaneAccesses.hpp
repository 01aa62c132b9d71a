// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace teamsan {

/// What lanes access, in the words of entry/pass/Abi.h, and what that hangs on.
struct LaneAccesses {
  unsigned long long const* words = nullptr;  ///< nullptr: it is not known
  void const* functor = nullptr;
};

}  // namespace teamsan
