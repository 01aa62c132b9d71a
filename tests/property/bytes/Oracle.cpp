// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Oracle.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace property::bytes {
namespace {

enum class Init : std::uint8_t { no, perhaps, yes };

/// One byte of one access.
struct Touch {
  std::uint32_t byte, team, epoch, lane, thread, turn, order;
  std::int8_t slot;
  Flavour flavour;
  bool uniform;
  std::uint8_t within;  ///< which byte of the access
};

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

class Launch {
 public:
  Launch(Case const& c, int kernel, std::vector<std::vector<Init>>& device, Expected& expected)
      : m_case(c),
        m_number(kernel),
        m_kernel(c.kernels[static_cast<std::size_t>(kernel)]),
        m_device(device),
        m_expected(expected) {
    std::uint32_t at = 0;
    for (Array const& a : c.arrays) {
      m_base.push_back(at);
      at += (static_cast<std::uint32_t>(a.bytes * (is_per_thread(a.place) ? m_kernel.team : 1)) + 7) / 8 * 8;  // whole words
    }
    m_bytes = at;
  }

  void run(int launch) {
    m_touches.clear();
    m_reads.clear();
    std::uint32_t order = 0;
    for_each_deal(m_case, m_kernel, launch, [&](Deal const& d) { take(d, order++); });
    m_expected.deals += order;
    std::sort(m_touches.begin(), m_touches.end(), [](Touch const& a, Touch const& b) {
      return std::tie(a.byte, a.team, a.epoch, a.lane, a.order) < std::tie(b.byte, b.team, b.epoch, b.lane, b.order);
    });
    index();
    races();
    m_read_by.clear();
    for (Read const& r : m_reads) uninit(r);
    for (auto const& [word, of] : m_uninit) {
      for (Claim const& claim : of.claims) allow(word, claim);
      if (of.certain) m_expected.demands.insert({{of.claims.begin(), of.claims.end()}, 0});
    }
    m_uninit.clear();
    for (Touch const& t : m_touches)
      if (may_write(t.flavour))
        if (Init* const i = device_byte(t.byte))
          *i = std::max(*i, t.flavour == Flavour::atomic_perhaps ? Init::perhaps : Init::yes);
  }

 private:
  struct Read {
    Deal deal;
    std::uint32_t byte, bytes, order;  ///< those that lie in the array
  };
  using Word = std::array<std::int64_t, 3>;

  void allow(Word const& word, Claim const& claim) {
    m_expected.words[word].insert(claim);
    m_expected.allowed.insert(claim);
  }

  Array const& array(int a) const { return m_case.arrays[static_cast<std::size_t>(a)]; }

  void take(Deal const& d, std::uint32_t order) {
    if (d.bytes == 0) {
      Claim const claim{Verdict::thrown, narrow(m_number), -1, -1, -1, {}, {}};
      m_expected.allowed.insert(claim);
      m_expected.demands.insert({{claim}, 0});
      return;
    }
    Array const& a = array(d.array);
    auto const first = std::clamp<std::int64_t>(d.offset, 0, a.bytes),
               end = std::clamp<std::int64_t>(d.offset + d.bytes, 0, a.bytes);
    if (end - first != d.bytes) {
      Claim const claim{Verdict::outside, narrow(m_number), narrow(d.array), narrow(d.slot), -1, {}, {}};
      m_expected.allowed.insert(claim);
      m_expected.demands.insert({{claim}, 0});
    }
    if (first >= end) return;
    std::uint32_t const begin = m_base[static_cast<std::size_t>(d.array)] +
                                (is_per_thread(a.place) ? d.thread * static_cast<std::uint32_t>(a.bytes) : 0) +
                                static_cast<std::uint32_t>(first);
    auto const bytes = static_cast<std::uint32_t>(end - first);
    for (std::uint32_t b = begin; b != begin + bytes; ++b)
      m_touches.push_back({b, d.team, d.epoch, d.lane, d.thread, d.turn, order, narrow(d.slot), d.flavour, d.uniform,
                           static_cast<std::uint8_t>(b - begin + (first - d.offset))});
    if (d.reads_value) m_reads.push_back({d, begin, bytes, order});
  }

