// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatLaunch.hpp"

#include "../base/Options.hpp"
#include "../base/Shard.hpp"
#include "Checker.hpp"
#include "Conflicts.hpp"
#include "GlobalRace.hpp"
#include "GlobalStores.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/UserSite.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/FlatShadow.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../places/AtomicCode.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace teamsan::detect {

void add_flat_store(Team& team, Access const& access) {
  std::vector<StoreToCome>& stores = team.checks().flat_stores;
  if (access.bytes > StoreToCome::most_bytes) return hot.flat_shadow->note_change(access.address, access.bytes);
  if (stores.size() == TeamChecks::most_pending) settle_flat_stores(team);  // the lane has made all of these
  stores.emplace_back().begin(access);
  team.await_end_of_lane();
}

void settle_flat_stores(Team& team) {
  std::vector<StoreToCome>& stores = team.checks().flat_stores;
  for (StoreToCome const& s : stores)
    if (!s.changed_nothing())
      team.launch().flat->note_change(s.address, s.bytes);
  stores.clear();
}

namespace {

/// Has the running lane read these bytes of a word before, unwritten? Then that is told. Where a lane has so read many
/// words, it may be asked again of some.
bool has_read_unwritten(std::uintptr_t word, unsigned bytes) {
  struct Read {
    std::uintptr_t word = 0;
    std::uint64_t launch = 0;
    std::uint32_t lane = 0;
    unsigned bytes = 0;
  };
  thread_local std::array<Read, 1024> latest{};
  Read& read = latest[(word >> 2 ^ word >> 12) % latest.size()];
  std::uint64_t const launch = hot.team->launch().facts.number;
  if (read.word != word || read.launch != launch || read.lane != hot.flat_lane) read = {word, launch, hot.flat_lane, 0};
  return (std::exchange(read.bytes, read.bytes | bytes) & bytes) == bytes;
}

}  // namespace

void note_flat_uninit(Access const& access, std::uintptr_t address) {
  if (may_be_written_unseen(address) || !options().enabled(Rule::uninit_global)) return;
  std::uintptr_t const end = access.address + access.bytes;
  bool again = false;
  for (std::uintptr_t a = address; a < end; a = (a & ~std::uintptr_t{3}) + 4) {
    std::uintptr_t const word = a & ~std::uintptr_t{3};
    unsigned const bytes = 15u >> (4 - std::min<std::uintptr_t>(end - a, word + 4 - a)) << (a - word);
    bool const read = has_read_unwritten(word, bytes);
    if (a == address) again = read;
  }
  if (again) return;
  FlatShadow::Unwritten read{{hot.flat_lane, access.site},
                             users_call(access.site),
                             is_part_of_atomic(access.is_atomic(), access.site),
                             static_cast<std::uint32_t>(end - address),
                             address};
  constexpr std::size_t most_held = 64;
  if (!access.is_atomic())
    for (std::uintptr_t a = address; a != end && read.held.size() != most_held; ++a)
      if (__atomic_load_n(reinterpret_cast<unsigned char const*>(a), __ATOMIC_RELAXED) != 0) read.held.push_back(a);
  hot.flat_shadow->note_unwritten(std::move(read));
}

void note_unwritten_by_first(FlatShadow& flat, UninitReads const& reads) {
  reads.for_each([&](UninitRead const& u) {
    FlatShadow::Unwritten read{{static_cast<std::uint32_t>(u.league * flat.team_size() + u.lane), u.site},
                               u.told,
                               is_part_of_atomic(u.atomic, u.site),
                               u.from_there,
                               u.address};
    read.of_team = true;
    if (u.unseen_store != 0) read.held.push_back(u.unseen_store);
    flat.note_unwritten_by_first(std::move(read));
  });
}

namespace {

/// One word's conflicts, for the findings.
class FlatJudge {
  using Mark = FlatShadow::Mark;
  using Deeds = FlatShadow::Deeds;
  using Word = FlatShadow::Word;

