// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Traces that are damaged on purpose, with checksums that fit: what a reader's checks behind the checksum must catch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace teamsan::fuzz {

using Bytes = std::vector<std::uint8_t>;

/// Changes some bytes of a piece, which may also grow or shrink.
using ByteMutator = std::function<void(Bytes& piece, std::minstd_rand& random)>;

/// One record of the trace changed by `change`, or by what records are most sensitive to (a number replaced, a record left
/// out, moved or repeated, a header that lies), and all of it written again. Bytes that are no trace are changed as they are.
Bytes mutated_trace(Bytes const& trace, std::uint32_t seed, ByteMutator const& change);

/// For those who have no better one: a byte, or a LEB128 number, replaced.
void change_somewhere(Bytes& piece, std::minstd_rand& random);

}  // namespace teamsan::fuzz
