// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// uncoalesced: global memory moves in sectors, so a warp whose lanes' bytes lie apart moves bytes that nobody asked
/// for. The model is GlobalMemory.hpp's; what is asked of it is what ran.
#include "Performance.hpp"

#include "../findings/Sentences.hpp"
#include "../findings/TextLayout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <tuple>

namespace teamsan::detect {

namespace {

/// Of an MDRangePolicy, whose Iterate says which index runs from lane to lane; empty where the View's layout is not known.
Remedy fix_of_iterate(Data const& data, std::int64_t distance) {
  for (auto const& [layout, iterate, index] :
       {std::tuple{"LayoutRight", "Right", "last"}, {"LayoutLeft", "Left", "first"}})
    if (data.shape.ends_with(layout))
      return remedy(Cure::iterate, counted(static_cast<std::uint64_t>(distance), "byte"), iterate, index, layout);
  return {};
}

}  // namespace

Remedy uncoalesced_fix(AccessSite const& site, model::Device const& device, bool has_iterate) {
  WorstWarp const& worst = site.worst;
  std::int64_t const bytes = site.bytes_per_lane;
  std::int64_t const distance = std::abs(lane_distance(worst));
  if (site.operation == model::Operation::atomic && distance == 0)
    return remedy(Cure::combine_first);
  if (distance > bytes && is_regular(worst, lane_distance(worst))) {
    if (distance <= 64)
      return remedy(Cure::struct_of_arrays, distance, bytes);
    if (Remedy fix = has_iterate ? fix_of_iterate(site.data, distance) : Remedy(); !fix.empty()) return fix;
    return remedy(Cure::other_layout, counted(static_cast<std::uint64_t>(distance), "byte"));
  }
  if (worst.cost <= worst.ideal + 1)
    return remedy(Cure::align_rows, device.sector_bytes);
  return remedy(Cure::no_pattern);
}

Finding uncoalesced_finding(ReportedTraffic const& kernel, ReportedSite const& s) {
  Finding f = performance_finding(Rule::uncoalesced, kernel, s);
  double const times = static_cast<double>(s.cost()) / static_cast<double>(std::max<std::uint64_t>(s.ideal(), 1));
  f.title = fmt::format("{} move {:.1f} times the sectors they need", operations(s.site.operation), times);
  f.why.insert(f.why.begin(), because(Reason::sectors, counted(s.site.counts.requests, "warp access"),
                                      counted(s.cost(), "sector"), with_commas(s.ideal()), s.site.worst.cost,
                                      s.site.worst.ideal));
  return f;
}

}  // namespace teamsan::detect
