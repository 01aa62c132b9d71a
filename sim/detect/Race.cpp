// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// scratch-race and the in-team part of global-race. Decides from the Cell alone (Ordering.hpp), so a race on an
/// executed path is found under every order of lanes. It cannot see accesses made in code that is not instrumented.
#include "Checker.hpp"

#include "../base/MemoryName.hpp"
#include "../base/Options.hpp"
#include "../base/Synchronisation.hpp"
#include "GlobalRace.hpp"
#include "OrderedTeams.hpp"
#include "Race.hpp"
#include "RaceCure.hpp"
#include "RacedWords.hpp"
#include "VolatileAccess.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/CallStack.hpp"
#include "../places/AtomicCode.hpp"
#include "../places/Enclosing.hpp"
#include "../places/Symbolizer.hpp"
#include "../trace/Answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace teamsan::detect {

namespace {

/// An earlier access that nothing orders with this one, and what a finding says of it.
struct Conflict : Unordered {
  Readers readers = {};      ///< of the word so far, those that are known
  std::uint32_t scopes = 0;  ///< that the running lane was in
};

constexpr std::uint32_t vector_loops = 1u << static_cast<unsigned>(Scope::thread_vector_range) |
                                       1u << static_cast<unsigned>(Scope::team_vector_range);

constexpr std::uint32_t team_ranges =
    1u << static_cast<unsigned>(Scope::team_vector_range) | 1u << static_cast<unsigned>(Scope::single_per_team);

/// Vector lanes that stored the same value are one thread's redundant store; its lanes may read it. A collective's result was
/// stored by the reader itself too.
[[gnu::always_inline]] inline Unordered find_conflict(Access const& access, Piece const& piece, Runner const& r) {
  Unordered const found = teamsan::find_conflict(piece.first, piece.second, access.kind, r);
  Who const w = piece.first.write.who;
  if (found.mark == nullptr || access.is_write() || !(w & (who::redundant | who::result))) return found;
  return (w & who::result) || r.same_thread(found.mark->who) ? Unordered{} : found;
}

/// The conflict that is left once plain accesses inside Kokkos' atomics count as what they are part of.
Unordered without_atomic_code(Unordered conflict, Access& access, Piece const& piece, Runner const& r) {
  if (!access.is_atomic() && is_part_of_atomic(false, access.site)) {
    access.kind = access_kind(access.is_write(), true);
    conflict = find_conflict(access, piece, r);
  }
  auto const is_code = [](Site site) { return is_part_of_atomic(false, site); };
  // At most twice: the writers, then the readers.
  for (int sets = 0; sets != 2; ++sets) {
    if (conflict.mark == nullptr || !access.is_atomic() || is_atomic(conflict.kind)) return conflict;
    if (conflict.kind == AccessKind::write)
      recognise(piece.first.write, piece.second.write, r, 0, is_code);
    else
      recognise(piece.first.read, piece.second.read, r, who::mixed, is_code);
    conflict = find_conflict(access, piece, r);
  }
  return conflict;
}

/// Do the program's atomics order an earlier access of the team's with the running lane's?
bool orders_lanes(Team& team, Runner const& r, Who other, bool writes) {
  AtomicOrder::Log const* const log = team.order_log();
  if (log == nullptr) return false;
  AtomicOrder& order = *team.launch().atomic_order;
  std::uint32_t const lane = who::lane(other);
  // Where a replay does not know, nobody is accused.
  trace::Answer const unknown{std::uint64_t{lane} << 1 | order.used()};
  trace::Answer const answer = trace::ask(trace::EventKind::ordered, unknown, [&]() -> std::optional<trace::Answer> {
    AtomicOrder::Moment const then = log->normal(
        {lane, other >> who::stamp_shift, (other & who::atomic) != 0, OrderedTeams::alike(other, writes)});
    AtomicOrder::Moment const now = log->normal({who::lane(r.me), r.me >> who::stamp_shift});
    return trace::Answer{std::uint64_t{lane} << 1 | order.orders(log, then, log, now, true)};
  });
  return ((answer.operand >> 1 == lane ? answer : unknown).operand & 1) != 0;
}

/// The conflict that is left where atomics order some of the team's accesses: each of those that the Cell has is asked for.
Unordered unordered_conflict(Team& team, Access const& access, Piece const& piece, Runner const& r) {
  auto const among = [&](Mark const& first, Mark const& second, Who since, bool writers) -> Unordered {
    for (Mark const* const m : {&first, &second}) {
      Who const w = m->who;
      if (m == &second && !(first.who & (who::several | who::many))) break;
      if (w < r.floor || r.same_lane(w) || (r.same_thread(w) && who::stamp(w) < since)) continue;
      bool const atomic = is_part_of_atomic(m->who & who::atomic, m->site);
      if (!conflict(access.kind, access_kind(writers, atomic))) continue;
      if (writers && !access.is_write() && (((first.who & who::redundant) && r.same_thread(w)) || (first.who & who::result)))
        continue;
      if (orders_lanes(team, r, w | (first.who & (who::redundant | who::result)), writers)) continue;
      return {m, access_kind(writers, atomic)};
    }
    return {};
  };
  Unordered const writer = among(piece.first.write, piece.second.write, r.thread_writes, true);
  if (writer.mark != nullptr || !access.is_write()) return writer;
  return among(piece.first.read, piece.second.read, r.thread_reads, false);
}

void record_access(Team& team, Access const& access, Target const& target, Piece const& piece, Runner const& r) {
  Mark& first = access.is_write() ? piece.first.write : piece.first.read;
  Mark const before = first;
  if (access.is_write() && access.is_atomic() && (before.who & who::atomic) &&
      unordered(first, piece.second.write, r, r.thread_writes) != nullptr)
    note_shared_atomic(team, access.site);
  record(piece.first, piece.second, access.kind, access.site, r);
  // Between teams a plain access stays one, whatever replaced it here.
  bool const plain = before.who >= who::first_stamp && !(before.who & who::atomic);
  if (plain && (first.who & who::atomic) && target.line != nullptr) {
    Mark& kept = team.shadow().keep_plain(*target.line, target.address % Line::bytes, access.is_write(), before);
    // Those inside Kokkos' atomics give way.
    if (kept.site != before.site && is_atomic_code(kept.site)) kept = before;
  }
}

/// The second one is kept only where there are two.
Readers readers_of(Piece const& piece) {
  return {piece.first.read, ordering::has_two(piece.first.read.who) ? piece.second.read : Mark{}};
}

bool both_write(Access const& access, Conflict const& conflict) {
  return access.is_write() && (conflict.kind == AccessKind::write || conflict.kind == AccessKind::atomic_write);
}

/// Do both sides update the element: has the one that writes read it before, on the line where it writes, and, if the other
/// one reads, by what that one does?
bool updates(Team const& team, Access const& access, RawSide const& mine, RawSide const& other, Conflict const& conflict) {
  RawSide const& writer = access.is_write() ? mine : other;
  Runner const r = team.runner();
  return std::ranges::any_of(conflict.readers, [&](Mark const& read) {
    if (!who::touched(read.who) || read.who < r.floor || who::lane(read.who) != writer.lane.index) return false;
    Site const site = read.site;
    return on_one_line(writer.site, writer.callers, site) &&
           (both_write(access, conflict) || same_place(access.is_write() ? other.site : mine.site, site));
  });
}

/// Has who adds by an atomic looked first at what is there, as the other one does? (A place in a list is taken so.)
bool takes_turns(Access const& access, RawSide const& mine, RawSide const& other, Conflict const& conflict) {
  RawSide const &writer = access.is_write() ? mine : other, &reader = access.is_write() ? other : mine;
  if (!is_atomic(writer.access) || is_atomic(reader.access) || both_write(access, conflict)) return false;
  return adds_without_value(writer.site) && std::ranges::any_of(conflict.readers, [&](Mark const& read) {
           return who::touched(read.who) && who::lane(read.who) == writer.lane.index && same_place(reader.site, read.site);
         });
}

/// In a range over vector lanes, does the running lane store to a word that it has read on the same line? What it stores
/// hangs on what it has read then, and only happens to be what is there already.
bool updates_in_vector_loop(Access const& access, Piece const& piece, Runner const& r) {
  if ((hot.lane->scopes & vector_loops) == 0) return false;
  return std::ranges::any_of(readers_of(piece), [&](Mark const& read) {
    return who::touched(read.who) && read.who >= r.floor && r.same_lane(read.who) &&
           on_one_line(access.site, call_stack(), read.site);
  });
}

/// In the text of one function?
bool stands_between(Place const& barrier, Place const& a, Place const& b) {
  for (Place const* const side : {&a, &b})
    if (side->path != barrier.path || side->function != barrier.function) return false;
  return std::min(a.line, b.line) < barrier.line && barrier.line < std::max(a.line, b.line);
}

/// Has a lane of the team changed that word by an atomic?
bool is_changed_by_atomic(Team const& team, std::uintptr_t address) {
  auto const changes = [&](HandoverLog::Atomic const& a) { return a.changes && a.address == address; };
  return std::ranges::any_of(team.checks().found->handovers.atomics, changes);
}

RawFinding describe(Team const& team, Access const& access, std::vector<Site> callers, Target const& target,
                    Conflict const& conflict, std::optional<Handover> const& handover) {
  RawFinding f;
  f.rule = target.scratch ? Rule::scratch_race : Rule::global_race;
  f.data = detect::describe(team, target, access.bytes);
  RawSide mine = running_side(team, access);
  mine.callers = std::move(callers);
  std::vector<Site> const& mine_callers = mine.callers;
  RawSide other;
  other.access = conflict.kind;
  other.bytes = access.bytes;
  other.lane = {true, team.league_rank(), who::lane(conflict.mark->who)};
  other.has_interval = true;
  other.interval = team.interval();
  other.site = conflict.mark->site;

  std::uint32_t const width = hot.lane->lane.vector_length;
  bool const other_atomic = is_atomic(conflict.kind);
  RaceFacts facts;
  facts.both_write = both_write(access, conflict);
  facts.first_atomic = access.is_write() ? access.is_atomic() : other_atomic;
  facts.second_atomic = access.is_write() ? other_atomic : access.is_atomic();
  facts.one_line = on_one_line(access.site, mine.callers, other.site);
  UpdateOfLine const mine_update = update_of(access.site, mine.callers);
  bool const mine_updates = mine_update.found, other_updates = update_of(other.site, {}).found;
  facts.counts = mine_update.counts;
  facts.updates = !facts.first_atomic && (updates(team, access, mine, other, conflict) ||
                                          (facts.one_line && mine_updates && other_updates && !other_atomic));
  facts.takes_turns = takes_turns(access, mine, other, conflict);
  facts.both_update = !facts.one_line && mine_updates && other_updates && !access.is_atomic() && !other_atomic;
  facts.in_vector_loop = (conflict.scopes & vector_loops) != 0;
  facts.in_range = conflict.scopes != 0;
  facts.in_team_range = (conflict.scopes & team_ranges) != 0;
  facts.vector_range_alone = conflict.scopes == 1u << static_cast<unsigned>(Scope::thread_vector_range);
  facts.same_vector_lane = hot.lane->lane.index % width == other.lane.index % width;
  if (hot.lane->lane.index / width == other.lane.index / width) {
    facts.between = Between::vector_lanes;
    Inside const mine_in = inside_of(access.site, mine.callers), other_in = inside_of(other.site, {});
    facts.writer_in = access.is_write() ? mine_in : other_in;
    facts.other_in = access.is_write() ? other_in : mine_in;
  } else if (!team.launch().facts.config.lanes_meet()) {
    facts.between = Between::iterations;
  } else {
    facts.between = Between::threads;
    facts.in_branches = are_in_branches(user_place(mine.site, mine_callers), user_place(other.site));
    facts.beside_range = in_range_of_team(other.site, {}) || in_range_of_team(mine.site, mine_callers);
    facts.interval = team.interval();
    facts.last_barrier = team.last_barrier();
    facts.barrier_between =
        facts.last_barrier != Site{} && stands_between(user_place(facts.last_barrier), user_place(mine.site, mine.callers),
                                                       user_place(other.site));
  }
  facts.portable = team.cuda_orders(conflict.mark->who);
  f.sync_alone = facts.portable != nullptr;
  facts.one_macro = in_one_macro(access.site, mine_callers, other.site);
  facts.other_teams = !target.scratch && team.launch().facts.config.league_size > 1;
  facts.handing_word = handover && handover->of_word;
  RaceRow row = race_row(facts);
  f.why = std::move(row.why);
  f.fix = std::move(row.cure);
  if (access.is_write())
    f.sides = {std::move(mine), std::move(other)};
  else
    f.sides = {std::move(other), std::move(mine)};
  f.title = fmt::format("{}/{} race on {}", verb(f.sides[0].access), verb(f.sides[1].access),
                        target.scratch ? std::string("team scratch")
                                       : fmt::format("{} {}", memory_name(target.address),
                                                     team.launch().facts.config.lanes_meet() ? "within a team"
                                                                                             : "between iterations"));
  bool const plain_stores =
      facts.both_write && facts.one_line && !facts.updates && !facts.first_atomic && !facts.second_atomic;
  if (facts.between == Between::threads && plain_stores && !target.scratch && is_changed_by_atomic(team, target.address))
    explain_store_to_word(f);
  f.at_least = !target.scratch;  // of each word, and of each access, one pair is told
  explain_volatile(f);
  if (handover && !handover->of_word) {
    if (access.is_write()) std::swap(f.sides[0], f.sides[1]);  // as they were done
    make_unfenced_handover(f, *handover, facts.between);
  }
  return f;
}

}  // namespace

