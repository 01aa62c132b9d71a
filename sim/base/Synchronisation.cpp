// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Synchronisation.hpp"

#include "Options.hpp"

#include <iterator>

namespace teamsan {
namespace {

constexpr Synchronisation rows[] = {
#define TEAMSAN_MEETING(name, meets, documented, cuda, hip, construct, documentation, cuda_text, hip_text) \
  {#name,     Meets::meets,  Order::documented, Order::cuda, Order::hip,                                   \
   construct, documentation, cuda_text,         hip_text},
#include "Synchronisation.def"
#undef TEAMSAN_MEETING
};

// The mode may take order away from what CUDA executes, never add to it: Stamps.cpp rests on that.
constexpr bool cuda_orders_most() {
  for (Synchronisation const& row : rows)
    if (row.documented > row.cuda || row.hip > row.cuda) return false;
  return true;
}
static_assert(cuda_orders_most());

}  // namespace

Order Synchronisation::under(Sync sync) const {
  switch (sync) {
    case Sync::cuda:
      return cuda;
    case Sync::hip:
      return hip;
    case Sync::portable:
      return documented;
  }
  return cuda;
}

Synchronisation const& synchronisation(Meeting meeting) { return rows[static_cast<std::size_t>(meeting)]; }

std::size_t synchronisation_count() { return std::size(rows); }

Sync sync_mode() {
  switch (options().sync.front()) {  // each team asks
    case 'p':
      return Sync::portable;
    case 'h':
      return Sync::hip;
    default:
      return Sync::cuda;
  }
}

}  // namespace teamsan
