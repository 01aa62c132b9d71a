// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Uninit.hpp"

#include "../base/MemoryName.hpp"
#include "../base/Options.hpp"
#include "../base/Shard.hpp"
#include "Checker.hpp"
#include "SharedWords.hpp"
#include "UnseenStore.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/UserSite.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../places/AtomicCode.hpp"
#include "../places/Enclosing.hpp"
#include "../places/SourceFile.hpp"
#include "../places/Symbolizer.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace teamsan::detect {

bool is_number(std::string_view type) {
  constexpr std::string_view words[] = {"signed",   "unsigned", "short",  "long",     "char",    "int",
                                        "bool",     "float",    "double", "__int128", "char8_t", "char16_t",
                                        "char32_t", "wchar_t",  "const",  "volatile"};
  while (!type.empty()) {
    std::size_t const end = std::min(type.find(' '), type.size());
    if (std::find(std::begin(words), std::end(words), type.substr(0, end)) == std::end(words)) return type.ends_with('*');
    type.remove_prefix(std::min(end + 1, type.size()));
  }
  return true;
}

RawFinding uninit_finding(UninitRead const& u, Data data) {
  RawFinding f;
  f.rule = u.key.rule;
  f.data = std::move(data);
  RawSide side;
  side.access = AccessKind::read;
  side.bytes = u.bytes;
  side.lane = {true, u.league, u.lane};
  side.has_interval = true;
  side.interval = u.interval;
  side.site = u.told;
  f.sides.push_back(std::move(side));
  if (u.scratch) {
    f.title = "read of team scratch that no lane of this team has written";
    f.why = {because(Reason::scratch_not_zeroed)};
    f.fix = remedy(Cure::write_scratch_first);
  } else {
    f.title = std::string("read of ") + memory_name(u.address) + " that nothing has written";
    bool const of_numbers = is_number(f.data.element_type);
    f.why = {because(of_numbers ? Reason::never_initialised : Reason::never_constructed)};
    f.fix = remedy(f.data.shape.empty() ? Cure::initialise_memory : of_numbers ? Cure::initialise : Cure::initialise_members);
  }
  return f;
}

namespace {

/// Who wrote the bytes last, as the team knows now.
Who writer_of(Team& team, UninitRead const& u) { return cell_at(team, u.scratch, u.address).write.who; }

/// Has another lane written in this interval, in no order with the reader?
bool unordered(Who writer, Who reader, ThreadOrder order) {
  if (writer & who::many) return true;
  if (who::lane(writer) / order.vector_length != who::lane(reader) / order.vector_length) return true;
  // Another lane's store behind the reader's own is one of the raced stores.
  bool const others = who::lane(writer) != who::lane(reader);
  auto const lies_between = [&](ThreadMeeting const& met) {
    return met.thread == who::lane(writer) / order.vector_length && who::stamp(reader) < met.stamp &&
           met.stamp <= who::stamp(writer);
  };
  return others && std::none_of(order.meetings.begin(), order.meetings.end(), lies_between);
}

}  // namespace

UninitRead UninitReads::Run::operator[](std::uint32_t i) const {
  UninitRead read = first;
  read.address += static_cast<std::uintptr_t>(step) * i;
  if (read.unseen_store != 0) read.unseen_store += static_cast<std::uintptr_t>(step) * i;
  read.who += lanes * i;
  read.lane = who::lane(read.who);
  return read;
}

/// Is it the next one?
bool UninitReads::Run::take(UninitRead const& read) {
  UninitRead const last = (*this)[reads - 1];
  bool const alike = read.bytes == first.bytes && read.league == first.league && read.interval == first.interval &&
                     read.atomic == first.atomic && read.site == first.site && read.told == first.told && reads != ~0u &&
                     read.from_there == first.from_there &&
                     (read.unseen_store == 0 ? first.unseen_store == 0
                                             : read.unseen_store - read.address == first.unseen_store - first.address);
  auto const distance = static_cast<std::int64_t>(read.address - last.address);
  Who const to_next = read.who - last.who;
  bool const same_stamp = who::stamp(read.who) == who::stamp(last.who);
  if (!alike || !same_stamp || (reads != 1 && (distance != step || to_next != lanes))) return false;
  step = distance;
  lanes = to_next;
  ++reads;
  return true;
}

void UninitReads::add(UninitRead const& read) {
  auto const [latest, fresh] = m_latest.try_emplace(read.key, m_runs.size());
  if (!fresh && m_runs[latest->second].take(read)) return;
  if (!fresh && m_runs.size() >= most_runs) {
    m_full = true;
    return;
  }
  latest->second = m_runs.size();
  m_runs.push_back({read});
}

