// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a Site stands for: something that lies in a module of the program, by the low half of its address. That is an
/// instruction, by the address behind it, which a call into the runtime would return to; modules tell the upper half
/// (Modules.hpp). What lies in a module's data can be one as well, such as a record that a compiler made of an instruction:
/// no code has its address.
#pragma once

#include "../../traces/Site.hpp"

#include <cstdint>

namespace teamsan {

/// One instruction, since every access makes one.
[[gnu::always_inline]] inline Site site_at(std::uintptr_t address) {
  return static_cast<Site>(static_cast<std::uint32_t>(address));
}
[[gnu::always_inline]] inline Site site_at(void const* address) { return site_at(reinterpret_cast<std::uintptr_t>(address)); }

/// The same, for an address that no callback was called from, such as that of a signal: address_of gives it back, also where
/// another module, or none, has such an address.
Site site_of(std::uintptr_t address);

/// 0: there is no module of this process that has it. Once known, it stays: a library may be let go before its findings are
/// told.
std::uintptr_t address_of(Site site);

}  // namespace teamsan

/// Where the function that asks was called from: an entry point of the runtime names the user's instruction by it. A macro,
/// since only that function itself can ask.
#define TEAMSAN_CALL ::teamsan::site_at(__builtin_return_address(0))
