// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads TEAMSAN_OPTIONS by the one list, Options.def.
#include "Options.hpp"

#include "../../model/device/Device.hpp"
#include "CheckList.hpp"
#include "ConfigFile.hpp"
#include "ExitStatus.hpp"
#include "KernelNames.hpp"
#include "NearestName.hpp"
#include "OptionNames.hpp"
#include "OptionValue.hpp"
#include "UsmAspects.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <utility>

/// Options that are part of a program: it may define this, as of other sanitizers. The second is for what a build adds to it.
extern "C" [[gnu::weak]] char const* teamsan_default_options();
extern "C" [[gnu::weak]] char const* __teamsan_default_options();

namespace teamsan {
namespace {

/// Sets one option; false when the key is unknown.
bool set_option(Options& options, std::string_view key, std::string_view text) {
  if (key == "report" && text.starts_with("trace=") && text.size() > 6) return set_option(options, "trace", text.substr(6));
  auto const add_up = [&](auto& value) {
    if constexpr (std::same_as<std::remove_cvref_t<decltype(value)>, std::string>) {
      auto const info = std::ranges::find(option_list(), key, &OptionInfo::name);
      if (info->range.kind != OptionRange::Kind::many || value.empty() || text.empty()) return false;
      value.append("\n").append(text);
      return true;
    }
    return false;
  };
#define TEAMSAN_OPTION(type, name, value, syntax, range, reproduces, file, help) \
  if (key == #name) {                                                            \
    if constexpr (!is_switch<type> && !std::same_as<type, std::string>)          \
      if (text.empty()) refuse(key, text, "a value: write " #name "=" syntax);   \
    if (!add_up(options.name)) read_value(options.name, key, text);              \
    return true;                                                                 \
  }
#include "Options.def"
#undef TEAMSAN_OPTION
  return false;
}

/// Takes the value that starts `text`, quoted or not, off it.
std::string take_value(std::string_view& text, std::string_view key) {
  std::string value;
  while (!text.empty() && !separates(text.front())) {
    char const quote = text.front();
    text.remove_prefix(1);
    if (quote != '"' && quote != '\'') {
      value += quote;
      continue;
    }
    for (;; text.remove_prefix(1)) {
      if (text.empty())
        throw OptionError(fmt::format("the value of {} opens a {} quote that nothing closes", key, quote));
      if (text.front() == quote) break;
      if (quote == '"' && text.front() == '\\' && text.size() > 1) text.remove_prefix(1);
      value += text.front();
    }
    text.remove_prefix(1);
  }
  return value;
}

[[noreturn]] void refuse_key(std::string_view key, std::string_view where, bool after_colon) {
  std::vector<std::string_view> names{"help"};
  for (OptionInfo const& info : option_list()) names.push_back(info.name);
  throw OptionError(fmt::format("unknown option \"{}\"{}{}{}", key, where, hint_at(key, names),
                                after_colon ? " (a value that holds ':' must stand in quotes)" : ""));
}

/// Options that users of other sanitizers type, as they are called here.
void rename_others_option(std::string& key, std::string& value) {
  if (key == "exitcode") key = "error_exitcode";
  if (key != "log_path") return;
  key = "log_file";
  if (value == "stderr")
    value.clear();
  else
    value = value == "stdout" ? "/dev/stdout" : value + ".%p";  // a file a process
}

/// "bank-conflict:4,same-value", also with = for the colon.
std::vector<Options::FailOn> parse_fail_on(std::string_view list) {
  std::vector<Options::FailOn> result;
  while (!list.empty()) {
    std::size_t const end = std::min(list.find(','), list.size());
    std::string_view const item = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    if (item.empty()) continue;
    std::size_t const colon = std::min(item.find_first_of(":="), item.size());
    Rule const rule = parse_rule(item.substr(0, colon));
    std::uint64_t factor = 0;
    if (colon != item.size()) {
      if (rule != Rule::bank_conflict && rule != Rule::uncoalesced)
        throw OptionError(fmt::format("fail_on \"{}\": only bank-conflict and uncoalesced take a number", item));
      read_value(factor, "fail_on", item.substr(colon + 1));
    }
    result.push_back({rule, factor});
  }
  return result;
}

void parse_shard(Options& options) {
  std::string_view const text = options.shard;
  if (text.empty()) return;
  std::size_t const slash = text.find('/');
  std::uint32_t index = 0, count = 0;
  auto const number = [](std::string_view digits, std::uint32_t& value) {
    auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  if (slash == std::string_view::npos || !number(text.substr(0, slash), index) || !number(text.substr(slash + 1), count) ||
      index < 1 || index > count || count > 1000)
    refuse("shard", text, "I/N, I from 1 to N, N at most 1000, such as 2/4");
  options.m_shard_index = index - 1;
  options.m_shard_count = count;
}

/// "2x", "1.5x", "90s", "10min", "2h".
void parse_budget(Options& options) {
  std::string_view const text = options.budget;
  if (text.empty()) return;
  constexpr char const* wanted =
      "how many times what the run costs unchecked, from 1x on (2x, 1.5x), or a time (90s, 10min, 2h)";
  double number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view const unit = text.substr(static_cast<std::size_t>(end - text.data()));
  bool const good = error == std::errc() && number > 0 && number <= 1e6;
  double const seconds = unit == "s" ? 1 : unit == "min" ? 60 : unit == "h" ? 3600 : 0;
  if (good && unit == "x" && number >= 1)
    options.m_budget_hundredths = static_cast<std::uint64_t>(std::lround(number * 100));
  else if (good && seconds != 0 && number * seconds >= 1)
    options.m_budget_seconds = static_cast<std::uint64_t>(number * seconds);
  else
    refuse("budget", text, wanted);
}

/// Of the ways to choose launches, two cannot both decide.
void check_choices(Options const& options) {
  auto const together = [](std::string_view one, std::string_view other, std::string_view why) {
    throw OptionError(fmt::format("{} and {} do not go together: {}", option_name(one), option_name(other), why));
  };
  if (!options.launches_of.empty() && (options.sample || !options.budget.empty()))
    together("launches_of", options.sample ? "sample" : "budget", "the report says which launches are checked");
  if (!options.by.empty() && options.shard.empty())
    throw OptionError(
        fmt::format("{} is for {}: it deals the launches out to shards", option_name("by"), option_name("shard")));
  if (!options.by.empty() && (options.sample || !options.budget.empty() || !options.launches_of.empty()))
    together("by", options.sample ? "sample" : !options.budget.empty() ? "budget" : "launches_of",
             "shards share all launches among them");
}

/// What no single value shows, and what is derived.
void finish(Options& options) {
  OptionInfo const* info = option_list().data();
#define TEAMSAN_OPTION(type, name, value, syntax, range, reproduces, file, help) check_range(*info++, options.name);
#include "Options.def"
#undef TEAMSAN_OPTION
  options.m_rules = parse_check_list(options.check);
  options.m_by_name = rules_by_name(options.check);
  if (options.leak_check == "yes") options.leak_check = "full";  // valgrind's word
  if (options.leak_check == "full") options.m_rules |= 1ull << static_cast<unsigned>(Rule::leak);
  options.m_model_rules = model_rules();
  options.m_fail_on = parse_fail_on(options.fail_on);
  for (Options::FailOn const& f : options.m_fail_on) options.m_rules |= 1ull << static_cast<unsigned>(f.rule);
  options.m_device = model::find_device(options.device);
  if (options.m_device == nullptr)
    throw OptionError(
        fmt::format("unknown device \"{}\"; the nearest known one is \"{}\"; `teamsan devices` lists all",
                    options.device, model::nearest_device_name(options.device)));
  parse_shard(options);
  KernelNames const names(options);  // throws for a wrong one
  parse_budget(options);
  check_choices(options);
  parse_usm_aspects(options.m_device->usm, options.usm_aspects);  // throws for a wrong one
  check_report_options(options);
}

struct HelpAsked {};

bool g_passes_over_config = false;

void append(std::string& text, char const* more) {
  if (more != nullptr && *more != '\0') text.append(text.empty() ? "" : ":").append(more);
}

/// What the program brings.
std::string options_of_program() {
  std::string text;
  if (teamsan_default_options != nullptr) append(text, teamsan_default_options());
  if (__teamsan_default_options != nullptr) append(text, __teamsan_default_options());
  return text;
}

/// Whose words they are.
enum class Said : std::uint8_t { by_user, by_program, by_trace, by_config };

/// Options of the text, over those that there are.
void read(Options& options, std::string_view text, Said said) {
  bool after_colon = false;
  while (!text.empty()) {
    if (separates(text.front())) {
      after_colon = text.front() == ':';
      text.remove_prefix(1);
      continue;
    }
    std::size_t length = 0;
    while (length < text.size() && !separates(text[length]) && text[length] != '=') ++length;
    std::string key(text.substr(0, length));
    text.remove_prefix(length);
    bool const bare = text.empty() || text.front() != '=';
    if (!bare) text.remove_prefix(1);
    std::string value = bare ? std::string() : take_value(text, key);
    if (key == "help") {
      bool help = false;
      read_value(help, key, value);
      if (help) throw HelpAsked{};
      continue;
    }
    rename_others_option(key, value);
    auto const info = std::ranges::find(option_list(), key, &OptionInfo::name);
    NamesFile const file = info == option_list().end() ? NamesFile::none : info->file;
    if (said == Said::by_trace && file != NamesFile::none) continue;
    if (said == Said::by_config) {
      if (file == NamesFile::written || key == "update_baseline")
        throw OptionError(fmt::format("{} writes a file, which only a command line or TEAMSAN_OPTIONS may ask for", key));
      if (file == NamesFile::read && !value.empty() && !value.starts_with('/'))
        value = options.m_config.substr(0, options.m_config.rfind('/') + 1) + value;
      options.m_config_says.push_back(fmt::format("{}={}", key, bare ? "1" : value));
    }
    if (bare && info != option_list().end() && !info->is_bool)
      refuse(key, "", fmt::format("a value: write {}={}", key, info->syntax));
    if (!set_option(options, key, value))
      refuse_key(key, said == Said::by_config || said == Said::by_program ? "" : " in TEAMSAN_OPTIONS", after_colon && bare);
  }
}

Options parse(std::string_view text, Said said = Said::by_user) {
  Options options;
  read(options, text, said);
  finish(options);
  return options;
}

/// Options that a file .teamsan sets; a mistake in it names it.
void read_config(Options& options) {
  std::optional<ConfigFile> const file = find_config();
  if (!file) return;
  options.m_config = file->path;
  try {
    read(options, file->text, Said::by_config);
  } catch (OptionError const& error) {
    throw OptionError(fmt::format("{}: {}", file->path, error.what()));
  } catch (HelpAsked) {
    throw OptionError(fmt::format("{}: help=1 belongs into TEAMSAN_OPTIONS", file->path));
  }
}

/// Options that the program brings; a mistake in them names where they are.
void read_program(Options& options) {
  try {
    read(options, options_of_program(), Said::by_program);
  } catch (OptionError const& error) {
    throw OptionError(fmt::format("teamsan_default_options() of the program: {}", error.what()));
  } catch (HelpAsked) {
    throw OptionError("teamsan_default_options() of the program: help=1 belongs into TEAMSAN_OPTIONS");
  }
}

/// Of this process.
Options own_options() {
  std::string const& chosen = environment_options();
  Options asked;  // what is asked of a file must be known before it is read
  read_program(asked);
  read(asked, chosen, Said::by_user);
  Options options;
  read_program(options);
  if (asked.config && !g_passes_over_config) read_config(options);
  read(options, chosen, Said::by_user);
  finish(options);
  return options;
}

/// Ends the process without its exit handlers: they would ask for the options again.
[[noreturn]] void leave(std::FILE* stream, std::string const& text, int status) {
  std::fputs(text.c_str(), stream);
  std::fflush(nullptr);
  ::_exit(status);
}

}  // namespace

Options parse_options(std::string_view text) {
  try {
    return parse(text);
  } catch (HelpAsked) {
    throw OptionError("help=1 stands alone in TEAMSAN_OPTIONS of a program");
  }
}

Options parse_recorded_options(std::string_view text) {
  try {
    return parse(text, Said::by_trace);
  } catch (HelpAsked) {
    return {};
  }
}

std::string options_text(Options const& options) {
  Options const usual;
  std::string text;
  OptionInfo const* info = option_list().data();
  auto const add = [&](OptionInfo const& option, auto const& given, auto const& usual_value) {
    // A shard of whole launches is recorded as it is: the trace has them.
    bool const dealt = !options.by.empty() && option.name == "shard";
    if (given != usual_value && option.file == NamesFile::none && !dealt)
      text += fmt::format("{}{}={}", text.empty() ? "" : ":", option.name, written_value(given));
  };
#define TEAMSAN_OPTION(type, name, value, syntax, range, reproduces, file, help) add(*info++, options.name, usual.name);
#include "Options.def"
#undef TEAMSAN_OPTION
  return text;
}

std::string const& environment_options() {
  // Never destroyed, as the options.
  static std::string const& text = *[] {
    char const* const given = std::getenv("TEAMSAN_OPTIONS");
    char const* const trusted = ::secure_getenv("TEAMSAN_OPTIONS");
    if (given != nullptr && *given != '\0' && trusted == nullptr)
      std::fputs("teamsan: TEAMSAN_OPTIONS is ignored: this program has more rights than who started it (set-user-ID, "
                 "set-group-ID or capabilities)\n",
                 stderr);
    return new std::string(trusted == nullptr ? "" : trusted);
  }();
  return text;
}

void pass_over_config() noexcept { g_passes_over_config = true; }

Options const& options() {
  // Never destroyed: the report is written after the program's static objects are gone.
  static Options const& instance = *[] {
    try {
      return new Options(own_options());
    } catch (HelpAsked) {
      leave(stdout, options_help(), exit_success);
    } catch (OptionError const& error) {
      leave(stderr, fmt::format("teamsan: {}\n", error.what()), exit_user_mistake);
    }
  }();
  return instance;
}

std::vector<std::string> reproducing_flags(Options const& options) {
  Options const usual;
  std::vector<std::string> flags;
  auto const add = [&](OptionInfo const& info, auto const& value, auto const& usual_value) {
    if (info.reproduces == Reproduces::no || value == usual_value) return;
    if constexpr (is_switch<std::remove_cvref_t<decltype(value)>>) {
      flags.push_back(info.flag() + (written_value(value) == "1" ? "" : "=0"));
    } else {
      flags.push_back(info.flag());
      using T = std::remove_cvref_t<decltype(value)>;
      if constexpr (std::same_as<T, std::string>)  // words of a command line, not of TEAMSAN_OPTIONS
        flags.push_back(value);
      else
        flags.push_back(written_value(value));
    }
  };
  OptionInfo const* info = option_list().data();
#define TEAMSAN_OPTION(type, name, value, syntax, range, reproduces, file, help) add(*info++, options.name, usual.name);
#include "Options.def"
#undef TEAMSAN_OPTION
  return flags;
}

}  // namespace teamsan
