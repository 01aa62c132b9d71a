// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GlobalRace.hpp"

#include "../base/MemoryName.hpp"
#include "../base/Options.hpp"
#include "Checker.hpp"
#include "CrossTeam.hpp"
#include "TeamChecks.hpp"
#include "VolatileAccess.hpp"
#include "../findings/Sentences.hpp"
#include "../memory/Allocations.hpp"
#include "../places/Enclosing.hpp"
#include "../places/SourceFile.hpp"
#include "../places/Symbolizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace teamsan::detect {

AccessKind GlobalSide::kind() const {
  return writes ? (atomic ? AccessKind::atomic_write : AccessKind::write)
                : (atomic ? AccessKind::atomic_read : AccessKind::read);
}

RawSide GlobalSide::raw() const {
  RawSide s;
  s.access = kind();
  s.bytes = 4;
  s.lane = {true, team, lane};
  s.site = site;
  return s;
}

std::uint64_t GlobalPlace::serial() const { return allocation != nullptr ? allocation->serial : 0; }

namespace {

/// Has who writes read the word, too, on the line where it writes, and does the other do the same?
bool updates(GlobalSide const& writer, GlobalSide const& other) {
  return !writer.atomic && std::ranges::any_of(writer.read, [&](Site read) {
    return read != Site{} && on_one_line(writer.site, {}, read) && (other.writes || same_place(other.site, read));
  });
}

/// Has who adds by an atomic looked first at what is there, as the other one does? (A place in a list is taken so.)
bool takes_turns(GlobalSide const& writer, GlobalSide const& other) {
  return writer.atomic && writer.writes && !other.writes && !other.atomic && adds_without_value(writer.site) &&
         std::ranges::any_of(writer.read, [&](Site read) { return read != Site{} && same_place(other.site, read); });
}

}  // namespace

RawFinding global_race(std::uintptr_t address, Between between, GlobalSide const& first, GlobalSide const& second,
                       Handing handing) {
  char const* const who = between == Between::teams ? "teams" : "iterations";
  RawFinding f;
  f.rule = Rule::global_race;
  f.title = fmt::format("{}/{} race on {} between {}", verb(first.kind()), verb(second.kind()), memory_name(address), who);
  f.data = describe_global(address, 4);
  RaceFacts facts;
  facts.between = between;
  facts.both_write = second.writes;
  facts.first_atomic = first.atomic;
  facts.second_atomic = second.atomic;
  facts.one_line = on_one_line(first.site, {}, second.site);
  bool const both_update =
      !first.atomic && !second.atomic && update_of(first.site, {}).found && update_of(second.site, {}).found;
  facts.updates = updates(first, second) || (facts.one_line && both_update);
  facts.takes_turns = takes_turns(first, second);
  facts.both_update = !facts.one_line && both_update;
  facts.hands_over = handing == Handing::elsewhere;
  facts.one_macro = in_one_macro(first.site, {}, second.site);
  facts.handing_word = handing == Handing::word;
  RaceRow row = race_row(facts);
  f.why = std::move(row.why);
  f.fix = std::move(row.cure);
  f.sides = {first.raw(), second.raw()};
  f.at_least = true;  // of each word one pair is told
  explain_volatile(f);
  return f;
}

bool takes_lock(Site site) {
  std::vector<Frame> const& frames = frames_of(site);
  if (frames.empty()) return false;
  if (source_line(frames.back().file, frames.back().line).find("exchange") != std::string::npos) return true;
  return std::ranges::any_of(frames, [](Frame const& frame) {
    return frame.internal && frame.function.find("exchange") != std::string::npos;
  });
}

void explain_unlock(RawFinding& race, Site taken) {
  CodePlace const opened{race.sides[0].site};
  race.why.push_back(because(Reason::plain_unlock, opened, CodePlace{taken}));
  race.fix = remedy(Cure::open_lock, opened);
}

/// Does the one lane look at what the other one stores under a lock, before it comes to the atomic that takes that, too?
bool reads_before_lock(RawFinding const& race, Site taken) {
  if (race.sides[1].access != AccessKind::read) return false;
  Place const read = user_place(race.sides[1].site, race.sides[1].callers), lock = user_place(taken),
              store = user_place(race.sides[0].site, race.sides[0].callers);
  unsigned const body = enclosing_constructs(lock).body();
  return body != 0 && read.path == lock.path && store.path == lock.path && read.line < lock.line && lock.line < store.line &&
         enclosing_constructs(read).body() == body && enclosing_constructs(store).body() == body;
}

void explain_store_to_word(RawFinding& race) {
  if (race.why.back().kind != Reason::handing_word) race.why.push_back(because(Reason::handing_word));
  race.fix = remedy(Cure::atomic_store_of_word);
}

