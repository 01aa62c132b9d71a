// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a lane says before it ends the program: the sentence given to Kokkos::abort.
#pragma once

#include "../base/Api.hpp"

#include <string>

namespace teamsan {

/// The calling thread's lane is about to abort.
TEAMSAN_API void note_last_words(char const* message) noexcept;

/// The calling thread's, as far as they are kept; empty: none.
std::string last_words();

}  // namespace teamsan
