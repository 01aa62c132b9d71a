// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatLaunch.hpp"

#include "../base/Options.hpp"
#include "Checker.hpp"
#include "GlobalRace.hpp"
#include "GlobalStores.hpp"
#include "../findings/Sentences.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/FlatShadow.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../places/AtomicCode.hpp"
#include "../places/Modules.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace teamsan::detect {

void add_flat_store(Team& team, Access const& access) {
  std::vector<FlatStore>& stores = team.checks().flat_stores;
  if (access.bytes > sizeof(FlatStore::before)) return hot.flat_shadow->note_change(access.address, access.bytes);
  if (stores.size() == TeamChecks::most_pending) settle_flat_stores(team);  // the lane has made all of these
  FlatStore& store = stores.emplace_back(FlatStore{access.address, access.bytes, {}});
  std::memcpy(store.before, reinterpret_cast<void const*>(access.address), access.bytes);
  team.due().stores = true;
}

void settle_flat_stores(Team& team) {
  std::vector<FlatStore>& stores = team.checks().flat_stores;
  for (FlatStore const& s : stores)
    if (std::memcmp(s.before, reinterpret_cast<void const*>(s.address), s.bytes) != 0)
      team.launch().flat->note_change(s.address, s.bytes);
  stores.clear();
}

void note_flat_uninit(Access const& access, std::uintptr_t address) {
  if (access.is_atomic() || may_be_written_unseen(address) || !options().enabled(Rule::uninit_global)) return;
  bool unseen = false;
  for (std::uintptr_t a = address; a != access.address + access.bytes; ++a)
    unseen = unseen || __atomic_load_n(reinterpret_cast<unsigned char const*>(a), __ATOMIC_RELAXED) != 0;
  hot.flat_shadow->note_uninit(address, static_cast<std::uint8_t>(std::min(access.bytes, 255u)),
                               {hot.flat_lane, static_cast<std::uint32_t>(access.pc)}, unseen);
}

std::vector<std::pair<JoinedAccess, JoinedAccess>> conflicts(FlatShadow::Deeds const& deeds,
                                                             AccessKind (*kind_of)(JoinedAccess const&)) {
  using enum AccessKind;
  std::vector<std::pair<JoinedAccess, JoinedAccess>> found;
  auto const meet = [&](AccessKind a, AccessKind b) {
    for (FlatShadow::Mark const x : {deeds[a].first, deeds[a].second})
      for (FlatShadow::Mark const y : {deeds[b].first, deeds[b].second})
        if (x && y && x.lane != y.lane && conflict(kind_of({a, x}), kind_of({b, y}))) return found.push_back({{a, x}, {b, y}});
  };
  for (AccessKind const kind : {write, read, atomic_write, atomic_read}) meet(write, kind);
  meet(atomic_write, read);
  return found;
}

namespace {

/// One word's conflicts, for the findings.
class FlatJudge {
  using Mark = FlatShadow::Mark;
  using Deeds = FlatShadow::Deeds;
  using Word = FlatShadow::Word;

 public:
  FlatJudge(FlatShadow& flat, std::uint64_t teams, FindingList& findings, NotJudged& not_judged)
      : m_flat(flat), m_lanes(teams * flat.team_size()), m_findings(findings), m_not_judged(not_judged) {}

  void word(std::uintptr_t address, Word const& word) {
    m_address = address;
    bool written = false;
    auto const each = [&](Deeds deeds, std::uintptr_t at) {
      m_address = at;
      for (FlatShadow::Accesses& accesses : deeds.of)
        for (Mark* const mark : {&accesses.first, &accesses.second})
          if (!counts(*mark)) *mark = {};
      judge(deeds);
      for (AccessKind const kind : {AccessKind::write, AccessKind::atomic_write})
        for (Mark const mark : {deeds[kind].first, deeds[kind].second})
          written = written || (mark && mark.lane != word.uninit.lane);
    };
    if (word.parts == nullptr)
      each(word.whole, address);
    else
      for (unsigned b = 0; b != 4; ++b) each((*word.parts)[b], address + b);
    if (counts(word.uninit) && !written) uninit(word);
  }

  /// True: lanes race.
  bool end() {
    for (auto const& [key, teams] : m_teams)
      if (RawFinding* const finding = m_findings.find(key)) finding->teams = teams.size();
    for (auto const& [key, equal] : m_all_equal)
      if (RawFinding* const finding = equal ? m_findings.find(key) : nullptr)
        finding->why.push_back(because(Reason::equal_in_this_run));
    return m_raced;
  }

 private:
  static bool is_atomic(JoinedAccess const& s) {
    return is_part_of_atomic(teamsan::is_atomic(s.kind), full_pc(s.mark.pc));
  }
  static AccessKind kind_of(JoinedAccess const& s) { return access_kind(is_write(s.kind), is_atomic(s)); }

