// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What all findings of stale-copy begin with: which lane read which word on the device.
#pragma once

#include "../detect/LaunchWords.hpp"
#include "../findings/RawFinding.hpp"

#include <cstdint>

namespace teamsan {

/// It counts nothing yet.
detect::RawFinding stale_read(std::uintptr_t word, detect::WordAccess const& reader);

}  // namespace teamsan
