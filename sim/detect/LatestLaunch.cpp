// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LatestLaunch.hpp"

#include "LaunchWords.hpp"
#include "PendingWork.hpp"
#include "../machine/AtomicOrder.hpp"
#include "../machine/LaunchState.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/Cell.hpp"
#include "../memory/Hot.hpp"

#include <bit>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

namespace teamsan::detect {

namespace {

struct LatestLaunch {
  LaunchFacts facts;
  LaunchWords words;
  bool ordered = false;
};
LatestLaunch& latest() {
  static auto& launch = *new LatestLaunch;  // the program's destructors may launch
  return launch;
}

/// Into what its instance has pending.
class Keeper {
 public:
  Keeper(Pending& pending, LatestLaunch const& of) : m_pending(pending), m_of(of) {}

  void operator()(Allocation const& allocation) {
    if (allocation.space != Space::device) return;
    for (std::uintptr_t word = allocation.data() & ~std::uintptr_t{3}; word < allocation.end(); word += 4)
      if (std::optional<WordAccess> const access = m_of.words.access(word)) add(allocation, word, *access);
  }

 private:
  void add(Allocation const& allocation, std::uintptr_t word, WordAccess const& access) {
    if (m_work == nullptr) {
      Work work;
      work.facts = m_of.facts;
      work.ordered = m_of.ordered;
      work.in_part = true;
      m_work = &m_pending.keep(std::move(work));
      m_pending.any = true;
    }
    Instance& instance = m_pending.instances[m_of.facts.config.instance];
    instance.extents[allocation.serial].add(word / Line::bytes, access.writes);
    Mask const mask = Mask{access.bytes} << word % Line::bytes;
    PendingAccess const one{m_work, access.league, access.site, static_cast<std::uint16_t>(access.lane),
                            static_cast<std::uint8_t>(std::countr_zero(mask))};
    instance.lines[word / Line::bytes].add(one, mask, access.writes, access.atomic);
  }

  Pending& m_pending;
  LatestLaunch const& m_of;
  Work* m_work = nullptr;
};

}  // namespace

void keep_latest(LaunchState const& launch) {
  if (!missing_fence_enabled()) return;
  std::lock_guard const lock(pending().mutex);
  LatestLaunch& l = latest();
  if (!launch.checked) {  // of this one nothing is known, and whatever came before is not the latest
    l = {};
    return;
  }
  l.facts = launch.facts;
  l.words = LaunchWords::for_later(launch);
  l.ordered = launch.atomic_order->used();
}

void pend_latest() {
  if (!missing_fence_enabled()) return;
  RuntimeScope const scope;
  AllocationsHeld const held;
  Pending& p = pending();
  std::lock_guard const lock(p.mutex);
  LatestLaunch& l = latest();
  if (p.launch != 0 || p.unfenced != l.facts.config.instance || l.facts.number == 0 || !l.words.settle()) return;
  Keeper keeper(p, l);
  for_each_allocation([](Allocation const& a, void* context) { (*static_cast<Keeper*>(context))(a); }, &keeper);
}

}  // namespace teamsan::detect
