// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Ledger.hpp"

#include "Semantics.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace property {

using teamsan::Rule;

namespace {

bool updates_device_memory(Program const& program, std::vector<Statement> const& body) {
  return std::any_of(body.begin(), body.end(), [&](Statement const& s) {
    bool const updates = s.leaf.to.array >= 0 && s.leaf.atomic != AtomicOperation::none &&
                         is_global(program.arrays[static_cast<std::size_t>(s.leaf.to.array)].place);
    return updates || updates_device_memory(program, s.body);
  });
}

}  // namespace

Ledger::Ledger(Program const& program, Verdict& verdict) : m_program(program), m_verdict(verdict) {
  m_elements.resize(program.arrays.size());
  m_decided.resize(program.arrays.size());
  for (std::size_t k = 0; k < program.arrays.size(); ++k) {
    Array const& array = program.arrays[k];
    if (!is_global(array.place)) continue;
    m_elements[k].resize(array.size *
                         static_cast<std::size_t>(array.place == Place::global_slice ? program.teams : 1));
    for (std::size_t i = 0; array.filled && i < m_elements[k].size(); ++i) {
      m_elements[k][i].value = narrow(filling(static_cast<int>(k), i), array.width);
      m_elements[k][i].written = true;
    }
  }
}

void Ledger::begin_kernel(Kernel const& kernel) {
  ++m_kernel;
  m_decided.assign(m_decided.size(), false);
  m_flat = !kernel.team;
  m_kernel_now = &kernel;
  m_updates = updates_device_memory(m_program, kernel.body);
  m_turn = -1;
  m_last.clear();
  m_ordered_teams = kernel.chain != Chain::none && kernel.fences;
  m_vector_length = m_flat ? 1 : kernel.vector_length;
  m_thread_epoch.assign(static_cast<std::size_t>(m_flat ? kernel.body.at(0).count : kernel.team_size), 0);
  for (std::size_t k = 0; k < m_elements.size(); ++k) {
    Array const& array = m_program.arrays[k];
    if (is_global(array.place)) continue;
    m_elements[k].resize(array.size * (is_per_thread(array.place) ? m_thread_epoch.size() : 1));
  }
}

void Ledger::begin_team(int league) {
  m_league = league;
  ++m_turn;
  m_met = false;
  ++m_interval;
  for (std::size_t k = 0; k < m_elements.size(); ++k)
    if (!is_global(m_program.arrays[k].place))
      for (Element& element : m_elements[k]) element.written = false;
}

void Ledger::team_meeting() {
  for (UninitRead const& u : m_uninit) decide_uninit(u);
  m_uninit.clear();
  for (auto const& [array, element] : m_clashes) decide_clash(array, *element);
  m_clashes.clear();
  ++m_interval;
  m_met = true;
}

/// A store of another lane that nothing orders with the read: then their race is the finding, and nothing
/// else.
void Ledger::decide_uninit(UninitRead const& u) {
  auto const races = [&](Accessor const& other) {
    return other.lane != u.who.lane &&
           (thread_of(other.lane) != thread_of(u.who.lane) || other.thread_epoch == u.who.thread_epoch);
  };
  auto const& writes = u.element->of[static_cast<int>(AccessKind::write)];
  bool const raced = std::any_of(writes.begin(), writes.end(), races);
  if (raced) return;
  auto const& reads = u.element->of[static_cast<int>(AccessKind::read)];
  // Items of a flat kernel that are teams of the simulated GPU: see decide_uninit_between_teams.
  bool maybe =
      (m_flat && (!writes.empty() || !u.element->of[static_cast<int>(AccessKind::update)].empty()) &&
                std::any_of(reads.begin(), reads.end(), races));
  if (!u.atomic)
    for (Accessor const& update : u.element->of[static_cast<int>(AccessKind::update)]) {
      if (!races(update)) continue;
      if (!is_extremum(update.value)) return;
      maybe = true;  // if the update changes nothing, it is a read
    }
  if (!is_global(m_program.arrays[static_cast<std::size_t>(u.array)].place))
    (maybe ? m_verdict.possible : m_verdict.certain).insert({Rule::uninit_scratch, u.array});
  else if (maybe)
    possible(Rule::uninit_global, u.array);
  else
    m_uninit_global.push_back(u);
}

