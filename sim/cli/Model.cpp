// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan model`: what the models of model/device say of the accesses of a CSV, beside what a chip's
/// counters gave, if the file has that. Decides which space a file speaks of, and how a row wider than a
/// device's warp is taken: as several warps.
#include "Commands.hpp"
#include "Help.hpp"

#include "../../model/device/Device.hpp"
#include "../../model/device/GlobalMemory.hpp"
#include "../../model/device/SharedMemory.hpp"
#include "../../traces/HardwareAccess.hpp"
#include "../../traces/HardwareCsv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

namespace teamsan::cli {
namespace {

enum class Space : std::uint8_t { shared, global };

/// What each space counts, in the order of `count`.
std::array<std::string_view, 2> counter_names(Space space) {
  switch (space) {
    case Space::shared:
      return {"wavefronts", "bank_conflicts"};
    case Space::global:
      return {"requests", "sectors"};
  }
  return {};
}

using Counts = std::array<std::uint64_t, 2>;

struct ModelRequest {
  std::string file, device = "h100", space, output;
  std::vector<std::string> what_if;
};

/// A device whose columns are appended, and how their names begin.
struct Column {
  model::Device const* device;
  std::string prefix;
};

std::vector<Column> columns_of(ModelRequest const& request) {
  std::vector<Column> columns{{&device_named(request.device), "model_"}};
  for (std::string const& change : request.what_if) {
    std::string_view constexpr key = "device=";
    if (!change.starts_with(key))
      throw UsageError(fmt::format("--what-if takes device=NAME, not \"{}\"", change));
    model::Device const* const device = &device_named(change.substr(key.size()));
    columns.push_back({device, fmt::format("what_if_{}_", device->name)});
  }
  return columns;
}

bool has_any_counter(traces::HardwareCsv const& csv, Space space) {
  return std::ranges::any_of(counter_names(space),
                             [&](std::string_view name) { return csv.counter(name).has_value(); });
}

Space space_of(ModelRequest const& request, traces::HardwareCsv const& csv) {
  if (request.space == "shared") return Space::shared;
  if (request.space == "global") return Space::global;
  if (!request.space.empty())
    throw UsageError(fmt::format("--space takes shared or global, not \"{}\"", request.space));
  bool const shared = has_any_counter(csv, Space::shared), global = has_any_counter(csv, Space::global);
  if (shared != global) return shared ? Space::shared : Space::global;
  throw UsageError(fmt::format("{} has {} memory: say which is meant by --space shared or --space global",
                               request.file,
                               shared ? "counters of shared and of global" : "no counters of either"));
}

traces::HardwareCsv read(std::string const& file) {
  try {
    traces::HardwareCsv csv = traces::read_hardware_csv(std::filesystem::path(file));
    if (csv.rows.empty()) throw UsageError(fmt::format("{} has a header, but no access below it", file));
    return csv;
  } catch (traces::MalformedCsv const& error) {
    throw UsageError(error.what());
  }
}

Counts count(model::Device const& device, Space space, model::WarpAccess const& access) {
  switch (space) {
    case Space::shared: {
      auto const counts = model::count_shared(device, access);
      return {counts.wavefronts, counts.bank_conflicts};
    }
    case Space::global: {
      auto const counts = model::count_global(device, access);
      return {counts.requests, counts.sectors};
    }
  }
  return {};
}

/// Over all warps of the device that the row's lanes fill.
Counts count_row(model::Device const& device, Space space, traces::HardwareRow const& row) {
  model::WarpAccess access = traces::warp_access(row);
  Counts sum{};
  for (std::size_t first = 0; first < row.addresses.size(); first += device.warp_width) {
    access.active = row.active >> first;
    access.addresses = std::span(row.addresses).subspan(first);
    Counts const counts = count(device, space, access);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += counts[i];
  }
  return sum;
}

/// The file with the columns appended.
std::string table(traces::HardwareCsv const& csv, Space space, std::vector<Column> const& columns) {
  std::string text = csv.header;
  for (Column const& column : columns)
    for (std::string_view const name : counter_names(space))
      text += fmt::format(",{}{}", column.prefix, name);
  text += '\n';
  for (traces::HardwareRow const& row : csv.rows) {
    text += row.text;
    for (Column const& column : columns)
      for (std::uint64_t const value : count_row(*column.device, space, row))
        text += fmt::format(",{}", value);
    text += '\n';
  }
  return text;
}

/// A row on which model and chip disagree.
struct Miss {
  traces::HardwareRow const* row;
  std::uint64_t distance;  ///< summed over the counters
  std::string text;
};

std::optional<Miss> miss_of(traces::HardwareCsv const& csv, traces::HardwareRow const& row, Space space,
                            Counts const& counts) {
  auto const names = counter_names(space);
  Miss miss{.row = &row, .distance = 0, .text = {}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto const at = csv.counter(names[i]);
    if (!at || row.counters[*at] == counts[i]) continue;
    miss.distance += std::max(row.counters[*at], counts[i]) - std::min(row.counters[*at], counts[i]);
    miss.text += fmt::format("{}{} {}, recorded {}", miss.text.empty() ? "" : "; ", names[i], counts[i],
                             row.counters[*at]);
  }
  return miss.distance == 0 ? std::nullopt : std::optional(std::move(miss));
}

/// How well the model of the first column meets the recorded counters; empty if there are none.
std::string summary(traces::HardwareCsv const& csv, Space space, model::Device const& device) {
  constexpr std::size_t shown = 5;
  if (!has_any_counter(csv, space)) return {};
  std::vector<Miss> misses;
  for (traces::HardwareRow const& row : csv.rows)
    if (auto miss = miss_of(csv, row, space, count_row(device, space, row)))
      misses.push_back(std::move(*miss));
  std::ranges::stable_sort(misses, std::ranges::greater{}, &Miss::distance);
  std::size_t const rows = csv.rows.size(), exact = rows - misses.size();
  std::string text = fmt::format("teamsan: {}: {} of {} rows exact ({:.1f} %)\n", device.name, exact, rows,
                                 100.0 * static_cast<double>(exact) / static_cast<double>(rows));
  for (Miss const& miss : std::span(misses).first(std::min(shown, misses.size())))
    text += fmt::format("  line {}: {} {} {}: model {}\n", miss.row->line, miss.row->op,
                        miss.row->bytes_per_lane, miss.row->pattern, miss.text);
  if (misses.size() > shown)
    text += fmt::format("  and {} rows more that differ no more\n", misses.size() - shown);
  return text;
}

void write(std::string const& text, std::string const& output) {
  if (output.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  std::ofstream file(output, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw UsageError(fmt::format("{} cannot be written", output));
}

void append_columns(ModelRequest const& request) {
  if (request.file.empty()) throw UsageError("model needs a file: teamsan model [--device h100] FILE.csv");
  std::vector<Column> const columns = columns_of(request);
  traces::HardwareCsv const csv = read(request.file);
  Space const space = space_of(request, csv);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::string const name = columns[i].prefix + std::string(counter_names(space).front());
    bool const twice = std::ranges::count(columns, columns[i].prefix, &Column::prefix) > 1;
    if (twice) throw UsageError(fmt::format("--what-if names {} twice", columns[i].device->name));
    if (csv.counter(name)) throw UsageError(fmt::format("{} has a column {} already", request.file, name));
  }
  write(table(csv, space, columns), request.output);
  std::fputs(summary(csv, space, *columns.front().device).c_str(), stderr);
}

}  // namespace

void add_model(CLI::App& app) {
  CLI::App* command = app.add_subcommand("model", "compare the memory models with recorded counters");
  command->allow_extras();
  set_help(*command,
           {"Appends what a device's model says of warp accesses to a CSV of them.", "model [options] FILE.csv",
            "The form of the file: traces/hardware/README.md. Appended are wavefronts and bank_conflicts of shared "
            "memory, or requests and sectors of global memory. A row with more lanes than the device's warp counts as "
            "several warps. If the file has such counters from a chip, standard error says how many rows agree, and "
            "shows those that differ most."});
  auto request = std::make_shared<ModelRequest>();
  command->add_option("file", request->file);
  command->add_option("--device", request->device, "the device that is asked (h100): columns model_...")->type_name("NAME");
  command->add_option("--space", request->space, "which memory, where no counters in the file tell it")
      ->type_name("shared|global");
  command->add_option("--output", request->output, "to a file, not to standard output")->type_name("FILE");
  command->add_option("--what-if", request->what_if, "the same of another one (repeatable): columns what_if_NAME_...")
      ->type_name("device=NAME")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->final_callback([request] { append_columns(*request); });
}

}  // namespace teamsan::cli
