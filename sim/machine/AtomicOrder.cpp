// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AtomicOrder.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace teamsan {

namespace {

using Log = AtomicOrder::Log;
using Moment = AtomicOrder::Moment;

bool covers(Log const& log, Log::Event const& release, Moment const& m) {
  using Alike = AtomicOrder::Alike;
  bool const early = m.atomic ? m.tick <= release.last : m.tick < release.tick;
  if (m.lane == release.lane) return early;
  bool const thread = m.lane != AtomicOrder::no_lane && log.thread(m.lane) == log.thread(release.lane);
  if (m.alike != Alike::none && thread && m.tick >= release.thread_met && m.tick < release.thread_next) return true;
  if (m.alike == Alike::team && m.tick >= release.team_met && m.tick < release.team_next) return true;
  return early && m.tick < (thread ? release.thread_met : release.team_met);
}

bool follows(Log const& log, Log::Event const& acquire, Moment const& m) {
  if (m.lane == acquire.lane) return m.tick >= acquire.tick;
  if (m.lane != AtomicOrder::no_lane && log.thread(m.lane) == log.thread(acquire.lane)) return m.tick > acquire.tick;
  return acquire.team_met != 0 && acquire.team_met <= m.tick;
}

std::uint64_t packed(Moment const& m) {
  return static_cast<std::uint64_t>(m.alike) << 48 | std::uint64_t{m.tick} << 32 | m.lane << 1 | m.atomic;
}

}  // namespace

AtomicOrder::AtomicOrder(Limits limits) : m_limits(limits) {
  static std::atomic<std::uint64_t> orders{0};
  m_changes = ++orders << 40;
}
AtomicOrder::~AtomicOrder() = default;

bool AtomicOrder::knows(std::uintptr_t address) {
  std::lock_guard const lock(m_mutex);
  return m_points.contains(address);
}

Log& AtomicOrder::log(std::uint64_t league, std::uint32_t vector_length) {
  std::lock_guard const lock(m_mutex);
  Log& log = m_logs[league];
  log.league = league;
  log.vector_length = vector_length;
  return log;
}

Log const* AtomicOrder::find(std::uint64_t league) {
  std::lock_guard const lock(m_mutex);
  auto const found = m_logs.find(league);
  return found == m_logs.end() ? nullptr : &found->second;
}

bool AtomicOrder::release(Log& log, Standing const& at, std::uintptr_t address, std::uint32_t before) {
  std::lock_guard const lock(m_mutex);
  ++m_changes;
  m_used = true;
  Log::Last& last = log.last[{address, at.lane}];
  if (last.release != 0 && log.events[last.release - 1].tick == before) {
    log.events[last.release - 1].last = at.tick;
    return false;
  }
  if (m_events == m_limits.events) m_lost_events = true;
  if (m_lost_events) return false;
  Point& point = m_points[address];
  last.release = log.events.size() + 1;
  point.of_team[&log].push_back(log.events.size());
  add(log, {&point, point.releases.size(), at.lane, before, at.tick, at.thread_met, at.team_met, false});
  point.releases.push_back({&log, log.events.size() - 1});
  if (log.vector_length != 1) log.unmet[log.thread(at.lane)].push_back(log.events.size() - 1);
  return true;
}

AtomicOrder::Acquired AtomicOrder::acquire(Log& log, Standing const& at, std::uintptr_t address, bool idle,
                                           bool replayed) {
  std::lock_guard const lock(m_mutex);
  auto const found = m_points.find(address);
  if (found == m_points.end() && !replayed) return Acquired::nothing;
  Point& point = found != m_points.end() ? found->second : m_points[address];
  Log::Last& last = log.last[{address, at.lane}];
  std::size_t const now = point.releases.size();
  bool news = replayed;
  for (std::size_t i = last.seen; i != now && !news; ++i) {
    Point::Release const& r = point.releases[i];
    news = r.log != &log || log.events[r.event].lane != at.lane;
  }
  last.seen = now;
  if (news && m_events == m_limits.events) m_lost_events = true;
  if (!news || m_lost_events) return Acquired::nothing;
  ++m_changes;
  if (idle && last.acquire != 0 && last.acquire == log.events.size() && !replayed) {
    log.events.back().number = now;
    m_before.clear();
    return Acquired::more;
  }
  last.acquire = log.events.size() + 1;
  add(log, {&point, now, at.lane, at.next, 0, 0, 0, true});
  return Acquired::news;
}

