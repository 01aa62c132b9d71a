// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The form that HardwareCsv.hpp promises, checked field by field.
#include "HardwareCsv.hpp"

#include "InputFile.hpp"
#include "Printable.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <system_error>
#include <utility>

namespace teamsan::traces {

namespace {

constexpr std::array<std::string_view, 4> leading{"op", "bytes_per_lane", "pattern", "active_mask_hex"};

/// Where in which file, for messages.
struct Place {
  std::string_view name;
  std::size_t line;

  [[noreturn]] void fail(std::string const& sentence) const {
    throw MalformedCsv(std::string(name) + ":" + std::to_string(line) + ": " + sentence);
  }
};

/// Clipped: a binary file may be one long line.
constexpr std::size_t most_shown = 80;
std::string quoted(std::string_view text) {
  return '"' + printable(text.substr(0, most_shown)) + (text.size() > most_shown ? "...\"" : "\"");
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0;;) {
    std::size_t const comma = line.find(',', begin);
    fields.push_back(line.substr(begin, comma - begin));
    if (comma == std::string_view::npos) return fields;
    begin = comma + 1;
  }
}

std::optional<std::uint64_t> number(std::string_view text, int base) {
  std::uint64_t value = 0;
  char const* const end = text.data() + text.size();
  auto const result = std::from_chars(text.data(), end, value, base);
  if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return value;
}

bool is_width(std::uint64_t bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

HardwareCsv read_header(Place const& place, std::string const& line) {
  HardwareCsv csv{.header = line, .lanes = 0, .counters = {}, .has_base = false, .rows = {}};
  auto const names = split(line);
  for (std::size_t i = 0; i < leading.size(); ++i)
    if (i >= names.size() || names[i] != leading[i])
      place.fail("column " + std::to_string(i + 1) + " of the header is " +
                 (i < names.size() ? quoted(names[i]) : "missing") + ", it must be " + quoted(leading[i]));
  std::size_t next = leading.size();
  while (next < names.size() && names[next] == "offset_lane" + std::to_string(csv.lanes)) {
    ++csv.lanes;
    ++next;
  }
  if (csv.lanes != 32 && csv.lanes != 64)
    place.fail("the header names " + std::to_string(csv.lanes) +
               " lanes in a row, it must name offset_lane0 to offset_lane31 or to offset_lane63");
  csv.has_base = next < names.size() && names[next] == "base";
  if (csv.has_base) ++next;
  csv.counters.assign(names.begin() + static_cast<std::ptrdiff_t>(next), names.end());
  return csv;
}

AccessKind read_kind(Place const& place, std::string_view op) {
  if (op == "ld") return AccessKind::load;
  if (op == "st") return AccessKind::store;
  if (op.starts_with("atom_") || op.starts_with("red_")) return AccessKind::atomic;
  place.fail("op is " + quoted(op) + ", it must be ld, st, atom_... or red_...");
}

HardwareRow read_row(Place const& place, HardwareCsv const& csv, std::string const& line) {
  auto const fields = split(line);
  std::size_t const after_offsets = leading.size() + csv.lanes;
  std::size_t const first_counter = after_offsets + (csv.has_base ? 1 : 0);
  std::size_t const expected = first_counter + csv.counters.size();
  if (fields.size() != expected)
    place.fail("the line has " + std::to_string(fields.size()) + " fields, the header names " +
               std::to_string(expected));

  HardwareRow row{.line = place.line,
                  .text = line,
                  .kind = read_kind(place, fields[0]),
                  .op = std::string(fields[0]),
                  .bytes_per_lane = 0,
                  .pattern = std::string(fields[2]),
                  .active = 0,
                  .offsets = {},
                  .addresses = {},
                  .counters = {}};
  auto const bytes = number(fields[1], 10);
  if (!bytes || !is_width(*bytes))
    place.fail("bytes_per_lane is " + quoted(fields[1]) + ", it must be 1, 2, 4, 8 or 16");
  row.bytes_per_lane = static_cast<std::uint32_t>(*bytes);
  auto const mask = number(fields[3], 16);
  if (!mask || (csv.lanes < 64 && (*mask >> csv.lanes) != 0))
    place.fail("active_mask_hex is " + quoted(fields[3]) + ", it must be up to " +
               std::to_string(csv.lanes / 4) + " hexadecimal digits, without 0x");
  row.active = *mask;

  for (std::uint32_t lane = 0; lane < csv.lanes; ++lane) {
    std::string_view const field = fields[leading.size() + lane];
    bool const optional = field.empty() && (row.active >> lane & 1) == 0;
    auto const offset = optional ? std::optional<std::uint64_t>(0) : number(field, 10);
    if (!offset)
      place.fail("offset_lane" + std::to_string(lane) + " is " + quoted(field) +
                 ", it must be a decimal count of bytes");
    row.offsets.push_back(*offset);
  }
  auto const base = csv.has_base ? number(fields[after_offsets], 10) : std::optional(unrecorded_base);
  if (!base) place.fail("base is " + quoted(fields[after_offsets]) + ", it must be a decimal count of bytes");
  for (std::uint64_t const offset : row.offsets) row.addresses.push_back(*base + offset);
  for (std::size_t i = 0; i < csv.counters.size(); ++i) {
    std::string_view const field = fields[first_counter + i];
    auto const value = number(field, 10);
    if (!value)
      place.fail(printable(std::string_view(csv.counters[i]).substr(0, most_shown)) + " is " + quoted(field) +
                 ", it must be a decimal count");
    row.counters.push_back(*value);
  }
  return row;
}

}  // namespace

std::optional<std::size_t> HardwareCsv::counter(std::string_view name) const {
  auto const found = std::ranges::find(counters, name);
  if (found == counters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - counters.begin());
}

HardwareCsv read_hardware_csv(std::istream& input, std::string_view name) {
  Place place{.name = name, .line = 0};
  std::optional<HardwareCsv> csv;
  for (std::string line; std::getline(input, line);) {
    ++place.line;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    if (csv)
      csv->rows.push_back(read_row(place, *csv, line));
    else
      csv = read_header(place, line);
  }
  if (!csv) {
    place.line = 1;
    place.fail(
        "the file is empty, it must begin with a header line op,bytes_per_lane,pattern,active_mask_hex,...");
  }
  return std::move(*csv);
}

HardwareCsv read_hardware_csv(std::filesystem::path const& file) {
  try {
    std::istringstream input(read_text_file(file.string()));
    return read_hardware_csv(input, file.string());
  } catch (InputError const& error) {
    throw MalformedCsv(file.string() + ": the file cannot be read: " + error.what());
  }
}

}  // namespace teamsan::traces
