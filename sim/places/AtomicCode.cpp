// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AtomicCode.hpp"

#include "KokkosNames.hpp"

#include <iterator>

namespace teamsan::detect {

namespace {

template <bool (*ask)(Site site)>
bool remembered(Site site) {
  struct Known {
    Site site{};
    bool is = false;
  };
  thread_local Known recent[512];
  Known& known = recent[(number_of(site) ^ number_of(site) >> 9) % std::size(recent)];
  if (known.site != site) {
    known.is = ask(site);
    known.site = site;
  }
  return known.is;
}

bool is_atomic(Site site) { return has_code(KokkosCode::atomic, site); }
bool is_loop(Site site) {
  return has_code(KokkosCode::atomic_loop, site) && !has_code(KokkosCode::atomic_load_or_store, site);
}

bool is_locked(Site site) { return has_code(KokkosCode::locked_update, site); }

}  // namespace

bool is_atomic_code(Site site) { return remembered<is_atomic>(site); }
bool is_atomic_loop(Site site) { return remembered<is_loop>(site); }
bool is_under_kokkos_lock(Site site) { return remembered<is_locked>(site); }

}  // namespace teamsan::detect
