// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReadOracle.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <unordered_set>

namespace property::bytes {
namespace {

class Reads {
 public:
  Reads(TouchLog const& log, DeviceMemory const& device) : m_log(log), m_device(device) {}

  void run(Expected& expected) {
    for (Read const& r : m_log.reads())
      if (r.bytes == wide_atomic && is_atomic(r.deal.flavour))
        for (std::uint32_t part = 0; part != wide_atomic; part += 8)
          uninit({.deal = r.deal, .byte = r.byte + part, .bytes = 8, .order = r.order});
      else
        uninit(r);
    for (auto const& [word, of] : m_words) {
      for (Claim const& claim : of.claims) expected.allow(word, claim);
      if (of.certain) expected.demands.insert({{of.claims.begin(), of.claims.end()}, 0});
    }
  }

 private:
  struct UninitWord {
    std::set<Claim> claims;
    bool certain = false;
  };

  /// A lane's first read of a word is the one that tells, though it was of a copy that is written in part.
  bool note_reader(Read const& r) {
    bool first = true;
    for (std::uint32_t w = r.byte / 4; w <= (r.byte + r.bytes - 1) / 4; ++w)
      first = m_read_by.insert(std::uint64_t{r.deal.team} << 44 | std::uint64_t{r.deal.lane} << 22 | w).second && first;
    return first;
  }

  void uninit(Read const& r) {
    int const a = r.deal.array;
    bool const scratch = is_scratch(m_log.array(a).place);
    Init init = Init::no;
    bool any_raced = false, atomics = false;
    std::set<std::uint32_t> raced_words, unwritten_words;
    bool const first_read = note_reader(r);
    for (std::uint32_t b = r.byte; b != r.byte + r.bytes; ++b) {
      if (!scratch) init = std::max(init, m_device[static_cast<std::size_t>(a)][b - m_log.base(a)]);
      bool raced = false;
      written_before(r, b, scratch, init, raced, atomics);
      if (init == Init::yes) return;
      if (raced) raced_words.insert(b / 4);
      if (!raced) unwritten_words.insert(b / 4);
      any_raced = any_raced || raced;
    }
    bool const atomic = is_atomic(r.deal.flavour);
    // Of a read that races in one of its words or bytes, others may be told: nobody has written those.
    bool const certain = init == Init::no && !atomic && !atomics && first_read && !any_raced;
    Claim const claim{Verdict::uninit, narrow(m_log.number()), narrow(a), narrow(r.deal.slot), -1, {}, {}};
    std::uint32_t const first = (r.byte - m_log.base(a)) % static_cast<std::uint32_t>(m_log.array(a).bytes);  // of its part
    for (std::uint32_t w = first / 4; w <= (first + r.bytes - 1) / 4; ++w) {
      std::uint32_t const at = (r.byte - first) / 4 + w;
      if (raced_words.contains(at) && !unwritten_words.contains(at)) continue;
      UninitWord& word = m_words[{m_log.number(), a, w}];
      word.claims.insert(claim);
      word.certain |= certain;
    }
  }

