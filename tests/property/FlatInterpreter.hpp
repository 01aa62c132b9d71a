// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs a kernel that is one flat construct; gives what it reduces to, or the total of its scan.
#pragma once

#include "KernelCode.hpp"

namespace property {

std::uint64_t run_flat(Code const& code);

}  // namespace property
