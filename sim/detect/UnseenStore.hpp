// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stores that no instrumentation showed: by inline assembly, by a library built elsewhere, by a function of which GCC puts
/// the struct that it returns straight into memory, of a type that Clang's instrumentation leaves out. They are known by
/// what they leave: bytes that nobody was seen to write, and that hold something else than what was there before any lane
/// came. Where that is so nothing is called uninitialised. (A store of just those values is not noticed.)
#pragma once

#include "Checker.hpp"

#include <cstdint>

namespace teamsan::detect {

/// For a read of bytes that nobody was seen to write, from `target` on: the address of a byte that was written
/// nevertheless, or 0. In scratch that may be a neighbour of them, in the same line of 64 bytes; in device memory, which
/// holds zeros at first and which other teams write meanwhile, it is one of the access.
std::uintptr_t unseen_store(Team& team, Access const& access, Target const& target);

/// The Cell of a byte: who wrote it last, as the team knows now.
Cell const& cell_at(Team& team, bool scratch, std::uintptr_t address);

}  // namespace teamsan::detect
