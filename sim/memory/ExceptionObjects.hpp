// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Objects of exceptions that lanes of this thread are making, from their allocation to the throw. The C++ runtime allocates
/// them in host memory, and code of the lane fills them: that an exception is none of a GPU's is told where it is thrown.
#pragma once

#include <cstddef>
#include <cstdint>

namespace teamsan::exception_objects {

void made(std::uintptr_t begin, std::size_t bytes);
void thrown(std::uintptr_t begin);
bool holds(std::uintptr_t address);

}  // namespace teamsan::exception_objects