/// Lanes stored different values without order. That the stores race is certain; that two values are seen to
/// meet is not: a thread may store another's value later, and of a lane the value counts that it leaves
/// behind.
void Ledger::decide_clash(int array, Element const& element) {
  auto const& writes = element.of[static_cast<int>(AccessKind::write)];
  std::map<int, std::set<std::uint64_t>> threads;                               // the values of each
  std::map<std::pair<int, std::uint32_t>, std::map<int, std::uint64_t>> turns;  // the last one of each lane
  for (Accessor const& w : writes) {
    threads[thread_of(w.lane)].insert(w.value);
    turns[{thread_of(w.lane), w.thread_epoch}][w.lane] = w.value;
  }
  auto const all_meet = [](std::vector<std::set<std::uint64_t>> groups) {
    std::set<std::uint64_t> together = groups.back();
    groups.pop_back();
    for (bool grown = true; grown;) {
      grown = false;
      for (auto g = groups.begin(); g != groups.end();) {
        bool const shares = std::any_of(g->begin(), g->end(), [&](auto v) { return together.contains(v); });
        if (shares) together.insert(g->begin(), g->end()), grown = true;
        g = shares ? groups.erase(g) : std::next(g);
      }
    }
    return groups.empty();
  };
  std::vector<std::set<std::uint64_t>> groups;
  for (auto const& [thread, values] : threads) groups.push_back(values);
  bool seen = !all_meet(groups);
  for (auto const& [turn, lanes] : turns) {
    if (lanes.size() < 2) continue;
    groups.clear();
    for (auto const& [lane, value] : lanes) groups.push_back({value});
    for (auto const& [thread, values] : threads)
      if (thread != turn.first) groups.push_back(values);
    // Other threads' values may lie between, which alone are no difference of these lanes'.
    bool const differ = std::any_of(lanes.begin(), lanes.end(),
                                    [first = lanes.begin()->second](auto const& l) { return l.second != first; });
    seen |= differ && !all_meet(groups);
  }
  if (seen) m_verdict.different.insert(array);
  (seen || threads.size() > 1 ? m_verdict.certain : m_verdict.possible).insert({race(array), array});
}

void Ledger::end_team() {
  m_last.push_back(m_interval);
  team_meeting();
}

void Ledger::end_kernel() {
  for (UninitRead const& u : m_uninit_global) decide_uninit_between_teams(u);
  m_uninit_global.clear();
}

/// Teams meet in league order: the first one to touch an element stands for those before.
void Ledger::decide_uninit_between_teams(UninitRead const& u) {
  Teams const &readers = u.element->teams[0], &writers = u.element->teams[1], &updaters = u.element->teams[2];
  bool const extremum = is_extremum(static_cast<std::uint64_t>(u.element->operation));
  bool const first = std::none_of(std::begin(u.element->teams), std::end(u.element->teams),
                                  [&](Teams const& t) { return t.first >= 0 && t.first < u.team; });
  // In a chain those teams came later: whether atomics ordered them before or after is not asked.
  if (m_ordered_teams && (writers.others(u.team) || updaters.others(u.team)))
    return possible(Rule::uninit_global, u.array);
  if (writers.others(u.team)) return;  // their race is the finding
  if (updaters.others(u.team) && !u.atomic && !extremum) return;
  bool const alone = !readers.others(u.team) && !updaters.others(u.team);
  bool const only_atomics = u.atomic && !readers.others(u.team) && readers.first < 0 && writers.first < 0;
  bool const only_read = readers.first >= 0 && writers.first < 0 && updaters.first < 0;
  (alone || only_read || (first && only_atomics) ? m_verdict.certain : m_verdict.possible)
      .insert({Rule::uninit_global, u.array});
}