void UninitReads::append(UninitReads const& team) {
  m_full = m_full || team.m_full;
  for (Run const& run : team.m_runs) {
    auto const [latest, fresh] = m_latest.try_emplace(run.first.key, m_runs.size());
    if (!fresh && m_runs.size() >= most_runs) {
      m_full = true;
      continue;
    }
    latest->second = m_runs.size();
    m_runs.push_back(run);
  }
}

bool UninitReads::has_word(std::uintptr_t word_address) const {
  return std::any_of(m_runs.begin(), m_runs.end(), [&](Run const& run) {
    if (run.step == 0) return (run.first.address & ~std::uintptr_t{3}) == word_address;
    // Which of the run lies at the first byte of the word, or next to that.
    std::int64_t const near = static_cast<std::int64_t>(word_address - run.first.address) / run.step;
    for (std::int64_t i = std::max<std::int64_t>(near - 3, 0); i <= std::min<std::int64_t>(near + 3, run.reads - 1); ++i)
      if ((run[static_cast<std::uint32_t>(i)].address & ~std::uintptr_t{3}) == word_address) return true;
    return false;
  });
}

void UninitReads::clear() {
  m_runs.clear();
  m_latest.clear();
  m_full = false;
}

void RacedStores::add(std::uintptr_t address, std::uint32_t bytes, bool atomic, Who who, std::uint32_t vector_length) {
  auto const [at, fresh] = (atomic ? m_atomic : m_plain).try_emplace(address, Store{bytes, who});
  if (fresh) return;
  Store& store = at->second;
  store.bytes = std::max(store.bytes, bytes);
  if (who::lane(store.first) / vector_length != who::lane(who) / vector_length)
    store.first |= who::many;
  else if (who::lane(store.first) != who::lane(who) && store.second == 0)
    store.second = who;
}

bool RacedStores::race_with(UninitRead const& read, ThreadOrder order) const {
  return race(m_plain, read, order) ||
         (!m_atomic.empty() && !is_part_of_atomic(read.atomic, read.site) && race(m_atomic, read, order));
}

bool RacedStores::race(Stores const& stores, UninitRead const& read, ThreadOrder order) {
  constexpr std::uintptr_t widest = 4;
  for (auto at = stores.lower_bound(read.address - (widest - 1)); at != stores.end(); ++at) {
    auto const& [address, store] = *at;
    if (address >= read.address + read.bytes) return false;
    if (address + store.bytes <= read.address) continue;
    if (unordered(store.first, read.who, order)) return true;
    if (store.second != 0 && unordered(store.second, read.who, order)) return true;
  }
  return false;
}

namespace {

/// Clang stores to a bit-field as a load, and a store, of the word that holds it, both at the `=`. (GCC gives the load of
/// any `x = p[i];` that column, and does not report those of bit-fields.)
bool stores_bit_field(UninitRead const& u) {
  auto const& frames = frames_of(u.site);
  return !frames.empty() && frames.front().clang &&
         is_plain_assignment(frames.front().file, frames.front().line, frames.front().column);
}

Element scratch_element(Team& team, std::uintptr_t address) {
  // Kokkos aligns a View in scratch to its element's size, to 8 bytes at least.
  ScratchPiece const* const piece = team.scratch().piece_near(address);
  if (piece == nullptr || piece->alignment <= 8) return {};
  return {address - (address - piece->begin) % piece->alignment, piece->alignment};
}

/// Of a candidate whose interval ends: the Cells of its team know.
bool is_of_no_value(Team& team, UninitRead const& u, Who writer) {
  Element const element = u.scratch ? scratch_element(team, u.address) : global_element(u.address);
  if (element.bytes > u.bytes && !u.scratch && !shard.records_all(element.begin, element.bytes)) return true;  // who knows
  bool const wrote = who::lane(writer) == u.lane && who::touched(writer);
  return is_of_no_value(u, wrote, element, [&](std::uintptr_t a) {
    Cell const& cell = cell_at(team, u.scratch, a);
    Neighbour neighbour{cell.write.who != 0, {}};
    if (who::touched(cell.read.who)) neighbour.readers = {cell.read.site};
    return neighbour;
  });
}

}  // namespace

Element global_element(std::uintptr_t address) {
  Allocation const* const a = find_allocation(address);
  if (a == nullptr || !a->shape.known() || a->shape.element_bytes <= 4) return {};
  return {address - (address - a->data()) % a->shape.element_bytes, a->shape.element_bytes};
}

/// Clang copies a struct in pieces, its padding among them, all at one place: then other pieces of it were written.
bool is_of_no_value(UninitRead const& u, bool wrote, Element const& element,
                    std::function<Neighbour(std::uintptr_t)> const& neighbour) {
  if (wrote && stores_bit_field(u)) return true;
  if (element.bytes <= u.bytes) return false;
  for (std::uintptr_t a = element.begin; a < element.begin + element.bytes; a += 4 - a % 4) {
    Neighbour const n = neighbour(a);
    for (Site const site : n.readers)
      if (n.written && site != u.site && (site == Site{} || same_place(site, u.site))) return true;
  }
  return false;
}

