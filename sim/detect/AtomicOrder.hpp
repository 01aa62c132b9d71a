/// Order that a program makes for itself with atomics: a lane that has fenced (Kokkos::memory_fence) or uses a release
/// order writes an atomic; a lane, of whatever team, that later reads or updates the same atomic is ordered after it.
/// "The last team reduces", look-back scans and spin locks rest on this.
///
/// Errs towards silence: it asks for the fence on the writing side only, takes any later atomic access to have seen the
/// write, lets a team's release cover all its lanes, and does not ask whether an access lay before or after. A program
/// without fences and release orders gets no order from its atomics at all.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace teamsan::detect {

class AtomicOrder {
 public:
  /// One that has acted: a lane of a team.
  struct Actor {
    std::uint64_t league;
    std::uint32_t lane;
  };

  /// The actor writes the atomic at this address after a fence, or with a release order.
  void release(Actor actor, std::uintptr_t address);

  /// The actor reads or updates the atomic at this address.
  void acquire(Actor actor, std::uintptr_t address);

  bool used() const { return m_used; }

  /// Is something that team `later` did ordered after something that team `earlier` did, or the reverse?
  bool orders_teams(std::uint64_t a, std::uint64_t b);

  /// The same for two lanes of one team.
  bool orders_lanes(std::uint64_t league, std::uint32_t a, std::uint32_t b);

 private:
  struct Point {
    std::unordered_map<std::uint64_t, std::size_t> team_order;  ///< league rank -> when it first released
    std::unordered_map<std::uint64_t, std::size_t> lane_order;  ///< league rank * 1024 + lane
    std::size_t releases = 0;
  };
  struct Acquired {
    Point const* point;
    std::size_t before;  ///< releases that had happened
    std::uint32_t lane;
  };
  /// What the lanes of one team have acquired; each point once a lane.
  struct Seen {
    std::vector<Acquired> list;
    std::unordered_map<std::uintptr_t, std::size_t> index;  ///< address * 1024 + lane -> place in the list
  };
  bool saw_team(std::uint64_t who, std::uint64_t whom) const;
  bool saw_lane(std::uint64_t league, std::uint32_t who, std::uint32_t whom) const;

  std::atomic<bool> m_used = false;
  std::mutex m_mutex;
  std::unordered_map<std::uintptr_t, Point> m_points;
  std::unordered_map<std::uint64_t, Seen> m_acquired;  ///< by league rank
};

}  // namespace teamsan::detect
