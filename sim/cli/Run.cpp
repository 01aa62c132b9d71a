// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan run`: turns flags into TEAMSAN_OPTIONS and becomes the program. Options the user has in
/// TEAMSAN_OPTIONS stay; flags win over them.
#include "Commands.hpp"
#include "Debug.hpp"
#include "Explore.hpp"
#include "ProgramFile.hpp"

#include "../base/OptionNames.hpp"
#include "../base/Options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace teamsan::cli {
namespace {

/// The second names by which people know an option from other tools.
struct FlagAlias {
  std::string_view option, alias;
};
constexpr FlagAlias aliases[] = {{"check", "--tool"}, {"error_exitcode", "--exitcode"}};

/// Groups of Options.def that --help only names, so that it stays on one screen; help=1 explains them.
constexpr std::string_view groups_in_short[] = {
    "How the program runs",       "In which order", "Findings", "The machine model (--check perf)", "Limits",
    "For scripts and CI services"};

/// The flags of a group, as many in a line as there is room for.
std::string names_of_group(std::string_view group) {
  std::string names;
  for (OptionInfo const& info : option_list()) {
    if (info.group != group) continue;
    std::string flag = flag_text(info);
    std::replace(flag.begin(), flag.end(), ' ', '\t');  // not broken from its value
    names += (names.empty() ? "" : " ") + flag;
  }
  std::string text = hanging(names, 2, 2);
  std::replace(text.begin(), text.end(), '\t', ' ');
  return "  " + text + "\n";
}

/// On one screen: 80 columns, 50 lines.
std::string run_help() {
  std::string text =
      "Runs a program that was built for checking, and reports what is wrong in it.\n"
      "Usage: teamsan run [options] [--] app args...\n\n";
  std::string_view group;
  for (OptionInfo const& info : option_list()) {
    bool const in_short = std::ranges::find(groups_in_short, info.group) != std::end(groups_in_short);
    if (info.group != group) {
      text += fmt::format("{}:\n", info.group);
      if (in_short) text += names_of_group(info.group);
    }
    group = info.group;
    if (!in_short) text += fmt::format("  {:<23} {}\n", flag_text(info), info.help.substr(0, info.help.find(';')));
  }
  text +=
      "\nTEAMSAN_OPTIONS=\"key=value:...\" takes the same; TEAMSAN_OPTIONS=help=1 app\n"
      "explains each in full. --tool means --check, --exitcode --error-exitcode.\n";
  return text;
}

using Values = std::map<std::string, std::vector<std::string>>;

/// The flags in the order of Options.def, as TEAMSAN_OPTIONS takes them.
std::string option_text(Values const& values) {
  std::string text;
  // What adds up, adds up to what was typed: kernels that the environment names are no part of it.
  for (char const* const name : {"kernel_name", "kernel_regex"})
    if (!values.at("kernel_name").empty() || !values.at("kernel_regex").empty())
      if (char const* const inherited = std::getenv("TEAMSAN_OPTIONS"); inherited != nullptr && std::strstr(inherited, name))
        text += fmt::format("{}{}=\"\"", text.empty() ? "" : ":", name);
  for (OptionInfo const& info : option_list())
    for (std::string const& value : values.at(std::string(info.name)))
      text += fmt::format("{}{}={}", text.empty() ? "" : ":", info.name, quoted_option_value(value));
  return text;
}

[[noreturn]] void become(std::vector<std::string> words, Values const& values) {
  if (!words.empty() && words.front() == "--") words.erase(words.begin());
  if (words.empty()) throw UsageError("run needs a program: teamsan run [options] [--] app args...");
  char const* inherited = std::getenv("TEAMSAN_OPTIONS");
  std::string text = inherited == nullptr ? "" : inherited;
  if (std::string const flags = option_text(values); !flags.empty())
    text += (text.empty() ? "" : ":") + flags;
  // A mistake is said here, before the program starts, as it was made.
  if (inherited != nullptr) parse_options(inherited);
  Options const options = [&] {
    NamedAsFlags const typed;
    return parse_options(text);
  }();
  std::string const path = find_program(words.front());
  require_instrumented(path);

  ::setenv("TEAMSAN_LAUNCHER", ::program_invocation_name, 1);  // for lines to paste
  if (options.gdb) debug(path, words, text);
  if (options.explore > 1) std::exit(explore(path, words, text, options));
  ::setenv("TEAMSAN_OPTIONS", text.c_str(), 1);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(path.c_str(), arguments.data());
  throw UsageError(fmt::format("cannot start {}: {}", path, std::strerror(errno)));
}

}  // namespace

void add_run(CLI::App& app, std::vector<std::string> after_dashes) {
  CLI::App* command = app.add_subcommand("run", "run a program that was built for checking, and report");
  command->prefix_command();
  command->formatter_fn([](CLI::App const*, std::string, CLI::AppFormatMode) { return run_help(); });
  auto values = std::make_shared<Values>();
  for (OptionInfo const& info : option_list()) {
    std::vector<std::string>& value = (*values)[std::string(info.name)];
    std::string names = info.flag();
    for (FlagAlias const& alias : aliases)
      if (alias.option == info.name) names.append(",").append(alias.alias);
    CLI::Option* option = info.is_bool ? command->add_flag(names + "{1}", value, std::string(info.help))
                                       : command->add_option(names, value, std::string(info.help));
    if (!info.is_bool) option->expected(1)->allow_extra_args(false);
    option->multi_option_policy(info.range.kind == OptionRange::Kind::many ? CLI::MultiOptionPolicy::TakeAll
                                                                           : CLI::MultiOptionPolicy::TakeLast);
  }
  command->add_flag_callback("--no-config", [values] { (*values)["config"] = {"0"}; });
  command->callback([command, values, after_dashes] {
    std::vector<std::string> words = command->remaining();
    words.insert(words.end(), after_dashes.begin(), after_dashes.end());
    become(std::move(words), *values);
  });
}

}  // namespace teamsan::cli
