// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReadOracle.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
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
    demand_some_of(expected);
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

  /// Words of an array.
  struct Words {
    int array;
    std::uint32_t first, last;
    auto operator<=>(Words const&) const = default;
  };
  /// What is known of the bytes of a read.
  struct Known {
    Init init = Init::no;
    bool raced = false;         ///< by a store: it is told of the race alone
    bool any_raced = false, meets_atomics = false;
    bool meets_writers = false;    ///< others write it, in no order with the read
    bool meets_readers = false;    ///< the reader's team writes it later, and other lanes have to do with it
    bool silent = false;           ///< as soundness.md says
  };

  /// Where others write what was read, that they race is told, or that it was read.
  void demand_some_of(Expected& expected) const {
    for (Words const& words : m_perhaps_raced) {
      Demand d;
      for (std::uint32_t w = words.first; w <= words.last; ++w) {
        Expected::Word const word{m_log.number(), words.array, w};
        if (auto const of = m_words.find(word); of != m_words.end())
          d.claims.insert(d.claims.end(), of->second.claims.begin(), of->second.claims.end());
        auto const races = expected.words.find(word);
        if (races == expected.words.end()) continue;
        for (Claim const& claim : races->second)
          if (claim.verdict == Verdict::race) {
            d.claims.push_back(claim);
            for (std::int8_t const s : {claim.slot, claim.other})
              if (m_log.operation(s).bytes > 1) d.wide |= 1u << s;
          }
      }
      expected.demands.insert(std::move(d));
    }
  }

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
    Known known;
    std::set<std::uint32_t> raced_words, unwritten_words;
    bool const first_read = note_reader(r);
    for (std::uint32_t b = r.byte; b != r.byte + r.bytes; ++b) {
      if (!scratch) known.init = std::max(known.init, m_device[static_cast<std::size_t>(a)][b - m_log.base(a)]);
      known.raced = false;
      written_before(r, b, scratch, known);
      if (known.init == Init::yes) return;
      (known.raced ? raced_words : unwritten_words).insert(b / 4);
      known.any_raced = known.any_raced || known.raced;
    }
    bool const may_be_told = known.init == Init::no && first_read && !known.silent && !forgets(r.deal.slot);
    bool const certain = may_be_told && !known.meets_writers && !known.meets_readers;
    // An atomic may have come behind another lane's, and that initialises.
    bool const atomics_alone =
        known.meets_atomics && !known.any_raced && is_atomic(r.deal.flavour) && !is_read_by_all(r.byte, r.bytes);
    Claim const claim{Verdict::uninit, narrow(m_log.number()), narrow(a), narrow(r.deal.slot), -1, {}, {}};
    std::uint32_t const first = (r.byte - m_log.base(a)) % static_cast<std::uint32_t>(m_log.array(a).bytes);  // of its part
    if (may_be_told && !certain && !atomics_alone) m_perhaps_raced.insert({a, first / 4, (first + r.bytes - 1) / 4});
    for (std::uint32_t w = first / 4; w <= (first + r.bytes - 1) / 4; ++w) {
      std::uint32_t const at = (r.byte - first) / 4 + w;
      if (raced_words.contains(at) && !unwritten_words.contains(at)) continue;
      UninitWord& word = m_words[{m_log.number(), a, w}];
      word.claims.insert(claim);
      word.certain |= certain;
    }
  }

  /// An exchange is a store to this rule.
  bool forgets(int slot) const { return m_log.operation(slot).deed == Deed::atomic_exchange; }

  /// All that is done to these bytes is to update them, all of them, by atomics that read what was there: the first one, too.
  bool is_read_by_all(std::uint32_t begin, std::uint32_t bytes) {
    auto const [known, fresh] = m_read_by_all.try_emplace(std::uint64_t{begin} << 8 | bytes, true);
    for (std::uint32_t b = begin; fresh && b != begin + bytes; ++b)
      for (Touch const& t : m_log.of(b)) {
        Operation const& o = m_log.operation(t.slot);
        Nature const n = nature(o.deed);
        bool const updates = n.atomic && n.reads && n.writes && o.deed != Deed::volatile_modify && !forgets(t.slot);
        if (!updates || o.bytes != bytes || t.byte - t.within != begin) return known->second = false;
      }
    return known->second;
  }

  void written_before(Read const& r, std::uint32_t b, bool scratch, Known& known) const {
    Deal const& d = r.deal;
    std::span<Touch const> const all = m_log.writes(b);
    auto const begin = all.begin(), end = all.end();
    if (begin == end) return;
    bool const of_team = is_team(m_log.kernel().policy);
    auto const is_before_team = [&](Touch const& t, std::uint32_t team) { return t.team < team; };
    auto const mine = std::lower_bound(begin, end, d.team, is_before_team),
               mine_end = std::lower_bound(mine, end, d.team + 1, is_before_team);
    auto const writes = [&](Touch const& t) {
      known.init = std::max(known.init, t.flavour == Flavour::atomic_perhaps ? Init::perhaps : Init::yes);
    };
    auto const conflicts = [&](Touch const& t) {
      known.meets_writers = true;
      if ((is_atomic(t.flavour) && is_atomic(d.flavour)) || t.flavour == Flavour::atomic_perhaps)
        known.meets_atomics = true;  // one that replaces nothing is a load
      else
        known.raced = true;
    };
    // One that races tells; of an atomic reader's others nothing is certain.
    auto const told = [&] { return known.raced || (known.meets_atomics && is_atomic(d.flavour)); };
    auto const look_at = [&](auto from, auto until) {
      for (; from != until && !told(); ++from) conflicts(*from);
    };
    std::span<Touch const> const touches = m_log.of(b);
    auto const updates = [](Touch const& t) { return is_atomic(t.flavour); };
    if (!scratch) {
      bool const before = known.raced;
      look_at(begin, mine), look_at(mine_end, end);
      // Of several teams that update a word by atomics, the first alone is known: its reads are told as well.
      if (known.raced && !before && std::any_of(mine, mine_end, updates) && std::all_of(begin, mine, updates) &&
          std::all_of(mine_end, end, updates))
        known.raced = false, known.meets_atomics = true;
      // Which block of a range an iteration is in, the log does not say.
      auto const is_other = [&](Touch const& t) { return t.team != d.team || (!of_team && t.lane != d.lane); };
      bool const others = is_other(touches.front()) || is_other(touches.back());
      known.meets_readers = known.meets_readers || (mine != mine_end && others);
    }
    auto at = mine;
    for (; at != mine_end && at->epoch < d.epoch; ++at) {
      writes(*at);
      if (known.init == Init::yes) return;
    }
    auto const is_of_epoch = [&](Touch const& t) { return t.epoch == d.epoch; };
    auto const last = std::partition_point(at, mine_end, is_of_epoch);
    auto const by_lane = [](Touch const& t, std::uint32_t lane) { return t.lane < lane; };
    std::uint32_t const vector = of_team ? static_cast<std::uint32_t>(m_log.kernel().vector) : 1;
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
        known.silent = true;  // several lanes that update it before the next barrier are one writer, who may have come before
      }
      if (known.init == Init::yes) return;
    }
    bool const before = known.raced;
    look_at(at, thread);
    look_at(thread_end, last);
    // As of several teams above.
    if (!scratch && known.raced && !before && !of_team && std::all_of(begin, end, updates))
      known.raced = false, known.meets_atomics = true;
  }

  TouchLog const& m_log;
  DeviceMemory const& m_device;
  std::map<Expected::Word, UninitWord> m_words;
  std::unordered_map<std::uint64_t, bool> m_read_by_all;  ///< by first byte and size
  std::set<Words> m_perhaps_raced;  ///< of reads that tell, or a race does
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