std::uint64_t Ledger::narrowed(int array, std::uint64_t value) const {
  return narrow(value, m_program.arrays[static_cast<std::size_t>(array)].width);
}

std::uint32_t Ledger::size(int array) const {
  Array const& a = m_program.arrays[static_cast<std::size_t>(array)];
  return m_flat && a.place == Place::global_slice ? a.size * static_cast<std::uint32_t>(m_program.teams)
                                                  : a.size;
}

Ledger::Element* Ledger::find(int array, std::uint64_t place, int lane, int league) {
  Array const& a = m_program.arrays[static_cast<std::size_t>(array)];
  auto& elements = m_elements[static_cast<std::size_t>(array)];
  std::uint64_t index = place;
  if (a.place == Place::global_slice && !m_flat)
    index += static_cast<std::uint64_t>(league % m_program.teams) * a.size;
  if (is_per_thread(a.place)) index += static_cast<std::uint64_t>(thread_of(lane)) * a.size;
  // Past a thread's part lies a gap, past a slice the next one.
  if (index >= elements.size() || (is_per_thread(a.place) && place >= a.size)) {
    certain(Rule::out_of_bounds, -1);
    return nullptr;
  }
  Element& element = elements[index];
  if (element.interval != m_interval) {
    element.interval = m_interval;
    for (auto& list : element.of) list.clear();
    element.clash = false;
  }
  if (element.kernel != m_kernel) {
    element.kernel = m_kernel;
    for (Teams& teams : element.teams) teams = {};
    element.links.clear();
    element.operation = AtomicOperation::none;
  }
  return &element;
}

bool Ledger::ordered(Accessor const& earlier, int lane) const {
  if (earlier.lane == lane) return true;
  int const thread = thread_of(lane);
  return thread_of(earlier.lane) == thread &&
         earlier.thread_epoch < m_thread_epoch[static_cast<std::size_t>(thread)];
}

Rule Ledger::race(int array) const {
  return is_global(m_program.arrays[static_cast<std::size_t>(array)].place) ? Rule::global_race
                                                                            : Rule::scratch_race;
}

/// What the reader, or a lane ordered before it by a meeting of their thread, has stored there itself in this
/// interval.
void Ledger::recall(Element const& element, Accessor& reader) const {
  auto const& writes = element.of[static_cast<int>(AccessKind::write)];
  auto const own = std::find_if(writes.rbegin(), writes.rend(),
                                [&](Accessor const& w) { return ordered(w, reader.lane); });
  reader.knows = own != writes.rend();
  reader.value = reader.knows ? own->value : 0;
  reader.stored = reader.knows && own->lane == reader.lane && own->thread_epoch == reader.thread_epoch;
}

/// Kokkos looks first whether an atomic maximum or minimum would change anything.
bool Ledger::is_extremum(std::uint64_t operation) {
  return operation == static_cast<std::uint64_t>(AtomicOperation::max) ||
         operation == static_cast<std::uint64_t>(AtomicOperation::min);
}

void Ledger::check_pair(int array, Element& element, Accessor const& earlier, AccessKind before,
                        Accessor const& now, AccessKind access) {
  if (ordered(earlier, now.lane)) return;
  bool const same_thread = thread_of(earlier.lane) == thread_of(now.lane);
  if (before == AccessKind::write && access == AccessKind::write) {
    // The vector lanes of a thread may all store one value: a redundant store.
    if (earlier.value == now.value && same_thread) {
      m_verdict.redundant.insert({race(array), array});
      return;
    }
    possible(Rule::same_value, array);  // another order may give other values
    possible(race(array), array);
    if (earlier.value != now.value) m_clashes.emplace_back(array, &element), element.clash = true;
  } else if (before != AccessKind::update && access != AccessKind::update) {
    bool const reads = access == AccessKind::read;
    Accessor const &reader = reads ? now : earlier, &writer = reads ? earlier : now;
    bool const known = reader.knows && earlier.value == now.value;
    // One thread's lanes may store and read one value. What other threads store is then a same-value warning,
    // and whether more is said hangs on the order.
    if (known && same_thread) return;
    // Where the reader stored another value itself, the two stores are what races: decide_clash.
    bool const clash = reader.knows && (!same_thread || reader.stored);
    (known || clash || (same_thread && writer.keeps) ? m_verdict.possible : m_verdict.certain)
        .insert({race(array), array});
  } else if (same_thread && now.keeps) {
    possible(race(array), array);
  } else if (before == AccessKind::read ? is_extremum(now.value)
                                  : is_extremum(earlier.value) && access == AccessKind::read) {
    possible(race(array), array);  // if the update changed nothing, it was a read
  } else {
    certain(race(array), array);
  }
}

