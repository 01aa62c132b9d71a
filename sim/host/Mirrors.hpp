// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// stale-copy of Views and their mirrors, a warning: a kernel reads elements of a View that are as they were when the View and
/// its mirror were last copied, the one to the other, while the mirror was changed since.
///
/// Errs towards silence: a mirror is what create_mirror_view made of the View, known by its label, and a copy is one of all
/// elements in their order; a kernel reads a View only if its functor holds it; elements that the kernel writes, too, are not
/// looked at, nor the host's reads of a mirror. A mirror that the host goes on to work on for itself is accused all the same.
#pragma once

#include <cstddef>
#include <cstdint>

namespace teamsan {

struct LaunchState;

/// Kokkos has allocated a View of the host's. A mirror's stores are followed where the check is on.
void note_host_view(char const* label, void const* begin, std::size_t bytes);
void forget_host_view(void const* begin);

/// Memory was copied.
void note_mirror_copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);

/// The launch has ended: makes the findings.
void check_mirrors(LaunchState const& launch);

}  // namespace teamsan
