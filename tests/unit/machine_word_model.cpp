// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is kept of a word of memory, against the definition of a race (docs/soundness.md): two accesses to a common byte, by
// lanes that nothing orders, at least one writes, not both are atomic. Three lanes, one word, each sequence of up to four
// accesses of every kind, which has every order of lanes in it: as a team keeps it (machine/Ordering.hpp), with meetings
// between, and as a flat launch does (memory/FlatShadow.hpp); by the way in line and by the slow one. WHOLE_MODEL=1 leaves no
// sequence out.
#include "../../sim/detect/Conflicts.hpp"
#include "../../sim/host/Memory.hpp"
#include "../../sim/machine/Ordering.hpp"
#include "../../sim/memory/Allocations.hpp"
#include "../../sim/memory/FlatTouch.hpp"
#include "../../sim/memory/GlobalShadow.hpp"
#include "../../sim/memory/TeamShadow.hpp"
#include "../../sim/check/FlatWords.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace teamsan;

namespace {

constexpr Site site{1}, site_of_bytes{2};  ///< of all steps that are about whole words, and about parts

enum class What : std::uint8_t { access, team_meets, thread_meets };

/// A volatile access is an atomic one of its kind, under --sync portable a plain one; an update is an atomic write.
struct Step {
  What what = What::access;
  std::uint32_t lane = 0;  ///< of thread_meets: the thread
  AccessKind kind = AccessKind::none;
  std::uint32_t bytes = 0;  ///< a mask
};

constexpr std::uint32_t lanes = 3;
constexpr std::array kinds{AccessKind::read, AccessKind::write, AccessKind::atomic_read, AccessKind::atomic_write};

std::vector<Step> steps(std::vector<std::uint32_t> const& parts, unsigned vector_length, bool meetings) {
  std::vector<Step> all;
  for (std::uint32_t lane = 0; lane != lanes; ++lane)
    for (AccessKind const kind : kinds)
      for (std::uint32_t const bytes : parts) all.push_back({What::access, lane, kind, bytes});
  if (meetings) all.push_back({What::team_meets});
  if (meetings && vector_length > 1) all.push_back({What::thread_meets, 0});
  return all;
}

/// The definition.
bool races(std::vector<Step> const& sequence, unsigned vector_length) {
  for (std::size_t i = 0; i != sequence.size(); ++i)
    for (std::size_t j = i + 1; j != sequence.size(); ++j) {
      Step const &a = sequence[i], &b = sequence[j];
      if (a.what != What::access || b.what != What::access || a.lane == b.lane || (a.bytes & b.bytes) == 0) continue;
      auto const writes = [](Step const& s) { return s.kind == AccessKind::write || s.kind == AccessKind::atomic_write; };
      auto const atomic = [](Step const& s) {
        return s.kind == AccessKind::atomic_read || s.kind == AccessKind::atomic_write;
      };
      if (!(writes(a) || writes(b)) || (atomic(a) && atomic(b))) continue;
      bool ordered = false;
      for (std::size_t k = i + 1; k != j; ++k)
        ordered = ordered || sequence[k].what == What::team_meets ||
                  (sequence[k].what == What::thread_meets && a.lane / vector_length == sequence[k].lane &&
                   b.lane / vector_length == sequence[k].lane);
      if (!ordered) return true;
    }
  return false;
}

/// Of a byte, two kinds of access (index_of_kinds): the lanes that are told.
using Told = std::set<std::tuple<unsigned, std::size_t, std::uint32_t, std::uint32_t>>;

/// Where lanes never meet, the first two to conflict are (detect/Conflicts.hpp).
Told first_two(std::vector<Step> const& sequence) {
  std::map<std::pair<unsigned, std::size_t>, std::pair<std::uint32_t, std::uint32_t>> first;  // the later lane, the earlier one
  for (Step const& a : sequence)
    for (Step const& b : sequence)
      for (unsigned byte = 0; byte != 4; ++byte) {
        if (a.lane >= b.lane || !conflict(a.kind, b.kind) || (a.bytes & b.bytes & 1u << byte) == 0) continue;
        std::pair const pair(b.lane, a.lane);
        auto const [at, fresh] = first.try_emplace({byte, detect::index_of_kinds(a.kind, b.kind)}, pair);
        if (!fresh) at->second = std::min(at->second, pair);
      }
  Told told;
  for (auto const& [what, pair] : first) told.emplace(what.first, what.second, pair.second, pair.first);
  return told;
}

/// A team's word, as detect/Race.cpp keeps it.
class TeamWord {
 public:
  TeamWord(unsigned vector_length, bool quickly) : m_vector(vector_length), m_quickly(quickly) {
    m_first.write.who = who::before_launch;
  }

