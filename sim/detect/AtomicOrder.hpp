/// Order that a program makes for itself with atomics: a lane that has fenced (Kokkos::memory_fence) or uses a release
/// order writes an atomic; a lane, of whatever team, that later reads or updates the same atomic is ordered after it, and
/// so is who is ordered after that lane in turn. "The last team reduces", look-back scans and spin locks rest on this.
///
/// Errs towards silence: it asks for the fence on the writing side only, takes any later atomic access to have seen the
/// write, lets a team's release cover all its lanes, and does not ask whether an access lay before or after. A program
/// without fences and release orders gets no order from its atomics at all.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace teamsan::detect {

class AtomicOrder {
 public:
  /// One that has acted: a lane of a team.
  struct Actor {
    std::uint64_t league;
    std::uint32_t thread, lane;  ///< in the team
  };

  /// The actor is about to write the atomic at this address after a fence, or with a release order.
  void release(Actor const& actor, std::uintptr_t address);

  /// The actor has read or updated the atomic at this address.
  void acquire(Actor const& actor, std::uintptr_t address);

  bool used() const { return m_used; }

  /// Is something that one of the teams did ordered after something that the other did?
  bool orders_teams(std::uint64_t a, std::uint64_t b);

  /// The same for two lanes of one team. Lanes of different threads stand for their threads, whose lanes meet often.
  bool orders_lanes(Actor const& a, Actor const& b);

 private:
  /// Who is ordered with whom is asked of teams, of threads, and of the lanes of one thread.
  enum Level : unsigned { team, thread, lane };
  static constexpr unsigned levels = 3;
  using Id = std::uint64_t;
  static std::array<Id, levels> ids_of(Actor const& actor);

  struct Point {
    std::array<std::unordered_map<Id, std::size_t>, levels> order;  ///< who released -> when first
    std::size_t releases = 0;
  };
  using Acquired = std::unordered_map<Point const*, std::size_t>;  ///< what -> how many releases had happened
  struct Seen {
    std::uint64_t events;  ///< how many there were
    std::unordered_set<Id> whom;
  };
  bool saw(Level level, Id who, Id whom);
  Seen const& all_seen(Level level, Id who);

  std::atomic<bool> m_used = false;
  std::mutex m_mutex;
  std::uint64_t m_events = 0;
  std::unordered_map<std::uintptr_t, Point> m_points;
  std::array<std::unordered_map<Id, Acquired>, levels> m_acquired;
  std::array<std::unordered_map<Id, Seen>, levels> m_seen;  ///< answers given
};

}  // namespace teamsan::detect