  void index() {
    m_at.assign(m_bytes + 1, 0);
    for (Touch const& t : m_touches) ++m_at[t.byte + 1];
    for (std::uint32_t b = 0; b != m_bytes; ++b) m_at[b + 1] += m_at[b];
    m_writes.clear();
    m_writes_at.assign(m_bytes + 1, 0);
    for (Touch const& t : m_touches)
      if (may_write(t.flavour)) {
        m_writes.push_back(t);
        ++m_writes_at[t.byte + 1];
      }
    for (std::uint32_t b = 0; b != m_bytes; ++b) m_writes_at[b + 1] += m_writes_at[b];
  }

  // ---- races ----

  struct WordClaims {
    std::set<Claim> claims;
    bool certain = false, perhaps_ordered = false;
  };

  void races() {
    for (std::size_t a = 0; a != m_case.arrays.size(); ++a) {
      if (array(static_cast<int>(a)).alias_of >= 0) continue;
      std::uint32_t const size = static_cast<std::uint32_t>(array(static_cast<int>(a)).bytes);
      std::uint32_t const parts =
          is_per_thread(array(static_cast<int>(a)).place) ? static_cast<std::uint32_t>(m_kernel.team) : 1;
      for (std::uint32_t part = 0; part != parts; ++part)
        for (std::uint32_t word = 0; word * 4 < size; ++word) {
          WordClaims of;
          for (std::uint32_t b = word * 4; b != std::min(word * 4 + 4, size); ++b)
            byte(static_cast<int>(a), m_base[a] + part * size + b, of);
          if (of.claims.empty()) continue;
          for (Claim const& claim : of.claims) allow({m_number, static_cast<std::int64_t>(a), word}, claim);
          if (of.certain && !of.perhaps_ordered) demand(of);
        }
    }
  }

  void demand(WordClaims const& of) {
    Demand d{{of.claims.begin(), of.claims.end()}, 0};
    for (Claim const& claim : d.claims)
      for (std::int8_t const s : {claim.slot, claim.other})
        if (m_kernel.operations[static_cast<std::size_t>(s)].bytes > 1) d.wide |= 1u << s;
    m_expected.demands.insert(std::move(d));
  }