/// Of a chain of teams with fences: lane 0 waits for the flag of the team before, and sets the team's own.
Ledger::Ordered Ledger::ordered(Link const& earlier, Link const& now) const {
  int const middle = middle_of(m_kernel_now->league);
  // An acquire needs no fence: an update that a team makes after its turn has come may be seen by one that is late.
  Ordered const unless_updates = m_updates ? Ordered::perhaps : Ordered::no;
  if (m_kernel_now->hurried && earlier.turn < middle && now.turn >= middle) return unless_updates;
  bool const late = !m_kernel_now->barrier_before_flag && earlier.lane != 0 &&
                    earlier.interval == m_last[static_cast<std::size_t>(earlier.turn)];
  bool const early = !m_kernel_now->barrier_after_flag && now.early && now.lane != 0;
  // Its thread meets at the single, too, in which it waits.
  bool const perhaps = (late && thread_of(earlier.lane) == 0) || (early && thread_of(now.lane) == 0);
  if (late && thread_of(earlier.lane) != 0) return Ordered::no;
  if (early && thread_of(now.lane) != 0) return unless_updates;
  return perhaps ? Ordered::perhaps : Ordered::yes;
}

void Ledger::check_chain(int array, Element& element, int lane, AccessKind access) {
  Link const now{m_turn, lane, m_interval, !m_met, access};
  for (Link const& earlier : element.links) {
    if (earlier.turn == m_turn || (access == AccessKind::read && earlier.access == AccessKind::read) ||
        (access == AccessKind::update && earlier.access == AccessKind::update))
      continue;
    Ordered const order = ordered(earlier, now);
    if (order == Ordered::yes) continue;
    // An update of the same element may be what orders the two.
    bool const sure = order == Ordered::no && access != AccessKind::update && earlier.access != AccessKind::update;
    (sure ? m_verdict.certain : m_verdict.possible).insert({Rule::global_race, array});
  }
  if (element.links.empty() || element.links.back() != now) element.links.push_back(now);
}

void Ledger::check_teams(int array, Element& element, int lane, AccessKind access, std::uint64_t value) {
  if (m_ordered_teams) check_chain(array, element, lane, access);
  constexpr AccessKind all[] = {AccessKind::read, AccessKind::write, AccessKind::update};
  for (AccessKind const other : all) {
    bool const conflict = (access != AccessKind::read || other != AccessKind::read) &&
                          (access != AccessKind::update || other != AccessKind::update);
    if (m_ordered_teams || !conflict || !element.teams[static_cast<int>(other)].others(m_league)) continue;
    bool const extremum = (access == AccessKind::update && other == AccessKind::read && is_extremum(value)) ||
                          (access == AccessKind::read && other == AccessKind::update &&
                           is_extremum(static_cast<std::uint64_t>(element.operation)));
    (extremum ? m_verdict.possible : m_verdict.certain).insert({Rule::global_race, array});
  }
  element.teams[static_cast<int>(access)].add(m_league);
}