void explain_locks(FindingList& findings, Handovers const& handovers, RacedWords& raced) {
  auto const given_back = [&](std::uintptr_t word) -> Site {
    if (RacedWords::Word const* const known = raced.find(word))
      for (FlatShadow::Late const& a : known->accesses)
        if (a.kind == AccessKind::write) return a.mark.site;
    return {};
  };
  for (auto& [key, f] : findings.list()) {
    if (f.rule != Rule::global_race || f.sides.size() != 2 || f.fix.kind == Cure::open_lock) continue;
    if (is_atomic(f.sides[0].access) || is_atomic(f.sides[1].access)) continue;
    auto const locks = handovers.locks_of(f.sides[0].lane.league, f.sides[0].lane.index);
    if (locks.empty()) continue;
    auto const before = std::ranges::find_if(locks, [&, race = &f](auto const& l) {
      LaneRef const& reader = race->sides[1].lane;
      return handovers.tried(reader.league, reader.index, l.first) && reads_before_lock(*race, l.second);
    });
    if (before != locks.end()) {
      f.fix = remedy(Cure::read_under_lock, CodePlace{before->second});
      continue;
    }
    auto const others = handovers.locks_of(f.sides[1].lane.league, f.sides[1].lane.index);
    for (auto const& [word, taken] : locks) {
      Site const opened = given_back(word);
      if (!others.contains(word) || opened == Site{}) continue;
      f.why.push_back(because(Reason::guarded_by_lock, CodePlace{taken}, CodePlace{opened}));
      f.fix = remedy(Cure::open_lock, CodePlace{opened});
      break;
    }
  }
}

namespace {

/// Who writes comes first; of two that do, the one that is committed first.
Key race_key(GlobalPlace const& place, GlobalSide const& first, GlobalSide const& second) {
  return {Rule::global_race, first.site, second.site, place.serial()};
}

/// Whichever comes first.
bool is_of(Key const& key, GlobalSide const& a, GlobalSide const& b) {
  return (key.site == a.site && key.other_site == b.site) || (key.site == b.site && key.other_site == a.site);
}

bool is_by_barrier(Cure cure) {
  return way_of(cure) == Way::barrier || cure == Cure::barrier_on_each_way || cure == Cure::read_then_barrier ||
         cure == Cure::barrier_in_macro;
}

}  // namespace

RawFinding TeamRaces::race(std::uintptr_t address, GlobalSide const& first, GlobalSide const& second, Handing handing) const {
  RawFinding f = global_race(address, m_context.between, first, second, handing);
  if (first.kind() != AccessKind::write || second.kind() != AccessKind::write || m_context.handovers == nullptr) return f;
  auto const locks = m_context.handovers->locks_of(first.team, first.lane);
  if (auto const lock = locks.find(address); lock != locks.end())
    explain_unlock(f, lock->second);
  else if (on_one_line(first.site, {}, second.site) && way_of(f.fix.kind) != Way::atomic_update &&
           m_context.handovers->is_changed(address))
    explain_store_to_word(f);
  return f;
}

bool TeamRaces::tell(GlobalPlace const& place, GlobalSide const& theirs, GlobalSide const& mine, bool hands_over) {
  Handing const handing = handed_over(place, theirs, mine);
  if (handing == Handing::told) return false;
  if (!options().enabled(Rule::global_race)) return false;
  bool const i_write = mine.writes && !theirs.writes;
  GlobalSide const &first = i_write ? mine : theirs, &second = i_write ? theirs : mine;
  // What a barrier cures within a team it does not cure between teams, which is a finding of its own.
  constexpr std::uint64_t between_teams = 1ull << 62;
  bool const plain_read = m_context.between == Between::teams && !first.atomic && !second.atomic && !second.writes;
  Key const key = race_key(place, first, second);
  Key const apart{key.rule, key.site, key.other_site, plain_read ? key.data ^ between_teams : key.data};
  RawFinding const* const of_team = plain_read ? m_findings.find(key) : nullptr;
  bool const by_barrier = of_team != nullptr && is_by_barrier(of_team->fix.kind);
  for (Key const& known : {apart, key}) {
    if ((known == key && by_barrier) || !m_findings.count_again(known)) continue;
    m_findings.find(known)->at_least = true;
    return true;
  }
  bool const elsewhere = handing == Handing::none && hands_over;
  RawFinding f = race(place.address, first, second, elsewhere ? Handing::elsewhere : handing);
  bool const by_end_of_launch = f.fix.kind == Cure::two_views || f.fix.kind == Cure::split_or_two_views;
  m_findings.add(by_barrier || by_end_of_launch ? apart : key, std::move(f));
  return true;
}

GlobalSide TeamRaces::side(RacedWords::Word const& word, JoinedAccess const& access) const {
  std::uint64_t const team = access.mark.lane / m_context.team_size;
  GlobalSide side{.writes = is_write(access.kind),
                  .atomic = is_atomic(access.kind),
                  .team = team,
                  .lane = access.mark.lane % m_context.team_size,
                  .tick = access.tick,
                  .site = access.mark.site,
                  .read = {}};
  if (!side.writes) return side;
  std::size_t read = 0;
  for (FlatShadow::Late const& a : word.accesses)
    if (!is_write(a.kind) && a.mark.lane / m_context.team_size == team) side.read[read++ & 1] = a.mark.site;
  return side;
}

