// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How an access is dealt with that is not only checked, by Watch. The callbacks jump by the table: a row of comparisons costs
/// a counted access a tenth.
#include "Access.hpp"

namespace teamsan {

namespace {

template <unsigned bytes>
struct Watched {
  using Handler = AccessHandlers::Handler;
  static void count_read(std::uintptr_t address, Site site) { count_and_read<bytes>(address, site); }
  static void count_write(std::uintptr_t address, Site site) { count_and_write<bytes>(address, site); }
  static void join_read(std::uintptr_t address, Site site) { flat_read<bytes>(address, site); }
  static void join_write(std::uintptr_t address, Site site) { flat_write<bytes>(address, site); }
  static void count_join_read(std::uintptr_t address, Site site) { count_flat_read<bytes>(address, site); }
  static void count_join_write(std::uintptr_t address, Site site) { count_flat_write<bytes>(address, site); }

  static void weigh_read(std::uintptr_t address, Site site) {
    ++hot.accesses;
    check_read<bytes>(address, site);
  }
  static void weigh_write(std::uintptr_t address, Site site) {
    ++hot.accesses;
    check_write<bytes>(address, site);
  }
  static void weigh_join_read(std::uintptr_t address, Site site) {
    ++hot.accesses;
    flat_read<bytes>(address, site);
  }
  static void weigh_join_write(std::uintptr_t address, Site site) {
    ++hot.accesses;
    flat_write<bytes>(address, site);
  }

  static constexpr Handler read(Watch watch) {
    switch (watch) {
      case Watch::checked: return nullptr;
      case Watch::counted: return count_read;
      case Watch::flat: return join_read;
      case Watch::flat_and_counted: return count_join_read;
      case Watch::weighed: return weigh_read;
      case Watch::flat_and_weighed: return weigh_join_read;
      case Watch::recorded:
      case Watch::counted_and_recorded:
      case Watch::others: break;
      case Watch::nothing: return unchecked_read<bytes>;
    }
    return uncommon_access<bytes, AccessKind::read>;
  }
  static constexpr Handler write(Watch watch) {
    switch (watch) {
      case Watch::checked: return nullptr;
      case Watch::counted: return count_write;
      case Watch::flat: return join_write;
      case Watch::flat_and_counted: return count_join_write;
      case Watch::weighed: return weigh_write;
      case Watch::flat_and_weighed: return weigh_join_write;
      case Watch::recorded:
      case Watch::counted_and_recorded:
      case Watch::others: break;
      case Watch::nothing: return unchecked_write<bytes>;
    }
    return uncommon_access<bytes, AccessKind::write>;
  }
};

constexpr AccessHandlers handlers(Watch w) {
  return {{Watched<1>::read(w), Watched<2>::read(w), Watched<4>::read(w), Watched<8>::read(w), Watched<16>::read(w)},
          {Watched<1>::write(w), Watched<2>::write(w), Watched<4>::write(w), Watched<8>::write(w), Watched<16>::write(w)}};
}

}  // namespace

constinit AccessHandlers const access_handlers[] = {
    handlers(Watch::checked),
    handlers(Watch::counted),
    handlers(Watch::recorded),
    handlers(Watch::counted_and_recorded),
    handlers(Watch::others),
    handlers(Watch::flat),
    handlers(Watch::flat_and_counted),
    handlers(Watch::weighed),
    handlers(Watch::flat_and_weighed),
    handlers(Watch::nothing),
};
static_assert(std::size(access_handlers) == static_cast<unsigned>(Watch::nothing) + 1);

}  // namespace teamsan