  void written_before(Read const& r, std::uint32_t b, bool scratch, Init& init, bool& raced, bool& atomics) const {
    Deal const& d = r.deal;
    std::span<Touch const> const all = m_log.writes(b);
    auto const begin = all.begin(), end = all.end();
    if (begin == end) return;
    auto const is_before_team = [&](Touch const& t, std::uint32_t team) { return t.team < team; };
    auto const mine = std::lower_bound(begin, end, d.team, is_before_team),
               mine_end = std::lower_bound(mine, end, d.team + 1, is_before_team);
    auto const writes = [&](Touch const& t) {
      init = std::max(init, t.flavour == Flavour::atomic_perhaps ? Init::perhaps : Init::yes);
    };
    auto const conflicts = [&](Touch const& t) {
      if (is_atomic(t.flavour) && is_atomic(d.flavour))
        atomics = true;
      else if (t.flavour == Flavour::atomic_perhaps)
        atomics = true;  // if it replaces nothing it is a load
      else
        raced = true;
    };
    // One that races tells; of an atomic reader's others nothing is certain.
    auto const told = [&] { return raced || (atomics && is_atomic(d.flavour)); };
    auto const look_at = [&](auto from, auto until) {
      for (; from != until && !told(); ++from) conflicts(*from);
    };
    if (!scratch) {
      bool const own_writes = mine != mine_end, before = raced;
      look_at(begin, mine), look_at(mine_end, end);
      // Of several teams that update a word by atomics, the first alone is known.
      auto const updates = [](Touch const& t) { return is_atomic(t.flavour); };
      if (raced && !before && std::any_of(mine, mine_end, updates) && std::all_of(begin, mine, updates) &&
          std::all_of(mine_end, end, updates))
        raced = false, atomics = true;
      // Nor, of teams that all read what the reader's team alone writes, who it was.
      Touch const &first = m_log.of(b).front(), &last = m_log.of(b).back();  // in the order of teams
      if (own_writes && (first.team != d.team || last.team != d.team)) atomics = true;
      // Which block of a range an iteration is in, the log does not say: others may be in other ones.
      if (!is_team(m_log.kernel().policy) && (first.lane != d.lane || last.lane != d.lane)) atomics = true;
    }
    auto at = mine;
    for (; at != mine_end && at->epoch < d.epoch; ++at) {
      writes(*at);
      if (init == Init::yes) return;
    }
    auto const is_of_epoch = [&](Touch const& t) { return t.epoch == d.epoch; };
    auto const last = std::partition_point(at, mine_end, is_of_epoch);
    auto const by_lane = [](Touch const& t, std::uint32_t lane) { return t.lane < lane; };
    std::uint32_t const vector = is_team(m_log.kernel().policy) ? static_cast<std::uint32_t>(m_log.kernel().vector) : 1;
    auto const thread = std::lower_bound(at, last, d.thread * vector, by_lane);
    auto const thread_end = std::lower_bound(thread, last, (d.thread + 1) * vector, by_lane);
    for (auto t = thread; t != thread_end; ++t) {
      if (t->lane == d.lane) {
        if (t->order < r.order) writes(*t);
      } else if (t->turn < d.turn) {
        writes(*t);
      } else if (t->turn == d.turn) {
        conflicts(*t);
      } else if (is_atomic(t->flavour)) {
        atomics = true;  // several lanes that update it before the next barrier are one writer, who may have come before
      }
      if (init == Init::yes) return;
    }
    bool const before = raced;
    look_at(at, thread);
    look_at(thread_end, last);
    // As of several teams above.
    if (!scratch && raced && !before && !is_team(m_log.kernel().policy) &&
        std::all_of(begin, end, [](Touch const& t) { return is_atomic(t.flavour); }))
      raced = false, atomics = true;
  }

  TouchLog const& m_log;
  DeviceMemory const& m_device;
  std::map<Expected::Word, UninitWord> m_words;
  std::unordered_set<std::uint64_t> m_read_by;  ///< team, lane, word
};

}  // namespace

DeviceMemory before_kernels(Case const& c) {
  DeviceMemory device;
  for (Array const& a : c.arrays) {
    device.emplace_back(is_scratch(a.place) ? 0 : static_cast<std::size_t>(a.bytes),
                        a.filling == Filling::host ? Init::yes : Init::no);
    if (a.filling == Filling::part)
      for (std::int32_t i = a.from; i < a.to; ++i) device.back()[static_cast<std::size_t>(i)] = Init::yes;
  }
  return device;
}

void add_uninit_reads(TouchLog const& log, DeviceMemory const& device, Expected& expected) { Reads(log, device).run(expected); }

void write(TouchLog const& log, DeviceMemory& device) {
  for (Touch const& t : log.all()) {
    if (!may_write(t.flavour)) continue;
    int const a = log.owner(t.byte);
    if (is_scratch(log.array(a).place)) continue;
    Init& init = device[static_cast<std::size_t>(a)][t.byte - log.base(a)];
    init = std::max(init, t.flavour == Flavour::atomic_perhaps ? Init::perhaps : Init::yes);
  }
}

}  // namespace property::bytes
