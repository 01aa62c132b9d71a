#include <teamsan/sim/detect/AtomicOrder.hpp>

namespace teamsan::detect {

namespace {
constexpr std::uint64_t lanes_of_a_team = 1024;
}

std::array<AtomicOrder::Id, AtomicOrder::levels> AtomicOrder::ids_of(Actor const& actor) {
  return {actor.league, actor.league * lanes_of_a_team + actor.thread, actor.league * lanes_of_a_team + actor.lane};
}

void AtomicOrder::release(Actor const& actor, std::uintptr_t address) {
  std::lock_guard const lock(m_mutex);
  m_used = true;
  Point& point = m_points[address];
  auto const ids = ids_of(actor);
  for (unsigned level = 0; level != levels; ++level)
    m_events += point.order[level].try_emplace(ids[level], point.releases).second;
  ++point.releases;
}

void AtomicOrder::acquire(Actor const& actor, std::uintptr_t address) {
  std::lock_guard const lock(m_mutex);
  auto const found = m_points.find(address);
  if (found == m_points.end()) return;
  Point const& point = found->second;
  auto const ids = ids_of(actor);
  for (unsigned level = 0; level != levels; ++level) {
    auto const [known, fresh] = m_acquired[level][ids[level]].try_emplace(&point, point.releases);
    if (!fresh && known->second == point.releases) continue;
    known->second = point.releases;
    ++m_events;
  }
}

/// Directly, as most do, or through others.
bool AtomicOrder::saw(Level level, Id who, Id whom) {
  auto const found = m_acquired[level].find(who);
  if (found == m_acquired[level].end()) return false;
  for (auto const& [point, before] : found->second) {
    auto const release = point->order[level].find(whom);
    if (release != point->order[level].end() && release->second < before) return true;
  }
  return all_seen(level, who).whom.contains(whom);
}

/// Other teams on the way stand for all their lanes.
AtomicOrder::Seen const& AtomicOrder::all_seen(Level level, Id who) {
  constexpr std::size_t kept = 64;
  auto& answers = m_seen[level];
  if (answers.size() > kept) answers.clear();
  auto const [it, fresh] = answers.try_emplace(who);
  Seen& seen = it->second;
  if (!fresh && seen.events == m_events) return seen;
  seen.events = m_events;
  seen.whom.clear();
  struct Node {
    Level level;
    Id id;
  };
  std::vector<Node> next{{level, who}};
  std::unordered_set<Id> teams;
  Id const own = who / lanes_of_a_team;
  while (!next.empty()) {
    Node const node = next.back();
    next.pop_back();
    auto const found = m_acquired[node.level].find(node.id);
    if (found == m_acquired[node.level].end()) continue;
    for (auto const& [point, before] : found->second) {
      for (auto const& [id, first] : point->order[level])
        if (first < before && (level == team || id / lanes_of_a_team == own) && seen.whom.insert(id).second)
          next.push_back({level, id});
      if (level == team) continue;
      for (auto const& [id, first] : point->order[team])
        if (first < before && id != own && teams.insert(id).second) next.push_back({team, id});
    }
  }
  return seen;
}

bool AtomicOrder::orders_teams(std::uint64_t a, std::uint64_t b) {
  if (!m_used) return false;
  std::lock_guard const lock(m_mutex);
  return saw(team, a, b) || saw(team, b, a);
}

bool AtomicOrder::orders_lanes(Actor const& a, Actor const& b) {
  if (!m_used) return false;
  Level const level = a.thread == b.thread ? lane : thread;
  Id const x = ids_of(a)[level], y = ids_of(b)[level];
  std::lock_guard const lock(m_mutex);
  return saw(level, x, y) || saw(level, y, x);
}

}  // namespace teamsan::detect
