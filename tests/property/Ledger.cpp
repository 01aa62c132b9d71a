#include "Ledger.hpp"

#include "Semantics.hpp"

#include <algorithm>

namespace property {

using teamsan::Rule;

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
  m_flat = !kernel.team;
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
  ++m_interval;
  for (std::size_t k = 0; k < m_elements.size(); ++k)
    if (!is_global(m_program.arrays[k].place))
      for (Element& element : m_elements[k]) element.written = false;
}

void Ledger::team_meeting() {
  for (UninitRead const& u : m_uninit) {
    auto const raced = [&](Deed deed) {
      auto const& list = u.element->of[static_cast<int>(deed)];
      return std::any_of(list.begin(), list.end(), [&](Accessor const& other) {
        return other.lane != u.who.lane &&
               (thread_of(other.lane) != thread_of(u.who.lane) || other.thread_epoch == u.who.thread_epoch);
      });
    };
    bool const doubtful = raced(Deed::write) || (!u.atomic && raced(Deed::update));
    if (doubtful)
      possible(is_global(m_program.arrays[static_cast<std::size_t>(u.array)].place) ? Rule::uninit_global
                                                                                    : Rule::uninit_scratch,
               u.array);
    else if (is_global(m_program.arrays[static_cast<std::size_t>(u.array)].place))
      m_uninit_global.push_back(u);
    else
      certain(Rule::uninit_scratch, u.array);
  }
  m_uninit.clear();
  ++m_interval;
}

void Ledger::end_team() { team_meeting(); }

void Ledger::end_kernel() {
  for (UninitRead const& u : m_uninit_global) {
    bool const others = u.element->teams[1].others(u.team) || u.element->teams[2].others(u.team);
    (others ? m_verdict.possible : m_verdict.certain).insert({Rule::uninit_global, u.array});
  }
  m_uninit_global.clear();
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
  }
  if (element.kernel != m_kernel) {
    element.kernel = m_kernel;
    for (Teams& teams : element.teams) teams = {};
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
  auto const& writes = element.of[static_cast<int>(Deed::write)];
  auto const own = std::find_if(writes.rbegin(), writes.rend(),
                                [&](Accessor const& w) { return ordered(w, reader.lane); });
  reader.knows = own != writes.rend();
  reader.value = reader.knows ? own->value : 0;
}

/// Kokkos looks first whether an atomic maximum or minimum would change anything.
bool Ledger::is_extremum(std::uint64_t operation) {
  return operation == static_cast<std::uint64_t>(AtomicOperation::max) ||
         operation == static_cast<std::uint64_t>(AtomicOperation::min);
}

void Ledger::check_pair(int array, Element const& element, Accessor const& earlier, Deed before,
                        Accessor const& now, Deed deed) {
  if (ordered(earlier, now.lane)) return;
  bool const same_thread = thread_of(earlier.lane) == thread_of(now.lane);
  bool const unchanged = deed == Deed::write && element.written && element.value == now.value;
  if (before == Deed::write && deed == Deed::write) {
    // The vector lanes of a thread may all store one value: a redundant store.
    if (earlier.value == now.value && same_thread) {
      m_verdict.redundant.insert({race(array), array});
      return;
    }
    possible(Rule::same_value, array);  // another order may give other values
    if (earlier.value == now.value) return possible(race(array), array);
    certain(race(array), array);
    // Did the other thread itself store this value later? The shadow knows the latest store only.
    auto const& writes = element.of[static_cast<int>(Deed::write)];
    bool const overwritten =
        std::any_of(writes.begin() + (&earlier - writes.data()), writes.end(), [&](Accessor const& w) {
          return w.value == now.value && thread_of(w.lane) == thread_of(earlier.lane);
        });
    if (same_thread || !overwritten) m_verdict.different.insert(array);
  } else if (before != Deed::update && deed != Deed::update) {
    Accessor const& reader = deed == Deed::read ? now : earlier;
    bool const known = reader.knows && earlier.value == now.value;
    // One thread's lanes may store and read one value. What other threads store is then a same-value warning,
    // and whether more is said hangs on the order.
    if (known && same_thread) return;
    (known || (same_thread && unchanged) ? m_verdict.possible : m_verdict.certain)
        .insert({race(array), array});
  } else if (same_thread && unchanged) {
    possible(race(array), array);
  } else if (before == Deed::read ? is_extremum(now.value)
                                  : is_extremum(earlier.value) && deed == Deed::read) {
    possible(race(array), array);  // if the update changed nothing, it was a read
  } else {
    certain(race(array), array);
  }
}

