// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a check in line calls where it does not do (entry/pass/gcc/Checks.cpp, llvm/Checks.cpp). The access is dealt with as
/// any other; then the check learns what is known now of its instruction, and the next time it may do.
#include "../../../check/Watched.hpp"
#include "../../../places/Sites.hpp"

namespace {
using namespace teamsan;

template <unsigned bytes>
void tell_check(void* p, std::uintptr_t return_address, std::uint32_t number) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  Site const by = site_at(return_address);
  if (hot.watch != Watch::flat) return;
  FlatTable::Instruction const& at = hot.flat_table->at(by);
  teamsan_flat_site const& known = hot.flat_table->in_line.sites[number % teamsan_flat_sites];
  bool const same = known.pc == return_address && known.begin == at.begin && known.room == at.room;
  if (!same && at.covers<bytes>(address, by)) hot.flat_table->know_in_line(number, return_address);
}
}  // namespace

#define TEAMSAN_FROM_CHECK(n)                                                \
  void __teamsan_read##n(void* p, unsigned long long pc, unsigned number) {  \
    if (hot.watch != Watch::flat) return on_read<n>(p, site_at(pc));         \
    on_read<n>(p, site_at(pc));                                              \
    tell_check<n>(p, pc, number);                                            \
  }                                                                          \
  void __teamsan_write##n(void* p, unsigned long long pc, unsigned number) { \
    if (hot.watch != Watch::flat) return on_write<n>(p, site_at(pc));        \
    on_write<n>(p, site_at(pc));                                             \
    tell_check<n>(p, pc, number);                                            \
  }

// And of teams (gcc/TeamChecks.cpp), which learn nothing.
#define TEAMSAN_FROM_TEAM_CHECK(n)                                                            \
  void __teamsan_team_read##n(void* p, unsigned long long pc) { on_read<n>(p, site_at(pc)); } \
  void __teamsan_team_write##n(void* p, unsigned long long pc) { on_write<n>(p, site_at(pc)); }

#pragma GCC visibility push(default)
extern "C" {
TEAMSAN_FROM_TEAM_CHECK(4)
TEAMSAN_FROM_TEAM_CHECK(8)
TEAMSAN_FROM_CHECK(4)
TEAMSAN_FROM_CHECK(8)
TEAMSAN_FROM_CHECK(16)
}
#pragma GCC visibility pop
