// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/machine/AtomicOrder.hpp>

#include <algorithm>

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

/// Does what the team acquired there lie before that release of its own, which came later?
bool hands_on(Log const& log, Log::Event const& acquire, Log::Event const& release) {
  if (acquire.tick < log.known_from) return true;  // who knows
  if (acquire.lane == release.lane) return acquire.tick <= release.tick;
  if (log.thread(acquire.lane) == log.thread(release.lane)) return acquire.tick < release.thread_met;
  return acquire.team_met != 0 && acquire.team_met <= release.team_met;
}

}  // namespace

AtomicOrder::AtomicOrder(Limits limits) : m_limits(limits) {}
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
  log.events.push_back(event);
  log.threads.set(log.thread(event.lane));
  ++m_events;
}

void AtomicOrder::meet(Log& log, std::uint32_t tick) {
  if (log.open == log.events.size()) return;  // events are this team's own
  std::lock_guard const lock(m_mutex);
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
  std::lock_guard const lock(m_mutex);
  if (released_to(*a, x, *b, y) || (!earlier && released_to(*b, y, *a, x))) return true;
  return before(*a, x, *b, y) || (!earlier && before(*b, y, *a, x));
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

bool AtomicOrder::before(Log const& a, Moment const& x, Log const& b, Moment const& y) {
  Released const& released = all_before(b, y);
  if (m_lost_steps) return true;
  auto const found = released.find(&a);
  return found != released.end() &&
         std::any_of(found->second.begin(), found->second.end(), [&](std::size_t i) { return covers(a, a.events[i], x); });
}

/// The releases that lie before the moment, directly or through other lanes.
AtomicOrder::Released const& AtomicOrder::all_before(Log const& log, Moment const& moment) {
  constexpr std::size_t kept = 64;
  if (m_before.size() > kept) m_before.clear();
  auto const [it, fresh] = m_before.try_emplace({log.league, moment.lane, moment.tick});
  Released& released = it->second;
  if (!fresh) return released;
  std::unordered_map<Point const*, std::size_t> seen;  // how many of a point's releases
  struct Node {
    Log const* log;
    std::size_t release;
  };
  std::vector<Node> next;
  auto const acquire = [&](Log::Event const& event) {
    std::size_t& known = seen[event.point];
    for (; known < event.number; ++known) {
      Point::Release const& r = event.point->releases[known];
      released[r.log].push_back(r.event);
      next.push_back({r.log, r.event});
    }
  };
  for (Log::Event const& event : log.events)
    if (event.acquires && follows(log, event, moment)) acquire(event);
  while (!next.empty()) {
    Node const node = next.back();
    next.pop_back();
    Log::Event const& release = node.log->events[node.release];
    if (full(node.release + 1)) break;
    for (std::size_t i = 0; i != node.release; ++i)
      if (Log::Event const& event = node.log->events[i]; event.acquires && hands_on(*node.log, event, release))
        acquire(event);
  }
  return released;
}

}  // namespace teamsan
