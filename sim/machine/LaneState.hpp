// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One lane of a team in flight: where it stands, and what it has done that its team, or a rule, goes by.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Lane.hpp"
#include "../base/Synchronisation.hpp"
#include "../memory/Cell.hpp"
#include "Fiber.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace teamsan {

enum class LaneStatus : std::uint8_t { fresh, ready, at_team_meeting, at_thread_meeting, done };

/// Through a pointer to volatile.
struct VolatileLoad {
  std::uintptr_t address = 0;  ///< 0: none
  Site site{};
  std::uint64_t log_bytes = 0;
};

/// Call of a throw.
struct ThrowPlace {
  Site site{};
  std::vector<Site> callers;
};

/// What a lane may hold that others do not, or that all lanes of its team were given; bits of LaneMarks::holds.
namespace holds {
constexpr std::uint8_t lane_value = 1;    ///< a vector range has left something of its own in variables of the lane
constexpr std::uint8_t thread_value = 2;  ///< so has a range of the team's threads, or the lane asked which thread it is
constexpr std::uint8_t result = 4;        ///< a collective has given it a result
}  // namespace holds

/// Where collectives have left their latest results for a lane, for whoever asks whether a number is one of them.
class Results {
 public:
  struct Place {
    std::uintptr_t address = 0;
    std::size_t bytes = 0;
  };
  void add(std::uintptr_t address, std::size_t bytes) { m_places[m_next++ % m_places.size()] = {address, bytes}; }
  void clear() { *this = {}; }
  std::array<Place, 4> const& places() const { return m_places; }

 private:
  std::array<Place, 4> m_places{};
  std::size_t m_next = 0;
};

/// What a lane begins with none of: cleared for each of very many, all at once.
struct LaneMarks {
  std::uint8_t no_switch = 0;      ///< > 0: inside a lock-based atomic
  bool storing_result = false;     ///< inside a ResultScope
  std::uint8_t noted = 0;          ///< of its atomics, see detect/Handovers.hpp
  std::uint8_t holds = 0;          ///< see namespace holds
  std::uint32_t scopes = 0;        ///< bit per Scope the lane is inside of
  Who event = 0;                   ///< stamp since its latest release, acquire or fence; older than a meeting's: that counts
  std::uint32_t fence = 0;         ///< tick behind its latest fence; 0: none
  std::uint32_t fences = 0;        ///< since it last met, released or acquired
  std::uint32_t strays = 0;        ///< accesses out of bounds
  VolatileLoad volatile_load;      ///< the latest that may have seen more than the lane acquired by then
};

/// Switches of lanes wait for the cache lines of these: what is rare is elsewhere.
struct LaneState : LaneMarks {
  Lane lane;
  LaneStatus status;
  Meeting meeting;
  Site site;         ///< where it waits
  void* value;                 ///< what it brought to the meeting
  Fiber* fiber;
  std::uintptr_t* call_top;    ///< in fiber->calls
  std::unique_ptr<ThrowPlace> thrown;  ///< of the latest throw that was seen
  std::uintptr_t outer_frames = ~std::uintptr_t{0};  ///< see Hot, while it is in a nested range
  Results results;   ///< those that it was given, if it `holds` any

  void begin(std::uint64_t league_rank, LaneStatus as) {
    lane.league_rank = league_rank;
    status = as;
    fiber = nullptr;
    outer_frames = ~std::uintptr_t{0};
    renew();
  }
  [[gnu::always_inline]] void renew() {
    static_cast<LaneMarks&>(*this) = {};
    if (thrown != nullptr) [[unlikely]] thrown = nullptr;
  }
};

}  // namespace teamsan
