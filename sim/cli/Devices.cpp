/// `teamsan devices`: the GPUs that can be simulated.
#include "Commands.hpp"

#include <teamsan/model/device/Device.hpp>

#include <fmt/format.h>

#include <cstdio>

namespace teamsan::cli {
namespace {

std::string device_table() {
  std::string text =
      fmt::format("{:<9} {:>4} {:>5} {:>8}  {:<11}\n", "--device", "warp", "lanes", "scratch", "model");
  for (model::Device const& device : model::devices())
    text += fmt::format("{:<9} {:>4} {:>5} {:>8.1f}  {:<11} {}\n", device.name, device.warp_width,
                        device.max_team_lanes, static_cast<double>(device.scratch_opt_in) / 1024,
                        device.evidence == model::Evidence::measured ? "measured" : "documented",
                        hanging(device.title, 43, 43));
  text +=
      "\nwarp: lanes that run as one. lanes: team size times vector length at most.\n"
      "scratch: level 0, of a team, in units of 1024 bytes. model: of memory access,\n"
      "measured (checked against the chip's own counters) or from documents only.\n";
  return text;
}

}  // namespace

void add_devices(CLI::App& app) {
  CLI::App* command = app.add_subcommand("devices", "list the GPUs that can be simulated");
  command->allow_extras();
  command->formatter_fn([](CLI::App const*, std::string, CLI::AppFormatMode) {
    return std::string("Lists the GPUs that --device takes, with their limits.\n\nUsage: teamsan devices\n");
  });
  command->final_callback([] { std::fputs(device_table().c_str(), stdout); });
}

}  // namespace teamsan::cli
