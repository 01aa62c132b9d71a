// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RaceOracle.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>
#include <utility>

namespace property::bytes {
namespace {

constexpr int keys = slots * flavours;
int key_of(Touch const& t) { return t.slot * flavours + static_cast<int>(t.flavour); }

/// The lanes of one operation that touched a byte between two meetings of their team.
struct Accessors {
  std::uint32_t thread = 0;
  bool any = false, several_threads = false, uniform = true;
  /// Of the first thread, between two of its meetings: the first lane, and whether there are others.
  struct Turn {
    std::uint32_t turn, lane;
    bool several;
    bool again = false;  ///< a lane comes twice: it may leave other values on the way
  };
  std::vector<Turn> turns;

  void add(Touch const& t) {
    if (!std::exchange(any, true)) thread = t.thread, m_within = t.within;
    uniform = uniform && t.uniform && t.within == m_within;
    if (t.thread != thread) {
      several_threads = true;
      return;
    }
    if (turns.empty() || turns.back().turn != t.turn)
      turns.push_back({t.turn, t.lane, false});
    else if (m_last == t.lane)
      turns.back().again = true;
    else
      turns.back().several = true;
    m_last = t.lane;
  }

 private:
  std::uint32_t m_last = 0;
  std::uint8_t m_within = 0;
};

struct Teams {
  std::uint32_t first = 0;
  bool any = false, several = false;
  void add(std::uint32_t team) {
    several |= any && team != first;
    if (!std::exchange(any, true)) first = team;
  }
};

enum class Meets : std::uint8_t { never, lanes, threads, teams };

class Races {
 public:
  Races(TouchLog const& log, Expected& expected) : m_log(log), m_kernel(log.kernel()), m_expected(expected) {}

  void run() {
    for (int a = 0; a != static_cast<int>(m_log.arrays()); ++a) {
      if (m_log.array(a).alias_of >= 0) continue;
      std::uint32_t const size = static_cast<std::uint32_t>(m_log.array(a).bytes);
      for (std::uint32_t part = 0; part != m_log.parts(a); ++part)
        for (std::uint32_t word = 0; word * 4 < size; ++word) {
          WordClaims of;
          for (std::uint32_t b = word * 4; b != std::min(word * 4 + 4, size); ++b) byte(a, m_log.base(a) + part * size + b, of);
          if (of.claims.empty()) continue;
          for (Claim const& claim : of.claims) m_expected.allow({m_log.number(), a, word}, claim);
          if (of.certain && !of.perhaps_ordered) demand(of);
        }
    }
  }

 private:
  struct WordClaims {
    std::set<Claim> claims;
    bool certain = false, perhaps_ordered = false;
  };

  void demand(WordClaims const& of) {
    Demand d{{of.claims.begin(), of.claims.end()}, 0};
    for (Claim const& claim : d.claims)
      for (std::int8_t const s : {claim.slot, claim.other})
        if (m_log.operation(s).bytes > 1) d.wide |= 1u << s;
    m_expected.demands.insert(std::move(d));
  }

  void byte(int a, std::uint32_t b, WordClaims& of) {
    std::span<Touch const> const touches = m_log.of(b);
    if (touches.size() < 2) return;
    bool const scratch = is_scratch(m_log.array(a).place);
    m_begins_with_load = std::any_of(touches.begin(), touches.end(), [&](Touch const& t) {
      return t.flavour == Flavour::atomic_perhaps || m_log.operation(t.slot).deed == Deed::atomic_add_real ||
             (nature(m_log.operation(t.slot).deed).atomic && m_log.operation(t.slot).bytes == wide_atomic);
    });
    std::array<Teams, keys> teams{};
    for (auto i = touches.begin(); i != touches.end();) {
      auto j = i;
      while (j != touches.end() && j->team == i->team && j->epoch == i->epoch) ++j;
      group(a, {i, j}, of);
      if (!scratch)
        for (; i != j; ++i) teams[static_cast<std::size_t>(key_of(*i))].add(i->team);
      i = j;
    }
    if (scratch) return;
    for (int x = 0; x != keys; ++x)
      for (int y = x; y != keys; ++y) {
        Teams const &p = teams[static_cast<std::size_t>(x)], &q = teams[static_cast<std::size_t>(y)];
        if (p.any && q.any && (p.several || q.several || p.first != q.first)) pair(a, x, y, Meets::teams, false, false, of);
      }
  }

  /// What lanes of a team did between two of its meetings.
  void group(int a, std::span<Touch const> touches, WordClaims& of) {
    if (touches.size() < 2) return;
    std::array<Accessors, keys>& by = m_by;
    std::uint64_t present = 0;
    static_assert(keys <= 64);
    int writers = 0;
    // Of a thread: by its turns.
    bool const threads_have_lanes = is_team(m_kernel.policy) && m_kernel.vector > 1;
    std::vector<Touch> sorted;
    if (threads_have_lanes) {
      sorted.assign(touches.begin(), touches.end());
      std::sort(sorted.begin(), sorted.end(), [](Touch const& p, Touch const& q) {
        return std::tie(p.thread, p.turn, p.lane, p.order) < std::tie(q.thread, q.turn, q.lane, q.order);
      });
    }
    for (Touch const& t : threads_have_lanes ? std::span<Touch const>(sorted) : touches) {
      int const k = key_of(t);
      if (!(present >> k & 1)) by[static_cast<std::size_t>(k)] = {};
      present |= std::uint64_t{1} << k;
      by[static_cast<std::size_t>(k)].add(t);
    }
    for (int k = 0; k != keys; ++k) writers += (present >> k & 1) && may_write(static_cast<Flavour>(k % flavours));
    for (int x = 0; x != keys; ++x)
      for (int y = x; (present >> x & 1) && y != keys; ++y) {
        if (!(present >> y & 1)) continue;
        Accessors const &p = by[static_cast<std::size_t>(x)], &q = by[static_cast<std::size_t>(y)];
        if (p.several_threads || q.several_threads || p.thread != q.thread) {
          pair(a, x, y, Meets::threads, p.uniform && q.uniform, writers > 1, of);
          continue;
        }
        for (Accessors::Turn const& s : p.turns)
          for (Accessors::Turn const& t : q.turns)
            if (s.turn == t.turn && (s.several || t.several || s.lane != t.lane))
              pair(a, x, y, Meets::lanes, (p.uniform && s.several) || (q.uniform && t.several),
                   writers > 1 || s.again || t.again, of);
      }
  }

