// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// When device memory was written last, by allocation, so that what was read there need not be read again: by launches that
/// arithmetic decides, which know where they store, by copies and fills, and by host code that is seen to. A launch of any
/// other kind may have written anywhere.
#pragma once

#include "Allocations.hpp"

#include <cstddef>
#include <cstdint>

namespace teamsan::device_writes {

/// Counts up with each write. What is read between two writes is as it was at moment() before it was read.
std::uint64_t moment();

/// [begin, end) was written, whatever lies there.
void note(std::uintptr_t begin, std::uintptr_t end);
/// Host code is about to write there, in a program that is wrong: at any time from now on.
void note_host(std::uintptr_t begin, std::size_t bytes);
/// Anything may have been.
void note_all();

/// Is nothing of that live allocation known to be written since then?
bool is_as_it_was(Allocation const& a, std::uint64_t since);

}  // namespace teamsan::device_writes
