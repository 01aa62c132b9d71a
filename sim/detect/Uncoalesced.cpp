// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// uncoalesced: global memory moves in sectors, so a warp whose lanes' bytes lie apart moves bytes that nobody asked
/// for. The model is GlobalMemory.hpp's; what is asked of it is what ran.
#include <teamsan/sim/detect/Performance.hpp>

#include <teamsan/sim/findings/TextLayout.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <tuple>

namespace teamsan::detect {

namespace {

/// Of an MDRangePolicy, whose Iterate says which index runs from lane to lane; empty where the View's layout is not known.
std::string fix_of_iterate(Data const& data, std::int64_t distance) {
  for (auto const& [layout, iterate, index] :
       {std::tuple{"LayoutRight", "Right", "last"}, {"LayoutLeft", "Left", "first"}})
    if (data.shape.ends_with(layout))
      return fmt::format("neighbouring lanes are {0} apart: write Kokkos::Iterate::{1} in both places of the policy's Rank, so "
                         "that the {2} index runs from lane to lane, as it does in the View's {3}; or give the View the other "
                         "layout",
                         counted(static_cast<std::uint64_t>(distance), "byte"), iterate, index, layout);
  return {};
}

}  // namespace

std::string uncoalesced_fix(AccessSite const& site, model::Device const& device, bool md_range) {
  WorstWarp const& worst = site.worst;
  std::int64_t const bytes = site.bytes_per_lane;
  std::int64_t const distance = std::abs(lane_distance(worst));
  if (site.operation == model::Operation::atomic && distance == 0)
    return "lanes of the worst warp update one word, one after the other: combine their values first "
           "(parallel_reduce), then update once";
  if (distance > bytes && is_regular(worst, lane_distance(worst))) {
    if (distance <= 64)
      return fmt::format("neighbouring lanes are {} bytes apart and use {} of them: make the array of structs a struct "
                         "of arrays, or let neighbouring lanes take neighbouring elements",
                         distance, bytes);
    if (std::string fix = md_range ? fix_of_iterate(site.data, distance) : ""; !fix.empty()) return fix;
    return fmt::format("neighbouring lanes are {} apart: let the index that changes from lane to lane be the one that "
                       "is contiguous in memory (the layout's other order), or turn the block round in scratch",
                       counted(static_cast<std::uint64_t>(distance), "byte"));
  }
  if (worst.cost <= worst.ideal + 1)
    return fmt::format("start rows at multiples of {} bytes", device.sector_bytes);
  return "the lanes' addresses have no pattern: sort what they work on by address, or bring the block into scratch first";
}

Finding uncoalesced_finding(ReportedTraffic const& kernel, ReportedSite const& s) {
  Finding f = performance_finding(Rule::uncoalesced, kernel, s);
  double const times = static_cast<double>(s.cost()) / static_cast<double>(std::max<std::uint64_t>(s.ideal(), 1));
  f.title = fmt::format("{} move {:.1f} times the sectors they need", operations(s.site.operation), times);
  f.why.insert(f.why.begin(),
               fmt::format("{} move {} where {} would hold the lanes' bytes; the worst moves {} where {} would",
                           counted(s.site.counts.requests, "warp access"), counted(s.cost(), "sector"),
                           with_commas(s.ideal()), s.site.worst.cost, s.site.worst.ideal));
  return f;
}

}  // namespace teamsan::detect
