// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// bank-conflict: scratch gives each bank once a wavefront, so lanes that ask one bank for different words wait for
/// each other. The model is SharedMemory.hpp's; what is asked of it is what ran.
#include "Performance.hpp"

#include "../../model/device/SharedMemory.hpp"
#include "../findings/Sentences.hpp"
#include "../findings/TextLayout.hpp"
#include "../places/NamedOperand.hpp"
#include "../places/SourceFile.hpp"
#include "../places/Symbolizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <vector>

namespace teamsan::detect {

namespace {

/// Wavefronts of the worst warp if every row of `pitch` bytes were `extra` bytes longer.
std::uint32_t padded_cost(AccessSite const& site, model::Device const& device, std::int64_t pitch, std::int64_t extra) {
  std::array<std::uint64_t, model::max_warp_width> addresses{};
  for (std::size_t lane = 0; lane != addresses.size(); ++lane) {
    std::int64_t const offset = site.worst.offsets[lane];
    addresses[lane] = site.worst.misalignment + static_cast<std::uint64_t>(offset + offset / pitch * extra);
  }
  return count_shared(device, {site.operation, site.bytes_per_lane, site.worst.active, {addresses.data(), device.warp_width}})
      .wavefronts;
}

/// Distances between lanes that may be a row: those that most neighbours have first, then those from the first lane.
std::vector<std::int64_t> row_pitches(AccessSite const& site) {
  std::map<std::int64_t, int> votes;
  std::int64_t const bytes = site.bytes_per_lane;
  std::int64_t first = -1, previous = -1;
  for (std::uint64_t rest = site.worst.active; rest != 0; rest &= rest - 1) {
    std::int64_t const offset = site.worst.offsets[static_cast<std::size_t>(std::countr_zero(rest))];
    if (first < 0) first = offset;
    if (previous >= 0) ++votes[std::abs(offset - previous)];
    votes.try_emplace(std::abs(offset - first), 0);
    previous = offset;
  }
  std::vector<std::int64_t> pitches;
  for (auto const& [distance, count] : votes)
    if (distance > bytes && distance % bytes == 0) pitches.push_back(distance);
  std::stable_sort(pitches.begin(), pitches.end(), [&](auto a, auto b) { return votes[a] > votes[b]; });
  return pitches;
}

/// Lanes of the worst warp that share the word most of them share.
std::uint32_t most_on_a_word(AccessSite const& site) {
  std::uint32_t most = 0;
  for (std::uint64_t rest = site.worst.active; rest != 0; rest &= rest - 1) {
    std::int64_t const offset = site.worst.offsets[static_cast<std::size_t>(std::countr_zero(rest))];
    std::uint32_t same = 0;
    for (std::uint64_t all = site.worst.active; all != 0; all &= all - 1)
      same += site.worst.offsets[static_cast<std::size_t>(std::countr_zero(all))] == offset;
    most = std::max(most, same);
  }
  return most;
}

/// Which of a View's extents makes the row that neighbours are apart by: the first where the first index runs through memory.
/// The layout of scratch that was not named is not known; that there are several indices its declaration says.
std::string extent_of_row(Data const& data) {
  if (data.shape.ends_with("LayoutLeft")) return ", its first extent";
  if (data.shape.ends_with("LayoutRight")) return ", its last extent";
  Place const obtained = user_place(data.obtained_site);
  if (!obtained.known() || obtained.internal) return {};
  NamedOperand const made = operand_at(source_line(obtained.path, obtained.line), obtained.column);
  return made.arguments.size() > 2 ? ", the first extent of LayoutLeft, which is the default, the last of LayoutRight" : "";
}

}  // namespace

SiteFix bank_conflict_fix(AccessSite const& site, model::Device const& device) {
  WorstWarp const& worst = site.worst;
  if (site.operation == model::Operation::atomic && most_on_a_word(site) * 2 >= worst.cost)
    return {remedy(Cure::combine_in_scratch, most_on_a_word(site))};
  std::int64_t const bytes = site.bytes_per_lane;
  std::int64_t best_pitch = 0, best_extra = 0;
  std::uint32_t best = worst.cost;
  for (std::int64_t const pitch : row_pitches(site)) {
    if (best * 4 <= worst.cost) break;  // the likeliest row that helps much, not the one that helps most
    for (std::int64_t const extra : {bytes, 2 * bytes, 4 * bytes})
      if (std::uint32_t const cost = padded_cost(site, device, pitch, extra); cost < best) {
        best = cost;
        best_pitch = pitch;
        best_extra = extra;
      }
  }
  if (best * 2 <= worst.cost + worst.ideal)
    return {remedy(Cure::pad_row, best_pitch / bytes, (best_pitch + best_extra) / bytes, extent_of_row(site.data),
                   counted(best, "wavefront"), worst.cost),
            best};
  if (std::int64_t const d = lane_distance(worst); d % bytes == 0 && std::abs(d) > bytes && is_regular(worst, d))
    return {remedy(Cure::lanes_next_to_each_other, std::abs(d) / bytes)};
  return {remedy(Cure::no_pattern_of_banks)};
}

Finding bank_conflict_finding(ReportedTraffic const& kernel, ReportedSite const& s) {
  Finding f = performance_finding(Rule::bank_conflict, kernel, s);
  f.title = fmt::format("{}-way bank conflict on {} of team scratch", s.site.worst.ways(), operations(s.site.operation));
  f.why.insert(f.why.begin(), because(Reason::wavefronts, counted(s.site.counts.requests, "warp access"),
                                      counted(s.cost(), "wavefront"), with_commas(s.ideal()), s.site.worst.cost,
                                      s.site.worst.ideal));
  return f;
}

}  // namespace teamsan::detect
