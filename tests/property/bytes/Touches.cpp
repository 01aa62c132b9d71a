// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Touches.hpp"

#include "Meaning.hpp"

#include <algorithm>

namespace property::bytes {
namespace {

using Each = std::function<void(Deal const&)>;

/// An item of an operation: false ends the lane's body.
bool item(Case const& c, Kernel const& k, int slot, std::uint32_t x, Deal deal, Each const& each) {
  Operation const& o = k.operations[static_cast<std::size_t>(slot)];
  if (!takes_part(o.mask, x)) return true;
  if (o.deed == Deed::fence) return true;
  if (o.deed == Deed::raise) {
    deal.slot = slot;
    each(deal);  // of no bytes
    return false;
  }
  if (o.deed == Deed::leave) return false;
  Nature const n = nature(o.deed);
  Array const& named = c.arrays[static_cast<std::size_t>(o.array)];
  deal.slot = slot;
  deal.array = named.alias_of >= 0 ? named.alias_of : o.array;
  deal.bytes = o.bytes;
  deal.offset = offset_of(o.map, x, deal.team) + (named.alias_of >= 0 ? named.alias_at : 0);
  deal.uniform = (deal.uniform || !o.own_values) && o.deed != Deed::modify;
  for (int r = 0; r < o.repeats; ++r, deal.offset += o.repeat_step) {
    if (n.reads && (!n.writes || !n.atomic || o.deed == Deed::volatile_modify)) {
      deal.flavour = n.atomic ? Flavour::atomic_read : Flavour::read;
      deal.reads_value = true;
      each(deal);
    }
    if (!n.writes) continue;
    deal.flavour = n.perhaps ? Flavour::atomic_perhaps : n.atomic ? Flavour::atomic_write : Flavour::write;
    deal.reads_value = n.reads && n.atomic && o.deed != Deed::volatile_modify;
    each(deal);
  }
  return true;
}

void flat(Case const& c, Kernel const& k, Each const& each) {
  auto const body = [&](std::uint32_t x, Deal const& deal) {
    for (int slot = 0; slot < k.used; ++slot)
      if (!item(c, k, slot, x, deal, each)) return;
  };
  for (std::uint32_t x = 0; x < static_cast<std::uint32_t>(k.count); ++x) {
    Deal deal;
    deal.lane = deal.thread = x;
    body(x, deal);
  }
}

/// As backends/simt/policies/ParallelScan_Range.hpp: the second of its launches, where lanes of a block meet before the final
/// call.
void scan(Case const& c, Kernel const& k, bool second, Each const& each) {
  constexpr std::uint32_t block = 128;
  auto const count = static_cast<std::uint32_t>(k.count);
  std::uint32_t const blocks = std::clamp((count + block - 1) / block, 1u, 0xffffu), work = (count + blocks - 1) / blocks;
  for (std::uint32_t x = 0; x < count; ++x)
    for (std::uint32_t pass = k.final_only ? 1 : 0; pass < (second ? 2u : 1u); ++pass) {
      Deal deal;
      deal.lane = deal.thread = x;
      deal.team = x / work;
      deal.epoch = pass;
      for (int slot = 0; slot < k.used; ++slot) {
        // The league is 0 to operations of ranges.
        std::uint32_t const team = deal.team;
        if (!item(c, k, slot, x, {.lane = x, .thread = x, .epoch = pass}, [&](Deal const& d) {
              Deal now = d;
              now.team = team;
              each(now);
            }))
          break;
      }
    }
}

class Team {
 public:
  Team(Case const& c, Kernel const& k, std::uint32_t league, Each const& each)
      : m_case(c),
        m_kernel(k),
        m_each(each),
        m_league(league),
        m_threads(static_cast<std::uint32_t>(k.team)),
        m_vector(static_cast<std::uint32_t>(k.vector)),
        m_turns(m_threads) {}

  void run() {
    for (int s = 0; s < m_kernel.used; ++s) {
      Step const& step = m_kernel.steps[static_cast<std::size_t>(s)];
      m_slot = s;
      this->step(step);
      if (step.after != After::nothing) ++m_epoch;
    }
  }

 private:
  void one(std::uint32_t thread, std::uint32_t lane, std::uint32_t x, bool uniform = false) {
    item(m_case, m_kernel, m_slot, x,
         {.team = m_league,
          .lane = thread * m_vector + lane,
          .thread = thread,
          .epoch = m_epoch,
          .turn = m_turns[thread],
          .uniform = uniform},
         m_each);
  }
  void all_lanes(std::uint32_t thread, std::uint32_t x) {
    for (std::uint32_t v = 0; v < m_vector; ++v) one(thread, v, x, true);
  }
  void meet(std::uint32_t thread) { ++m_turns[thread]; }
  void all_meet() {
    for (std::uint32_t t = 0; t < m_threads; ++t) meet(t);
  }
  void for_threads(auto const& body) {
    for (std::uint32_t t = 0; t < m_threads; ++t) body(t);
  }