  bool races() const { return m_races; }

  void step(Step const& s) {
    if (s.what != What::access) {
      Who const now = ++m_tick << who::stamp_shift;
      if (s.what == What::team_meets)
        m_floor = now;
      else
        m_met[s.lane] = now;
      return;
    }
    std::uint32_t const thread = s.lane / m_vector;
    Who const met = std::max(m_floor, m_met[thread]);
    Runner const r{met | s.lane, m_floor, met, met, who::lane_mask & ~(m_vector - 1)};
    if (s.bytes == 15 && !m_split) return access(m_first, m_second, s, r);
    if (!std::exchange(m_split, true)) split_cells(&m_first, &m_second, 1, m_bytes.data(), m_second_bytes.data());
    for (unsigned b = 0; b != 4; ++b)
      if (s.bytes >> b & 1) access(m_bytes[b], m_second_bytes[b], s, r);
  }

 private:
  void access(Cell& first, Cell& second, Step const& s, Runner const& r) {
    if (m_quickly && !m_split && !is_atomic(s.kind)) {
      hot.me = r.me;
      hot.floor = r.floor;
      hot.other_thread = r.other_thread;
      hot.reads_before = r.thread_reads;
      if (s.kind == AccessKind::write && write_word(first, r.me, r.floor, site)) return;
      if (s.kind == AccessKind::read && read_quickly<1>(&first, site)) return;
      if (s.kind == AccessKind::read && read_word(first, second, r.me, r.floor, site)) return;
    }
    m_races = m_races || find_conflict(first, second, s.kind, r).mark != nullptr;
    record(first, second, s.kind, site, r);
  }

  unsigned m_vector;
  bool m_quickly;
  std::uint32_t m_tick = 1;
  Who m_floor = who::first_stamp;
  std::array<Who, lanes> m_met{};
  Cell m_first{}, m_second{};
  std::array<Cell, 4> m_bytes{}, m_second_bytes{};
  bool m_split = false, m_races = false;
};

std::string text(std::vector<Step> const& sequence) {
  std::string text;
  for (Step const& s : sequence)
    text += s.what == What::team_meets ? " barrier"
            : s.what == What::thread_meets
                ? " thread-meeting"
                : " " + std::to_string(s.lane) + ":" + std::to_string(static_cast<int>(s.kind)) + "/" + std::to_string(s.bytes);
  return text;
}

/// Calls f with each sequence of up to four steps, of the longest only every `stride`-th.
template <class F>
void for_each_sequence(std::vector<Step> const& all, std::size_t stride, F f) {
  stride *= FEWER_STEPS;  // under sanitizers
  if (std::getenv("WHOLE_MODEL") != nullptr) stride = 1;
  std::vector<Step> sequence;
  for (unsigned length = 1; length <= 4; ++length) {
    std::size_t count = 1;
    for (unsigned i = 0; i != length; ++i) count *= all.size();
    for (std::size_t number = 0; number < count; number += length == 4 ? stride : 1) {
      sequence.clear();
      for (std::size_t rest = number, i = 0; i != length; ++i, rest /= all.size()) sequence.push_back(all[rest % all.size()]);
      f(sequence);
    }
  }
}

struct Wrong {
  std::size_t count = 0;
  std::string first;
  void add(std::vector<Step> const& sequence) {
    if (count++ == 0) first = text(sequence);
  }
  ~Wrong() { BOOST_TEST(count == 0u, count << " wrong verdicts, the first of" << first); }
};

std::vector<std::uint32_t> const parts{15, 3, 1, 8};

}  // namespace

BOOST_AUTO_TEST_CASE(a_team_of_three_threads) {
  for (bool const quickly : {false, true}) {
    Wrong missed, invented;
    for_each_sequence(steps(parts, 1, true), 13, [&](std::vector<Step> const& sequence) {
      TeamWord word(1, quickly);
      for (Step const& s : sequence) word.step(s);
      if (word.races() != races(sequence, 1)) (word.races() ? invented : missed).add(sequence);
    });
  }
}

/// Lanes 0 and 1 are one thread's.
BOOST_AUTO_TEST_CASE(vector_lanes_and_another_thread) {
  for (bool const quickly : {false, true}) {
    Wrong missed, invented;
    for_each_sequence(steps({15}, 2, true), 1, [&](std::vector<Step> const& sequence) {
      TeamWord word(2, quickly);
      for (Step const& s : sequence) word.step(s);
      if (word.races() == races(sequence, 2)) return;
      // Ordering.hpp says which: both vector lanes without atomics, and the other thread by one.
      bool plain[2] = {false, false}, other = false;
      for (Step const& s : sequence) {
        if (s.what != What::access) continue;
        if (s.lane < 2) plain[s.lane] = plain[s.lane] || !is_atomic(s.kind);
        other = other || (s.lane == 2 && is_atomic(s.kind));
      }
      if (word.races())
        invented.add(sequence);
      else if (!(plain[0] && plain[1] && other))
        missed.add(sequence);
    });
  }
}