  void byte(int a, std::uint32_t b, WordClaims& of) {
    std::uint32_t const begin = m_at[b], end = m_at[b + 1];
    if (end - begin < 2) return;
    bool const scratch = is_scratch(array(a).place);
    m_begins_with_load = std::any_of(m_touches.begin() + begin, m_touches.begin() + end, [&](Touch const& t) {
      return t.flavour == Flavour::atomic_perhaps ||
             m_kernel.operations[static_cast<std::size_t>(t.slot)].deed == Deed::atomic_add_real;
    });
    std::array<Teams, keys> teams{};
    for (std::uint32_t i = begin; i != end;) {
      std::uint32_t j = i;
      while (j != end && m_touches[j].team == m_touches[i].team && m_touches[j].epoch == m_touches[i].epoch) ++j;
      group(a, i, j, of);
      if (!scratch)
        for (; i != j; ++i) teams[static_cast<std::size_t>(key_of(m_touches[i]))].add(m_touches[i].team);
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
  void group(int a, std::uint32_t begin, std::uint32_t end, WordClaims& of) {
    if (end - begin < 2) return;
    std::array<Accessors, keys>& by = m_by;
    std::uint64_t present = 0;
    static_assert(keys <= 64);
    int writers = 0;
    // Of a thread: by its turns.
    bool const threads_have_lanes = is_team(m_kernel.policy) && m_kernel.vector > 1;
    std::vector<Touch> sorted;
    if (threads_have_lanes) {
      sorted.assign(m_touches.begin() + begin, m_touches.begin() + end);
      std::sort(sorted.begin(), sorted.end(), [](Touch const& p, Touch const& q) {
        return std::tie(p.thread, p.turn, p.lane, p.order) < std::tie(q.thread, q.turn, q.lane, q.order);
      });
    }
    Touch const* const first = threads_have_lanes ? sorted.data() : m_touches.data() + begin;
    for (Touch const* t = first; t != first + (end - begin); ++t) {
      int const k = key_of(*t);
      if (!(present >> k & 1)) by[static_cast<std::size_t>(k)] = {};
      present |= std::uint64_t{1} << k;
      by[static_cast<std::size_t>(k)].add(*t);
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

  static constexpr std::int8_t narrow(int n) { return static_cast<std::int8_t>(n); }

  /// Accesses of two operations meet in a byte. `uniform`: lanes of a thread store the same. `others`: so do several
  /// operations.
  void pair(int a, int x, int y, Meets meets, bool uniform, bool others, WordClaims& of) {
    auto const f = static_cast<Flavour>(x % flavours), g = static_cast<Flavour>(y % flavours);
    if ((is_atomic(f) && is_atomic(g)) || !(may_write(f) || may_write(g))) return;
    Claim claim{Verdict::race, narrow(m_number), narrow(a), narrow(x / flavours), narrow(y / flavours), f, g};
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

  /// Is there behind the one operation a fence and then an atomic, and before the other an atomic and then a fence? Whether one
  /// lane's atomic sees the other's hangs on the order in which they run.
  bool may_be_handed_over(int from, int to) const {
    auto const deed = [&](int s) { return m_kernel.operations[static_cast<std::size_t>(s)].deed; };
    auto const is = [&](int s, bool fence) { return fence ? deed(s) == Deed::fence : nature(deed(s)).atomic; };
    bool const twice = is_scan_of_both_passes();  // a lane comes to each operation again
    auto const any = [&](int begin, int end, bool first_fence) {
      for (int s = begin; s < end; ++s)
        for (int t = twice ? 0 : s + 1; is(s, first_fence) && t < end; ++t)
          if (is(t, !first_fence)) return true;
      return false;
    };
    return any(twice ? 0 : from + 1, m_kernel.used, true) && any(0, twice ? m_kernel.used : to, false);
  }
  bool is_scan_of_both_passes() const { return m_kernel.policy == Policy::range_scan && !m_kernel.final_only; }

  int writers_of(int a) const {
    int n = 0;
    for (int s = 0; s < m_kernel.used; ++s) {
      Operation const& o = m_kernel.operations[static_cast<std::size_t>(s)];
      Array const& named = array(o.array);
      n += nature(o.deed).writes && (named.alias_of >= 0 ? named.alias_of : o.array) == a;
    }
    return n;
  }
  bool wide(int slot) const { return m_kernel.operations[static_cast<std::size_t>(slot)].bytes > 8; }

  /// Values of two items differ.
  bool wide_value(int slot) const {
    Operation const& o = m_kernel.operations[static_cast<std::size_t>(slot)];
    return o.own_values && o.bytes >= 4 && o.deed != Deed::any_set && o.deed != Deed::any_write && o.repeats == 1 &&
           o.deed != Deed::modify;
  }

  // ---- reads of what nobody wrote ----

  struct UninitWord {
    std::set<Claim> claims;
    bool certain = false;
  };

  Init* device_byte(std::uint32_t byte) {
    std::size_t a = m_base.size() - 1;
    while (m_base[a] > byte || array(static_cast<int>(a)).alias_of >= 0 || byte >= m_base[a] + span(a)) --a;
    return is_scratch(array(static_cast<int>(a)).place) ? nullptr : &m_device[a][byte - m_base[a]];
  }
  std::uint32_t span(std::size_t a) const {
    return static_cast<std::uint32_t>(array(static_cast<int>(a)).bytes *
                                      (is_per_thread(array(static_cast<int>(a)).place) ? m_kernel.team : 1));
  }

  /// A lane's first read of a word is the one that tells, though it was of a copy that is written in part.
  bool note_reader(Read const& r) {
    bool first = true;
    for (std::uint32_t w = r.byte / 4; w <= (r.byte + r.bytes - 1) / 4; ++w)
      first = m_read_by.insert(std::uint64_t{r.deal.team} << 44 | std::uint64_t{r.deal.lane} << 22 | w).second && first;
    return first;
  }

  void uninit(Read const& r) {
    bool const scratch = is_scratch(array(r.deal.array).place);
    Init init = Init::no;
    bool any_raced = false, atomics = false;
    std::set<std::uint32_t> raced_words;
    bool const first_read = note_reader(r);
    for (std::uint32_t b = r.byte; b != r.byte + r.bytes; ++b) {
      if (!scratch)
        init = std::max(init,
                        m_device[static_cast<std::size_t>(r.deal.array)][b - m_base[static_cast<std::size_t>(r.deal.array)]]);
      bool raced = false;
      written_before(r, b, scratch, init, raced, atomics);
      if (init == Init::yes) return;
      if (raced) raced_words.insert(b / 4);
      any_raced = any_raced || raced;
    }
    bool const atomic = is_atomic(r.deal.flavour);
    // Of a read that races in one of its words, the others may be told: nobody has written those.
    bool const certain = init == Init::no && !atomic && !atomics && first_read && !any_raced;
    Claim const claim{Verdict::uninit, narrow(m_number), narrow(r.deal.array), narrow(r.deal.slot), -1, {}, {}};
    std::uint32_t const base = m_base[static_cast<std::size_t>(r.deal.array)];
    std::uint32_t const part =
        is_per_thread(array(r.deal.array).place) ? static_cast<std::uint32_t>(array(r.deal.array).bytes) : 0;
    std::uint32_t const first = part != 0 ? (r.byte - base) % part : r.byte - base;
    for (std::uint32_t w = first / 4; w <= (first + r.bytes - 1) / 4; ++w) {
      if (raced_words.contains((r.byte - first) / 4 + w)) continue;
      UninitWord& word = m_uninit[{m_number, r.deal.array, w}];
      word.claims.insert(claim);
      word.certain |= certain;
    }
  }

  void written_before(Read const& r, std::uint32_t b, bool scratch, Init& init, bool& raced, bool& atomics) const {
    Deal const& d = r.deal;
    auto const begin = m_writes.begin() + m_writes_at[b], end = m_writes.begin() + m_writes_at[b + 1];
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
      Touch const &first = m_touches[m_at[b]], &last = m_touches[m_at[b + 1] - 1];  // in the order of teams
      if (own_writes && (first.team != d.team || last.team != d.team)) atomics = true;
    }
    auto at = mine;
    for (; at != mine_end && at->epoch < d.epoch; ++at) {
      writes(*at);
      if (init == Init::yes) return;
    }
    auto const is_of_epoch = [&](Touch const& t) { return t.epoch == d.epoch; };
    auto const last = std::partition_point(at, mine_end, is_of_epoch);
    auto const by_lane = [](Touch const& t, std::uint32_t lane) { return t.lane < lane; };
    std::uint32_t const vector = is_team(m_kernel.policy) ? static_cast<std::uint32_t>(m_kernel.vector) : 1;
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
    look_at(at, thread);
    look_at(thread_end, last);
  }

  Case const& m_case;
  int m_number;
  Kernel const& m_kernel;
  std::vector<std::vector<Init>>& m_device;
  Expected& m_expected;
  std::vector<std::uint32_t> m_base;  ///< of the arrays, in bytes that are numbered through
  std::uint32_t m_bytes = 0;
  std::vector<Touch> m_touches, m_writes;
  std::vector<std::uint32_t> m_at, m_writes_at;
  std::vector<Read> m_reads;
  std::array<Accessors, keys> m_by{};
  bool m_begins_with_load = false;  ///< an atomic of the byte, on the host
  std::map<Word, UninitWord> m_uninit;
  std::unordered_set<std::uint64_t> m_read_by;  ///< team, lane, word
};

}  // namespace

Expected expect(Case const& c) {
  Expected expected;
  std::vector<std::vector<Init>> device;
  for (Array const& a : c.arrays) {
    device.emplace_back(is_scratch(a.place) ? 0 : static_cast<std::size_t>(a.bytes),
                        a.filling == Filling::host ? Init::yes : Init::no);
    if (a.filling == Filling::part)
      for (std::int32_t i = a.from; i < a.to; ++i) device.back()[static_cast<std::size_t>(i)] = Init::yes;
  }
  for (std::size_t k = 0; k != c.kernels.size(); ++k)
    for (int launch = 0; launch != launches(c.kernels[k]); ++launch) {
      Launch(c, static_cast<int>(k), device, expected).run(launch);
    }
  return expected;
}

std::string to_string(Claim const& claim) {
  constexpr char const* verdicts[] = {"race", "same-value", "uninit", "out-of-bounds", "exception"};
  constexpr char const* kinds[] = {"read", "write", "atomic read", "atomic write", "atomic maximum"};
  std::string text = fmt::format("{} of kernel {}, array {}: operation {}", verdicts[static_cast<int>(claim.verdict)],
                                 claim.kernel, claim.array, claim.slot);
  if (claim.other >= 0)
    text += fmt::format(" ({}) and {} ({})", kinds[static_cast<int>(claim.flavour)], claim.other,
                        kinds[static_cast<int>(claim.other_flavour)]);
  return text;
}

}  // namespace property::bytes
