// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads warp accesses and what a chip's counters gave for them from CSV (traces/hardware/README.md describes
/// the form). Decides whether a file has that form; does not judge whether the numbers are plausible.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan::traces {

/// The base of a row in a file without a column `base`, in bytes: a second small allocation of CUDA. It is
/// what the atomics of h100_global_memory.csv say, whose base nobody wrote down.
inline constexpr std::uint64_t unrecorded_base = 512;

/// A file without that form. what() is one sentence: file, line number, what is wrong, what would be right.
struct MalformedCsv : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class AccessKind : std::uint8_t {
  load,   ///< op "ld"
  store,  ///< op "st"
  atomic  ///< op "atom_..." or "red_..."
};

/// One access of one warp.
struct HardwareRow {
  std::size_t line;  ///< of the file, the header being 1
  std::string text;  ///< the line as it stands, without its end
  AccessKind kind;
  std::string op;                ///< as it stands: "atom_add_u32"
  std::uint32_t bytes_per_lane;  ///< 1, 2, 4, 8 or 16
  std::string pattern;           ///< a name for people
  std::uint64_t active;          ///< bit l: lane l takes part
  std::vector<std::uint64_t>
      offsets;  ///< bytes from the base, by lane; 0 where an inactive lane's is left empty
  std::vector<std::uint64_t> addresses;  ///< base plus offsets: what the models take
  std::vector<std::uint64_t> counters;   ///< as HardwareCsv::counters names them
};

struct HardwareCsv {
  std::string header;                 ///< the first line as it stands
  std::uint32_t lanes;                ///< 32 or 64: offset columns
  std::vector<std::string> counters;  ///< columns after the offsets but `base`, possibly none
  bool has_base;                      ///< whether there is a column `base`, the first after the offsets
  std::vector<HardwareRow> rows;

  /// The place of a counter in HardwareRow::counters, if the file has it.
  std::optional<std::size_t> counter(std::string_view name) const;
};

/// `name` stands in messages for the file. Empty lines are skipped. Throws MalformedCsv.
HardwareCsv read_hardware_csv(std::istream& input, std::string_view name);

/// Throws MalformedCsv, also if the file cannot be opened.
HardwareCsv read_hardware_csv(std::filesystem::path const& file);

}  // namespace teamsan::traces