BOOST_AUTO_TEST_CASE(lanes_of_a_flat_launch) {
  auto const memory = reinterpret_cast<std::uintptr_t>(allocate(Space::device, 64, 0, "word"));
  global_shadow::mark_initialised(memory, 64);
  std::uint64_t number = 5'000'000;
  FlatTable& table = FlatTable::of_this_thread();
  hot.flat_table = &table;
  // `late`: the lane's accesses behind its first one are kept with a tick, as behind a fence; nothing orders them all the same.
  for (auto const& way : {std::pair(false, false), {true, false}, {true, true}}) {
    bool const quickly = way.first, late = way.second;
    Wrong missed, invented, others;
    for_each_sequence(steps(parts, 1, false), 97, [&](std::vector<Step> const& sequence) {
      FlatShadow shadow(global_shadow::next_epoch(), default_context, 4);
      table.begin_team(++number);
      hot.flat_shadow = &shadow;
      // Lanes that come in their order, on one worker, are joined in a shorter way.
      bool const in_order = std::ranges::is_sorted(sequence, {}, &Step::lane);
      hot.flat_shared = !in_order;
      hot.flat_mark = FlatHolds::no_mark;
      std::array<bool, lanes> came{};
      for (Step const& s : sequence) {
        std::uint32_t const tick = std::exchange(came[s.lane], true) && late ? 2 : 0;
        hot.flat_lane = s.lane;
        hot.flat_word = FlatWord::of_lane(shadow.epoch(), s.lane).bits();
        auto const in_line = [&] {
          FlatTable::Instruction const* const at = flat::known_at<4>(memory, site);
          bool again = false;
          switch (s.kind) {
            case AccessKind::write:
              if (at != nullptr && in_order) return flat::write_at<4, false>(*at, memory);
              return at != nullptr && flat::write_at<4, true>(*at, memory);
            case AccessKind::read:
              if (at != nullptr && in_order) return flat::read_at<4, false>(*at, memory, again);
              return (at != nullptr && flat::read_at<4, true>(*at, memory, again)) ||
                     flat::join_alike<4>(memory, AccessKind::read, site);
            case AccessKind::atomic_write: return flat::update_quickly<4>(memory, site);
            case AccessKind::none:
            case AccessKind::atomic_read: return false;
          }
          return false;
        };
        auto const byte_in_line = [&](std::uintptr_t byte) {
          FlatTable::Instruction const* const at = flat::known_at<1>(byte, site_of_bytes);
          bool again = false;
          if (at == nullptr) return false;
          if (s.kind == AccessKind::write)
            return in_order ? flat::bytes_at<1, AccessKind::write, false>(*at, byte, again)
                            : flat::bytes_at<1, AccessKind::write, true>(*at, byte, again);
          if (s.kind == AccessKind::read)
            return in_order ? flat::bytes_at<1, AccessKind::read, false>(*at, byte, again)
                            : flat::bytes_at<1, AccessKind::read, true>(*at, byte, again);
          return false;
        };
        if (quickly && s.bytes == 15 && tick == 0 && in_line()) continue;
        if (s.bytes == 15)
          flat::touch(shadow, table, memory, true, s.kind, {s.lane, site}, tick);
        else
          for (unsigned b = 0; b != 4; ++b)
            if ((s.bytes >> b & 1) && !(quickly && tick == 0 && byte_in_line(memory + b)))
              flat::touch(shadow, table, memory + b, false, s.kind, {s.lane, site_of_bytes}, tick);
      }
      Told told;
      shadow.for_each([&](std::uintptr_t, FlatShadow::Word const& word) {
        for (unsigned b = 0; b != 4; ++b) {
          std::vector<FlatShadow::Late> of_byte;
          for (FlatShadow::Late const& l : word.late)
            if (l.bytes >> b & 1) of_byte.push_back(l);
          for (auto const& [x, y] : detect::conflicts(word.parts == nullptr ? word.whole : (*word.parts)[b], of_byte).pairs) {
            auto const [earlier, later] = std::minmax(x.mark.lane, y.mark.lane);
            told.emplace(b, detect::index_of_kinds(x.kind, y.kind), earlier, later);
          }
        }
      });
      if (told.empty() == races(sequence, 1)) (told.empty() ? missed : invented).add(sequence);
      if (told != first_two(sequence)) others.add(sequence);
    });
  }
  deallocate(reinterpret_cast<void*>(memory));
}
