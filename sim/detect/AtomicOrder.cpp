#include <teamsan/sim/detect/AtomicOrder.hpp>

#include <algorithm>

namespace teamsan::detect {

void AtomicOrder::release(Actor actor, std::uintptr_t address) {
  std::lock_guard const lock(m_mutex);
  m_used = true;
  Point& point = m_points[address];
  point.team_order.try_emplace(actor.league, point.releases);
  point.lane_order.try_emplace(actor.league * 1024 + actor.lane, point.releases);
  ++point.releases;
}

void AtomicOrder::acquire(Actor actor, std::uintptr_t address) {
  std::lock_guard const lock(m_mutex);
  auto const found = m_points.find(address);
  if (found == m_points.end()) return;
  Point const& point = found->second;
  Seen& seen = m_acquired[actor.league];
  auto const [place, is_new] = seen.index.try_emplace(address * 1024 + actor.lane, seen.list.size());
  if (is_new)
    seen.list.push_back({&point, point.releases, actor.lane});
  else
    seen.list[place->second].before = point.releases;
}

bool AtomicOrder::saw_team(std::uint64_t who, std::uint64_t whom) const {
  auto const found = m_acquired.find(who);
  if (found == m_acquired.end()) return false;
  return std::any_of(found->second.list.begin(), found->second.list.end(), [&](Acquired const& a) {
    auto const release = a.point->team_order.find(whom);
    return release != a.point->team_order.end() && release->second < a.before;
  });
}

bool AtomicOrder::orders_teams(std::uint64_t a, std::uint64_t b) {
  if (!m_used) return false;
  std::lock_guard const lock(m_mutex);
  return saw_team(a, b) || saw_team(b, a);
}

bool AtomicOrder::saw_lane(std::uint64_t league, std::uint32_t who, std::uint32_t whom) const {
  auto const found = m_acquired.find(league);
  if (found == m_acquired.end()) return false;
  return std::any_of(found->second.list.begin(), found->second.list.end(), [&](Acquired const& a) {
    auto const release = a.point->lane_order.find(league * 1024 + whom);
    return a.lane == who && release != a.point->lane_order.end() && release->second < a.before;
  });
}

bool AtomicOrder::orders_lanes(std::uint64_t league, std::uint32_t a, std::uint32_t b) {
  if (!m_used) return false;
  std::lock_guard const lock(m_mutex);
  return saw_lane(league, a, b) || saw_lane(league, b, a);
}

}  // namespace teamsan::detect