 public:
  FlatJudge(FlatShadow& flat, std::uint64_t teams, CommitContext& context, FlatFindings to, bool ended)
      : m_flat(flat),
        m_lanes(teams * flat.team_size()),
        m_context(context),
        m_findings(to.findings),
        m_stores_of_launch(to.stores),
        m_uninit(to.findings),
        m_tells(context, to.findings),
        m_ended(ended) {}

  void word(std::uintptr_t address, Word const& word) {
    std::array<Deeds, 4> deeds;
    unsigned const parts = word.parts == nullptr ? 1 : 4;
    for (unsigned i = 0; i != parts; ++i) {
      deeds[i] = word.parts == nullptr ? word.whole : (*word.parts)[i];
      for (FlatShadow::Accesses& accesses : deeds[i].of)
        for (Mark* const mark : {&accesses.first, &accesses.second})
          if (!counts(*mark)) *mark = {};
      std::vector<FlatShadow::Late> late;
      for (FlatShadow::Late const& l : word.late)
        if (counts(l.mark) && (l.bytes >> i & 1)) late.push_back(l);
      m_address = address + i;
      if (shard.judges(m_address)) judge(deeds[i], late, word.lacks_late != 0);
      for (FlatShadow::Late const& l : late) deeds[i][l.kind].add(l.mark, m_flat.team_size());
    }
    auto const covers = [&](FlatShadow::Unwritten const& read, unsigned i) {
      return parts == 1 || (address + i >= read.address && address + i < read.address + read.bytes);
    };
    // Whether a loop that begins by such a load goes on to a swap hangs on who comes first.
    for (FlatShadow::Unwritten const& read : word.unwritten) {
      if (!counts(read.mark) || !read.atomic || !is_atomic_loop(read.mark.site)) continue;
      for (unsigned i = 0; i != parts; ++i)
        if (Mark& first = deeds[i][AccessKind::atomic_write].first; covers(read, i) && read.mark.lane < first.lane)
          first = read.mark;
    }
    for (FlatShadow::Unwritten const& read : word.unwritten) {
      if (!counts(read.mark)) continue;
      bool written = false;
      for (unsigned i = 0; i != parts; ++i) written = written || (covers(read, i) && is_written(read, deeds[i]));
      if (!written && (read.of_team || !may_have_written(read))) uninit(word, read);
    }
  }

  /// True: lanes race.
  bool end() {
    for (auto const& [key, teams] : m_teams) {
      if (RawFinding* const finding = m_findings.find(key)) finding->teams = teams.size();
      m_stores.set_teams(key, teams.size());
    }
    m_stores_of_launch.append(std::move(m_stores), m_flat.epoch());
    tell_uninit();
    m_uninit.end();
    return m_raced;
  }

 private:
  static bool is_atomic(JoinedAccess const& s) {
    return is_part_of_atomic(teamsan::is_atomic(s.kind), s.mark.site);
  }

  void judge(Deeds const& deeds, std::vector<FlatShadow::Late> const& late, bool lacks_late) {
    m_reads = deeds[AccessKind::read];
    m_atomic = deeds[AccessKind::atomic_write].first;
    if (RacedWords::Word const* const raced = raced_before()) return judge_raced(*raced, deeds, late, lacks_late);
    auto const ordered = [&](JoinedAccess const& a, JoinedAccess const& b) {
      return are_of_first_team(a, b) || is_ordered(a, b);
    };
    Conflicts const found = conflicts(deeds, late, lacks_late, kind_in_truth, ordered);
    if (found.lacks_some) m_context.not_judged.add(Shortfall::flat_order);
    for (auto const& [first, second] : found.pairs)
      pair(first, second, both_store(first, second) && !deeds[AccessKind::write].several_teams && !deeds.values_differ);
  }

