// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The `teamsan` command. Decides which subcommand runs and how a mistake reads: one sentence, exit status 2.
#include "Commands.hpp"

#include "../base/ExitStatus.hpp"
#include "../base/NearestName.hpp"
#include "../base/Options.hpp"
#include "../base/ReportFile.hpp"
#include "../../traces/Printable.hpp"
#include "../../traces/TraceFile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace teamsan::cli {
namespace {

std::string general_help(CLI::App const& app) {
  std::string text =
      "TeamSan runs a Kokkos program on a simulated GPU and reports its bugs:\n"
      "data races, uninitialised reads, barrier divergence, accesses out of bounds.\n\n"
      "Usage: teamsan COMMAND ...\n\n";
  for (CLI::App const* command : app.get_subcommands([](CLI::App const* known) { return !known->get_group().empty(); }))
    text += fmt::format("  {:<16} {}\n", command->get_name(), command->get_description());
  text +=
      "\n  --help         what a command takes: teamsan help COMMAND\n"
      "  -v, --version  the version of TeamSan\n\n"
      "Exit status: 0 nothing found, 2 a mistake on the command line, 3 TeamSan could\n"
      "not do its work, 66 an error was found in the program.\n";
  return text;
}

std::string hint_at_option(CLI::App const& command, std::string const& typed) {
  std::vector<std::string> names;
  for (CLI::Option const* option : command.get_options())
    for (std::string const& name : option->get_lnames()) names.push_back("--" + name);
  std::vector<std::string_view> const views(names.begin(), names.end());
  std::string hint = hint_at(typed.substr(0, typed.find('=')), views);
  std::erase(hint, '"');
  std::string const asked = command.get_parent() == nullptr ? "" : command.get_name() + ' ';
  return hint.empty() ? fmt::format("; teamsan {}--help names them", asked) : hint;
}

/// Words that no option and no command took.
void refuse_rest(CLI::App const& app) {
  auto const chosen = app.get_subcommands();
  CLI::App const& command = chosen.empty() ? app : *chosen.front();
  std::vector<std::string> const rest = app.remaining(true);
  if (command.get_name() == "run" && (rest.empty() || !rest.front().starts_with("-"))) return;
  for (std::string const& word : rest) {
    if (word.starts_with("-"))
      throw UsageError(fmt::format("unknown option {}{}", word.substr(0, word.find('=')), hint_at_option(command, word)));
    if (!chosen.empty()) throw UsageError(fmt::format("{} does not take \"{}\"", command.get_name(), word));
    std::vector<std::string_view> names;
    for (CLI::App const* known : app.get_subcommands([](CLI::App const*) { return true; }))
      names.push_back(known->get_name());
    throw UsageError(fmt::format("unknown command \"{}\"{}", word, hint_at(word, names)));
  }
}

std::string one_sentence(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return traces::printable(text);
}

/// CTest starts its memory checker without a subcommand: TOOL --log-file FILE --tool memcheck --leak-check full app
/// (ctest -T memcheck, MEMORYCHECK_TYPE=CudaSanitizer). That is `run` with a report for CTest; CTest's own default
/// options ask for every check, others (MEMORYCHECK_COMMAND_OPTIONS) for what they say.
std::vector<std::string> spelled_out(std::vector<std::string> words) {
  auto const log = std::find(words.begin(), words.end(), "--log-file");
  if (words.empty() || !words.front().starts_with("--") || words.end() - log < 2) return words;
  write_report_file(log[1], "");  // CTest reads it even if the program never starts
  log[0] = "--report";
  log[1].insert(0, "ctest=");
  std::vector<std::string> const by_default{"--tool", "memcheck", "--leak-check", "full"};
  auto const asked = std::search(words.begin(), words.end(), by_default.begin(), by_default.end());
  if (asked != words.end()) words.erase(asked, asked + std::ssize(by_default));
  words.insert(words.begin(), "run");
  return words;
}

/// `teamsan help [COMMAND]` is `teamsan [COMMAND] --help`.
std::vector<std::string> help_asked(std::vector<std::string> words) {
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.push_back("--help");
  return words;
}

/// An option at the end, or before another one, that wants a value.
void refuse_without_value(CLI::App const& app, std::vector<std::string> const& words) {
  if (words.empty()) return;
  auto const named = app.get_subcommands([&words](CLI::App const* known) { return known->get_name() == words.front(); });
  if (named.empty()) return;
  CLI::App const* const command = named.front();
  for (std::size_t at = 1; at < words.size(); ++at) {
    CLI::Option const* const option = command->get_option_no_throw(words[at]);
    if (option == nullptr && !words[at].starts_with("-") && command->get_name() == "run") return;  // the program's from here on
    if (option == nullptr || option->get_expected_min() == 0 || !words[at].starts_with("-")) continue;
    if (at + 1 == words.size() || (words[at + 1].starts_with("-") && command->get_option_no_throw(words[at + 1]) != nullptr))
      throw UsageError(fmt::format("{0} wants a value: {0} {1}", words[at], option->get_type_name()));
    ++at;
  }
}

int run_command(std::vector<std::string> words) {
  words = help_asked(spelled_out(std::move(words)));
  auto const dashes = std::find(words.begin(), words.end(), "--");
  std::vector<std::string> const after_dashes(dashes, words.end());
  words.erase(dashes, words.end());
  CLI::App app("", "teamsan");
  app.set_version_flag("-v,--version", "teamsan " TEAMSAN_VERSION);
  app.formatter_fn(
      [](CLI::App const* asked, std::string, CLI::AppFormatMode) { return general_help(*asked); });
  app.allow_extras();
  add_run(app, after_dashes);
  add_merge(app);
  add_replay(app);
  add_trace(app);
  add_explain_finding(app);
  add_devices(app);
  add_doctor(app);
  add_explain(app);
  add_suppress(app);
  add_model(app);
  add_compare(app);
  add_verify(app, after_dashes);
  add_complete(app, after_dashes);
  app.parse_complete_callback([&app] { refuse_rest(app); });
  if (words.empty()) {
    std::fputs(general_help(app).c_str(), stderr);
    return exit_user_mistake;
  }
  refuse_without_value(app, words);
  try {
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app.parse(std::move(words));
  } catch (CLI::CallForHelp const&) {
    auto const chosen = app.get_subcommands();
    std::fputs((chosen.empty() ? app.help() : chosen.front()->help()).c_str(), stdout);
  } catch (CLI::CallForVersion const& version) {
    std::printf("%s\n", version.what());
  }
  return exit_success;
}

int refuse(std::string const& sentence) {
  std::fprintf(stderr, "teamsan: %s\n", one_sentence(sentence).c_str());
  return exit_user_mistake;
}

}  // namespace

void add_no_limits(CLI::App& command) {
  auto const lift = [] { traces::TraceLimits::set({~std::uint64_t{0}, ~std::uint64_t{0}}); };
  command.add_flag_callback("--no-limits", lift, "take all the time and memory that the trace asks for")->trigger_on_parse();
}

std::string hanging(std::string_view text, std::size_t first_column, std::size_t indent) {
  std::string result;
  std::size_t column = first_column;
  while (!text.empty()) {
    std::string_view const word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (!result.empty() && column + 1 + word.size() > 80) {
      result.append("\n").append(indent, ' ');
      column = indent;
    } else if (!result.empty()) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

}  // namespace teamsan::cli

int main(int count, char** words) {
  using namespace teamsan;
  pass_over_config();
  try {
    return cli::run_command({words + 1, words + count});
  } catch (cli::UsageError const& error) {
    return cli::refuse(error.what());
  } catch (OptionError const& error) {
    return cli::refuse(error.what());
  } catch (CLI::ParseError const& error) {
    return cli::refuse(error.what());
  } catch (std::exception const& error) {
    std::fprintf(stderr, "teamsan: internal error: %s\n", error.what());
    return exit_tool_failure;
  }
}