void Ledger::check(int array, Element& element, int lane, AccessKind access, std::uint64_t value) {
  Accessor now{lane, m_thread_epoch[static_cast<std::size_t>(thread_of(lane))], value};
  now.keeps = access == AccessKind::write && element.written && element.value == value;
  if (access == AccessKind::read) recall(element, now);
  for (AccessKind const other : {AccessKind::read, AccessKind::write, AccessKind::update}) {
    if ((access == AccessKind::read && other == AccessKind::read) ||
        (access == AccessKind::update && other == AccessKind::update))
      continue;
    for (Accessor const& earlier : element.of[static_cast<int>(other)]) {
      if (m_decided[static_cast<std::size_t>(array)]) break;
      if (element.clash && access == AccessKind::write && other == AccessKind::write)
        break;  // all of them count at the end
      check_pair(array, element, earlier, other, now, access);
      m_decided[static_cast<std::size_t>(array)] =
          m_verdict.certain.contains({race(array), array}) && m_verdict.different.contains(array);
    }
  }
  if (is_global(m_program.arrays[static_cast<std::size_t>(array)].place) && !m_flat)
    check_teams(array, element, lane, access, value);
  auto& list = element.of[static_cast<int>(access)];
  bool const again = !list.empty() && list.back().lane == lane &&
                     list.back().thread_epoch == now.thread_epoch && list.back().value == now.value &&
                     list.back().knows == now.knows;
  if (!again || access == AccessKind::write) list.push_back(now);
}

/// A maximum and a sum, say, give one result only in one order.
void Ledger::check_operation(Element& element, int lane, AtomicOperation operation) {
  auto const& updates = element.of[static_cast<int>(AccessKind::update)];
  m_verdict.unsteady |= std::any_of(updates.begin(), updates.end(), [&](Accessor const& earlier) {
    return earlier.value != static_cast<std::uint64_t>(operation) && !ordered(earlier, lane);
  });
  m_verdict.unsteady |= !m_ordered_teams && element.operation != AtomicOperation::none &&
                        element.operation != operation &&
                        element.teams[static_cast<int>(AccessKind::update)].others(m_league);
  if (element.operation == AtomicOperation::none) element.operation = operation;
}

void Ledger::note_uninit(int array, Element& element, int lane, bool atomic) {
  if (element.written) return;
  m_uninit.push_back({array,
                      &element,
                      {lane, m_thread_epoch[static_cast<std::size_t>(thread_of(lane))], 0},
                      atomic,
                      m_league});
}

std::uint64_t Ledger::read(int array, std::uint64_t place, int lane, int league) {
  Element* const element = find(array, place, lane, league);
  if (element == nullptr) return 0;
  check(array, *element, lane, AccessKind::read, 0);
  note_uninit(array, *element, lane, false);
  return element->value;
}

void Ledger::write(int array, std::uint64_t place, int lane, int league, std::uint64_t value) {
  Element* const element = find(array, place, lane, league);
  if (element == nullptr) return;
  value = narrow(value, m_program.arrays[static_cast<std::size_t>(array)].width);
  check(array, *element, lane, AccessKind::write, value);
  element->value = value;
  element->written = true;
}

void Ledger::update(int array, std::uint64_t place, int lane, int league, AtomicOperation operation,
                    std::uint64_t value) {
  Element* const element = find(array, place, lane, league);
  if (element == nullptr) return;
  std::uint32_t const width = m_program.arrays[static_cast<std::size_t>(array)].width;
  check_operation(*element, lane, operation);
  check(array, *element, lane, AccessKind::update, static_cast<std::uint64_t>(operation));
  note_uninit(array, *element, lane, true);
  element->value = narrow(updated(operation, element->value, narrow(value, width)), width);
  element->written = true;
}

void Ledger::store_device_memory(Result& result) const {
  result.arrays.resize(m_elements.size());
  result.written.resize(m_elements.size());
  for (std::size_t k = 0; k < m_elements.size(); ++k) {
    if (!is_global(m_program.arrays[k].place)) continue;
    for (Element const& element : m_elements[k]) {
      result.arrays[k].push_back(element.value);
      result.written[k].push_back(element.written);
    }
  }
}

}  // namespace property
