// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostSide.hpp"

#include "../memory/HostStores.hpp"

#include <utility>

namespace teamsan {

Side side_of_host(char const* role, std::vector<Site> const& callers) {
  Side side;
  side.role = role;
  side.callers = callers;
  return side;
}

std::optional<Side> last_store_of_host(std::uintptr_t address) {
  host_stores::Store store = host_stores::last(address);
  if (store.site == Site::none) return {};
  Side side;
  side.access = AccessKind::write;
  side.site = store.site;
  side.callers = std::move(store.callers);
  return side;
}

}  // namespace teamsan
