// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EarlyJoin.hpp"

#include "../base/ReportMemory.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../memory/TeamShadow.hpp"
#include "FirstTouch.hpp"

#include <pthread.h>

#include <bit>
#include <chrono>
#include <thread>

namespace teamsan::detect {

namespace {

constexpr unsigned lock_bits = 12;

struct alignas(16) Lock {
  std::atomic<bool> taken{false};
};
constinit std::array<Lock, 1u << lock_bits> locks;

std::atomic<bool>& lock_of(std::uintptr_t key) { return locks[key * 0x9e3779b97f4a7c15u >> (64 - lock_bits)].taken; }

/// One team's words, joined without its turn.
class EarlyJoiner {
 public:
  EarlyJoiner(CommitContext& context, std::uint64_t league_rank)
      : m_context(context),
        m_sites(KnownSites::of_this_thread(context.sites)),
        m_first_touch(m_sites, context.epoch, league_rank, context.read_atomically),
        m_epoch(context.epoch),
        m_rank(league_rank) {}

  /// False: some of the line waits for the team's turn.
  bool line(Line const& line) {
    if (line.allocation == nullptr || !line.allocation->live) return true;
    if (line.per_byte != nullptr) return false;
    std::uintptr_t const address = line.key * Line::bytes;
    std::uint64_t* const main = global_shadow::cell(address);
    std::uint32_t touched = touched_cells(line);
    if (is_known(line, main, touched)) return true;
    bool changed = false, all = true;
    m_first_touch.ask(line, touched);
    {
      LineLock const lock(line.key);
      for (; touched != 0; touched &= touched - 1) {
        unsigned const i = static_cast<unsigned>(std::countr_zero(touched));
        Cell const& cell = line.first[i];
        if (line.wide && is_first_touch_of_both(cell, main + 2 * i)) {
          m_first_touch.both(cell, main + 2 * i, global_shadow::extra(address + 8 * i));
          changed = true;
          continue;
        }
        for (unsigned w = i << line.wide; w != (i + 1) << line.wide; ++w)
          switch (word(cell, main[w], *global_shadow::extra(address + 4 * w))) {
            case Outcome::changed: changed = true; break;
            case Outcome::known: break;
            case Outcome::waits: all = false; break;
          }
      }
    }
    if (changed) m_dirty.mark(address);
    return all;
  }

 private:
  enum class Outcome : std::uint8_t { changed, known, waits };

  bool is_first_touch_of_both(Cell const& cell, std::uint64_t* main) const {
    std::uint64_t const known = load(main[0]);
    return known == load(main[1]) && !is_of_launch(known) && ((cell.write.who | cell.read.who) & who::atomic) == 0;
  }
  static std::uint64_t load(std::uint64_t& main) { return std::atomic_ref(main).load(std::memory_order_acquire); }
  bool is_of_launch(std::uint64_t main) const { return (main & 63) == m_epoch; }
  static std::uint64_t team_of(std::uint64_t main) { return main >> 10 & global_shadow::max_team; }
  /// Whole, and nothing else.
  static bool is_only_read(std::uint64_t main) { return (main >> 34 & 0xff) == 0xf0; }

  /// All that the team did there is to read words that an earlier one has only read: no lock is needed to see that.
  bool is_known(Line const& line, std::uint64_t* main, std::uint32_t touched) const {
    for (; touched != 0; touched &= touched - 1) {
      unsigned const i = static_cast<unsigned>(std::countr_zero(touched));
      Cell const& cell = line.first[i];
      if (who::touched(cell.write.who) || (cell.read.who & who::atomic)) return false;
      for (unsigned w = i << line.wide; w != (i + 1) << line.wide; ++w)
        if (std::uint64_t const known = load(main[w]);
            !is_of_launch(known) || !is_only_read(known) || team_of(known) > m_rank)
          return false;
    }
    // Asked last: who reads by an atomic says so before it is seen to have read.
    return !m_context.read_atomically;
  }

  Outcome word(Cell const& cell, std::uint64_t& main, std::uint32_t& extra) {
    bool const written = who::touched(cell.write.who);
    if ((cell.write.who | cell.read.who) & who::atomic) return Outcome::waits;
    std::uint64_t const known = load(main);
    if (!is_of_launch(known)) {
      m_first_touch(cell, main, extra);
      return Outcome::changed;
    }
    // Atomic, split, raced and the like: what the turn decides.
    constexpr std::uint32_t other_than_plain = 0xfcu << 24;
    if (written || !is_only_read(known) || (extra & other_than_plain) != 0) return Outcome::waits;
    if (team_of(known) <= m_rank) return Outcome::known;
    if (m_first_touch.reads_for_atomic(cell)) return Outcome::waits;  // the later team read without
    m_first_touch(cell, main, extra);
    return Outcome::changed;
  }

  CommitContext& m_context;
  KnownSites& m_sites;
  FirstTouch m_first_touch;
  global_shadow::DirtyLines m_dirty;
  std::uint32_t const m_epoch;
  std::uint64_t const m_rank;
};

}  // namespace

LineLock::LineLock(std::uintptr_t key) noexcept : m_taken(lock_of(key)) {
  for (unsigned tries = 0; m_taken.exchange(true, std::memory_order_acquire); ++tries) {
    if (tries < 64) continue;
    if (uses_report_memory()) {
      wait_for_report();
      return;
    }
    std::this_thread::yield();
  }
}

/// Whoever has it may wait for the heap's lock, which a crash has left taken.
void LineLock::wait_for_report() noexcept {
  using namespace std::chrono_literals;
  static constinit std::atomic<bool> in_vain{false};
  auto const end = std::chrono::steady_clock::now() + (in_vain ? 10ms : 2000ms);
  while (m_taken.exchange(true, std::memory_order_acquire)) {
    if (std::chrono::steady_clock::now() >= end) {
      in_vain = true;
      m_held = false;
      return;
    }
    std::this_thread::sleep_for(1ms);
  }
}

void free_locks_after_fork() {
  static bool const seen_to = ::pthread_atfork(nullptr, nullptr, [] {
                                for (Lock& lock : locks) lock.taken = false;
                              }) == 0;
  static_cast<void>(seen_to);
}

bool may_join_early(CommitContext const& context) {
  // Once numbers run short, which instruction gets one hangs on the order.
  return !context.wide_league && !context.atomic_order->used() && context.sites.count() < global_shadow::max_site / 2;
}

std::vector<std::uint32_t> join_early(CommitContext& context, std::uint64_t league_rank, TeamShadow& shadow) {
  EarlyJoiner joiner(context, league_rank);
  std::vector<std::uint32_t> left;
  constexpr std::size_t ahead = 4;
  for (std::size_t i = 0; i != shadow.size(); ++i) {
    if (i + ahead < shadow.size()) {
      std::uintptr_t const next = shadow[i + ahead].key * Line::bytes;
      __builtin_prefetch(global_shadow::cell(next), 1);
      __builtin_prefetch(global_shadow::cell(next) + Line::words / 2, 1);
      __builtin_prefetch(global_shadow::extra(next), 1);
    }
    if (!joiner.line(shadow[i])) left.push_back(static_cast<std::uint32_t>(i));
  }
  return left;
}

}  // namespace teamsan::detect
