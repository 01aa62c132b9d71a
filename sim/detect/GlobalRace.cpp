// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/detect/GlobalRace.hpp>

#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/detect/Checker.hpp>
#include <teamsan/sim/detect/CrossTeam.hpp>
#include <teamsan/sim/detect/VolatileAccess.hpp>
#include <teamsan/sim/memory/Allocations.hpp>
#include <teamsan/sim/places/Symbolizer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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
  s.pc = pc;
  return s;
}

std::uint64_t GlobalPlace::serial() const { return allocation != nullptr ? allocation->serial : 0; }

namespace {

/// Has who writes read the word, too, on the line where it writes, and does the other do the same?
bool updates(GlobalSide const& writer, GlobalSide const& other) {
  return !writer.atomic && std::ranges::any_of(writer.read, [&](std::uintptr_t read) {
    return read != 0 && on_one_line(writer.pc, {}, read) && (other.writes || same_place(other.pc, read));
  });
}

}  // namespace

RawFinding global_race(std::uintptr_t address, Between between, GlobalSide const& first, GlobalSide const& second,
                       bool hands_over) {
  bool const teams = between == Between::teams;
  char const* const who = teams ? "teams" : "iterations";
  RawFinding f;
  f.rule = Rule::global_race;
  f.title = fmt::format("{}/{} race on device memory between {}", verb(first.kind()), verb(second.kind()),
who);
  f.data = describe_global(address, 4);
  constexpr char const* no_handover =
      "both {} hand data over by atomics and fences, but no hand-over lies between these two accesses";
  constexpr char const* no_order = "{} of one {} run in any order, and nothing but the end of the kernel orders them";
  f.why = {hands_over ? fmt::format(no_handover, who) : fmt::format(no_order, who, teams ? "launch" : "kernel")};
  RaceFacts facts;
  facts.between = between;
  facts.both_write = second.writes;
  facts.first_atomic = first.atomic;
  facts.second_atomic = second.atomic;
  facts.one_line = on_one_line(first.pc, {}, second.pc);
  facts.updates = updates(first, second);
  facts.hands_over = hands_over;
  f.fix = race_cure(facts);
  f.sides = {first.raw(), second.raw()};
  explain_volatile(f);
  return f;
}

void TeamRaces::tell(GlobalPlace const& place, GlobalSide const& theirs, GlobalSide const& mine, bool hands_over) {
  if (tell_handover(place, theirs, mine) || tell_handover(place, mine, theirs)) return;
  if (!options().enabled(Rule::global_race)) return;
  bool const i_write = mine.writes && !theirs.writes;
  GlobalSide const &first = i_write ? mine : theirs, &second = i_write ? theirs : mine;
  Key const key{Rule::global_race, first.pc, second.pc, place.serial()};
  if (m_findings.count_again(key)) return;
  m_findings.add(key, global_race(place.address, m_context.between, first, second, hands_over));
}

/// Did the one side hand over to the other by atomics, without a release? Then that is what is told.
bool TeamRaces::tell_handover(GlobalPlace const& place, GlobalSide const& earlier, GlobalSide const& later) {
  Handovers* const handovers = m_context.handovers;
  if (handovers == nullptr || !options().enabled(Rule::unfenced_handover)) return false;
  HandedAccess const from = earlier.handed(), to = later.handed();
  std::uint64_t const data = place.serial();
  std::optional<Handover> found = handovers->find(from, to, m_context.verdicts, m_context.recorded_verdicts);
  if (found)
    handovers->tell(from, to, data, *found);
  else if (found = handovers->told_before(from, to, data); !found)
    return false;
  Key const key{Rule::unfenced_handover, earlier.pc, later.pc, data};
  if (m_findings.count_again(key)) return true;
  RawFinding f;
  f.data = describe_global(place.address, 4);
  f.sides = {earlier.raw(), later.raw()};
  make_unfenced_handover(f, *found, m_context.between);
  m_findings.add(key, std::move(f));
  return true;
}

}  // namespace teamsan::detect
