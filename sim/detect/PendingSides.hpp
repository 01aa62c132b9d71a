// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What findings of missing-fence say of pending work: its side, where two meet, whose data that is.
#pragma once

#include "../findings/RawFinding.hpp"
#include "PendingLines.hpp"

#include <cstdint>
#include <string>

namespace teamsan::detect {

/// Where two meet: at a byte whose accessor is known, if there is one. `lane_known`: there is.
std::uintptr_t meeting_place(std::uintptr_t line, Mask bytes, PendingAccess const& theirs, bool& lane_known);

std::string kernel_text(Work const& work);
Side side_of(PendingAccess const& access, bool writes, bool atomic, bool lane_known, bool name_kernel);
Data data_at(std::uintptr_t address, std::uint32_t bytes);
std::uint64_t data_key(std::uintptr_t address);

}  // namespace teamsan::detect