RawFinding describe_race(Team const& team, DeferredRace const& race) {
  Target target{race.scratch, race.word, nullptr};
  Access const access{race.address, race.bytes, AccessKind::write, race.site};
  Conflict const conflict{{&race.other, race.other_kind}, race.readers, race.scopes};
  return describe(team, access, team.checks().pending_ways.at(race.way), target, conflict, race.handover);
}

namespace {

/// Of lanes that never meet one pair is told of a word and two kinds of access, the first two to conflict (Conflicts.hpp). What
/// is told of these two kinds; `other` is made the one of the two that the running lane conflicts with, if it is the second.
/// nullptr: it is not for this to say.
RacedWords::Told* note_raced(Team& team, Access const& access, Piece const& piece, Mark& other, AccessKind& other_kind) {
  LaunchConfig const& config = team.launch().facts.config;
  if (!RacedWords::decide(config) || team.interval() != 0) return nullptr;
  RacedWords::Word* const word = team.checks().found->raced_words.at(piece.address);
  if (word == nullptr) return nullptr;
  auto const first_lane = static_cast<std::uint32_t>(team.league_rank() * config.team_size);
  std::uint32_t const me = first_lane + who::lane(hot.me);
  word->add(other_kind, {first_lane + who::lane(other.who), other.site}, other.who >> who::stamp_shift);
  word->add(access.kind, {me, access.site}, hot.me >> who::stamp_shift);
  RacedWords::Told& told = word->told_of(access.kind, other_kind);
  if (told.is || team.order_log() != nullptr) return &told;
  std::size_t const kinds = index_of_kinds(access.kind, other_kind);
  for (auto const& [x, y] : conflicts({}, word->accesses, false, kind_in_truth).pairs) {
    if (index_of_kinds(x.kind, y.kind) != kinds || (x.mark.lane != me && y.mark.lane != me)) continue;
    JoinedAccess const &mine = x.mark.lane == me ? x : y, &first = x.mark.lane == me ? y : x;
    if (mine.kind != access.kind) continue;  // the lane's other access, by which it was the first to conflict
    other_kind = first.kind;
    other = {first.mark.site, first.tick << who::stamp_shift | (is_atomic(first.kind) ? who::atomic : 0) |
                                (first.mark.lane - first_lane)};
  }
  return &told;
}

/// The running lane's calls, among those of the stores that it has made and that wait to be judged.
std::uint32_t way_here(TeamChecks& checks) {
  constexpr std::size_t most = 4;  // that lines of one loop come by
  std::vector<std::vector<Site>>& ways = checks.pending_ways;
  for (std::size_t i = ways.size(); i != 0 && i + most > ways.size(); --i)
    if (is_call_stack(ways[i - 1])) return static_cast<std::uint32_t>(i - 1);
  ways.push_back(call_stack());
  return static_cast<std::uint32_t>(ways.size() - 1);
}

[[gnu::noinline]] RacedAccess check_unordered(Team& team, Access access, Target const& target, Piece const& piece, bool count,
                                              Runner const& r, Unordered found) {
  found = without_atomic_code(found, access, piece, r);
  if (found.mark != nullptr && team.order_log() != nullptr) found = unordered_conflict(team, access, piece, r);
  if (found.mark == nullptr) {
    record_access(team, access, target, piece, r);
    return {};
  }
  found.kind = access_kind(is_write(found.kind), is_part_of_atomic(is_atomic(found.kind), found.mark->site));
  Conflict conflict{found};
  if (access.is_write() && team.due().reads) {
    bool const whole = target.line != nullptr ? target.line->per_byte == nullptr
                                              : &piece.first == Scratch::cells_at(piece.address);
    team.checks().raced_stores.add(piece.address, whole ? 4 : 1, access.is_atomic(), r.me, hot.lane->lane.vector_length);
  }
  Mark other = *conflict.mark;
  RacedWords::Told* const told = target.scratch ? nullptr : note_raced(team, access, piece, other, conflict.kind);
  bool const tells = told == nullptr || !told->is;
  conflict.mark = &other;
  conflict.readers = readers_of(piece);
  conflict.scopes = hot.lane->scopes;
  std::optional<Handover> handover;
  if (count && tells && !target.scratch && options().enabled(Rule::unfenced_handover) &&
      team.cuda_orders(conflict.mark->who) == nullptr)
    handover = find_handover(team, {0, who::lane(conflict.mark->who), conflict.mark->who >> who::stamp_shift,
                                    conflict.mark->site, is_atomic(conflict.kind)});
  Rule const rule = target.scratch                   ? Rule::scratch_race
                    : !tells                         ? told->key.rule
                    : handover && !handover->of_word ? Rule::unfenced_handover
                                                     : Rule::global_race;
  bool const stores = access.kind == AccessKind::write;
  bool const same_thread = r.same_thread(conflict.mark->who);
  // The value to come decides between a race and a harmless store of what is there already.
  // Scratch that nothing has written holds none: what an earlier team left there may be equal by chance.
  bool const has_value = !target.scratch || piece.first.write.who != 0;
  bool const deferred = stores && access.bytes <= StoreToCome::most_bytes &&
                        ((same_thread && has_value) || conflict.kind == AccessKind::write) &&
                        !(same_thread && updates_in_vector_loop(access, piece, r));
  Site const a = access.site, b = other.site;
  // What --sync portable alone finds is a finding of its own.
  std::uint64_t const alone = team.cuda_orders(other.who) != nullptr ? 1ull << 63 : 0;
  Key key{rule, access.is_write() ? a : b, access.is_write() ? b : a, data_id(team, target) ^ alone};
  if (told != nullptr) {
    if (!tells)
      key = told->key;
    else if (count)  // what another word of the access told of it stands for this one, but for no other access to it
      *told = {true, key};
    told->count += count;
  }
  RacedAccess const raced{true, told == nullptr};
  if (deferred) {
    if (count) {
      PendingStore& store = add_pending(team);
      store.begin(access);
      store.same_thread = same_thread;
      store.result = hot.lane->storing_result;
      store.scratch = target.scratch;
      store.word = target.address;
      store.site = access.site;
      store.key = key;
      TeamChecks& checks = team.checks();
      if (target.scratch || checks.found->global_stores.wants(key, target.address, same_thread)) {
        checks.pending_races.push_back({access.address, access.bytes, access.site, target.address, target.scratch, other,
                                        conflict.kind, conflict.readers, conflict.scopes, way_here(checks), handover});
        // Lanes of two threads: whatever the value, there will be a finding. Within a team it decides the rule.
        bool const of_team = team.launch().facts.config.lanes_meet();
        if (tells && !same_thread && !store.result && options().enabled(rule) &&
            (!of_team || options().enabled(Rule::same_value)) && is_news(rule, a, b))
          notify_of_new(describe(team, access, call_stack(), target, conflict, handover), team.launch().facts,
                        of_team ? LaneIs::before_the_value : LaneIs::at_the_access);
      }
    }
  } else if (count && options().enabled(rule)) {
    if (tells || findings(team).find(key) != nullptr)
      add_finding(team, key, [&] { return describe(team, access, call_stack(), target, conflict, handover); });
    else
      count_race_of_stores(team, key);
  }
  Who const writer = piece.first.write.who;
  bool const threads_own = who::stamp(writer) >= r.thread_writes && r.same_thread(writer);
  // The lane's own store, of which a reader of its thread has made this one a deferred one, stands alone: not for two.
  if (deferred && same_thread && threads_own && !r.same_lane(writer) && !(writer & who::atomic)) {
    piece.second.write = {access.site, r.me};
    piece.first.write.who |= who::several | who::redundant;
  } else {
    record_access(team, access, target, piece, r);
    if (deferred && same_thread) piece.first.write.who |= who::redundant;
  }
  if (deferred && hot.lane->storing_result) piece.first.write.who |= who::result;
  if (deferred && target.line != nullptr)
    team.shadow().mark_earlier(*target.line, piece.address / 4 % Line::words, access.site,
                               piece.first.write.who & (who::redundant | who::result));
  return raced;
}

}  // namespace

RacedAccess check_race(Team& team, Access const& access, Target const& target, Piece const& piece, bool count) {
  Runner const r = team.runner();
  Unordered const found = find_conflict(access, piece, r);
  if (found.mark != nullptr) [[unlikely]] return check_unordered(team, access, target, piece, count, r, found);
  record_access(team, access, target, piece, r);
  return {};
}

}  // namespace teamsan::detect
