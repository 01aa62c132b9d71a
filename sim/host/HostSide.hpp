// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A side of a finding that is the host's: a call, or the store by which a View of its own got what is there.
#pragma once

#include "../findings/Finding.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace teamsan {

Side side_of_host(char const* role, std::vector<Site> const& callers);

/// Nothing: it was not seen (memory/HostStores.hpp).
std::optional<Side> last_store_of_host(std::uintptr_t address);

}  // namespace teamsan