bool TeamRaces::tell_first(GlobalPlace const& place, std::uintptr_t byte, std::vector<JoinedAccess> const& accesses,
                           std::size_t kinds) {
  RacedWords::Word* const word = m_context.raced_words->at(byte);
  if (word == nullptr) return false;
  RacedWords::Word* const of_team = m_context.found->raced_words.find(byte);
  std::uint32_t const team_size = m_context.team_size;
  if (of_team != nullptr)
    for (FlatShadow::Late const& a : of_team->accesses) word->add(a.kind, a.mark, a.tick);
  for (JoinedAccess const& a : accesses) word->add_one_of(team_size, a.kind, a.mark, a.tick);
  auto const are_not_two = [&](JoinedAccess const& x, JoinedAccess const& y) {
    return x.mark.lane / team_size == y.mark.lane / team_size && (word->is_one_of(x) || word->is_one_of(y));
  };
  auto const pairs = conflicts({}, word->accesses, false, kind_in_truth, are_not_two).pairs;
  auto const told_first = std::ranges::find_if(
      pairs, [&](auto const& pair) { return index_of_kinds(pair.first.kind, pair.second.kind) == kinds; });
  auto const on_the_same_lines = [&](JoinedAccess const& x, JoinedAccess const& y) {
    auto const alike = [](JoinedAccess const& one, JoinedAccess const& other) {
      return on_one_line(one.mark.site, {}, other.mark.site);
    };
    auto const& [a, b] = *told_first;
    return (alike(x, a) && alike(y, b)) || (alike(x, b) && alike(y, a));
  };
  for (auto const& [x, y] : pairs) {
    std::size_t const i = index_of_kinds(x.kind, y.kind);
    RacedWords::Told& told = word->told[i];
    bool const in_one_team = x.mark.lane / m_context.team_size == y.mark.lane / m_context.team_size;
    if (!told.is && in_one_team && of_team != nullptr) told = of_team->told[i];  // told as its lanes ran
    bool const counts = i == kinds;
    GlobalSide const first = side(*word, x), second = side(*word, y);
    auto const make = [&] { return race(place.address, first, second, Handing::none); };
    // Where lanes do not come in their order, others were told as they ran: what that key tells of elsewhere stays as it is.
    if (in_one_team && told.is && told.key.rule == Rule::global_race && !is_of(told.key, first, second))
      told.key = race_key(place, first, second);
    if (!told.is && !counts && told_first != pairs.end() && on_the_same_lines(x, y)) {
      told.is = true;
    } else if (!in_one_team && (!told.is || counts)) {
      bool const in_order = first.team < second.team;
      bool const as_race = in_order ? tell(place, first, second) : tell(place, second, first);
      bool const swapped = second.writes && !in_order;
      told.is = true;
      if (as_race) told.key = swapped ? race_key(place, second, first) : race_key(place, first, second);
    } else if (counts && told.is && told.key.site != Site{} && options().enabled(told.key.rule) &&
               !m_findings.count_again(told.key)) {
      m_findings.add(told.key, make());
    }
    if (of_team == nullptr || !of_team->told[i].is || told.key.site == Site{}) continue;
    Key const was = of_team->told[i].key;
    std::uint64_t const count = of_team->told[i].count;
    if (m_context.found->global_stores.knows(was))
      m_context.found->global_stores.retell(was, byte, count, told.key, make);
    else
      m_findings.retell(was, count, told.key, make);
  }
  return true;
}

Handing TeamRaces::handed_over(GlobalPlace const& place, GlobalSide const& a, GlobalSide const& b) {
  Told told = tell_handover(place, a, b);
  if (told == Told::no) told = tell_handover(place, b, a);
  switch (told) {
    case Told::no: break;
    case Told::yes: return Handing::told;
    case Told::of_word: return Handing::word;
  }
  return Handing::none;
}

/// Did the one side hand over to the other by atomics, without a release? Then that is what is told.
TeamRaces::Told TeamRaces::tell_handover(GlobalPlace const& place, GlobalSide const& earlier, GlobalSide const& later) {
  Handovers* const handovers = m_context.handovers;
  if (handovers == nullptr || !options().enabled(Rule::unfenced_handover)) return Told::no;
  HandedAccess const from = earlier.handed(), to = later.handed();
  std::uint64_t const data = place.serial();
  std::optional<Handover> found = handovers->find(from, to, m_context.verdicts, m_context.recorded_verdicts);
  if (found)
    handovers->tell(from, to, data, *found);
  else if (found = handovers->told_before(from, to, data); !found)
    return Told::no;
  if (found->of_word) return Told::of_word;
  Key const key{Rule::unfenced_handover, earlier.site, later.site, data};
  if (m_findings.count_again(key)) {
    m_findings.find(key)->at_least = true;
    return Told::yes;
  }
  RawFinding f;
  f.at_least = true;
  f.data = describe_global(place.address, 4);
  f.sides = {earlier.raw(), later.raw()};
  make_unfenced_handover(f, *found, m_context.between);
  m_findings.add(key, std::move(f));
  return Told::yes;
}

}  // namespace teamsan::detect
