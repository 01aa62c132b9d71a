// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A report such as a run of sample/transpose.cpp gives, built by hand: one race, one warning, and the
/// traffic of three kernels: a tile whose columns all lie in one bank, the same with a padded pitch, and a
/// transpose without a tile, whose stores are scattered. For the tests of writers.
#pragma once

#include "../../model/device/GlobalMemory.hpp"
#include "../../model/device/SharedMemory.hpp"
#include "../../sim/places/SourceFile.hpp"
#include "../../sim/report/Report.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>

namespace teamsan::test {

inline std::string sample_path() {
  return (std::filesystem::path(__FILE__).parent_path() / "sample" / "transpose.cpp").string();
}

inline Place sample_place(unsigned line, unsigned column) {
  return {"src/transpose.cpp", line, column, "lambda in transpose", sample_path()};
}

inline constexpr unsigned line_of_tile = 36, line_of_store = 40, line_of_load = 45, line_of_naive = 55;

/// Every request is like the worst warp, whose lane l is at `offset(l)` bytes from the start of the data.
inline ReportedSite sample_site(model::Device const& device, Data const& data, model::Operation operation,
                                bool banked, unsigned line, std::uint64_t requests,
                                std::function<std::int64_t(std::int64_t)> const& offset,
                                std::string fix = {}) {
  ReportedSite found;
  AccessSite& site = found.site;
  site.operation = operation;
  site.bytes_per_lane = 4;
  site.banked = banked;
  site.data = data;
  site.worst.active =
      device.warp_width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << device.warp_width) - 1;
  std::array<std::uint64_t, model::max_warp_width> addresses{};
  for (std::size_t lane = 0; lane < device.warp_width; ++lane) {
    site.worst.offsets[lane] = offset(static_cast<std::int64_t>(lane));
    addresses[lane] = (std::uint64_t{1} << 40) + static_cast<std::uint64_t>(site.worst.offsets[lane]);
  }
  model::WarpAccess const access{operation, 4, site.worst.active, addresses};
  site.counts.requests = requests;
  site.counts.lane_accesses = requests * device.warp_width;
  if (banked) {
    auto const counts = model::count_shared(device, access);
    site.worst.cost = counts.wavefronts;
    site.worst.ideal = counts.ideal();
    site.counts.wavefronts = requests * counts.wavefronts;
    site.counts.ideal_wavefronts = requests * counts.ideal();
  } else {
    site.worst.cost = model::count_global(device, access).sectors;
    site.worst.ideal = model::ideal_sectors(device, access);
    site.counts.sectors = requests * site.worst.cost;
    site.counts.ideal_sectors = requests * site.worst.ideal;
  }
  found.place = sample_place(line, 9);
  found.source = source_line(sample_path(), line);
  found.fix = std::move(fix);
  return found;
}

inline TrafficCounts& direction(ReportedTraffic& traffic, AccessSite const& site) {
  switch (site.operation) {
    case model::Operation::load:
      return site.banked ? traffic.shared_loads : traffic.global_loads;
    case model::Operation::store:
      return site.banked ? traffic.shared_stores : traffic.global_stores;
    case model::Operation::atomic:
      return site.banked ? traffic.shared_atomics : traffic.global_atomics;
  }
  return traffic.global_loads;
}

inline ReportedTraffic sample_traffic(std::string kernel, std::string policy,
                                      std::vector<ReportedSite> sites) {
  ReportedTraffic traffic;
  traffic.kernel = std::move(kernel);
  traffic.policy = std::move(policy);
  traffic.launches = 1;
  traffic.teams = traffic.teams_of_all = 64;
  std::stable_sort(sites.begin(), sites.end(),
                   [](auto const& a, auto const& b) { return a.excess() > b.excess(); });
  for (ReportedSite const& found : sites) {
    TrafficCounts& sum = direction(traffic, found.site);
    TrafficCounts const& counts = found.site.counts;
    sum.requests += counts.requests;
    sum.lane_accesses += counts.lane_accesses;
    sum.wavefronts += counts.wavefronts;
    sum.ideal_wavefronts += counts.ideal_wavefronts;
    sum.sectors += counts.sectors;
    sum.ideal_sectors += counts.ideal_sectors;
  }
  traffic.sites = std::move(sites);
  return traffic;
}

inline Data sample_view(char const* label) {
  Data data;
  data.kind = Data::Kind::view;
  data.label = label;
  data.bytes = 256 * 256 * 4;
  data.element_bytes = 4;
  return data;
}

inline Data sample_tile(std::uint64_t pitch) {
  Data data;
  data.kind = Data::Kind::scratch;
  data.bytes = 32 * pitch * 4;
  data.element_bytes = 4;
  return data;
}

/// The transpose of 256 x 256 floats through tiles whose rows are `pitch` words apart.
inline ReportedTraffic sample_transpose(model::Device const& device, std::int64_t pitch) {
  using model::Operation;
  auto const row = [](std::int64_t lane) { return lane * 4; };
  auto const column = [pitch](std::int64_t lane) { return lane * pitch * 4; };
  Data const tile = sample_tile(static_cast<std::uint64_t>(pitch));
  std::string const fix = pitch % 32 == 0 ? "pad the row from 32 to 33 elements" : "";
  return sample_traffic(
      pitch == 32 ? "transpose" : "transpose_padded", "TeamPolicy(league=64, team=8, vector=32)",
      {sample_site(device, sample_view("in"), Operation::load, false, line_of_store, 2048, row),
       sample_site(device, tile, Operation::store, true, line_of_store, 2048, row),
       sample_site(device, tile, Operation::load, true, line_of_load, 2048, column, fix),
       sample_site(device, sample_view("out"), Operation::store, false, line_of_load, 2048, row)});
}