namespace {

/// See UninitRead::shared_out. What the line that reads has stored itself, as a sum does, is no clearing.
Site shared_out_at(Team& team, std::uintptr_t address, Site reading) {
  ScratchPiece const* const piece = team.scratch().piece_near(address);
  if (piece == nullptr || !piece->per_thread) return {};
  std::uint32_t looked_at = 0;
  for (std::uintptr_t a = piece->begin; a < piece->begin + piece->bytes; a += 4) {
    Mark const& write = cell_at(team, true, a).write;
    if (write.who == 0) continue;
    Site const site = write.site;
    Place const place = user_place(site), reader = user_place(reading);
    bool const own = place.line == reader.line && place.path == reader.path;
    if (!own && enclosing_constructs(place).has(Construct::team_thread_range)) return site;
    if (++looked_at == 16) break;
  }
  return {};
}

}  // namespace

void note_uninit(Team& team, Access const& access, Target const& target) {
  Rule const rule = target.scratch ? Rule::uninit_scratch : Rule::uninit_global;
  if (!target.scratch && may_be_written_unseen(target.address)) return;
  bool const enabled = options().enabled(rule);
  if (!enabled && hot.trace_next == nullptr) return;  // a replay may enable it
  // What an atomic to device memory finds there may hang on when other teams' atomics ran.
  std::uintptr_t const unseen = !target.scratch && access.is_atomic() ? 0 : unseen_store(team, access, target);
  if (!enabled || (target.scratch && unseen != 0)) return;
  Site const told = users_call(access.site);
  Key const key{rule, told, Site{}, data_id(team, target)};
  bool const fresh = !team.checks().uninit.knows(key);
  UninitRead const read{key,
                        target.address,
                        access.bytes,
                        hot.lane->lane.index,
                        team.league_rank(),
                        team.interval(),
                        access.site,
                        told,
                        target.scratch,
                        access.is_atomic(),
                        hot.me,
                        unseen,
                        fresh && target.scratch ? shared_out_at(team, target.address, access.site) : Site{},
                        static_cast<std::uint32_t>(access.address + access.bytes - target.address)};
  team.checks().uninit.add(read);
  team.due().reads = true;
  if (unseen != 0) return;
  // Verdicts wait for the end of the interval, or of the launch; a person at the debugger wants to be there now.
  if (!options().gdb || !is_news(rule, told, Site{})) return;
  RawFinding f = uninit_finding(read, describe(team, target, access.bytes));
  f.title += " so far";
  notify_of_new(f, team.launch().facts, LaneIs::at_the_access);
}

void end_interval(Team& team, Who floor) {
  ThreadOrder const order{team.vector_length(), team.thread_meetings()};
  UninitReads& reads = team.checks().uninit;
  UninitReads& global = team.checks().found->uninit;
  reads.for_each([&](UninitRead const& u) {
    if (team.checks().raced_stores.race_with(u, order)) return;
    Who const w = writer_of(team, u);
    // Written in this very interval by another lane: unordered with the read, so a race, reported as such.
    bool const raced = w >= floor && w < who::bytewise && unordered(w, u.who, order);
    bool const both_atomic = (w & who::atomic) && is_part_of_atomic(u.atomic, u.site);
    if (raced && !both_atomic) return;
    if (is_of_no_value(team, u, w)) return;
    if (!u.scratch) return global.add(u);
    auto const make = [&] {
      RawFinding f = uninit_finding(u, describe_scratch(team, u.address, u.bytes));
      if (u.shared_out == Site{}) return f;
      f.why.push_back(because(Reason::own_share_cleared, CodePlace{u.shared_out}));
      f.fix = remedy(Cure::clear_own_scratch);
      return f;
    };
    add_finding(team, u.key, make, LaneIs::gone_on);
  });
  reads.clear();
  team.checks().raced_stores.clear();
}

