// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan run`: turns flags into TEAMSAN_OPTIONS and becomes the program. Options the user has in
/// TEAMSAN_OPTIONS stay; flags win over them.
#include "Commands.hpp"
#include "Debug.hpp"
#include "Explore.hpp"
#include "Help.hpp"
#include "ProgramFile.hpp"
#include "RunOptions.hpp"

#include "../base/OptionNames.hpp"
#include "../base/Options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace teamsan::cli {
namespace {

/// The flags in the order of Options.def, as TEAMSAN_OPTIONS takes them.
std::string option_text(RunValues const& values) {
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

[[noreturn]] void become(std::vector<std::string> words, RunValues const& values) {
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
  // On one screen: 80 columns, 50 lines.
  set_help(*command, {"Runs a program that was built for checking, and reports what is wrong in it.",
                      "run [options] [--] app args...",
                      "TEAMSAN_OPTIONS=\"key=value:...\" takes the same; TEAMSAN_OPTIONS=help=1 app\n"
                      "explains each in full. --tool means --check, --exitcode --error-exitcode.",
                      groups_in_short()});
  auto const values = add_run_options(*command, [](std::string_view) { return true; });
  command->add_flag_callback("--no-config", [values] { (*values)["config"] = {"0"}; });
  command->callback([command, values, after_dashes] {
    std::vector<std::string> words = command->remaining();
    words.insert(words.end(), after_dashes.begin(), after_dashes.end());
    become(std::move(words), *values);
  });
}

}  // namespace teamsan::cli