  void step(Step const& s) {
    auto const n = static_cast<std::uint32_t>(s.count), m = static_cast<std::uint32_t>(s.inner);
    std::uint32_t const lanes = m_threads * m_vector;
    switch (s.construct) {
      case Construct::every_lane:
        for (std::uint32_t l = 0; l < lanes; ++l) one(l / m_vector, l % m_vector, l);
        return;
      case Construct::every_thread:
        return for_threads([&](std::uint32_t t) { all_lanes(t, t); });
      case Construct::thread_range:
      case Construct::thread_reduce:
        for (std::uint32_t i = 0; i < n; ++i) all_lanes(i % m_threads, i);
        if (s.construct == Construct::thread_reduce) ++m_epoch;
        return;
      case Construct::vector_range:
      case Construct::vector_reduce:
        return for_threads([&](std::uint32_t t) {
          for (std::uint32_t i = 0; i < n; ++i) one(t, i % m_vector, t * n + i);
          meet(t);
        });
      case Construct::team_vector_range:
      case Construct::team_vector_reduce:
        for (std::uint32_t i = 0; i < n; ++i) one(i % lanes / m_vector, i % m_vector, i);
        if (s.construct == Construct::team_vector_reduce) ++m_epoch;
        return;
      case Construct::thread_vector:
        for (std::uint32_t i = 0; i < n; ++i) {
          for (std::uint32_t j = 0; j < m; ++j) one(i % m_threads, j % m_vector, i * m + j);
          meet(i % m_threads);
        }
        return;
      case Construct::thread_single:
        for (std::uint32_t i = 0; i < n; ++i) {
          one(i % m_threads, 0, i);
          meet(i % m_threads);
        }
        return;
      case Construct::single_team:
        one(0, 0, 0);
        return all_meet();
      case Construct::single_thread:
      case Construct::single_thread_value:
        for_threads([&](std::uint32_t t) { one(t, 0, t); });
        return all_meet();
      case Construct::single_team_value:
        one(0, 0, 0);
        ++m_epoch;
        return;
      case Construct::thread_scan:
        for (std::uint32_t chunk = 0; chunk < n; chunk += m_threads) {
          std::uint32_t const end = std::min(n, chunk + m_threads);
          for (std::uint32_t i = chunk; i < end && !s.final_only; ++i) all_lanes(i - chunk, i);
          ++m_epoch;
          for (std::uint32_t i = chunk; i < end; ++i) all_lanes(i - chunk, i);
          ++m_epoch;
        }
        return;
      case Construct::vector_scan:
        return for_threads([&](std::uint32_t t) {
          for (std::uint32_t chunk = 0; chunk < n; chunk += m_vector) {
            // A lane's first call is for the index of the lane before it.
            for (std::uint32_t v = 1; v < m_vector && !s.final_only; ++v)
              if (chunk + v - 1 < n) one(t, v, t * n + chunk + v - 1);
            meet(t);
            for (std::uint32_t v = 0; v < m_vector; ++v)
              if (chunk + v < n) one(t, v, t * n + chunk + v);
            meet(t);
          }
        });
      case Construct::thread_md:
        for (std::uint32_t j = 0; j < m; ++j)
          for (std::uint32_t i = 0; i < n; ++i) all_lanes(j % m_threads, i * m + j);
        return;
      case Construct::vector_md:
        return for_threads([&](std::uint32_t t) {
          for (std::uint32_t j = 0; j < m; ++j)
            for (std::uint32_t i = 0; i < n; ++i) one(t, j % m_vector, t * n * m + i * m + j);
          meet(t);
        });
      case Construct::team_vector_md:
        for (std::uint32_t j = 0; j < m; ++j)
          for (std::uint32_t i = 0; i < n; ++i) one(i % m_threads, j % m_vector, i * m + j);
        return all_meet();
    }
  }

  Case const& m_case;
  Kernel const& m_kernel;
  Each const& m_each;
  std::uint32_t m_league, m_threads, m_vector;
  std::uint32_t m_epoch = 0;
  int m_slot = 0;
  std::vector<std::uint32_t> m_turns;
};

}  // namespace

void for_each_deal(Case const& c, Kernel const& kernel, int launch, std::function<void(Deal const&)> const& each) {
  if (is_team(kernel.policy))
    for (std::uint32_t league = 0; league < static_cast<std::uint32_t>(kernel.league); ++league)
      Team(c, kernel, league, each).run();
  else if (kernel.policy == Policy::range_scan)
    scan(c, kernel, launch + 1 == launches(kernel), each);
  else
    flat(c, kernel, each);
}

int launches(Kernel const& kernel) {
  constexpr int scan_block = 128;
  return kernel.policy == Policy::range_scan && !kernel.final_only && kernel.count > scan_block ? 2 : 1;
}

}  // namespace property::bytes