  void judge(Deeds const& deeds) {
    m_reads = deeds[AccessKind::read];
    m_atomic = deeds[AccessKind::atomic_write].first;
    for (auto const& [first, second] : conflicts(deeds, kind_of)) {
      bool const both_store = first.kind == AccessKind::write && second.kind == AccessKind::write;
      pair(first, second, both_store && !deeds[AccessKind::write].several_teams && !deeds.values_differ);
    }
  }

  void pair(JoinedAccess first, JoinedAccess second, bool same_value) {
    if (m_flat.may_be_ordered(first.mark.lane, second.mark.lane)) return m_not_judged.add(Shortfall::flat_order);
    m_raced = m_raced || !same_value;
    if (!options().enabled(Rule::global_race)) return;
    Allocation const* const allocation = find_allocation(m_address);
    Key const key{Rule::global_race, full_pc(first.mark.pc), full_pc(second.mark.pc),
                  allocation != nullptr ? allocation->serial : 0};
    m_teams[key].insert(team_of(second.mark));
    if (m_findings.count_again(key)) {
      if (auto const told = m_all_equal.find(key); told != m_all_equal.end()) told->second &= same_value;
      return;
    }
    m_all_equal.emplace(key, same_value);
    RawFinding f = race(first, second);
    bool const both_store = first.kind == AccessKind::write && second.kind == AccessKind::write;
    if (both_store && m_atomic && takes_lock(full_pc(m_atomic.pc))) explain_unlock(f, full_pc(m_atomic.pc));
    m_findings.add(key, std::move(f));
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

  RawFinding race(JoinedAccess const& first, JoinedAccess const& second) const {
    return global_race(m_address, Between::iterations, side(first), side(second));
  }

  GlobalSide side(JoinedAccess const& joined) const {
    auto const read = [&](Mark mark) { return mark && mark.lane == joined.mark.lane ? full_pc(mark.pc) : 0; };
    return {.writes = is_write(joined.kind),
            .atomic = is_atomic(joined),
            .team = team_of(joined.mark),
            .lane = joined.mark.lane % m_flat.team_size(),
            .tick = 0,
            .pc = full_pc(joined.mark.pc),
            .read = {read(m_reads.first), read(m_reads.second)}};
  }

  bool is_of_no_value(UninitRead const& read, std::uint32_t lane, bool wrote) {
    return detect::is_of_no_value(read, wrote, global_element(read.address), [&](std::uintptr_t at) {
      std::uint64_t const main = *global_shadow::cell(at);
      bool const written = ((main >> 6 | main >> 34) & 15) != 0;
      return Neighbour{written, written ? m_flat.readers(at, lane) : std::vector<std::uint32_t>()};
    });
  }

  void uninit(Word const& word) {
    if (word.unseen_store) note_unseen_store(word.uninit_address & ~std::uintptr_t{3});
    if (has_unseen_store(word.uninit_address)) return;
    UninitRead const read{Key{Rule::uninit_global, full_pc(word.uninit.pc), 0, 0},
                          word.uninit_address,
                          word.uninit_bytes,
                          word.uninit.lane % m_flat.team_size(),
                          team_of(word.uninit),
                          0,
                          full_pc(word.uninit.pc),
                          full_pc(word.uninit.pc),
                          false,
                          false,
                          0,
                          0};
    if (is_of_no_value(read, word.uninit.lane, word.is_written_by(word.uninit.lane))) return;
    Allocation const* const allocation = find_allocation(read.address);
    Key key = read.key;
    if (allocation != nullptr) key.data = allocation->serial;
    m_teams[key].insert(team_of(word.uninit));
    if (!is_new_element(key, read.address) || m_findings.count_again(key)) return;
    RawFinding f = uninit_finding(read, describe_global(read.address, read.bytes));
    f.at_least = true;  // of each element one read is known
    m_findings.add(key, std::move(f));
  }

  FlatShadow& m_flat;
  std::uint64_t m_lanes;
  FindingList& m_findings;
  NotJudged& m_not_judged;
  std::uintptr_t m_address = 0;
  FlatShadow::Accesses m_reads;
  Mark m_atomic{};  ///< one of the atomics that change the word
  std::unordered_map<Key, std::unordered_set<std::uint64_t>, KeyHash> m_teams;
  std::unordered_map<Key, std::uintptr_t, KeyHash> m_elements;  ///< of which reads were told last
  std::unordered_map<Key, bool, KeyHash> m_all_equal;  ///< races told here: did all stores leave what was there?
  bool m_raced = false;
};

}  // namespace

bool judge_flat_words(LaunchState const& launch, std::uint64_t teams, FindingList& findings, NotJudged& not_judged) {
  FlatShadow& flat = *launch.flat;
  if (flat.lacks_words()) not_judged.add(Shortfall::flat_words);
  if (flat.lacks_places() && !flat.empty()) not_judged.add(Shortfall::sites);
  if (flat.empty()) return false;
  AllocationsHeld const held;
  FlatJudge judge(flat, teams, findings, not_judged);
  flat.for_each([&](std::uintptr_t address, FlatShadow::Word const& word) { judge.word(address, word); });
  return judge.end();
}

}  // namespace teamsan::detect
