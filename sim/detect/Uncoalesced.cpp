/// uncoalesced: global memory moves in sectors, so a warp whose lanes' bytes lie apart moves bytes that nobody asked
/// for. The model is GlobalMemory.hpp's; what is asked of it is what ran.
#include <teamsan/sim/detect/Performance.hpp>

#include <teamsan/sim/findings/TextLayout.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace teamsan::detect {

std::string uncoalesced_fix(AccessSite const& site, model::Device const& device) {
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
