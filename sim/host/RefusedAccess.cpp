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
  std::vector<std::uintptr_t> const calls = calls_to_here();
  auto const user = std::ranges::find_if(calls, [](std::uintptr_t pc) {
    Place const place = user_place(pc);
    return place.known() && !place.internal;
  });
  std::uintptr_t const pc = user != calls.end() ? *user : 0;
  // A View without a record: somewhere in the GPU's memory.
  std::uintptr_t const address = data != nullptr ? reinterpret_cast<std::uintptr_t>(data) : arena::front;
  detect::host_access({address, 0, AccessKind::none, pc});
}

}  // namespace teamsan