  /// Which was judged by itself: of a word whose bytes several of its lanes touched one of them stands for all.
  bool are_of_first_team(JoinedAccess const& a, JoinedAccess const& b) const {
    return m_flat.has_first_team() && team_of(a.mark) == 0 && team_of(b.mark) == 0;
  }

  /// Where lanes of the team that was judged by itself raced on it: of two kinds of access of which that team told, it is told
  /// once more, and of others the first pair, as if all had been judged so (TeamRaces::tell_first).
  RacedWords::Word const* raced_before() const {
    RacedWords::Word const* const word = m_context.raced_words != nullptr ? m_context.raced_words->find(m_address) : nullptr;
    return word != nullptr && !word->accesses.empty() ? word : nullptr;
  }
  void judge_raced(RacedWords::Word const& raced, Deeds deeds, std::vector<FlatShadow::Late> late, bool lacks_late) {
    std::uint64_t const judged = team_of(raced.accesses.front().mark);
    auto const ordered = [&](JoinedAccess const& a, JoinedAccess const& b) { return is_ordered(a, b); };
    auto const with_others = conflicts(deeds, late, false, kind_in_truth, [&](JoinedAccess const& a, JoinedAccess const& b) {
      return (team_of(a.mark) == judged && team_of(b.mark) == judged) || is_ordered(a, b);
    });
    for (FlatShadow::Late const& a : raced.accesses) {
      if (a.tick > first_tick)
        late.push_back(a);
      else
        deeds[a.kind].add(a.mark, m_flat.team_size());
    }
    m_reads = deeds[AccessKind::read];
    Conflicts const all = conflicts(deeds, late, lacks_late, kind_in_truth, ordered);
    if (all.lacks_some) m_context.not_judged.add(Shortfall::flat_order);
    for (auto const& other : with_others.pairs) {
      std::size_t const kinds = index_of_kinds(other.first.kind, other.second.kind);
      auto const is_of_kinds = [&](auto const& p) { return index_of_kinds(p.first.kind, p.second.kind) == kinds; };
      auto const known = std::ranges::find_if(all.pairs, is_of_kinds);
      auto const& [first, second] = known != all.pairs.end() ? *known : other;
      if (raced.told[kinds].is)
        count_again(raced.told[kinds].key, first, second, {judged, team_of(other.first.mark), team_of(other.second.mark)});
      else
        pair(first, second, false);
    }
  }

  /// Those teams have done what the pair did that is told.
  void count_again(Key const& key, JoinedAccess const& first, JoinedAccess const& second,
                   std::initializer_list<std::uint64_t> teams) {
    m_raced = true;
    if (key.rule != Rule::global_race || !options().enabled(key.rule)) return;
    m_teams[key].insert(teams);
    if (!m_findings.count_again(key)) m_findings.add(key, race(first, second, Handing::none));
  }

  static bool both_store(JoinedAccess const& a, JoinedAccess const& b) {
    return a.kind == AccessKind::write && b.kind == AccessKind::write;
  }
  RawFinding race(JoinedAccess const& first, JoinedAccess const& second, Handing handing) const {
    RawFinding f = global_race(m_address, Between::iterations, side(first), side(second), handing);
    if (both_store(first, second) && m_atomic && takes_lock(m_atomic.site)) explain_unlock(f, m_atomic.site);
    return f;
  }

  AtomicOrder::Log const* log_of(JoinedAccess const& s) const {
    return m_context.atomic_order->used() ? m_context.atomic_order->find(team_of(s.mark)) : nullptr;
  }

  bool is_ordered(JoinedAccess const& a, JoinedAccess const& b) const {
    AtomicOrder::Log const *const log = log_of(a), *const other = log_of(b);
    if (log == nullptr || other == nullptr) return false;
    if (!m_ended) return true;  // who knows
    auto const moment = [&](AtomicOrder::Log const& l, JoinedAccess const& s) {
      return l.normal({lane_of(s.mark), std::max(s.tick, first_tick), is_atomic(s)});
    };
    return m_context.atomic_order->orders(log, moment(*log, a), other, moment(*other, b));
  }

