// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Standstill.hpp"

#include "../findings/Sentences.hpp"
#include "../places/Symbolizer.hpp"
#include "Checker.hpp"

#include <algorithm>
#include <tuple>

namespace teamsan::detect {

namespace {

RawSide waiting_side(WaitingLane const& lane) {
  RawSide side;
  side.role = "waits for another thread";
  bool const known = lane.team->blocks_end() == 0;
  if (known)
    side.lane = {true, lane.team->league_rank(), lane.index};
  else
    side.actor = "a lane";
  side.has_interval = known;
  side.interval = lane.team->interval();
  side.site = lane.site;
  side.callers = lane.callers;
  return side;
}

}  // namespace

void report_standstill(std::vector<WaitingLane> lanes) {
  if (lanes.empty()) return;
  std::ranges::sort(lanes, {}, [](WaitingLane const& l) { return std::tuple(l.team->league_rank(), l.index); });
  RawFinding f;
  f.rule = Rule::deadlock;
  f.title = "lanes wait for other threads, and no thread of the program gets on";
  f.sides.push_back(waiting_side(lanes[0]));
  Site const first = users_own(lanes[0].site, lanes[0].callers);
  auto const elsewhere =
      std::ranges::find_if(lanes, [&](WaitingLane const& l) { return users_own(l.site, l.callers) != first; });
  if (elsewhere != lanes.end()) f.sides.push_back(waiting_side(*elsewhere));
  f.why = {because(Reason::no_thread_gets_on)};
  f.fix = remedy(Cure::no_host_locks);
  report(finish(std::move(f), lanes[0].team->launch().facts));
}

}  // namespace teamsan::detect
