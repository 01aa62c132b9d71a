// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RefusedAccess.hpp"

#include "../base/Access.hpp"
#include "../base/Arena.hpp"
#include "HostMisuse.hpp"
#include "../memory/Hot.hpp"
#include "../places/Program.hpp"
#include "../places/Symbolizer.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace teamsan {

void refused_host_access(void const* data) {
  RuntimeScope const scope;
  std::vector<Site> const calls = calls_to_here();
  auto const user = std::ranges::find_if(calls, [](Site site) {
    Place const place = user_place(site);
    return place.known() && !place.internal;
  });
  Site const site = user != calls.end() ? *user : Site{};
  // A View without a record: somewhere in the GPU's memory.
  std::uintptr_t const address = data != nullptr ? reinterpret_cast<std::uintptr_t>(data) : arena::front;
  detect::host_access({address, 0, AccessKind::none, site});
}

}  // namespace teamsan