void AtomicOrder::add(Log& log, Log::Event const& event) {
  if (event.acquires) log.acquires[event.lane].push_back(log.events.size());
  log.events.push_back(event);
  log.threads.set(log.thread(event.lane));
  ++m_events;
}

void AtomicOrder::meet(Log& log, std::uint32_t tick) {
  if (log.open == log.events.size()) return;  // events are this team's own
  std::lock_guard const lock(m_mutex);
  ++m_changes;
  for (; log.open != log.events.size(); ++log.open) {
    Log::Event& event = log.events[log.open];
    (event.acquires ? event.team_met : event.team_next) = tick;
    event.thread_next = std::min(event.thread_next, tick);
  }
  log.unmet.clear();
}

void AtomicOrder::meet_thread(Log& log, std::uint32_t thread, std::uint32_t tick) {
  auto const unmet = log.unmet.find(thread);
  if (unmet == log.unmet.end()) return;
  std::lock_guard const lock(m_mutex);
  ++m_changes;
  for (std::size_t const i : unmet->second) log.events[i].thread_next = tick;
  log.unmet.erase(unmet);
}

void AtomicOrder::add_bounds(Log const& log, std::vector<std::uint32_t>& bounds) {
  bounds.push_back(log.known_from);
  for (Log::Event const& event : log.events) {
    if (event.acquires)  // the lane's own from there on, its thread's from the next tick on
      bounds.insert(bounds.end(), {event.tick, event.tick + 1, event.team_met});
    else
      bounds.insert(bounds.end(), {event.tick, event.last + 1, event.thread_met, event.team_met, event.thread_next,
                                   event.team_next});
  }
}

void AtomicOrder::renumber(Log& log, TickMap const& map, std::uint32_t known_from) {
  std::lock_guard const lock(m_mutex);
  ++m_changes;
  for (Log::Event& event : log.events)
    for (std::uint32_t* const tick : {&event.tick, &event.last, &event.thread_met, &event.team_met, &event.thread_next,
                                      &event.team_next})
      if (*tick != 0 && *tick != never) *tick = map(*tick);
  log.known_from = map(std::max(known_from, log.known_from));
  for (auto& [point, last] : log.last)  // ticks that look equal now may have differed
    if (last.release != 0 && log.events[last.release - 1].tick < log.known_from) last.release = 0;
  m_before.clear();  // by ticks
}

