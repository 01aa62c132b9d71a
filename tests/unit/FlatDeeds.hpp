// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What lanes of a flat launch do to some words at random, as the callbacks do it; and the list of all accesses, against which
/// what is known of the words is held.
#pragma once

#include "../../sim/check/FlatWords.hpp"
#include "../../sim/host/Memory.hpp"
#include "../../sim/memory/Allocations.hpp"
#include "../../sim/memory/FlatTouch.hpp"
#include "../../sim/memory/GlobalShadow.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <vector>

namespace flat_deeds {

using namespace teamsan;

inline constexpr std::uint32_t team_size = 4;
inline constexpr unsigned words = 48;

struct Memory {
  /// Every eight words so many bytes further.
  explicit Memory(std::size_t bytes, std::size_t apart = 0) : apart(apart) {
    begin = reinterpret_cast<std::uintptr_t>(allocate(Space::device, bytes + bytes / 32 * apart, 0, "memory"));
    global_shadow::mark_initialised(begin, apart == 0 ? 0 : bytes + bytes / 32 * apart);
  }
  ~Memory() { deallocate(reinterpret_cast<void*>(begin)); }
  std::uintptr_t at(unsigned w) const { return begin + 4 * w + w / 8 * apart; }
  unsigned word_at(std::uintptr_t address) const {
    std::uintptr_t const offset = address - begin;
    return static_cast<unsigned>(offset / (32 + apart) * 8 + offset % (32 + apart) / 4);
  }
  std::uint64_t& word(unsigned w) const { return *global_shadow::cell(at(w)); }
  std::uintptr_t begin;
  std::size_t apart;
};

struct Deed {
  std::uint32_t lane;
  unsigned word, words;
  AccessKind kind;  ///< read, write, atomic_write
  Site site;
  std::size_t number() const { return kind == AccessKind::read ? 0 : kind == AccessKind::write ? 1 : 2; }
};

/// The first two lanes of a kind that touched a word, with what each did first there.
using Firsts = std::map<std::uint32_t, Site>;

struct Oracle {
  std::map<unsigned, std::array<Firsts, 3>> of;
  void add(Deed const& d) {
    for (unsigned w = d.word; w != d.word + d.words; ++w) of[w][d.number()].try_emplace(d.lane, d.site);
  }
  bool conflict(unsigned w) {
    auto const meet = [&](std::size_t a, std::size_t b) {
      for (auto const& x : of[w][a])
        for (auto const& y : of[w][b])
          if (x.first != y.first) return true;
      return false;
    };
    return meet(1, 1) || meet(0, 1) || meet(1, 2) || meet(0, 2);
  }
  /// Somebody used atomics there, and somebody did not.
  bool mixed(unsigned w) { return !of[w][2].empty() && (!of[w][0].empty() || !of[w][1].empty()); }
};

/// True if the in-line part has joined it.
template <unsigned bytes, bool shared>
bool join(std::uintptr_t address, Deed const& d) {
  if (d.kind == AccessKind::atomic_write) return flat::update_quickly<bytes>(address, d.site);
  FlatTable::Instruction const* const at = flat::known_at<bytes>(address, d.site);
  bool again = false;
  if (d.kind == AccessKind::write) return at != nullptr && flat::write_at<bytes, shared>(*at, address);
  if (at != nullptr && flat::read_at<bytes, shared>(*at, address, again)) return true;
  return flat::join_alike<bytes>(address, d.kind, d.site);
}

struct Launch {
  Launch() : epoch(global_shadow::next_epoch()), shadow(epoch, default_context, team_size) {
    static std::uint64_t number = 0;
    launch = ++number;
  }
  std::optional<FlatShadow::Outcome> touch(std::uintptr_t address, bool whole, AccessKind kind, FlatShadow::Mark mark) {
    return flat::touch(shadow, FlatTable::of_this_thread(), address, whole, kind, mark);
  }
  /// As the callbacks do it.
  void access(Memory const& memory, Deed const& d, bool quickly, bool shared) {
    FlatTable::of_this_thread().begin_team(launch);
    hot.flat_table = &FlatTable::of_this_thread();
    hot.flat_shadow = &shadow;
    hot.flat_shared = shared;
    hot.flat_lane = d.lane;
    hot.flat_word = FlatWord::of_lane(epoch, d.lane).bits();
    std::uintptr_t const address = memory.at(d.word);
    if (quickly && shared && (d.words == 1 ? join<4, true>(address, d) : join<8, true>(address, d))) return;
    if (quickly && !shared && (d.words == 1 ? join<4, false>(address, d) : join<8, false>(address, d))) return;
    for (unsigned w = 0; w != d.words; ++w)
      touch(address + 4 * w, true, d.kind, {d.lane, d.site});
  }
  /// The same for a worker among others: the stretches that it holds it joins as if it were alone.
  void access_held(Memory const& memory, Deed const& d) {
    FlatTable& table = FlatTable::of_this_thread();
    if (hot.flat_table == nullptr || hot.flat_lane != d.lane) {  // a lane begins
      table.rest();
      hot.flat_mark = table.mark();
    }
    hot.flat_table = &table;
    bool const alone = FlatHolds::of(memory.at(d.word)) == hot.flat_mark || flat::holds(memory.at(d.word));
    access(memory, d, true, !alone);
  }
  std::uint64_t launch = 0;
  std::uint32_t epoch;
  FlatShadow shadow;
};

inline std::vector<Deed> random_deeds(std::mt19937& random, std::uint32_t lanes, bool races) {
  std::vector<Deed> deeds;
  for (std::uint32_t lane = 0; lane != lanes; ++lane)
    for (unsigned i = 0; i != 8; ++i) {
      unsigned const count = 1 + random() % 2;
      unsigned word = random() % (words / 2) * count;
      bool writes = random() % 3 == 0;
      // Without races lanes write to what is theirs alone, and read there, and in a half that nobody writes.
      if (!races) {
        if (writes || random() % 2) word = lane % (words / 4) * 2, writes = writes && lane < words / 4;
        if (word < words / 2 && lane >= words / 4) word += words / 2;
      }
      // The last words of each half are updated by atomics, mostly.
      bool const updates = word % (words / 2) >= words / 2 - 8 && (!races || random() % 4 != 0);
      if (updates) word = word / 2 * 2;
      deeds.push_back({lane, word, count,
                       updates  ? AccessKind::atomic_write
                       : writes ? AccessKind::write
                                : AccessKind::read,
                       Site{100 + static_cast<std::uint32_t>(random() % 30)}});
    }
  return deeds;
}

/// About half of the deeds' instructions will have no number, or none.
inline void use_up_places(Launch& launch, bool all) {
  for (std::uint32_t i = 0; i != flat::unknown_place - (all ? 0u : 15u); ++i) launch.shadow.place(Site{1000 + i});
}

inline bool equal(FlatShadow::Accesses const& found, Firsts const& expected) {
  auto next = expected.begin();
  for (FlatShadow::Mark const mark : {found.first, found.second}) {
    if (next == expected.end()) return !mark;
    if (mark.lane != next->first || mark.site != next->second) return false;
    ++next;
  }
  return true;
}

inline void check(Launch& launch, Memory const& memory, Oracle& oracle) {
  std::map<unsigned, bool> aside;
  launch.shadow.for_each([&](std::uintptr_t address, FlatShadow::Word const& word) {
    unsigned const w = memory.word_at(address);
    aside[w] = true;
    BOOST_TEST(equal(word.whole[AccessKind::read], oracle.of[w][0]));
    BOOST_TEST(equal(word.whole[AccessKind::write], oracle.of[w][1]));
    BOOST_TEST(equal(word.whole[AccessKind::atomic_write], oracle.of[w][2]));
  });
  for (unsigned w = 0; w != words; ++w) {
    BOOST_TEST_CONTEXT("word " << w) {
      if (!oracle.mixed(w)) BOOST_TEST(aside[w] == oracle.conflict(w));
      BOOST_TEST((aside[w] || !oracle.mixed(w)));
      std::uint64_t const main = memory.word(w);
      bool const touched = std::ranges::any_of(oracle.of[w], [](Firsts const& f) { return !f.empty(); });
      BOOST_TEST(FlatWord(main).is_of_launch(launch.epoch) == touched);
      BOOST_TEST(global_shadow::init_before(main, launch.epoch) == 15u);
      if (!touched || aside[w]) continue;
      auto const& [reads, writes, updates] = oracle.of[w];
      Firsts const& lanes = !updates.empty() ? updates : writes.empty() ? reads : writes;
      BOOST_TEST(FlatWord(main).lane() == lanes.begin()->first);
      BOOST_TEST(FlatWord(main).is_of_many() == (lanes.size() > 1));
      BOOST_TEST(FlatWord(main).is_updated() == !updates.empty());
      BOOST_TEST((launch.shadow.first_site(memory.at(w), FlatWord(main)) == lanes.begin()->second));
      if (lanes.size() > 1) {
        BOOST_TEST(*global_shadow::extra(memory.at(w)) == std::next(lanes.begin())->first);
        BOOST_TEST((launch.shadow.second_site(memory.at(w), FlatWord(main)) == std::next(lanes.begin())->second));
      } else if (!writes.empty() && !reads.empty()) {
        BOOST_TEST((launch.shadow.second_site(memory.at(w), FlatWord(main)) == reads.begin()->second));
      }
    }
  }
}

}  // namespace flat_deeds
