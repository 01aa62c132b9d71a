// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneRedundant.hpp"

#include "../base/Options.hpp"
#include "../base/Shard.hpp"
#include "Checker.hpp"
#include "LaunchChecks.hpp"
#include "../findings/Sentences.hpp"
#include "../trace/TeamTrace.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace teamsan::detect {

namespace {

constexpr std::uint32_t one_lane_or_its_share = 1u << static_cast<unsigned>(Scope::thread_vector_range) |
                                                1u << static_cast<unsigned>(Scope::team_vector_range) |
                                                1u << static_cast<unsigned>(Scope::single_per_team) |
                                                1u << static_cast<unsigned>(Scope::single_per_thread);

bool same_difference(double before_a, double after_a, double before_b, double after_b, double epsilon) {
  double const a = after_a - before_a, b = after_b - before_b;
  // Each was rounded to the size of what it was added to.
  double const sizes = std::fabs(after_a) + std::fabs(after_b) + std::fabs(before_a) + std::fabs(before_b);
  double const rounding = 4 * epsilon * sizes;
  return std::isfinite(a) && std::isfinite(b) && std::fabs(a - b) <= rounding && std::fabs(a) > rounding;
}

/// Did both change the element by the same amount, as an integer or as a floating-point number of that size?
bool same_amount(std::uint32_t bytes, std::uint64_t before_a, std::uint64_t after_a, std::uint64_t before_b,
                 std::uint64_t after_b) {
  std::uint64_t const mask = bytes == 8 ? ~0ull : (1ull << 8 * bytes) - 1;
  if (((after_a - before_a) & mask) == ((after_b - before_b) & mask)) return true;
  if (bytes == 8)
    return same_difference(std::bit_cast<double>(before_a), std::bit_cast<double>(after_a),
                           std::bit_cast<double>(before_b), std::bit_cast<double>(after_b), 2.3e-16);
  if (bytes != 4) return false;
  auto const real = [](std::uint64_t bits) {
    return double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
  };
  return same_difference(real(before_a), real(after_a), real(before_b), real(after_b), 1.2e-7);
}

}  // namespace

void LaneRedundant::note(Team& team, std::uintptr_t address, std::uint32_t bytes, std::uint64_t before,
                         std::uint64_t after, Site site) {
  Lane const& lane = hot.lane->lane;
  if ((hot.lane->scopes & one_lane_or_its_share) || hot.lane->differs || !team.checked() ||
      !options().enabled(Rule::lane_redundant))
    return;
  bool const scratch = address - hot.scratch_begin < hot.scratch_bytes;
  if (!scratch && (!arena::contains(arena::global, arena::global_bytes, address) || !shard.judges(address))) return;
  trace::note(trace::EventKind::before, site, before);
  trace::note(trace::EventKind::after, site, after);
  RuntimeScope const scope;
  Key const key{address, site, lane.thread};
  if (m_updates.size() >= most_updates && !m_updates.contains(key)) {
    team.launch().checks->not_judged().add(Shortfall::updates, team.league_rank());
    return;
  }
  Update& update = m_updates[key];
  std::uint64_t const me = 1ull << lane.vector_lane;
  if (update.lanes & me) return;
  if (update.lanes == 0) {
    update.before = before;
    update.after = after;
  } else {
    bool const same = same_amount(bytes, update.before, update.after, before, after);
    update.alike = update.alike && same && before != update.before;
  }
  update.lanes |= me;
  if (!update.alike || static_cast<std::uint32_t>(std::popcount(update.lanes)) != lane.vector_length) return;
  Target const target{scratch, address, nullptr};
  add_finding(team, {Rule::lane_redundant, site, Site{}, data_id(team, target)}, [&] {
    RawFinding f;
    f.rule = Rule::lane_redundant;
    f.title = "the same atomic update by every vector lane of a thread";
    f.data = describe(team, target, bytes);
    f.sides.push_back(running_side(team, {address, bytes, AccessKind::atomic_write, site}));
    f.why = {because(Reason::repeated_update, lane.vector_length)};
    f.fix = remedy(Cure::single_or_share);
    return f;
  });
}

}  // namespace teamsan::detect
