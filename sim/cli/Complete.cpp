// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan complete -- WORD... PARTIAL`: what may stand in the place of the last word of a command line (the first word is
/// the launcher's name), a line each, with what it means behind a tab. The shells' completion asks it; where it says nothing,
/// a file's name is meant. Goes by the commands and options that the parser has.
#include "Commands.hpp"

#include "../base/Options.hpp"
#include "../base/Rule.hpp"
#include "../report/Writers.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace teamsan::cli {
namespace {

struct Candidate {
  std::string word, about;
};

std::vector<Candidate> device_names() {
  std::vector<Candidate> found;
  for (model::Device const& device : model::devices()) found.push_back({std::string(device.name), ""});
  return found;
}

/// The ids of all rules, behind BEFORE.
std::vector<Candidate> rule_ids(std::string const& before) {
  std::vector<Candidate> found;
  for (RuleInfo const& rule : rules()) found.push_back({before + std::string(rule.id), std::string(rule.text)});
  return found;
}

/// The last of a list's elements may still be typed: what stands before it.
std::string whole_elements(std::string const& partial) {
  std::size_t const comma = partial.rfind(',');
  return comma == partial.npos ? "" : partial.substr(0, comma + 1);
}

/// The words that an option of Options.def takes.
std::vector<Candidate> words_of(CLI::Option const& option, std::string const& partial) {
  std::vector<Candidate> found;
  for (std::string const& name : option.get_lnames()) {
    OptionInfo const* const info = option_of_flag("--" + name);
    if (info == nullptr) continue;
    bool const list = info->range.kind == OptionRange::Kind::some_of;
    for (std::string_view const word : info->range.known_words())
      found.push_back({(list ? whole_elements(partial) : std::string()).append(word), ""});
  }
  return found;
}

std::vector<Candidate> values_of(CLI::Option const& option, std::string const& partial) {
  if (option.check_lname("device")) return device_names();
  if (option.check_lname("fail-on")) return rule_ids(whole_elements(partial));
  if (option.check_lname("report")) {
    std::vector<Candidate> found;
    if (partial.find('=') == partial.npos)
      for (Writer const& writer : writers()) found.push_back({fmt::format("{}=", writer.format), std::string(writer.about)});
    return found;
  }
  std::vector<Candidate> found = words_of(option, partial);
  if (option.check_lname("check"))
    for (Candidate& rule : rule_ids(whole_elements(partial))) found.push_back(std::move(rule));
  return found;
}

std::vector<Candidate> options_of(CLI::App const& command) {
  std::vector<Candidate> found;
  for (CLI::Option const* option : command.get_options())
    for (std::string const& name : option->get_lnames()) found.push_back({"--" + name, option->get_description()});
  return found;
}

/// `words`: the launcher, what stands before the word in question, and that word.
std::vector<Candidate> candidates(CLI::App const& app, std::vector<std::string> const& words) {
  if (words.size() < 2) return {};
  std::string const& partial = words.back();
  if (words.size() == 2) {
    std::vector<Candidate> found{{"--help", "what there is"}, {"--version", "the version of TeamSan"}};
    for (CLI::App const* command : app.get_subcommands([](CLI::App const*) { return true; }))
      if (!command->get_group().empty()) found.push_back({command->get_name(), command->get_description()});
    return found;
  }
  auto const chosen = app.get_subcommands([&](CLI::App const* known) { return known->get_name() == words[1]; });
  if (chosen.empty()) return {};
  CLI::App const* command = chosen.front();
  // What the options before it have taken; behind a program's name all is the program's own.
  CLI::Option const* open = nullptr;
  for (std::size_t i = 2; i + 1 < words.size(); ++i) {
    std::string const& word = words[i];
    if (open != nullptr) {
      open = nullptr;
    } else if (word == "--" || (!word.starts_with("-") && command->get_prefix_command())) {
      return {};
    } else if (word.starts_with("-") && word.find('=') == word.npos) {
      open = command->get_option_no_throw(word);
      if (open != nullptr && open->get_expected_min() == 0) open = nullptr;  // a switch
    }
  }
  if (open != nullptr) return values_of(*open, partial);
  if (std::size_t const equals = partial.find('='); partial.starts_with("--") && equals != partial.npos) {
    CLI::Option const* option = command->get_option_no_throw(partial.substr(0, equals));
    if (option == nullptr) return {};
    std::vector<Candidate> found = values_of(*option, partial.substr(equals + 1));
    for (Candidate& candidate : found) candidate.word.insert(0, partial.substr(0, equals + 1));
    return found;
  }
  if (partial.starts_with("-")) return options_of(*command);
  if (words[1] == "devices") return device_names();
  if (words[1] == "explain") return rule_ids("");
  return {};
}

}  // namespace

void add_complete(CLI::App& app, std::vector<std::string> after_dashes) {
  CLI::App* command = app.add_subcommand("complete", "what may come next on a command line");
  command->group("");  // the shells', not people's
  command->final_callback([&app, words = std::move(after_dashes)] {
    std::vector<std::string> const line(words.empty() ? words.end() : words.begin() + 1, words.end());
    for (Candidate const& candidate : candidates(app, line))
      if (candidate.word.starts_with(line.back()))
        fmt::print("{}{}{}\n", candidate.word, candidate.about.empty() ? "" : "\t", candidate.about);
  });
}

}  // namespace teamsan::cli