  void pair(JoinedAccess first, JoinedAccess second, bool same_value) {
    m_raced = m_raced || !same_value;
    Allocation const* const allocation = find_allocation(m_address);
    GlobalPlace const place{m_address, allocation};
    Handing handing = m_tells.handed_over(place, side(first), side(second));
    if (handing == Handing::told || !options().enabled(Rule::global_race)) return;
    Key const key{Rule::global_race, first.mark.site, second.mark.site, place.serial()};
    auto const [teams, fresh] = m_teams.try_emplace(key);
    if (fresh && m_findings.find(key) != nullptr) teams->second.insert(0);  // the first team was judged by itself
    teams->second.insert(team_of(second.mark));
    if (handing == Handing::none && log_of(first) != nullptr && log_of(second) != nullptr) handing = Handing::elsewhere;
    auto const make = [&] { return race(first, second, handing); };
    // Of lanes of one team it is known at the end alone whether all stored the same.
    if (both_store(first, second) && team_of(first.mark) == team_of(second.mark))
      return m_stores.add({key, m_address, same_value, false}, make);
    if (!m_findings.count_again(key)) m_findings.add(key, make());
  }

  /// Not another word of the element that was told last.
  bool is_new_element(Key const& key, std::uintptr_t address) {
    Allocation const* const a = find_allocation(address);
    std::size_t const bytes = a != nullptr && a->shape.known() ? a->shape.element_bytes : 4;
    std::uintptr_t const element =
        a != nullptr ? a->data() + (address - a->data()) / bytes * bytes : address & ~std::uintptr_t{3};
    return std::exchange(m_elements[key], element) != element;
  }

  /// Of teams behind one that crashed nothing does: they may have run or not.
  bool counts(Mark mark) const { return mark && mark.lane < m_lanes; }
  std::uint64_t team_of(Mark mark) const { return mark.lane / m_flat.team_size(); }
  std::uint32_t lane_of(Mark mark) const { return mark.lane % m_flat.team_size(); }

  GlobalSide side(JoinedAccess const& joined) const {
    auto const read = [&](Mark mark) { return mark && mark.lane == joined.mark.lane ? mark.site : Site{}; };
    return {.writes = is_write(joined.kind),
            .atomic = is_atomic(joined),
            .team = team_of(joined.mark),
            .lane = lane_of(joined.mark),
            .tick = std::max(joined.tick, first_tick),
            .site = joined.mark.site,
            .read = {read(m_reads.first), read(m_reads.second)}};
  }

  /// Who else wrote there, of those of whom the reader's team does not know.
  bool is_another(Mark mark, FlatShadow::Unwritten const& read) const {
    return mark && mark.lane != read.mark.lane && !(read.of_team && team_of(mark) == team_of(read.mark));
  }

  /// Has another lane written what was read? Then the two race, or atomics order them, as two updates of a counter. Of such the
  /// team that came first in league order did read it before, up to its first lane that wrote.
  bool is_written(FlatShadow::Unwritten const& read, Deeds const& deeds) const {
    auto const &writes = deeds[AccessKind::write], &updates = deeds[AccessKind::atomic_write];
    if (is_another(writes.first, read) || is_another(writes.second, read)) return true;
    if (!is_another(updates.first, read) && !is_another(updates.second, read)) return false;
    Mark const first = updates.first, reader = deeds[AccessKind::read].first;
    bool const is_behind = !read.of_team && read.mark.lane > first.lane;
    if (!read.atomic || is_behind || team_of(read.mark) != team_of(first)) return true;
    return reader && team_of(reader) < team_of(read.mark) && !is_atomic({AccessKind::read, reader});
  }

  bool is_of_no_value(UninitRead const& read, std::uint32_t lane, bool wrote) {
    return detect::is_of_no_value(read, wrote, global_element(read.address), [&](std::uintptr_t at) {
      std::uint64_t const main = *global_shadow::cell(at);
      bool const written = ((main >> 6 | main >> 34) & 15) != 0;
      return Neighbour{written, written ? m_flat.readers(at, lane) : std::vector<Site>()};
    });
  }

