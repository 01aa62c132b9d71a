// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a user may choose, read once from TEAMSAN_OPTIONS ("key=value:key=value"), which `teamsan run` fills.
#pragma once

#include "EarlierRun.hpp"
#include "Rule.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan {

namespace model {
struct Device;
}

struct Options {
#define TEAMSAN_OPTION(type, name, value, syntax, range, reproduces, file, help) type name = value;
#include "Options.def"
#undef TEAMSAN_OPTION

  /// Derived from `check`: is this rule on?
  bool enabled(Rule rule) const noexcept { return m_rules >> static_cast<unsigned>(rule) & 1; }
  /// Is it on by its own name, not by a group's or `all`?
  bool enabled_by_name(Rule rule) const noexcept {
    return enabled(rule) && (m_by_name >> static_cast<unsigned>(rule) & 1) != 0;
  }
  bool any_enabled() const noexcept { return m_rules != 0; }
  /// Is any rule of the machine model on?
  bool models() const noexcept { return (m_rules & m_model_rules) != 0; }
  /// Derived from `device`.
  model::Device const& model() const noexcept { return *m_device; }

  /// Derived from `fail_on`: is a finding of that rule and factor (ways, times the ideal) an error?
  bool fails_on(Rule rule, std::uint64_t factor = ~0ull) const noexcept {
    for (FailOn const& f : m_fail_on)
      if (f.rule == rule && factor >= f.factor) return true;
    return false;
  }

  struct FailOn {
    Rule rule;
    std::uint64_t factor;
  };
  std::uint64_t m_rules = ~0ull;
  std::uint64_t m_by_name = 0;      ///< those that `check` names by their ids
  std::uint64_t m_model_rules = 0;  ///< those of the machine model, whether on or not
  std::uint32_t m_shard_index = 0, m_shard_count = 0;  ///< derived from `shard`, the index from 0; count 0: no shards
  std::vector<FailOn> m_fail_on;
  std::string m_config;                    ///< the file .teamsan that options were taken from; empty: none
  std::vector<std::string> m_config_says;  ///< "key=value", as it has them
  std::uint64_t m_budget_hundredths = 0;  ///< derived from `budget`: 2x is 200; 0: not by cost
  std::uint64_t m_budget_seconds = 0;     ///< derived from `budget`; 0: not by time
  std::vector<EarlierKernel> m_launches_of, m_by;  ///< what the reports say that these options name
  /// Are launches chosen from among those that --kernel-name and the like let through?
  bool chooses_launches() const noexcept { return sample || !budget.empty() || !launches_of.empty() || !by.empty(); }
  model::Device const* m_device = nullptr;
};

/// A user's mistake: what() is one clear sentence that names the wrong key or value and the nearest right
/// one.
struct OptionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws OptionError for a format of reports that there is not, or a file of suppressions or an earlier report that cannot be
/// read, and takes from the latter what they say of launches: what the room `report` knows, which defines it.
void check_report_options(Options& options);

/// Parses "key=value:key=value" (also with spaces or newlines between) over the defaults. A value that holds
/// ':' or blanks is put in single or double quotes; inside double quotes a backslash takes the next character
/// as it is. A boolean key alone means true. Later keys win; several of an option that takes many add up, one a line. Throws
/// OptionError.
Options parse_options(std::string_view text);

/// The same of a text that somebody else may have written: keys that name files are passed over.
Options parse_recorded_options(std::string_view text);

/// Those of the options that differ from their defaults, as parse_options takes them; none that names a file.
std::string options_text(Options const& options);

/// TEAMSAN_OPTIONS, if whoever set it may decide what this process writes: to a program that is set-user-ID, set-group-ID or
/// has capabilities it says nothing, which is told once.
std::string const& environment_options();

/// A process that is no checked program, the launcher itself, takes no options from a file.
void pass_over_config() noexcept;

/// The program's options, parsed at first use: its own (teamsan_default_options), those of a file .teamsan, and those of
/// TEAMSAN_OPTIONS, of which later ones win. A mistake prints its sentence and exits with status 2; help=1
/// prints all keys and exits with 0.
Options const& options();

/// Which values an option takes, beside what its type says.
struct OptionRange {
  enum class Kind : std::uint8_t { any, many, between, power_of_two, one_of, some_of } kind = Kind::any;
  std::int64_t least = 0, most = 0;          ///< of numbers
  std::array<std::string_view, 8> words{};   ///< of one_of and some_of; the rest is empty

  /// Those that are there.
  std::span<std::string_view const> known_words() const noexcept;
  /// "from 2 to 64"; empty: nothing to say, or words, which the help says.
  std::string text() const;
};

/// Does a run that is to find the same need it?
enum class Reproduces : std::uint8_t {
  no,
  repeats,  ///< yes
  finds,    ///< yes; and with another value it may be that it cannot find the same at all
};

/// Does its value name a file?
enum class NamesFile : std::uint8_t { none, read, written };

/// One line of Options.def, as text.
struct OptionInfo {
  std::string_view name, default_value, syntax, help;  ///< default "{}": it hangs on where the program runs
  bool is_bool;
  OptionRange range;
  Reproduces reproduces;
  NamesFile file;
  std::string_view group;  ///< its title

  /// "--lane-order"
  std::string flag() const;
};

/// All options in the order of Options.def.
std::span<OptionInfo const> option_list();

/// The flag of `teamsan run` for an option: "--lane-order ORDER", "--strict", "--summary=0".
std::string flag_text(OptionInfo const& option);

/// What help=1 prints: every key with its default and its meaning.
std::string options_help();

/// The value as it must be written after "key=" in TEAMSAN_OPTIONS.
std::string quoted_option_value(std::string_view value);

/// The option of a flag such as "--lane-order"; null: there is none.
OptionInfo const* option_of_flag(std::string_view flag);

/// The flags of `teamsan run` for those options that change what a run finds and differ from their defaults
/// (device, lane order, seed, ...): what the Rerun line of a report must repeat.
std::vector<std::string> reproducing_flags(Options const& options);

}  // namespace teamsan
