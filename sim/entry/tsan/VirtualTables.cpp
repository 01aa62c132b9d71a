// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "VirtualTables.hpp"

#include "../../base/Arena.hpp"
#include "../../memory/HostObjects.hpp"
#include "../../memory/Hot.hpp"

#include <cstdint>

namespace teamsan {

void note_table_stored(void** object, void* table) {
  auto const address = reinterpret_cast<std::uintptr_t>(object);
  if (hot.in_runtime != 0 || !arena::contains(arena::global, arena::global_bytes, address)) return;
  RuntimeScope const scope;
  if (hot.lane != nullptr)
    host_objects().forget(address, sizeof(void*));
  else if (hot.team == nullptr && !hot.unwatched)
    host_objects().made(address, reinterpret_cast<std::uintptr_t>(table));
}

}  // namespace teamsan