namespace {

constexpr std::uint64_t no_team = ~std::uint64_t{0};

/// Did another team write the bytes in this launch? Then it raced with the read, or atomics ordered the two. `perhaps`: it may
/// have, since of several teams that update a word by atomics the first alone is known. `first_update`: of FirstUpdates. (A
/// team behind one that crashed may have joined its words, and does not count.)
bool others_wrote(UninitRead const& u, std::uintptr_t address, std::uint32_t bytes, std::uint32_t epoch, bool wide_league,
                  std::uint64_t last_team, bool perhaps, std::uint64_t first_update = no_team) {
  std::uint32_t const read = ((1u << std::min(bytes, 4 - static_cast<std::uint32_t>(address % 4))) - 1) << address % 4;
  auto const wrote = [&](GlobalWord const& g) {
    if ((g.written & read) == 0) return false;  // other bytes of the word, at most
    std::uint64_t const first = g.write_atomic ? std::min(g.team, first_update) : g.team;
    bool const by_another = first != u.league && first <= last_team;
    return (g.written_by_first() != 0 && (by_another || (perhaps && g.write_atomic))) || g.others_wrote;
  };
  std::uintptr_t const word = address & ~std::uintptr_t{3};
  GlobalWord const g = global_shadow::load(word, wide_league);
  if (g.epoch != epoch) return false;
  if (!g.split) return wrote(g);
  GlobalWord const* const first = global_shadow::split_word(word) + address % 4;
  return std::any_of(first, first + std::min<std::size_t>(bytes, 4 - address % 4), wrote);
}

/// Which team comes first of those that began to update bytes by such a loop as a maximum's? Whether a swap follows the load
/// hangs on who comes first as they run, so that the first one that wrote may be a later team; who is told to have read them
/// must not.
class FirstUpdates {
 public:
  FirstUpdates(UninitReads const& candidates, std::uint32_t epoch, bool wide_league) {
    candidates.for_each([&](UninitRead const& u) {
      if (!is_atomic_loop(u.site)) return;
      GlobalWord const g = word_of(u, wide_league);
      if (g.epoch != epoch || !g.write_atomic || g.team <= u.league) return;
      auto const [first, fresh] = m_first.try_emplace(u.address, u.league);
      if (!fresh) first->second = std::min(first->second, u.league);
    });
  }
  std::uint64_t of(UninitRead const& u) const {
    auto const found = m_first.find(u.address);
    return found != m_first.end() && is_atomic_loop(u.site) ? found->second : no_team;
  }

 private:
  static GlobalWord word_of(UninitRead const& u, bool wide_league) {
    std::uintptr_t const word = u.address & ~std::uintptr_t{3};
    GlobalWord const g = global_shadow::load(word, wide_league);
    return g.split ? global_shadow::split_word(word)[u.address % 4] : g;
  }
  std::unordered_map<std::uintptr_t, std::uint64_t> m_first;
};

}  // namespace

void UninitFindings::add(UninitRead const& read, Counts counts) {
  m_teams[read.key].insert(read.league);
  if (counts == Counts::no || m_findings.count_again(read.key)) return;
  RawFinding finding = uninit_finding(read, describe_global(read.address, read.bytes));
  finding.at_least = counts == Counts::at_least;
  m_findings.add(read.key, std::move(finding));
}

void UninitFindings::end() {
  for (auto const& [key, teams] : m_teams)
    if (RawFinding* const finding = m_findings.find(key)) finding->teams = teams.size();
}

void end_launch(UninitReads& candidates, std::uint32_t epoch, bool wide_league, std::uint64_t last_team,
                SharedWords const& shared, FindingList& findings) {
  auto const word_of = [](UninitRead const& u) { return u.address & ~std::uintptr_t{3}; };
  auto const wrote = [&](UninitRead const& u, std::uintptr_t address, std::uint32_t bytes, bool perhaps = false) {
    return others_wrote(u, address, bytes, epoch, wide_league, last_team, perhaps);
  };
  FirstUpdates const updates(candidates, epoch, wide_league);
  // A counter that all only add to: whoever came first read what nobody had written.
  std::unordered_set<std::uintptr_t> read_by_the_first;
  candidates.for_each([&](UninitRead const& u) {
    if (!u.atomic || !shared.was_always_read_first(word_of(u))) return;
    GlobalWord const g = global_shadow::load(word_of(u), wide_league);
    if (!g.split && u.league == g.team) read_by_the_first.insert(word_of(u));
  });
  candidates.for_each([&](UninitRead const& u) {
    if (u.unseen_store != 0 && !wrote(u, u.unseen_store, 1, true)) note_unseen_store(u.unseen_store);
  });
  UninitFindings found(findings);
  candidates.for_each([&](UninitRead const& u) {
    if (has_unseen_store(u.address)) return;
    bool const before_all = u.atomic && read_by_the_first.contains(word_of(u));
    if (!before_all && others_wrote(u, u.address, u.bytes, epoch, wide_league, last_team, false, updates.of(u))) return;
    found.add(u, candidates.full() ? UninitFindings::Counts::at_least : UninitFindings::Counts::exactly);
  });
  found.end();
  candidates.clear();
}

}  // namespace teamsan::detect

namespace teamsan::events {

using namespace detect;

void interval_ended(Team& team, Who floor) {
  end_interval(team, floor);
  team.due().reads = false;
}

}  // namespace teamsan::events