std::uint64_t AtomicOrder::question(std::uint64_t a, Moment const& x, std::uint64_t b, Moment const& y) {
  std::uint64_t hash = 0;
  for (std::uint64_t const part : {a, packed(x), b, packed(y)}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash >> 1;
}

bool AtomicOrder::orders(Log const* a, Moment const& x, Log const* b, Moment const& y, bool earlier) {
  if (a == nullptr || b == nullptr) return false;
  if (m_lost_events || m_lost_steps || x.tick >= unknown_tick || y.tick >= unknown_tick) return true;
  if (x.tick < a->known_from || y.tick < b->known_from) return true;
  std::uint64_t const asked = question(a->league, x, b->league, y) << 1 | earlier;
  // Lanes go over many words that another one has gone over: the same is asked of each.
  struct Answer {
    std::uint64_t question = 0, changes = 0;
    bool ordered = false;
  };
  thread_local std::array<Answer, 256> answers;
  Answer& known = answers[asked >> 1 & (answers.size() - 1)];
  if (known.question == asked && known.changes == m_changes.load(std::memory_order_relaxed)) return known.ordered;
  std::lock_guard const lock(m_mutex);
  known = {asked, m_changes,
           released_to(*a, x, *b, y) || (!earlier && released_to(*b, y, *a, x)) || before(*a, x, *b, y) ||
               (!earlier && before(*b, y, *a, x))};
  return known.ordered;
}

/// Has the launch searched too long?
bool AtomicOrder::full(std::uint64_t steps) {
  if ((m_steps += steps) > m_limits.steps) m_lost_steps = true;
  return m_lost_steps;
}

/// Directly, as most do.
bool AtomicOrder::released_to(Log const& a, Moment const& x, Log const& b, Moment const& y) {
  if (full(b.events.size() / 16)) return true;  // an event that says nothing costs little
  for (auto event = b.events.rbegin(); event != b.events.rend(); ++event) {
    if (!event->acquires || !follows(b, *event, y)) continue;
    auto const found = event->point->of_team.find(&a);
    if (found == event->point->of_team.end()) continue;
    for (std::size_t const i : found->second) {
      if (full(1)) return true;
      Log::Event const& release = a.events[i];
      if (release.number >= event->number) break;
      if (covers(a, release, x)) return true;
    }
  }
  return false;
}

/// The releases that lie before a moment, the nearest first, until one of them covers what is looked for. What a team acquired
/// before a release of its own are, by lane and for the whole team, the first so many of its acquires: each is looked at once.
class AtomicOrder::Search {
 public:
  /// `released`: takes all that were seen, so that they are all there are if nothing covers the moment.
  Search(AtomicOrder& order, Released& released, Log const& log, Moment const& sought)
      : m_order(order), m_number(++order.m_searches), m_released(released), m_log(log), m_sought(sought) {}

  bool finds_before(Log const& log, Moment const& moment) {
    for (Log::Event const& event : log.events)
      if (event.acquires && follows(log, event, moment)) acquire(event);
    for (; !m_found && !m_next.empty(); m_next.pop_front()) hand_on(*m_next.front().log, m_next.front().event);
    return m_found;
  }

 private:
  struct Taken {
    std::size_t events = 0;                                   ///< of the team's, of all lanes
    std::unordered_map<std::uint32_t, std::size_t> acquires;  ///< of a lane's
  };

  void acquire(Log::Event const& event) {
    Point& point = *event.point;
    if (std::exchange(point.search, m_number) != m_number) point.found = 0;
    for (; point.found < event.number; ++point.found) {
      Point::Release const& r = point.releases[point.found];
      m_released[r.log].push_back(r.event);
      m_next.push_back(r);
      m_found = m_found || (r.log == &m_log && covers(m_log, m_log.events[r.event], m_sought));
    }
  }

  /// What the team acquired before this release.
  void hand_on(Log const& log, std::size_t number) {
    Log::Event const& release = log.events[number];
    Taken& taken = m_taken[&log];
    std::size_t steps = 1;
    auto const lane = [&](std::uint32_t l, auto const& before) {
      auto const acquires = log.acquires.find(l);
      if (acquires == log.acquires.end()) return;
      std::size_t& i = taken.acquires[l];
      for (; i != acquires->second.size() && acquires->second[i] < number; ++i, ++steps) {
        Log::Event const& event = log.events[acquires->second[i]];
        if (!before(event)) break;
        acquire(event);
      }
    };
    lane(release.lane, [&](Log::Event const& event) { return event.tick <= release.tick; });
    std::uint32_t const first = log.thread(release.lane) * log.vector_length;
    for (std::uint32_t l = first; l != first + log.vector_length; ++l)
      if (l != release.lane) lane(l, [&](Log::Event const& event) { return event.tick < release.thread_met; });
    for (std::size_t& i = taken.events; i < number; ++i, ++steps) {
      Log::Event const& event = log.events[i];
      if (!event.acquires) continue;
      bool const unknown = event.tick < log.known_from;
      if (!unknown && (event.team_met == 0 || event.team_met > release.team_met)) break;
      acquire(event);
    }
    m_found = m_found || m_order.full(steps);  // too long: it counts as ordered
  }

  AtomicOrder& m_order;
  std::uint64_t const m_number;
  Released& m_released;
  Log const& m_log;
  Moment const m_sought;
  bool m_found = false;
  std::deque<Point::Release> m_next;
  std::unordered_map<Log const*, Taken> m_taken;
};

/// Directly or through other lanes.
bool AtomicOrder::before(Log const& a, Moment const& x, Log const& b, Moment const& y) {
  constexpr std::size_t kept = 64;
  std::array<std::uint64_t, 3> const moment{b.league, y.lane, y.tick};
  if (auto const known = m_before.find(moment); known != m_before.end()) {
    auto const found = known->second.find(&a);
    return found != known->second.end() &&
           std::any_of(found->second.begin(), found->second.end(), [&](std::size_t i) { return covers(a, a.events[i], x); });
  }
  Released released;
  if (Search(*this, released, a, x).finds_before(b, y)) return true;
  if (m_before.size() == kept) m_before.clear();
  m_before.emplace(moment, std::move(released));
  return false;
}

}  // namespace teamsan
