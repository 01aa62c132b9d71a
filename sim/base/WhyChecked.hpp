// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Why a launch was checked lane by lane: what kept arithmetic from deciding it (machine/DecidedLaunch.hpp), for whoever asks
/// by --undecided.
#pragma once

#include <cstdint>

namespace teamsan {

struct WhyChecked {
  char const* reason = nullptr;  ///< for good, or as long as the kernel is there; nullptr: arithmetic was not asked
  std::uint32_t line = 0;        ///< of the access, in some file; 0: of none
};

}  // namespace teamsan
