// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The accesses themselves, those of each slot at a line of their own.
#pragma once

#include "Case.hpp"

#include <string_view>

namespace property::bytes {

/// The lane does what the operation says at `p`, by the line of that slot; what it has read, mixed.
std::uint64_t act(int slot, Operation const& o, unsigned char* p, std::uint64_t value);

/// The slot that stands at a line; -1: none does.
int slot_at(std::string_view file, unsigned line);

/// Does the compiler tell of copies of structs of that size (docs/soundness.md)?
bool sees_struct(int bytes, int alignment);

}  // namespace property::bytes
