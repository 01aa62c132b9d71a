// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// stale-copy: a kernel reads elements of a DualView's device side that differ from those of its host side, which was modified
/// later: as the DualView's own flags say, or, where these say that both are alike, as both say compared with what they were
/// when they were last made alike. Or the host reads an element of its side that differs from the device's, which was modified
/// later, as the flags say.
///
/// Errs towards silence: of DualViews that were never modified or synchronised by their functions nothing is known; a kernel
/// reads a device side only if its functor holds the View; elements that the kernel writes, too, are not looked at, nor what
/// the host has stored in its side itself. Who is to work on the older values all the same, while the next ones are prepared on
/// the other side, is accused.
#pragma once

#include "../base/Api.hpp"

#include <cstddef>
#include <cstdint>

namespace teamsan {

struct Access;
struct LaunchState;

/// A DualView's: both sides have the same elements in the same places.
struct DualSides {
  void const* device = nullptr;
  void const* host = nullptr;
  std::size_t bytes = 0;            ///< of each
  unsigned const* flags = nullptr;  ///< how often the host's was modified, how often the device's
};

/// One of its sides was declared modified, or the one was copied to the other, and flags say so.
TEAMSAN_API void note_dual_view(DualSides const& sides);

/// The host reads memory of its own.
void check_read_by_host(Access const& access);

/// Does a DualView's device side begin there?
bool is_side_of_dual_view(std::uintptr_t device);

/// Does the launch's functor hold an address of these bytes?
bool functor_holds(LaunchState const& launch, std::uintptr_t begin, std::size_t bytes);

/// The launch has ended: makes the findings.
void check_dual_views(LaunchState const& launch);

}  // namespace teamsan