inline ReportedTraffic sample_naive(model::Device const& device) {
  using model::Operation;
  return sample_traffic(
      "naive", "RangePolicy(0, 65536)",
      {sample_site(device, sample_view("in"), Operation::load, false, line_of_naive, 2048,
                   [](std::int64_t lane) { return lane * 4; }),
       sample_site(
           device, sample_view("out"), Operation::store, false, line_of_naive, 2048,
           [](std::int64_t lane) { return lane * 1024; },
           "neighbouring lanes are 256 elements apart: transpose the View's layout, or go through a tile in "
           "team scratch")});
}

inline Side sample_side(AccessKind access, std::uint64_t league, std::uint32_t thread, std::uint32_t lane,
                        std::uint32_t warp) {
  Side side;
  side.access = access;
  side.bytes = 4;
  side.has_lane = true;
  side.league = league;
  side.thread = thread;
  side.vector_lane = lane;
  side.warp = warp;
  side.site = teamsan::Site{1};
  return side;
}

inline ReportedFinding sample_race() {
  ReportedFinding found;
  Finding& finding = found.finding;
  finding.rule = Rule::scratch_race;
  finding.title = "write/read race on team scratch";
  finding.kernel = "transpose";
  finding.policy = "TeamPolicy(league=64, team=8, vector=32)";
  finding.launch = 2;
  finding.league_size = 64;
  finding.data = sample_tile(32);
  finding.data.offset = 136;
  found.why = {
      "barrier interval 0 began at the start of the kernel; neither lane has reached another barrier"};
  found.fix = "put team.team_barrier() between src/transpose.cpp:40 and src/transpose.cpp:45";
  finding.count = 61440;
  finding.teams = 64;
  found.obtained = sample_place(line_of_tile, 15);
  found.kernel_launch = 1;
  found.id = "TS-3f9a1c";
  Side write = sample_side(AccessKind::write, 0, 1, 2, 1);
  Side read = sample_side(AccessKind::read, 0, 2, 1, 2);
  write.has_interval = read.has_interval = true;
  found.sides.push_back(
      {write, {sample_place(line_of_store, 22), {}, ""}, source_line(sample_path(), line_of_store)});
  found.sides.push_back({read,
                         {sample_place(line_of_load, 37), {sample_place(78, 3)}, ""},
                         source_line(sample_path(), line_of_load)});
  // The word is read again after a barrier, by the lane itself and by the reader.
  auto const touch = [](std::uint64_t interval, std::uint32_t thread, std::uint32_t lane, AccessKind access,
                        std::uint64_t count, unsigned line, int side) {
    WordTouch t;
    t.interval = interval;
    t.thread = thread;
    t.vector_lane = lane;
    t.access = access;
    t.bytes = 4;
    t.count = count;
    t.place = sample_place(line, 9);
    t.source = source_line(sample_path(), line);
    t.side = side;
    return t;
  };
  found.life.touches = {touch(0, 1, 2, AccessKind::write, 1, line_of_store, 0),
                        touch(0, 2, 1, AccessKind::read, 1, line_of_load, 1),
                        touch(1, 1, 2, AccessKind::read, 3, line_of_load, -1),
                        touch(1, 2, 1, AccessKind::atomic_write, 1, line_of_load, -1)};
  return found;
}

inline ReportedFinding sample_warning() {
  ReportedFinding found;
  Finding& finding = found.finding;
  finding.rule = Rule::same_value;
  finding.severity = Severity::warning;
  finding.title = "several lanes write the same value to device memory";
  finding.kernel = "naive";
  finding.policy = "RangePolicy(0, 65536)";
  finding.launch = 6;
  finding.league_size = 512;
  finding.data = sample_view("out");
  finding.data.offset = 1028;
  found.why = {"nothing orders lanes of different teams before the kernel's end"};
  found.fix = "let one lane write, in Kokkos::single";
  finding.count = 12;
  finding.teams = 2;
  found.id = "TS-88b014";
  Side side = sample_side(AccessKind::write, 3, 4, 0, 0);
  found.sides.push_back(
      {side, {sample_place(line_of_naive, 19), {}, ""}, source_line(sample_path(), line_of_naive)});
  side.league = 4;
  found.sides.push_back(
      {side, {sample_place(line_of_naive, 19), {}, ""}, source_line(sample_path(), line_of_naive)});
  return found;
}

inline Report sample_report(char const* device_name = "h100", char const* short_name = "H100") {
  model::Device const& device = *model::find_device(device_name);
  Report report;
  report.program.arguments = {"build/transpose_teamsan", "256"};
  report.program.flags = {"--check", "race,bank,coalesce"};
  report.program.device = short_name;
  report.program.device_name = device_name;
  report.program.kernels = 5;
  report.program.launches = report.program.launches_checked = 8;
  report.findings = {sample_race(), sample_warning()};
  report.kernels = {sample_transpose(device, 32), sample_transpose(device, 33), sample_naive(device)};
  return report;
}

}  // namespace teamsan::test
