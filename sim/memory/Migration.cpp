// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Migration.hpp"

#include "../base/Arena.hpp"
#include "../base/Options.hpp"
#include "../findings/Migrations.hpp"
#include "Allocations.hpp"
#include "TeamShadow.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <deque>

namespace teamsan {

SharedPages::SharedPages(std::string label, std::size_t bytes, std::size_t page_bytes)
    : m_label(std::move(label)),
      m_bytes(bytes),
      m_page_bytes(page_bytes),
      m_pages((bytes + page_bytes - 1) / page_bytes, Where::nowhere) {}

bool SharedPages::move(std::size_t first, std::size_t last, Where to, Why why) {
  std::size_t const begin = first / m_page_bytes;
  std::size_t const end = std::min((last + m_page_bytes - 1) / m_page_bytes, m_pages.size());
  // Mostly it lies there already, and the host asks for every access.
  if (end == begin + 1 && std::atomic_ref(m_pages[begin]).load(std::memory_order_relaxed) == to) return false;
  bool moved = false;
  std::lock_guard const lock(m_mutex);
  for (std::size_t page = begin; page < end; ++page) {
    std::atomic_ref const where(m_pages[page]);
    Where const before = where.load(std::memory_order_relaxed);
    if (before == to) continue;
    if (before != Where::nowhere) ++(why == Why::fault ? m_faults : m_prefetched)[to == Where::device];
    where.store(to, std::memory_order_relaxed);
    moved = true;
  }
  return moved;
}

/// All shared allocations ever made. Of those whose memory is used again the sums are kept, once they are many.
struct MigrationLedger {
  PatientMutex mutex;
  std::atomic<bool> any{false};
  std::deque<std::shared_ptr<SharedPages>> all;
  MigrationCounts gone;
  std::size_t next_sum = 4096;  ///< when there are so many

  void sum_up() {
    std::erase_if(all, [&](std::shared_ptr<SharedPages> const& pages) {
      if (pages.use_count() != 1) return false;
      add_to(gone, *pages);
      return true;
    });
    next_sum = 2 * all.size() + 4096;
  }

  static MigrationLedger& instance() {
    static MigrationLedger* const ledger = [] {
      pthread_atfork(nullptr, nullptr, migration::forget);
      return new MigrationLedger;  // outlives exit handlers
    }();
    return *ledger;
  }

  void forget(SharedPages& pages) {
    std::lock_guard const lock(pages.m_mutex);
    for (int side = 0; side != 2; ++side) pages.m_faults[side] = pages.m_prefetched[side] = 0;
  }

  void add_to(MigrationCounts& counts, SharedPages& pages) {
    std::lock_guard const lock(pages.m_mutex);
    counts.asked_for |= pages.m_explicit_usm;
    MigrationRow row{pages.m_label, 1, pages.m_bytes, pages.m_pages.size(), pages.m_faults[1], pages.m_faults[0],
                     pages.m_prefetched[1], pages.m_prefetched[0]};
    if (row.moved() == 0) return;
    auto const known = std::ranges::find(counts.rows, row.label, &MigrationRow::label);
    if (known == counts.rows.end())
      counts.rows.push_back(std::move(row));
    else
      known->add(row);
  }
};

namespace migration {

std::shared_ptr<SharedPages> pages_of_new(std::string label, std::size_t bytes) {
  MigrationLedger& ledger = MigrationLedger::instance();
  auto pages = std::make_shared<SharedPages>(std::move(label), bytes, options().page_size);
  std::lock_guard const lock(ledger.mutex);
  ledger.any = true;
  if (ledger.all.size() >= ledger.next_sum) ledger.sum_up();
  return ledger.all.emplace_back(std::move(pages));
}

bool host_touches(std::uintptr_t address, std::size_t bytes) {
  Allocation const* const a = find_allocation(address);
  if (a == nullptr || !a->live || a->pages == nullptr || address < a->data()) return false;
  std::size_t const first = address - a->data();
  return a->pages->move(first, first + bytes, SharedPages::Where::host, SharedPages::Why::fault);
}

bool prefetch(std::uintptr_t address, std::size_t bytes, bool to_device) {
  Allocation const* const a = find_allocation(address);
  if (a == nullptr || a->pages == nullptr) return false;
  std::size_t const first = address - a->data();
  a->pages->move(first, first + bytes, to_device ? SharedPages::Where::device : SharedPages::Where::host,
                 SharedPages::Why::prefetch);
  return true;
}

void commit(TeamShadow& shadow) {
  if (!MigrationLedger::instance().any) return;
  Allocation const* last = nullptr;
  std::size_t last_page = 0;
  for (std::size_t i = 0; i != shadow.size(); ++i) {
    Line const& line = shadow[i];
    std::uintptr_t const address = line.key * Line::bytes;
    if (!arena::contains(arena::shared, arena::shared_bytes, address)) continue;
    Allocation const* const a = line.allocation;
    if (a == nullptr || !a->live || a->pages == nullptr) continue;
    std::size_t const first = address < a->data() ? 0 : address - a->data();
    if (a == last && first / options().page_size == last_page) continue;
    last = a;
    last_page = first / options().page_size;
    a->pages->move(first, first + 1, SharedPages::Where::device, SharedPages::Why::fault);
  }
}

void forget() {
  MigrationLedger& ledger = MigrationLedger::instance();
  std::lock_guard const lock(ledger.mutex);
  ledger.gone = {};
  for (auto const& pages : ledger.all) ledger.forget(*pages);
}

MigrationCounts counts() {
  MigrationLedger& ledger = MigrationLedger::instance();
  std::lock_guard const lock(ledger.mutex);
  MigrationCounts counts = ledger.gone;
  counts.page_bytes = options().page_size;
  for (auto const& pages : ledger.all) ledger.add_to(counts, *pages);
  return counts;
}

}  // namespace migration
}  // namespace teamsan