  /// To its other words: of a third lane that did nothing is known.
  bool may_have_written(FlatShadow::Unwritten const& read) {
    for (std::uintptr_t a = (read.address & ~std::uintptr_t{3}) + 4; a < read.address + read.bytes; ++a)
      if (m_flat.writers(a, read.mark.lane, m_lanes).maybe_itself) return true;
    return false;
  }

  void uninit(Word const& word, FlatShadow::Unwritten const& u) {
    // What other lanes have stored meanwhile is nobody's unseen store.
    for (std::uintptr_t const held : u.held)
      if (!m_flat.writers(held, u.mark.lane, m_lanes).others) note_unseen_store(held & ~std::uintptr_t{3});
    m_unwritten.push_back({u.mark, u.told, u.atomic, u.of_team, word.is_written_by(u.mark.lane), u.bytes, u.address});
  }

  /// Once all stores that nobody saw are known.
  void tell_uninit() {
    std::vector<UninitRead> counted;
    for (Unwritten const& u : m_unwritten) {
      if (has_unseen_store(u.address)) continue;
      UninitRead read{Key{Rule::uninit_global, u.told, Site{}, 0},
                      u.address,
                      u.bytes,
                      lane_of(u.mark),
                      team_of(u.mark),
                      0,
                      u.mark.site,
                      u.told,
                      false,
                      u.atomic,
                      0,
                      0};
      if (!u.of_team && is_of_no_value(read, u.mark.lane, u.wrote)) continue;
      Allocation const* const allocation = find_allocation(read.address);
      if (allocation != nullptr) read.key.data = allocation->serial;
      if (is_new_element(read.key, read.address))
        counted.push_back(read);
      else
        m_uninit.add(read, UninitFindings::Counts::no);
    }
    // The first lane to read is the one that is told, as where teams are judged one by one.
    std::ranges::stable_sort(counted, {}, [](UninitRead const& read) { return std::pair(read.league, read.lane); });
    for (UninitRead const& read : counted) m_uninit.add(read, UninitFindings::Counts::at_least);
  }

  /// As FlatShadow's, of which it is known that nobody wrote what was read.
  struct Unwritten {
    Mark mark;
    Site told;
    bool atomic, of_team, wrote;
    std::uint32_t bytes;
    std::uintptr_t address;
  };

  FlatShadow& m_flat;
  std::uint64_t m_lanes;
  CommitContext& m_context;
  FindingList& m_findings;
  GlobalStores& m_stores_of_launch;
  GlobalStores m_stores;  ///< that race
  UninitFindings m_uninit;
  std::vector<Unwritten> m_unwritten;
  TeamRaces m_tells;
  bool const m_ended;
  std::uintptr_t m_address = 0;
  FlatShadow::Accesses m_reads;
  Mark m_atomic{};  ///< one of the atomics that change the word
  std::unordered_map<Key, std::unordered_set<std::uint64_t>, KeyHash> m_teams;
  std::unordered_map<Key, std::uintptr_t, KeyHash> m_elements;  ///< of which reads were told last
  bool m_raced = false;
  static constexpr std::uint32_t first_tick = 1;  ///< none is earlier
};

}  // namespace

bool judge_flat_words(LaunchState const& launch, std::uint64_t teams, CommitContext& context, FlatFindings to, bool ended) {
  FlatShadow& flat = *launch.flat;
  if (flat.lacks_words()) context.not_judged.add(Shortfall::flat_words);
  if (flat.empty()) return false;
  AllocationsHeld const held;
  FlatJudge judge(flat, teams, context, to, ended);
  flat.for_each([&](std::uintptr_t address, FlatShadow::Word const& word) { judge.word(address, word); });
  return judge.end();
}

}  // namespace teamsan::detect
