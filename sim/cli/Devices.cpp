// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan devices`: the GPUs that can be simulated, and where each of a GPU's figures comes from.
#include "Commands.hpp"
#include "Help.hpp"

#include "../../model/device/Device.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace teamsan::cli {
namespace {

std::string_view evidence_word(model::Evidence evidence) {
  switch (evidence) {
    case model::Evidence::measured:
      return "measured";
    case model::Evidence::documented:
      return "documented";
    case model::Evidence::assumed:
      return "assumed";
  }
  return "";
}

/// One letter for each aspect that is there.
std::string usm_letters(model::UsmAspects const& usm) {
  std::string text = "dhsyHSc";
  bool const there[] = {usm.device_allocations, usm.host_allocations,        usm.shared_allocations,
                        usm.system_allocations, usm.atomic_host_allocations, usm.atomic_shared_allocations,
                        usm.concurrent_access};
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!there[i]) text[i] = '-';
  return text;
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes == 0) return "0";
  for (auto const& [unit, shift] : {std::pair{"GiB", 30}, {"MiB", 20}, {"KiB", 10}})
    if (bytes % (std::uint64_t{1} << shift) == 0) return fmt::format("{} {}", bytes >> shift, unit);
  return fmt::format("{} bytes", bytes);
}

std::string count_text(std::uint64_t count) { return count == 0 ? "-" : fmt::format("{}", count); }

/// The figure of that name in Device::origins, as text.
std::string figure_text(model::Device const& device, std::string_view what) {
  if (what == "warp_width") return count_text(device.warp_width);
  if (what == "max_team_lanes") return count_text(device.max_team_lanes);
  if (what == "max_vector_length") return count_text(device.max_vector_length);
  if (what == "banks") return count_text(device.banks);
  if (what == "bank_width") return bytes_text(device.bank_width);
  if (what == "sector_bytes") return bytes_text(device.sector_bytes);
  if (what == "cache_line_bytes") return bytes_text(device.cache_line_bytes);
  if (what == "scratch_default") return bytes_text(device.scratch_default);
  if (what == "scratch_opt_in") return bytes_text(device.scratch_opt_in);
  if (what == "scratch_reserved") return bytes_text(device.scratch_reserved);
  if (what == "scratch_level1") return bytes_text(device.scratch_level1);
  if (what == "scratch_withheld") return bytes_text(device.scratch_withheld);
  if (what == "compute_units") return count_text(device.compute_units);
  if (what == "registers_per_thread") return count_text(device.registers_per_thread);
  if (what == "memory_bytes") return device.memory_bytes == 0 ? "-" : bytes_text(device.memory_bytes);
  if (what == "max_league") return count_text(device.max_league);
  if (what == "unit") return device.unit.warps == 0 ? "-" : fmt::format("{} warps", device.unit.warps);
  if (what == "clock_hz") return device.clock_hz == 0 ? "-" : fmt::format("{:.2f} GHz", device.clock_hz / 1e9);
  if (what == "memory_rate") return device.memory_rate == 0 ? "-" : fmt::format("{:.2f} TB/s", device.memory_rate / 1e12);
  if (what == "double_rate") return device.double_rate == 0 ? "-" : fmt::format("{:.1f} TFLOPS", device.double_rate / 1e12);
  if (what == "launch_seconds") return device.launch_seconds == 0 ? "-" : fmt::format("{:.0f} us", device.launch_seconds * 1e6);
  if (what == "usm") return usm_letters(device.usm);
  return "";
}

constexpr char const* usm_legend =
    "usm: allocations that the device knows: d of its own, h of the host, s shared\n"
    "(migrating), y any that malloc returns; H, S: atomics of host and device at once\n"
    "on the host's, on shared ones; c: host and kernels may touch shared ones at the\n"
    "same time.\n";

std::string device_table() {
  std::string text = fmt::format("{:<8} {:>4} {:>5} {:>5} {:>7} {:>4} {:<7} {:<10} {}\n", "--device", "warp",
                                 "banks", "lanes", "scratch", "regs", "usm", "model", "which is");
  for (model::Device const& device : model::devices())
    text +=
        fmt::format("{:<8} {:>4} {:>5} {:>5} {:>7} {:>4} {:<7} {:<10} {}\n", device.name, device.warp_width,
                    fmt::format("{}x{}", device.banks, device.bank_width), device.max_team_lanes,
                    fmt::format("{}-{}", device.scratch_default >> 10, device.scratch_opt_in >> 10),
                    count_text(device.registers_per_thread), usm_letters(device.usm),
                    evidence_word(device.evidence), hanging(device.title, 58, 58));
  text +=
      "\nwarp: lanes that run as one. banks: of scratch, and bytes that each gives at\n"
      "once. lanes: team size times vector length at most. scratch: level 0 of a team,\n"
      "in KiB, by default and at most. regs: registers of a lane at most, where known.\n" +
      std::string(usm_legend) +
      "model: of memory access: measured (checked against the chip's own counters),\n"
      "from documents only, or assumed. `teamsan devices NAME` says of each figure\n"
      "where it comes from.\n";
  return text;
}

std::string device_details(model::Device const& device) {
  std::string text = fmt::format("{}: {}\n\n", device.name, device.title);
  for (model::Origin const& origin : device.origins)
    text +=
        fmt::format("{:<20} {:>11}  {}\n", origin.what, figure_text(device, origin.what),
                    hanging(fmt::format("{}: {}", evidence_word(origin.evidence), origin.source), 34, 34));
  text += fmt::format("{:<20} {:>11}\n", "access model", evidence_word(device.evidence));
  text += fmt::format(
      "\nOf level-0 scratch Kokkos gives a team {} bytes at most:\n"
      "scratch_opt_in less scratch_reserved and scratch_withheld.\n",
      model::scratch_level0_max(device));
  if (model::UnitCapacity const& unit = device.unit; unit.warps != 0)
    text += fmt::format(
        "\nA compute unit holds {} warps{}, {} of level-0 scratch\n"
        "(given out by {} bytes), and in each of {} partitions {} registers for a\n"
        "lane's place (given out by {}). `--check perf` says what a launch makes of it.\n",
        unit.warps, unit.teams == 0 ? "" : fmt::format(", {} teams", unit.teams), bytes_text(unit.scratch),
        unit.scratch_unit, unit.partitions, unit.registers, unit.register_unit);
  return text + usm_legend;
}

void print(std::string const& name) {
  if (name.empty()) {
    std::fputs(device_table().c_str(), stdout);
    return;
  }
  std::fputs(device_details(device_named(name)).c_str(), stdout);
}

}  // namespace

model::Device const& device_named(std::string const& name) {
  if (model::Device const* device = model::find_device(name)) return *device;
  throw UsageError(
      fmt::format("unknown device \"{}\"; the nearest known one is \"{}\"; `teamsan devices` lists all", name,
                  model::nearest_device_name(name)));
}

void add_devices(CLI::App& app) {
  CLI::App* command = app.add_subcommand("devices", "list the GPUs that can be simulated");
  command->allow_extras();
  set_help(*command, {"Lists the GPUs that --device takes, with their limits; of one GPU, each figure with its source.",
                      "devices [NAME]"});
  auto name = std::make_shared<std::string>();
  command->add_option("name", *name);
  command->final_callback([name] { print(*name); });
}

}  // namespace teamsan::cli
