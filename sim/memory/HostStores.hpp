// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the host's code stored last, by words of host memory that is followed: for findings that name the line. Code that was
/// not compiled for checking stores unseen, as do threads other than those that began to follow anything.
#pragma once

#include "../../traces/Site.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace teamsan::host_stores {

struct Store {
  Site site{};  ///< none: not known
  std::vector<Site> callers = {};  ///< of the first store by that instruction since all was forgotten
};

/// These bytes are followed from now on, and what was known of them is forgotten. Costs as many bytes, once one is stored to.
void follow(std::uintptr_t begin, std::size_t bytes);
/// The same of what begins there, if it is followed already.
void follow_anew(std::uintptr_t begin);
void stop_following(std::uintptr_t begin);
/// Of what begins there: stores by instructions of which that is so.
void forget(std::uintptr_t begin, bool (*of)(Site));

/// What of the caller's accesses nobody asks about, behind `hot.ignore_begin`, unless something waits there.
std::uintptr_t ignored_bytes() noexcept;

/// The host has stored there.
void note(std::uintptr_t begin, std::size_t bytes, Site site);

Store last(std::uintptr_t address);

}  // namespace teamsan::host_stores