  /// Accesses of two operations meet in a byte. `uniform`: lanes of a thread store the same. `others`: so do several
  /// operations.
  void pair(int a, int x, int y, Meets meets, bool uniform, bool others, WordClaims& of) {
    auto const f = static_cast<Flavour>(x % flavours), g = static_cast<Flavour>(y % flavours);
    if ((is_atomic(f) && is_atomic(g)) || !(may_write(f) || may_write(g))) return;
    Claim claim{Verdict::race, narrow(m_log.number()), narrow(a), narrow(x / flavours), narrow(y / flavours), f, g};
    bool certain = true, equal = false;
    of.perhaps_ordered |= may_be_handed_over(x / flavours, y / flavours) || may_be_handed_over(y / flavours, x / flavours);
    // A maximum that replaces nothing, a compare-and-exchange that fails.
    if ((f == Flavour::read && g == Flavour::atomic_perhaps) || (g == Flavour::read && f == Flavour::atomic_perhaps))
      certain = false;
    // A lane's plain read just before such an atomic of its own gives way to the load by which that begins.
    if (m_begins_with_load && (f == Flavour::read || g == Flavour::read) && (is_atomic(f) || is_atomic(g))) certain = false;
    bool const both_store = may_write(f) && may_write(g);
    bool const of_team = is_team(m_kernel.policy);
    if (both_store && of_team && meets != Meets::teams) equal = true;
    if (meets == Meets::lanes) {
      // Values of more than 16 bytes are not compared.
      others = others || wide(x / flavours) || wide(y / flavours);
      // What is stored is compared as a whole, whichever byte of it another operation changes.
      others = others || writers_of(a) > 1;
      bool const may_be_redundant = uniform || both_store || f == Flavour::write || g == Flavour::write;
      certain = certain && !may_be_redundant;
      if (both_store && f == Flavour::write && g == Flavour::write && x == y && !others && uniform) {
        // What all lanes of a thread store alike is one store.
        return;
      }
      if (both_store && x == y && !uniform && !others && wide_value(x / flavours)) certain = true, equal = false;
      if (!both_store && !others && !uniform) certain = f != Flavour::atomic_perhaps && g != Flavour::atomic_perhaps;
    }
    of.claims.insert(claim);
    of.certain = of.certain || certain;
    if (!equal) return;
    if (meets == Meets::threads && x == y && !uniform && !others && wide_value(x / flavours)) return;
    claim.verdict = Verdict::same_value;
    of.claims.insert(claim);
  }

  /// Is there behind the one operation a fence and then an atomic, or is it an atomic behind a fence; and is there an atomic
  /// before the other one, or is that one? Whether one lane's atomic sees the other's hangs on the order in which they run, and
  /// one that sees needs no fence (soundness.md).
  bool may_be_handed_over(int from, int to) const {
    auto const deed = [&](int s) { return m_log.operation(s).deed; };
    bool const twice = is_scan_of_both_passes();  // a lane comes to each operation again
    auto const fenced = [&](int begin, int end) {
      for (int s = twice ? 0 : begin; s < (twice ? m_kernel.used : end); ++s)
        if (deed(s) == Deed::fence) return true;
      return false;
    };
    bool released = false, acquired = false;
    for (int s = 0; s < m_kernel.used; ++s) {
      if (!nature(deed(s)).atomic) continue;
      released = released || ((twice || s >= from) && fenced(s == from ? 0 : from + 1, s));
      acquired = acquired || twice || s <= to;
    }
    return released && acquired;
  }
  bool is_scan_of_both_passes() const { return m_kernel.policy == Policy::range_scan && !m_kernel.final_only; }

  int writers_of(int a) const {
    int n = 0;
    for (int s = 0; s < m_kernel.used; ++s) {
      Operation const& o = m_log.operation(s);
      Array const& named = m_log.array(o.array);
      n += nature(o.deed).writes && (named.alias_of >= 0 ? named.alias_of : o.array) == a;
    }
    return n;
  }
  bool wide(int slot) const { return m_log.operation(slot).bytes > 8; }

  /// Values of two items differ.
  bool wide_value(int slot) const {
    Operation const& o = m_log.operation(slot);
    return o.own_values && o.bytes >= 4 && o.deed != Deed::any_set && o.deed != Deed::any_write && o.repeats == 1 &&
           o.deed != Deed::modify;
  }

  TouchLog const& m_log;
  Kernel const& m_kernel;
  Expected& m_expected;
  std::array<Accessors, keys> m_by{};
  bool m_begins_with_load = false;  ///< an atomic of the byte, on the host
};

}  // namespace

void add_races(TouchLog const& log, Expected& expected) { Races(log, expected).run(); }

}  // namespace property::bytes
