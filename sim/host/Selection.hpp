// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which launches are checked: --kernel-name and its like, --region, --launch-skip, --launch-count.
#pragma once

#include <string_view>

namespace teamsan {

/// Asked once per launch, in order. Once a launch is left out, what it writes is not seen: reads of device memory that
/// nothing has written are then no longer reported, and a note says so.
bool is_selected(std::string_view label, std::string_view region);

}  // namespace teamsan