void Ledger::check_teams(int array, Element& element, Deed deed, std::uint64_t value) {
  constexpr Deed all[] = {Deed::read, Deed::write, Deed::update};
  for (Deed const other : all) {
    bool const conflict =
        (deed != Deed::read || other != Deed::read) && (deed != Deed::update || other != Deed::update);
    if (!conflict || !element.teams[static_cast<int>(other)].others(m_league)) continue;
    bool const extremum = (deed == Deed::update && other == Deed::read && is_extremum(value)) ||
                          (deed == Deed::read && other == Deed::update &&
                           is_extremum(static_cast<std::uint64_t>(element.operation)));
    (extremum ? m_verdict.possible : m_verdict.certain).insert({Rule::global_race, array});
  }
  element.teams[static_cast<int>(deed)].add(m_league);
}

void Ledger::check(int array, Element& element, int lane, Deed deed, std::uint64_t value) {
  Accessor now{lane, m_thread_epoch[static_cast<std::size_t>(thread_of(lane))], value, false};
  if (deed == Deed::read) recall(element, now);
  for (Deed const other : {Deed::read, Deed::write, Deed::update}) {
    if ((deed == Deed::read && other == Deed::read) || (deed == Deed::update && other == Deed::update))
      continue;
    for (Accessor const& earlier : element.of[static_cast<int>(other)]) {
      if (m_decided[static_cast<std::size_t>(array)]) break;
      check_pair(array, element, earlier, other, now, deed);
      m_decided[static_cast<std::size_t>(array)] =
          m_verdict.certain.contains({race(array), array}) && m_verdict.different.contains(array);
    }
  }
  if (is_global(m_program.arrays[static_cast<std::size_t>(array)].place) && !m_flat)
    check_teams(array, element, deed, value);
  auto& list = element.of[static_cast<int>(deed)];
  bool const again = !list.empty() && list.back().lane == lane &&
                     list.back().thread_epoch == now.thread_epoch && list.back().value == now.value &&
                     list.back().knows == now.knows;
  if (!again || deed == Deed::write) list.push_back(now);
}

/// A maximum and a sum, say, give one result only in one order.
void Ledger::check_operation(Element& element, int lane, AtomicOperation operation) {
  auto const& updates = element.of[static_cast<int>(Deed::update)];
  m_verdict.unsteady |= std::any_of(updates.begin(), updates.end(), [&](Accessor const& earlier) {
    return earlier.value != static_cast<std::uint64_t>(operation) && !ordered(earlier, lane);
  });
  m_verdict.unsteady |= element.operation != AtomicOperation::none && element.operation != operation &&
                        element.teams[static_cast<int>(Deed::update)].others(m_league);
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
  check(array, *element, lane, Deed::read, 0);
  note_uninit(array, *element, lane, false);
  return element->value;
}

void Ledger::write(int array, std::uint64_t place, int lane, int league, std::uint64_t value) {
  Element* const element = find(array, place, lane, league);
  if (element == nullptr) return;
  value = narrow(value, m_program.arrays[static_cast<std::size_t>(array)].width);
  check(array, *element, lane, Deed::write, value);
  element->value = value;
  element->written = true;
}

void Ledger::update(int array, std::uint64_t place, int lane, int league, AtomicOperation operation,
                    std::uint64_t value) {
  Element* const element = find(array, place, lane, league);
  if (element == nullptr) return;
  std::uint32_t const width = m_program.arrays[static_cast<std::size_t>(array)].width;
  check_operation(*element, lane, operation);
  check(array, *element, lane, Deed::update, static_cast<std::uint64_t>(operation));
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
