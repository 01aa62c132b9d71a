// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which device memory is known to hold nothing but what was written, so that asking for it need not look at every word again:
/// what has been written stays so, until the memory is handed out anew or something else is copied there (GlobalShadow.hpp says
/// so here).
#pragma once

#include <cstddef>
#include <cstdint>

namespace teamsan::initialised {

/// Has every byte of [begin, end) been written? By any thread, between launches or while lanes write elsewhere.
bool is_whole(std::uintptr_t begin, std::uintptr_t end);

/// The same of so many bytes at `begin`, and each `step` further up to `end`; 0: at `begin` alone. Nothing is remembered of it.
bool are_written(std::uintptr_t begin, std::uintptr_t end, std::uint64_t step, std::size_t bytes);

/// So it is from now on.
void note_whole(std::uintptr_t begin, std::uintptr_t end);

/// It may not be so any more.
void forget(std::uintptr_t begin, std::uintptr_t end);

}  // namespace teamsan::initialised
