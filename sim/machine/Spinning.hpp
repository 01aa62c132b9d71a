// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lanes that wait by accessing the same word again and again.
#pragma once

#include "../../traces/Site.hpp"
#include "Polls.hpp"

#include <cstdint>

namespace teamsan {

/// The access repeats the running lane's last one on this word: it may be waiting.
[[gnu::cold]] void spinning(Site site, bool atomic);
/// The same by atomic loads of one word, which found the same.
[[gnu::cold]] void polling(Site site, Polls::Word const& word);

/// A lane that nobody checks repeats an access: it may be waiting too. No verdict comes of it.
[[gnu::cold]] void take_a_break();

}  // namespace teamsan
