// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Findings are told while the program runs. The room `process`, which knows the reports, does it.
#pragma once

#include "Finding.hpp"

namespace teamsan {

/// Are they? Otherwise nobody needs to make them up.
bool tells_now() noexcept;

/// Tells of a finding unless one like it was told. Calls come in an order that does not hang on workers.
void tell_now(Finding const& finding);

}  // namespace teamsan
